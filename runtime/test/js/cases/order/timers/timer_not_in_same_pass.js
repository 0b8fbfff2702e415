const due = () => { const start = process.hrtime(); for (;;) { const [s, n] = process.hrtime(start); if (s * 1e3 + n / 1e6 > 3.1) return; } };
setTimeout(() => { console.log('t1'); setTimeout(()=>console.log('t2'),1); setTimeout(()=>console.log('t3 (2)'),2); due(); setImmediate(() => console.log('imm')); process.nextTick(()=>console.log('tick')); }, 1);
