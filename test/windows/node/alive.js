require('net').createServer().listen(0, '127.0.0.1');
setTimeout(() => process.exit(4), 6000);
