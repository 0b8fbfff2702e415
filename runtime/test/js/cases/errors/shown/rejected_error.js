Promise.reject(new Error('rej'));
