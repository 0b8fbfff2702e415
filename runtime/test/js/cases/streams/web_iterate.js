// Iteration over a web stream: results, locks, ends.
const show = (f) => { try { return f(); } catch (e) { return `${e.name} ${e.code} ${e.message}`; } };
const s = () => new ReadableStream({ start(c) { c.enqueue(1); c.enqueue(2); c.close(); } });
console.log(show(() => s().values(5)), show(() => ReadableStream.prototype.values.length), show(() => ReadableStream.prototype.values === ReadableStream.prototype[Symbol.asyncIterator]));
console.log(Object.getOwnPropertyNames(s().values()), s().values().next.length, s().values().return.length);
(async () => { const i = s().values(); console.log(await Promise.all([i.next(), i.next(), i.next(), i.next(), i.return(7), i.next()]));
const st = s(); for await (const x of st.values({ preventCancel: true })) { console.log(x); break; } for await (const x of st) console.log('rest', x); console.log(st.locked);
const e = new ReadableStream({ start(c) { c.error(new Error('bad')); } }); try { for await (const x of e); } catch (err) { console.log(err.message, e.locked); }
const l = s(); l.getReader(); console.log(show(() => l.values())); console.log(await s().values().return('x')); 
const b = new ReadableStream({ type: 'bytes', start(c) { c.enqueue(new Uint8Array([1])); c.close(); } }); for await (const x of b) console.log(x);
let n = 0; const p = new ReadableStream({ async pull(c) { await new Promise((r) => setTimeout(r, 1)); c.enqueue(n++); if (n > 3) c.close(); } }); for await (const x of p) console.log('p', x);
})();
