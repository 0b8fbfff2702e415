'use strict';

// Run by ../more_ways.js, in a directory with ok/ (allowed) and secret/ (not).
const fs = require('fs');
const D = __dirname;
const S = `${D}/secret/s`;
const lines = [];
const out = (...words) => lines.push(words.join(' ').replaceAll(D, 'PLACE'));
let waiting = 0;
const t = (name, way) => {
  try {
    const value = way();
    if (typeof value?.then !== 'function') return out(name, 'OK', String(value).slice(0, 40).trim());
    waiting++;
    value.then((found) => out(name, 'RESOLVED', String(found).slice(0, 40).trim()), (error) => out(name, 'rejected', error.code ?? error.message)).finally(() => {
      if (--waiting === 0) end();
    });
  } catch (error) {
    out(name, error.code ?? error.message, error.permission ?? '');
  }
};
const { DatabaseSync } = require('node:sqlite');
t('extension', ()=>new DatabaseSync(':memory:',{allowExtension:true}));
t('report', ()=>process.report.writeReport(D+'/secret/r.json'));
t('report dir', ()=>{process.report.directory=D+'/secret'; process.report.filename='rr.json'; return process.report.writeReport()});
t('heap', ()=>require('v8').writeHeapSnapshot(D+'/secret/h'));
t('heap near', ()=>require('v8').setHeapSnapshotNearHeapLimit(1));
t('stop coverage', ()=>require('v8').stopCoverage());
t('take coverage', ()=>require('v8').takeCoverage());
t('cache', ()=>require('module').enableCompileCache(D+'/secret/cache').status);
t('register', ()=>{require('module').register('file://'+S); return 'x'});
t('registerHooks', ()=>{require('module').registerHooks({}); return 'x'});
t('source map', ()=>{ process.setSourceMapsEnabled(true); const m=new module.constructor('a'); m._compile('exports.f=()=>{throw new Error("m")}\n//# sourceMappingURL='+S, D+'/ok/a.js'); try {m.exports.f()} catch(e){ return e.stack.includes('TOPSECRET') } });
t('json', ()=>import('file://'+D+'/secret/x.json',{with:{type:'json'}}));
t('text', ()=>import('file://'+S));
t('worker', ()=>new (require('worker_threads').Worker)(S));
t('worker flags', ()=>new (require('worker_threads').Worker)('',{eval:true,execArgv:['--no-permission','--allow-worker','--allow-fs-read=*']}));
t('env file', ()=>process.loadEnvFile(S));
t('util parseEnv', ()=>Object.keys(require('util').parseEnv('a=1')));
t('dlopen', ()=>process.dlopen({exports:{}},D+'/ok/none.so'));
t('linked', ()=>process._linkedBinding('x'));
t('binding', ()=>process.binding('fs'));
t('binding2', ()=>process.binding('spawn_sync'));
t('execve', ()=>process.execve('/bin/true',['true'],{}));
t('cluster', ()=>require('cluster').fork());
t('inspector', ()=>require('inspector').open(0));
t('console file', ()=>new console.Console(fs.createWriteStream(D+'/secret/con').on('error',(e)=>out('con stream',e.code)))&&'x');
t('test run', ()=>new Promise((r)=>require('node:test').run({files:[S]}).on('test:fail',(e)=>r(e.details?.error?.cause?.code ?? e.details?.error?.code)).on('end',()=>r('end')).on('error',(e)=>r(e.code)).resume()));
t('kill', ()=>process.kill(process.pid,0));
t('umask', ()=>typeof process.umask());
t('setuid', ()=>process.setuid(process.getuid()));
t('os', ()=>typeof require('os').userInfo().username);
t('wasi', ()=>new (require('wasi').WASI)({version:'preview1',preopens:{'/':'/'}}));
t('fetch', ()=>fetch('http://127.0.0.1:9'));
t('ws', ()=>new Promise((r)=>{new WebSocket('ws://127.0.0.1:9').onerror=(e)=>r(e.message||e.error?.message||e.type)}));
t('es', ()=>fetch('file://'+S));
t('blob fetch', ()=>fetch(URL.createObjectURL(new Blob(['x']))).then(r=>r.text()));
t('openAsBlob', ()=>fs.openAsBlob(S));
t('rmp', ()=>fs.promises.rm(D+'/secret',{recursive:true}));
t('rmcb', ()=>new Promise((r,j)=>fs.rm(D+'/secret',{recursive:true},(e)=>e?j(e):r())));
t('glob', ()=>Array.fromAsync(fs.promises.glob(D+'/secret/*')));
t('globcb', ()=>new Promise((r,j)=>fs.glob(D+'/secret/*',(e,m)=>e?j(e):r(m))));
t('readdir rec', ()=>fs.readdirSync(D,{recursive:true}));
t('opendir', ()=>fs.promises.opendir(D+'/secret'));
t('statfs', ()=>fs.promises.statfs(D+'/secret'));
t('watchFile', ()=>fs.watchFile(S,()=>{}));
t('realpath', ()=>fs.promises.realpath(S));
t('mkdir rec', ()=>fs.mkdirSync(D+'/secret/a/b',{recursive:true}));
t('mkdtempDisposable', ()=>fs.mkdtempDisposableSync(D+'/secret/t'));
t('tls ca', ()=>typeof require('tls').getCACertificates('system').length);
t('key', ()=>require('crypto').createPrivateKey({key:new URL('file://'+S)}));
t('dns', ()=>require('dns').promises.lookup('localhost'));
t('setServers', ()=>require('dns').setServers(['127.0.0.1']));
t('udp', ()=>new Promise((r)=>require('dgram').createSocket('udp4').on('error',(e)=>r(e.code)).bind(0)));
t('cpu', ()=>process.cpuUsage().user>=0);
t('title', ()=>{process.title='x'; return process.title});
t('trace', ()=>require('trace_events').createTracing({categories:['node']}).enable());

function end() {
  console.log(lines.sort().join('\n'));
  process.exit();
}
