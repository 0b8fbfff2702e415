const v8=require('v8');
const b=new ArrayBuffer(8);
const vals=[1,-1,1.5,2**31,-0,'abc','\u20acuro',10n,-12345678901234567890n,[1,,3],[1,2,3],{a:1,b:[undefined,null],2:3},new Map([[1,{x:1}]]),new Set([1,'a']),new Date(5),/ab/giu,new Error('x'),new TypeError('t',{cause:5}),Object(1),Object('s'),Object(true),b,Buffer.from('hi'),new Uint16Array([1,2]),new Float64Array(2),true,false,'',{'\u20ac':'\u20ac', x:'\u20acab'},[new Uint8Array(b),new Uint8Array(b,2)]];
for(const v of vals){ if (v instanceof Error) v.stack='S'; console.log(v8.serialize(v).toString('hex')); require('assert').deepStrictEqual(v8.deserialize(v8.serialize(v)),v); }
const s=new v8.Serializer(); s.writeHeader(); s.writeValue([new Uint8Array(b),new Uint8Array(b,2), b]); const x=s.releaseBuffer(); console.log(x.toString('hex')); const d=new v8.Deserializer(x); d.readHeader(); console.log(d.readValue());
