// A message is copied when it is posted.
const { port1, port2 } = new MessageChannel();
const data = { value: 'before' };
port1.onmessage = (event) => console.log(event.data.value, event.data !== data);
port2.postMessage(data);
data.value = 'after';
