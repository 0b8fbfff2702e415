// `new` of something that belongs to a namespace.
import zlib from 'node:zlib';
import * as everything from 'node:zlib';
import Emitter from 'node:events';

const kind = 'Gzip';
console.log(new zlib[kind]().constructor.name, new everything[kind]().constructor.name, new everything.Gzip().constructor.name);
console.log(new (everything[kind])().constructor.name, new everything['Gun' + 'zip']({ level: 1 }).constructor.name);
console.log(new Emitter.EventEmitter().listenerCount('x'), new Emitter().listenerCount('x'));
