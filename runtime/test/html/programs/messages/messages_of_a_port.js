// Messages of one port keep their order; a checkpoint follows each.
const { port1, port2 } = new MessageChannel();
port1.onmessage = ({ data }) => {
  console.log(`message ${data}`);
  queueMicrotask(() => console.log(`microtask of ${data}`));
  if (data === 3) port1.close();
};
for (const data of [1, 2, 3]) port2.postMessage(data);
queueMicrotask(() => console.log('microtask of the script'));
