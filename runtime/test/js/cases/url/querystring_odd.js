'use strict';
// querystring with escapes that are none, halves of pairs and decoders of the program's own.
const qs=require('querystring');
let s=7; const r=(n)=>{s=(s*1103515245+12345)&0x7fffffff;return (s>>8)%n};
const bits=['%','%z','%zz','%4','%41','%c3','%C3%A9','%c3%','%e2%82','%e2%82%ac','%f0%9f%98%80','%f0%9f','%ff','%80','%00','a','=','&','+','é','\ud800','\udc00','😀','%u1234','%25','%ed%a0%80','%c0%80',' ','%0','%E9','b','%g1','%1g','%2b','%7e','[]','.'];
const out=[];
for (let i=0;i<300;i++){let t='';for(let k=1+r(7);k>0;k--)t+=bits[r(bits.length)];
 for (const f of ['unescape','escape','parse']) { let v; try { v=JSON.stringify(qs[f](t)); } catch(e) { v=e.name+e.code+e.message; } out.push(f+' '+JSON.stringify(t)+' '+v); }
 try { out.push('buf '+qs.unescapeBuffer(t).toString('hex')); } catch(e) { out.push(e.message); }
 try { out.push('str '+qs.stringify({[t]:t,a:[t,1]})); } catch(e) { out.push(e.name+e.code+e.message); }
 try { out.push('dec '+JSON.stringify(qs.parse(t,null,null,{decodeURIComponent:(x)=>{ if(x.includes('z')) throw new Error('x'); return '<'+x+'>'; }}))); } catch(e) { out.push(e.name+e.code+e.message); }
 try { out.push('sep '+JSON.stringify(qs.parse(t,'%','a',{maxKeys:2}))); } catch(e) { out.push(e.name+e.code+e.message); }
}
console.log(out.join('\n'));
