// A WebSocket: opened, used, closed.
const http=require('http'),crypto=require('crypto');
const s=http.createServer(); s.on('upgrade',(req,socket,head)=>{ const k=crypto.createHash('sha1').update(req.headers['sec-websocket-key']+'258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64');
 socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: '+k+'\r\n\r\n');
 socket.on('data',d=>{ const len=d[1]&127; const mask=d.subarray(2,6); const p=Buffer.from(d.subarray(6,6+len)); for(let i=0;i<p.length;i++)p[i]^=mask[i%4]; if((d[0]&15)===8){socket.end(Buffer.from([0x88,2,3,232]));return;} socket.write(Buffer.concat([Buffer.from([0x81,p.length]),p])) }) });
s.listen(0,()=>{ const w=new WebSocket('ws://127.0.0.1:'+s.address().port); w.onopen=()=>{console.log('open',w.readyState);w.send('hello')}; w.onmessage=e=>{console.log('msg',e.data,e.constructor.name);w.close()}; w.onclose=e=>{console.log('close',e.code,e.wasClean);s.close()}; w.onerror=e=>console.log('error',e.message||e.error) });
