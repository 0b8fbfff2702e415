console.log(import.meta.resolve('./x.js', 'file:///a/b.js').slice(-7), import.meta.resolve.length);
