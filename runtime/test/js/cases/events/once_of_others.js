// events.once and events.on of objects that have some of an emitter's methods, as pools of workers pass them; and the results'
// keys, which a program sees when it prints them.
const { once, on, EventEmitter } = require('events');

function make(keys) {
  const emitter = new EventEmitter();
  emitter.on('error', () => {});
  const object = {};
  for (const key of keys) {
    object[key] = (name, listener) => {
      console.log(' ', key, name);
      return emitter[key === 'addEventListener' ? 'on' : key === 'removeEventListener' ? 'removeListener' : key](name, listener);
    };
  }
  return [object, emitter];
}

async function main() {
  for (const keys of [['on', 'once'], ['on'], ['once'], ['on', 'once', 'removeListener'], ['addEventListener', 'removeEventListener'], ['addEventListener']]) {
    for (const event of ['x', 'error']) {
      if (event === 'error' && !(keys.includes('removeListener'))) continue;
      console.log(keys.join(' '), event);
      const [object, emitter] = make(keys);
      try {
        const promise = once(object, 'x');
        emitter.emit(event, event);
        console.log(await promise);
      } catch (error) {
        console.log('failed', error.code ?? error.message ?? error);
      }
    }
  }
  process.on('uncaughtException', (error) => console.log('uncaught', error.code));
  const [object] = make(['on', 'once']);
  const controller = new AbortController();
  once(object, 'x', { signal: controller.signal }).catch((error) => console.log(error.code));
  controller.abort();
  await new Promise(setImmediate);
  for (const keys of [['on'], ['on', 'removeListener'], ['addEventListener', 'removeEventListener']]) {
    const [source, emitter] = make(keys);
    const events = on(source, 'x');
    emitter.emit('x', 1);
    console.log(await events.next());
    const [next] = [events.next()];
    emitter.emit('x', 2);
    console.log(await next);
    if (keys.length === 1) continue;
    if (keys.includes('removeEventListener')) console.log(await events.return(), await events.next());
  }
  console.log(new URLSearchParams('a=1').entries().next(), new URLSearchParams('').keys().next());
}
main();
