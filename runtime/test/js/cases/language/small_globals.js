// ErrorEvent, node:sea, inspector/promises, and which modules are built in.
const { builtinModules } = require('node:module');
const show = (program) => {
  try {
    console.log(program());
  } catch (error) {
    console.log(error.name, error.code, error.message.split('\n')[0]);
  }
};
show(() => { const e = new ErrorEvent('error', { message: 'm', filename: 'f', lineno: 3, colno: 4, error: new RangeError('x') }); return [e.type, e.message, e.filename, e.lineno, e.colno, e.error.message, e instanceof Event, String(e)]; });
show(() => { const e = new ErrorEvent('x'); return [e.message, e.filename, e.lineno, e.colno, e.error, e.cancelable]; });
show(() => new ErrorEvent());
show(() => new ErrorEvent('x', 5));
show(() => ErrorEvent.length + ErrorEvent.name);
show(() => Object.keys(ErrorEvent.prototype));

const sea = require('node:sea');
console.log(Object.keys(sea), Object.values(sea).map((f) => f.length));
for (const program of [() => sea.isSea(), () => sea.getAsset('a'), () => sea.getAsset(1), () => sea.getAsset('a', 5), () => sea.getRawAsset('a'), () => sea.getAssetAsBlob('a'), () => sea.getAssetKeys()]) show(program);

console.log(builtinModules.filter((id) => /^_|sea|inspector/.test(id)));
show(() => require('_stream_duplex'));
process.removeAllListeners('warning');
process.on('warning', (warning) => console.log(warning.name, warning.code, warning.message));
console.log(Object.keys(require('_tls_common')), Object.keys(require('_tls_wrap')), require('_tls_wrap').TLSSocket === require('tls').TLSSocket);
const { translatePeerCertificate } = require('_tls_common');
console.log(translatePeerCertificate(null), translatePeerCertificate({ subject: 'CN=x', infoAccess: 'CA Issuers - URI:http://x\nOCSP - URI:http://y\nOCSP - URI:"http:\\u000az"' }));

const inspector = require('node:inspector');
const { Session, url } = require('node:inspector/promises');
console.log(Object.getPrototypeOf(Session) === inspector.Session, url === inspector.url);
(async () => {
  const session = new Session();
  await session.post('Runtime.evaluate', { expression: '1' }).catch((error) => console.log(error.code));
  session.connect();
  console.log(await session.post('Runtime.evaluate', { expression: '1 + 1' }));
  await session.post('Nope.nothing').catch((error) => console.log(error.code, error.message));
  await session.post(5).catch((error) => console.log(error.code));
  session.disconnect();
})();
