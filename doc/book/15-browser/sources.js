const { port1, port2 } = new MessageChannel();
port1.onmessage = () => {
  console.log('a message');
  port1.close();
};

setTimeout(() => console.log('a timer'), 0);
port2.postMessage('hello');

const began = performance.now();
while (performance.now() - began < 20); // both are ready now
