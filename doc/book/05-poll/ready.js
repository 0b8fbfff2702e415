const dgram = require('node:dgram');

const receiver = dgram.createSocket('udp4');
receiver.on('message', function onMessage(text) {
  console.log(`message ${text}`);
  if (String(text) === '3') receiver.close();
});
receiver.bind(0, '127.0.0.1', function onListening() {
  const sender = dgram.createSocket('udp4');
  sender.connect(receiver.address().port, '127.0.0.1', function onConnect() {
    for (const text of ['1', '2', '3']) sender.send(text);
    const start = Date.now();
    while (Date.now() - start < 30);
    console.log('the kernel has had all three for long');
    sender.close();
  });
});
