// A message is a task, also if it is posted by a microtask.
const { port1, port2 } = new MessageChannel();
port1.onmessage = ({ data }) => console.log(data);
queueMicrotask(() => {
  port2.postMessage('message');
  queueMicrotask(() => console.log('microtask'));
  Promise.resolve().then(() => console.log('promise'));
});
console.log('script');
