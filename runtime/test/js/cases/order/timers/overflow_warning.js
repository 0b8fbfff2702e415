process.on('warning', (w) => console.log(w.name, w.message));
setTimeout(() => console.log('fired'), 2 ** 31);
setTimeout(() => console.log('negative'), -1);
setTimeout(() => console.log('nan'), 'x');
