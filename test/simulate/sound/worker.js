const { Worker } = require('worker_threads');
const worker = new Worker('const { parentPort: p } = require("worker_threads"); p.on("message", (m) => m === 5 ? p.close() : setTimeout(() => p.postMessage(m + 1), 5))', { eval: true });
const watchdog = setTimeout(() => { console.log('the watchdog expired'); process.exit(3); }, 1000);
worker.on('message', (m) => { if (m === 5) clearTimeout(watchdog); worker.postMessage(m); });
worker.postMessage(0);
