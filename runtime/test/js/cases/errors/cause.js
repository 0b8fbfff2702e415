const e = new Error('outer', { cause: new RangeError('inner') });
e.code = 'X';
throw e;
