console.log('thread, CommonJS');
