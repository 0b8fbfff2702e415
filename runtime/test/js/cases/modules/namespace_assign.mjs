// What cannot be assigned to is an error when it happens, not before; and messages have the names of the program.
import * as self from './namespace_assign.mjs';
import * as os from 'os';
import def, { platform as p, arch } from 'os';

export let a = 1;
const wrong = (work) => {
  try {
    console.log(work());
  } catch ({ name, message }) {
    console.log(`${name}: ${message}`);
  }
};

wrong(() => (self = 1));
wrong(() => ([os] = [1]));
wrong(() => ({ os } = { os: 1 }));
wrong(() => ({ a: os } = { a: 1 }));
wrong(() => {
  for (os of [1]);
});
wrong(() => (os &&= 1));
wrong(() => (os ||= 1) === os);
wrong(() => (def = 1));
wrong(() => (p = 1));
wrong(() => ([p] = [1]));
wrong(() => (os.x = 1));
wrong(() => (os.platform = 1));
wrong(() => (os['platform'] = 1));
wrong(() => (self.a = 2));
wrong(() => ((a = 5), self.a));
wrong(() => delete self.a);
wrong(() => delete self.b);
wrong(() => delete os.platform);
wrong(() => typeof p === 'function' && p() === os.platform() && self.a);
wrong(() => new os());
wrong(() => os());
wrong(() => new p.x());
wrong(() => p.y());
wrong(() => arch.y.z);
wrong(() => os.nothing());
wrong(() => os.platform.nothing.more());
wrong(() => [...os]);
