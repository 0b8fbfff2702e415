const vm=require('vm');
const s={log:console.log};
vm.createContext(s);
vm.runInContext('var n=0; function inc(){ n++; return n } log(n)',s);
s.inc(); console.log(s.n); s.n=10; console.log(s.inc());
console.log(vm.runInContext('n', s));
vm.runInContext('(function(){ log(this===globalThis); undeclared = 5; })()',s); console.log(s.undeclared);
try { vm.runInContext('"use strict"; undeclared2 = 5;',s); } catch(e) { console.log(e.name) }
console.log(Object.getOwnPropertyDescriptor(s,'n'));
const r = vm.runInContext('Object.defineProperty(globalThis,"q",{get(){return 4},configurable:true}); q',s); console.log(r, s.q);
console.log(vm.runInContext('Array',s)===Array, vm.runInContext('[]',s) instanceof Array, Array.isArray(vm.runInContext('[1,2]',s)), vm.runInContext('[1,{a:1}]',s));

const t=Date.now(); const sc=new vm.Script('for(var i=0,x=0;i<1e6;i++) x+=i; x'); console.log(sc.runInNewContext());
