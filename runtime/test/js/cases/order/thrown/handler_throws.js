process.on('uncaughtException', () => { throw new Error('again'); }); setTimeout(() => { throw new Error('x'); }, 1);
