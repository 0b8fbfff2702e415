// The earlier due time comes first, whatever was set first.
setTimeout(() => console.log('60'), 60);
setTimeout(() => console.log('30'), 30);
setTimeout(() => console.log('0'), 0);
setTimeout(() => setTimeout(() => console.log('30 after 60'), 30), 60);
