// What is no positive number counts as 0; so does what does not fit into 32 bits.
setTimeout(() => console.log('NaN'), NaN);
setTimeout(() => console.log('negative'), -100);
setTimeout(() => console.log('text'), 'soon');
setTimeout(() => console.log('infinite'), Infinity);
setTimeout(() => console.log('too large'), 2 ** 31);
setTimeout(() => console.log('none'));
setTimeout(() => console.log('zero'), 0);
