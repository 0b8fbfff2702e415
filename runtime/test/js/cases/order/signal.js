process.on('SIGUSR1', (name, number) => { console.log(name, number); process.removeAllListeners('SIGUSR1'); });
process.once('SIGUSR2', (name) => { console.log(name); clearInterval(keep); });
const keep = setInterval(() => {}, 1000);
process.kill(process.pid, 'SIGUSR1');
setTimeout(() => process.kill(process.pid, 'SIGUSR2'), 20);
