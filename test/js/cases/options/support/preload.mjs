console.log('imported');
