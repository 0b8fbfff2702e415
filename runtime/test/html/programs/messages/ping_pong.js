// Two ports that answer each other.
const { port1, port2 } = new MessageChannel();
port1.onmessage = ({ data }) => {
  console.log(`one hears ${data}`);
  if (data < 6) port1.postMessage(data + 1);
};
port2.onmessage = ({ data }) => {
  console.log(`two hears ${data}`);
  port2.postMessage(data + 1);
};
port1.postMessage(1);
