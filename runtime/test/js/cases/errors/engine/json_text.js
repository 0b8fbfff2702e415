// Messages of JSON.parse and JSON.stringify for invalid input.
const mk=(n)=>{const r={};let c=r;for(let i=1;i<n;i++){c['k'+i]={};c=c['k'+i]}c.end=r;return r};
for (const n of [1,2,3,4,5,6,7]) try{JSON.stringify(mk(n))}catch(e){console.log(n,e.message)}
const o={list:[1,{deep:[]}]};o.list[1].deep.push(o); try{JSON.stringify({outer:{o}})}catch(e){console.log(e.message)}
class X{constructor(){this.a={};this.a.b=this}} try{JSON.stringify([new X])}catch(e){console.log(e.message)}
const t={toJSON(){return t2}};const t2={};t2.t=t; try{JSON.stringify(t)}catch(e){console.log(e.message)}
const w={a:1,"b c":{}};w["b c"].x=w; try{JSON.stringify(w)}catch(e){console.log(e.message)}
const an=new (class{}); an.x=an; try{JSON.stringify(an)}catch(e){console.log(e.message)}
const cc={constructor:5}; cc.x=cc; try{JSON.stringify(cc)}catch(e){console.log(e.message)}
try{JSON.stringify(w,(k,v)=>v)}catch(e){console.log(e.message)}
const m=new Map(); m.self=m; try{JSON.stringify(m)}catch(e){console.log(e.message)}
console.log(JSON.stringify({a:[1,undefined,()=>1]},null,2), JSON.stringify(undefined), JSON.parse.length, JSON.stringify.length,JSON.parse.name,Object.keys(JSON), Object.getOwnPropertyDescriptor(JSON,'parse').enumerable);
try{JSON.parse('{"a":1,\n"b":x}')}catch(e){console.log(e.stack.split("\n").slice(0, 3))}
for (const s of ['{"a":1,"b":[1,2,{"c":}]}', '[1,2,3,4,5,6,7,8,9,x]', '[1,2,3,4,5,6,7,x]', '[1,2,3,4,5,6,x]','x23456789012345678901234','x234567890123456789012345678901234567890','12345678 x','[12345678,x,1]','[123456789,x,1]','[1234567890,x,1]','[12345678901,x,1]', '[x,12345678901,1]','[x,1234567,1]','[x,123456,1]', '[1,2,3,x,5,6,7,8,9,0]','[1,2,3,4,x,5,6,7,8,9,0]','[1,2,3,4,5,x,5,6,7,8,9,0]','{"a":1,"b":1,"ccc":x}','{"a":1,"b":1,"ccc":x    }']) try { JSON.parse(s) } catch (e) { console.log(s.length, s.indexOf('x'), e.message) }
