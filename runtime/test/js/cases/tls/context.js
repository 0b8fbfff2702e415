// The options of a secure context, its errors, and the module's defaults.
const fs = require('fs');
const path = require('path');
const tls = require('tls');
const https = require('https');

const read = (name) => fs.readFileSync(path.join(__dirname, 'support', name));
const key = read('server-key.pem');
const cert = read('server.pem');

function attempt(title, action) {
  try {
    const result = action();
    console.log(title, typeof result === 'object' ? 'taken' : result);
  } catch (error) {
    console.log(title, error.name, error.code, error.message);
  }
}
const make = (title, options) => attempt(title, () => tls.createSecureContext(options));

make('nothing', undefined);
make('false values', { key: 0, cert: '', ca: null });
make('lists', { key: [{ pem: key }], cert: [cert], ca: [cert] });
make('key true', { key: true });
make('cert object', { cert: { pem: cert } });
make('ca list', { ca: [cert, 1] });
make('ciphers', { ciphers: 'ECDHE-RSA-AES128-GCM-SHA256:TLS_AES_128_GCM_SHA256' });
make('ciphers number', { ciphers: 1 });
make('ciphers colon', { ciphers: ':' });
make('versions', { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.3' });
make('version', { minVersion: 'TLSv9' });
make('method', { secureProtocol: 'TLSv1_2_method' });
make('old method', { secureProtocol: 'SSLv3_method' });
make('odd method', { secureProtocol: 'x' });
make('method and version', { secureProtocol: 'TLSv1_2_method', maxVersion: 'TLSv1.2' });
make('sigalgs', { sigalgs: '' });
make('curve', { ecdhCurve: 1 });
make('session context', { sessionIdContext: 1 });
make('session time', { sessionTimeout: -1 });
make('tickets', { ticketKeys: Buffer.alloc(47) });
make('tickets text', { ticketKeys: 'x' });
make('engine', { clientCertEngine: 0 });
make('key engine', { privateKeyEngine: 0, privateKeyIdentifier: 'key' });
make('partial', { allowPartialTrustChain: 1 });
make('pfx', { pfx: Buffer.from('x') });
attempt('port', () => tls.connect({ port: 1, servername: '127.0.0.1' }));
attempt('identity', () => tls.connect({ port: 1, checkServerIdentity: 1 }));
attempt('alpn', () => tls.createServer({ ALPNCallback: 1 }));
attempt('alpn twice', () => tls.createServer({ ALPNCallback() {}, ALPNProtocols: ['a'] }));
attempt('sni', () => tls.createServer({ SNICallback: 1 }));
attempt('timeout', () => tls.createServer({ handshakeTimeout: 'x' }));
attempt('options', () => tls.createServer('x'));
attempt('no name', () => tls.createServer({}).addContext(''));
attempt('context', () => tls.createServer({}).setSecureContext());
attempt('https', () => new https.Server([]));
const keys = Buffer.alloc(48, 7);
const server = tls.createServer({ key, cert, ticketKeys: keys });
console.log('keys', server.getTicketKeys().equals(keys), tls.createServer({ key, cert }).getTicketKeys().length);
server.setTicketKeys(Buffer.alloc(48, 8));
console.log('keys', server.getTicketKeys()[47]);
attempt('no keys', () => server.setTicketKeys('x'));
attempt('authorities', () => tls.getCACertificates('x'));
attempt('authorities type', () => tls.getCACertificates(1));
console.log('authorities', tls.getCACertificates() === tls.getCACertificates(), Object.isFrozen(tls.getCACertificates()), tls.getCACertificates('extra').length);
tls.setDefaultCACertificates([read('ca.pem'), read('ca.pem').toString()]);
console.log('authorities', tls.getCACertificates().length, tls.getCACertificates()[0] === read('ca.pem').toString());
attempt('bad authorities', () => tls.setDefaultCACertificates(['x']));
attempt('odd authorities', () => tls.setDefaultCACertificates([1]));
console.log(tls.DEFAULT_MIN_VERSION, tls.DEFAULT_MAX_VERSION, tls.DEFAULT_ECDH_CURVE, tls.CLIENT_RENEG_LIMIT, tls.CLIENT_RENEG_WINDOW);
const agent = new https.Agent();
console.log(agent.getName({ host: 'a', port: 1, ca: 'ca', servername: 'b', rejectUnauthorized: false, sigalgs: 's', secureOptions: 4 }));
console.log(agent.getName({}), Object.keys(agent._sessionCache.map));
