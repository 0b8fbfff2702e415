let immediates = 0, timeouts = 0;
const began = Date.now();

function immediate() {
  if (++immediates < 8) setImmediate(immediate);
  else console.log('8 immediates; timeouts so far are fewer:', timeouts < 8);
}

function timeout() {
  if (++timeouts < 8) setTimeout(timeout, 0);
  else console.log('8 timeouts; 7 ms or more have passed:', Date.now() - began >= 7);
}

setImmediate(immediate);
setTimeout(timeout, 0);
