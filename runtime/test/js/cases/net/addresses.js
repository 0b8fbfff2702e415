'use strict';
// isIP, SocketAddress, BlockList.
const net = require('net');
for (const text of ['127.0.0.1', '::1', '1.2.3', 'x', '', '::ffff:1.2.3.4', 'fe80::1%lo', '1.2.3.4%lo', '01.2.3.4', '256.1.1.1', ':::', '1::2::3']) {
  console.log(text, net.isIP(text), net.isIPv4(text), net.isIPv6(text));
}
console.log(new net.SocketAddress(), new net.SocketAddress({ family: 'ipv6', port: 80, flowlabel: 5 }));
console.log(net.SocketAddress.parse('1.2.3.4:99'), net.SocketAddress.parse('[2001:db8::1]:99'), net.SocketAddress.parse('nothing'));
const list = new net.BlockList();
list.addAddress('1.1.1.1');
list.addRange('10.0.0.1', '10.0.0.10');
list.addSubnet('8592:757c:efae:4e45::', 64, 'ipv6');
for (const [address, family] of [['1.1.1.1'], ['1.1.1.2'], ['10.0.0.10'], ['10.0.0.11'], ['8592:757c:efae:4e45:1::', 'ipv6'], ['8592:757c:efae:4e46::', 'ipv6'],
                                 ['::ffff:1.1.1.1', 'ipv6'], ['::ffff:0101:0101', 'ipv6'], ['nothing']]) {
  console.log(address, list.check(address, family));
}
console.log(list);
for (const wrong of [() => list.addAddress('x'), () => list.addRange('1.1.1.2', '1.1.1.1'), () => list.addSubnet('1.1.1.1', 33), () => list.addAddress(1),
                     () => new net.SocketAddress({ port: -1 })]) {
  try {
    wrong();
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
