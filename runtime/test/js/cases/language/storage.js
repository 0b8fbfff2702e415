// Web Storage: sessionStorage, and localStorage without and with a file.
const show=(f)=>{try{console.log(f())}catch(e){console.log(e.name,e.code,e.message)}};
process.on('warning',w=>console.log('W',w.name,w.code,w.message));
show(()=>typeof Storage); show(()=>new Storage()); show(()=>Storage.name+Storage.length);
const s=sessionStorage; show(()=>s); s.a=1; s.setItem('b',{}); show(()=>s); show(()=>[s.length,s.key(0),s.key(9),s.getItem('a'),s.getItem('zz'),Object.keys(s),'a' in s,s.zz, s.hasOwnProperty('a')]);
show(()=>JSON.stringify(s)); delete s.a; show(()=>Object.entries(s)); s.getItem2=5; show(()=>s.getItem2); s.length=9; show(()=>[s.length,s.getItem('length')]); s.clear(); show(()=>s.length);
show(()=>s.setItem('x')); show(()=>s.getItem()); show(()=>s.key()); show(()=>s.removeItem()); show(()=>Storage.prototype.getItem.call({},'a'));
show(()=>Object.getOwnPropertyDescriptor(s,'q')); s.q='1'; show(()=>JSON.stringify(Object.getOwnPropertyDescriptor(s,'q'))); show(()=>Object.prototype.toString.call(s)); show(()=>s[Symbol('x')]); show(()=>{s[Symbol.for('y')]=5; return s[Symbol.for('y')]});
show(()=>s.setItem('big','x'.repeat(11*1024*1024))); show(()=>Object.defineProperty(s,'d',{value:5}).d); show(()=>s.getItem('d')); show(()=>{for (const k in s) console.log('in',k)});
show(()=>{s.setItem=5; return typeof s.setItem+s.getItem('setItem')}); show(()=>s.key('1')); show(()=>s.setItem(null,undefined)); show(()=>s.getItem('null'));show(()=>[...Object.keys(s)]);show(()=>s.toString()); show(()=>s.setItem(Symbol(),1)); show(()=>s instanceof Storage); show(()=>s.constructor.name); show(()=>Object.getOwnPropertyNames(Storage.prototype).sort());
for (const k of ['localStorage','sessionStorage','Storage']) { const d=Object.getOwnPropertyDescriptor(globalThis,k); console.log(k,d.enumerable,d.configurable,d.writable,typeof d.get,typeof d.set) }
show(()=>localStorage);
const { spawnSync } = require('node:child_process');
const { mkdtempSync, rmSync, readdirSync } = require('node:fs');
const folder = mkdtempSync(`${require('node:os').tmpdir()}/storage-`);
const run = (code) => console.log(spawnSync(process.execPath, [`--localstorage-file=${folder}/items`, '-p', code], { encoding: 'utf8' }).stdout.trim());
run('typeof localStorage');
console.log(readdirSync(folder).length);
run('localStorage.a = 1; localStorage.setItem("b", "\u00e9\ud83d\ude00"); localStorage');
run('[localStorage.length, localStorage.b, localStorage.key(0), Object.keys(globalThis).includes("localStorage")]');
run('delete localStorage.a; localStorage.removeItem("none"); Object.entries(localStorage)');
run('localStorage.clear(); localStorage.length');
rmSync(folder, { recursive: true });
