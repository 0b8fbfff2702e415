console.log('not a test, but a file that ends well');
