// What keeps the loop alive: by name, and as the objects that the program has.
const net = require('net');
const count = () => {
  const names = process.getActiveResourcesInfo();
  return ['TCPSocketWrap', 'TCPServerWrap', 'Timeout', 'Immediate', 'FSReqCallback'].map((name) => `${name} ${names.filter((other) => other === name).length}`).join(', ');
};
console.log(count());
let files = 3;
for (let i = 0; i < 3; i++) require('fs').stat(__filename, () => --files || begin());
console.log(count(), process._getActiveRequests().length);
const server = net.createServer((near) => {
  const handles = process._getActiveHandles();
  console.log(count(), handles.includes(server), handles.includes(near), handles.includes(far));
  const timer = setTimeout(() => {}, 1000);
  setImmediate(() => {});
  console.log(count());
  clearTimeout(timer);
  far.unref();
  console.log(count());
  server.close();
  near.destroy();
  far.destroy();
  console.log(count());
});
let far;
function begin() {
  server.listen(0, '127.0.0.1', () => {
    far = net.connect(server.address().port, '127.0.0.1'); // localhost may have two addresses, and then a timer for each
  });
}
