// emit() on a port: listeners of the emitter's kind get the value, others an event with it.
'use strict';
const { port1 } = new MessageChannel();
port1.addEventListener('foo', (event) => console.log('listener', event.type, event.detail));
port1.on('foo', (value) => console.log('on', value));
console.log(port1.emit('foo', 'bar'));
port1.close();
