console.log('preloaded');
