'use strict';

// One of every kind of value, plain and in odd states; then errors; then layouts.

const { inspect } = require('util');
const J = (x) => console.log(JSON.stringify(x));

{
const c = { colors: true };
const o=Object.defineProperties({},{a:{value:1},'b c':{value:2},[Symbol('s')]:{value:3},__proto__:null});
J(inspect(o,{...c,showHidden:true})); J(inspect({a:1,'b-c':2,[Symbol('q')]:3,['__proto__']:1,get x(){return 1},set y(v){}},c));
J(inspect([undefined,null,,5,'x',true,1n,Symbol('x'),/a/,new Date(0),()=>1,class A{}],c));
J(inspect(new Map([[{a:1},'x']]),c)); J(inspect(new Error('x',{cause:1}),c).split('\n')[0]); J(inspect(new ArrayBuffer(2),c));J(inspect(new DataView(new ArrayBuffer(2)),c));
J(inspect(Promise.resolve(4),c)); J(inspect(new Set([1]).entries(),c)); J(inspect((()=>{const a={};a.a=a;return a})(),c));
J(inspect(new Proxy({a:1},{}),{...c})); J(inspect(new Proxy({a:1},{}),{...c,showProxy:true}));
J(inspect(Array.from({length:120},(_, i)=>i),c)); J(inspect('a'.repeat(20),{...c,maxStringLength:4}));J(inspect({a:'x'.repeat(60)+'\n'+'y'.repeat(30)},c));
J(inspect(Object(Symbol('x')),c));J(inspect(Object.assign(new String('abc'),{x:1}),c));J(inspect(Object.assign([1,2],{x:1,'-1':2}),c));J(inspect([1,,,4],{...c,maxArrayLength:2}));
J(inspect({a:{b:{c:{d:1}}}},c)); J(inspect(function(){},{...c,showHidden:true})); J(inspect(Object.assign(function f(){},{a:1}),c));J(inspect((function(){return arguments})(1,2)));
J(inspect((function*(){})()));J(inspect((async function*(){})()));J(inspect([][Symbol.iterator]()));J(inspect(new WeakRef({a:1})));J(inspect(globalThis.Math));J(inspect(Symbol));
J(inspect(Object.create(Array.prototype)));J(inspect(Object.create(Map.prototype)));J(inspect(Map.prototype));J(inspect(new (class extends null{constructor(){return Object.create(new.target.prototype)}})));
J(inspect(Object.create({})));J(inspect(Object.create(Object.create(null))));J(inspect({a:1n,b:-0,c:[-0],d:'it\'s',e:'a"\'',f:'a"\'`',g:'\u{1F600}\ud800',h:'\x7f\u2028\b'}));
J(inspect({a:[]},{depth:-1}));J(inspect([],{depth:-1}));J(inspect([1],{depth:-1}));J(inspect(new Map([[1,2]]),{depth:-1}));J(inspect(new Date(0),{depth:-1}));J(inspect(Object.assign(new Date(0),{a:1}),{depth:-1}));J(inspect(Object.assign(()=>1,{a:1}),{depth:-1}));J(inspect(new Error('a'),{depth:-1}).split('\n')[0]);J(inspect(Object.assign(new Error('a'),{x:1}),{depth:-1}).split('\n')[0]);J(inspect(new Uint8Array(3),{depth:-1}));J(inspect(Promise.resolve(),{depth:-1}));J(inspect(new ArrayBuffer(2),{depth:-1}));J(inspect(Object(1),{depth:-1}));J(inspect(Object.assign(Object(1),{a:1}),{depth:-1}));J(inspect(new Map().keys(),{depth:-1}));J(inspect((function(){return arguments})(1,2),{depth:-1}));J(inspect(new WeakSet,{depth:-1}));
J(inspect({__proto__:null,[Symbol.toStringTag]:'x',a:1},{depth:-1}));
}

{
// stacks non string
const e=(s,n)=>{const x=new RangeError('foo'); x.stack=s; return x;};
J(inspect(e([1,2,3]))); J(inspect({a:e([1,{b:2}])})); J(inspect(e({a:1}))); J(inspect(e(()=>1))); J(inspect(e(new Map([[1,{a:1}]])))); J(inspect(e(404),{colors:true}));J(inspect([e({a:{b:{c:{}}}})],{compact:true}));
J(inspect(e('RangeError: foo\n    at a\n    at b'),{colors:true})); J(inspect({a:{b:e('RangeError: foo\n    at a\n    at b')}}));
const c1=new Error('c'); c1.stack='Error: c\n    at a1\n    at a2\n    at a3\n    at a4\n    at a5'; const c2=new Error('d',{cause:c1}); c2.stack='Error: d\n    at b1\n    at a2\n    at a3\n    at a4\n    at a5'; console.log(inspect(c2)); console.log(inspect(c2,{colors:true}));
const ag=new AggregateError([c1],'agg'); ag.stack='AggregateError: agg\n    at x'; console.log(inspect(ag)); console.log(inspect({ag},{depth:0}));
console.log(inspect(Object.assign(e('RangeError: foo\n    at a'),{code:'X',name:'RangeError',message:'foo'})));
console.log(inspect(Object.assign(e('RangeError: foo\n    at a'),{code:'X'}),{showHidden:true}));
J(inspect(Object.assign(new Error('msg'),{stack:'Error: other\n    at a'})));J(inspect(Object.assign(new Error('msg'),{stack:'x'})));J(inspect(Object.assign(new Error(''),{stack:''})));
class Foo extends Error{}; const f=new Foo('m'); f.stack='Error: m\n    at x'; J(inspect(f)); f.name='Bar'; J(inspect(f)); f.name='FooError'; J(inspect(f));f.name='Error';J(inspect(f));
class FooErr extends Error{}; const g=new FooErr('m'); g.stack='Error: m\n    at x'; J(inspect(g)); 
class MyError extends TypeError{}; const h=new MyError('m'); h.stack='TypeError: m\n    at x'; J(inspect(h)); h.name='MyError';J(inspect(h)); h.stack='MyError: m\n    at x';J(inspect(h));
const o={__proto__:Error.prototype,message:'x'};J(inspect(o));J(inspect(Error.prototype));J(inspect(TypeError.prototype));
const k=new Error('a'); k.cause=k; k.stack='Error: a\n    at z'; console.log(inspect(k)); 
const l=new Error('multi\nline'); l.stack='Error: multi\nline\n    at z';console.log(inspect({l})); 
const d=new Proxy(new Error('q'),{}); console.log(inspect(d).split('\n')[0]);
console.log(inspect(Object.assign(new Error('x'),{stack:undefined})), inspect(Object.assign(new Error('x'),{stack:null,name:Symbol('q')})));
try{null.x}catch(e){console.log(inspect(e).split('\n')[0])}
console.log(inspect(new DOMException('a','AbortError')).split('\n')[0]);
}

{
const ab=new ArrayBuffer(4);const dv=new DataView(ab);new MessageChannel().port1.postMessage(ab,[ab]);J(inspect(ab));J(inspect(dv));
J(inspect(Object.setPrototypeOf(new Date(0),Object.prototype)));J(inspect(Object.setPrototypeOf(()=>1,Object.prototype)));J(inspect(Object.setPrototypeOf(new Error('x'),Object.prototype)).slice(0,40));J(inspect(Object.setPrototypeOf(new Map([[1,2]]),Object.prototype)));J(inspect(Object.setPrototypeOf(Object(1),Object.prototype)));
J(inspect(Object.setPrototypeOf([1],null),{depth:-1}));J(inspect(Object.setPrototypeOf([1],null)));J(inspect(Object.setPrototypeOf(new Map([[1,2]]),null),{depth:-1}));J(inspect(Object.create(null,{[Symbol.toStringTag]:{value:'foo'},a:{value:1,enumerable:true}}),{depth:-1}));
J(inspect(new (class A{get [Symbol.toStringTag](){return 'T'}})));J(inspect({[inspect.custom](){return {a:'x\ny',b:{c:'multi\nline string that is long'}}}}));J(inspect({q:{[inspect.custom](){return 'a\nb'}}}));
J(inspect({q:{[inspect.custom](){return undefined}},r:{[inspect.custom](){return null}},s:{[inspect.custom](){return ()=>1}},t:{[inspect.custom](d,o){return d}}}));
J(inspect(new Proxy({[inspect.custom](d,o){return Object.getPrototypeOf(o)===null?'foreign':'own'}},{})));J(inspect(new Proxy(new Proxy({[inspect.custom](){return 'x'}},{}),{})));
J(inspect(new Proxy(class A{},{})));J(inspect(new Proxy([1,2],{}),{depth:-1}));J(inspect({p:new Proxy([1,2],{})},{depth:0}));J(inspect(new Proxy([1],{}),{depth:-1,showProxy:true}));
J(inspect([new Proxy({a:1},{}),{a:1}]));const sh={a:1};J(inspect([sh,sh]));
J(inspect(new Set([[1,2],{a:1}]).entries()));J(inspect(new Map([[{a:{b:{c:{}}}},{a:{b:{c:{}}}}]]).entries()));J(inspect(new Map([[1,{a:2}]]).values(),{showHidden:true}));
J(inspect(new Map([[1,2]]).entries(),{maxArrayLength:0}));J(inspect(new Set([1,2,3]).entries(),{maxArrayLength:1}));
J(inspect(async()=>{}));J(inspect(Object.assign(class A{},{b:1})));J(inspect(class A{static b=1; static #c=2; static get d(){return 1}}));J(inspect(class A extends null{}));J(inspect(Map));J(inspect((class{static name='x'})));J(inspect((class{static name(){}})));J(inspect(function(){}.bind()));J(inspect(Object.defineProperty(()=>1,'name',{value:''})));
J(inspect(Object(1n)));J(inspect(new String('a\nb')));J(inspect(new String('abc'),{showHidden:true}));J(inspect(Object.assign(new Number(-0),{x:1})));
J(inspect(Object.assign(/a/g,{x:1})));J(inspect(Object.assign(/a/g,{x:1}),{depth:-1}));J(inspect(Object.assign(/a/g,{x:1}),{colors:true}));J(inspect(new Date(NaN)));J(inspect(Object.assign(new Date(0),{x:1}),{colors:true}));J(inspect(/a/,{showHidden:true}));
J(inspect(new SharedArrayBuffer(3)));J(inspect(new ArrayBuffer(60)));J(inspect(Buffer.from('abc')));J(inspect(Object.assign(Buffer.from('abc'),{x:1})));J(inspect([Buffer.alloc(60)]));
J(inspect(Promise.reject(new Error('x'))).slice(0,40));J(inspect(Promise.resolve({a:{b:{c:{d:1}}}})));J(inspect(Object.create(Promise.prototype)));J(inspect(Promise.prototype));J(inspect(Object.create(Date.prototype)));
J(inspect({a:1,b:'x'},{sorted:(a,b)=>a<b?1:-1}));J(inspect(new Map([['z',1],['a',2]]),{sorted:true}));J(inspect([3,1,2],{sorted:true}));
J(inspect({a:[1,2,[3,[4]]],b:{c:1}},{compact:true}));J(inspect({a:[1,2,[3,[4]]],b:{c:1}},{compact:false}));J(inspect({a:{b:{c:{d:1}}},e:1},{compact:1,depth:9}));J(inspect({a:1},{compact:0}));
J(inspect('a'.repeat(90)+'\n'+'b'));J(inspect(['a\nb'.repeat(10)],{compact:true}));J(inspect({x:'a\nb'.repeat(30)},{maxStringLength:20}));
J(inspect(Object.defineProperty([1,2],'x',{get(){return 1},enumerable:true})));J(inspect(Object.defineProperty([1,2],1,{get(){return 1},enumerable:true})));
process.on('unhandledRejection',()=>{});
}
