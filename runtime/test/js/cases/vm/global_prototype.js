'use strict';

// The global of a context may be given another prototype, also one with a Proxy behind it.
const vm = require('vm');

for (const kind of ['plain', 'sandbox']) {
  const context = kind === 'plain' ? vm.createContext(vm.constants.DONT_CONTEXTIFY) : vm.createContext({});
  const self = vm.runInContext('this', context);
  class Top {
    get answer() { return 42; }
  }
  const named = new Proxy(Top.prototype, {
    get: (target, key, receiver) => (key === 'fromProxy' ? 'asked' : Reflect.get(target, key, receiver)),
    has: (target, key) => key === 'fromProxy' || key in target,
  });
  class Window {
    greet() { return 'hello'; }
  }
  Object.setPrototypeOf(Window.prototype, named);
  console.log(Object.setPrototypeOf(self, Window.prototype) === self);
  console.log(self instanceof Window, self.greet(), self.answer);
  console.log(vm.runInContext('greet() + answer + typeof this', context));
  console.log(vm.runInContext('"use strict"; var made = 5; (function() { return typeof this; })()', context));
  console.log(vm.runInContext('made', context), context.made);
  console.log(Object.getPrototypeOf(self) === Window.prototype);
  try {
    Object.setPrototypeOf(self, Object.create(self));
  } catch (error) {
    console.log(error.name);
  }
}
