// A listener alone does not start a port.
const { port1, port2 } = new MessageChannel();
port1.addEventListener('message', ({ data }) => console.log(data));
port2.postMessage('early');
setTimeout(() => {
  console.log('starts');
  port1.start();
  port2.postMessage('late');
}, 20);
