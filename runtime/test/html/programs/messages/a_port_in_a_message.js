// A port that is sent along takes its messages with it.
const outer = new MessageChannel();
const inner = new MessageChannel();
inner.port2.postMessage('sent before');
outer.port1.onmessage = ({ ports: [port] }) => {
  console.log('port arrives');
  port.onmessage = ({ data }) => console.log(data);
  inner.port2.postMessage('sent after');
};
outer.port2.postMessage('take it', [inner.port1]);
