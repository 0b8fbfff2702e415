console.log('thread, ES module');
