// What only a browser has: frames, 60 in a second, and idle time.
const has = (name) => typeof globalThis[name] === 'function';
console.log(['requestAnimationFrame', 'requestIdleCallback', 'postMessage', 'setImmediate'].filter(has).join(', '));
if (has('requestAnimationFrame')) {
  const began = performance.now();
  let frames = 0;
  requestIdleCallback(() => console.log('idle'));
  requestAnimationFrame(function frame() {
    if (++frames < 60) requestAnimationFrame(frame);
    else console.log(`60 frames in ${Math.round((performance.now() - began) / 100) / 10} s`);
  });
}
