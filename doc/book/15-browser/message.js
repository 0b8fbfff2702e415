const { port1, port2 } = new MessageChannel();
port1.onmessage = () => {
  console.log('a message');
  port1.close();
};
setTimeout(() => console.log('a timer of 500 ms'), 500);
port2.postMessage('hello');
console.log('the script ends');
