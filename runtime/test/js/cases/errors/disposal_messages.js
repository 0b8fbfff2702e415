'use strict';

// What errors of `using` and of the stacks of disposable resources say.

const show = (error) => console.log(error.name, '|', error.message, '|', Object.hasOwn(error, 'message'));

function tell(task) {
  try {
    task();
  } catch (error) {
    show(error);
  }
}

async function tellLater(task) {
  try {
    await task();
  } catch (error) {
    show(error);
  }
}

const fails = (value) => () => {
  throw value;
};

async function main() {
  tell(() => { using a = 5; });
  tell(() => { using a = {}; });
  tell(() => { using a = { [Symbol.dispose]: 1 }; });
  tell(() => { using a = { [Symbol.dispose]: fails(1) }; throw 2; });

  await tellLater(async () => { await using a = 5; });
  await tellLater(async () => { await using a = {}; });
  await tellLater(async () => { await using a = { [Symbol.dispose]: 1 }; });
  await tellLater(async () => { await using a = { [Symbol.asyncDispose]: 1 }; });
  await tellLater(async () => { await using a = { [Symbol.asyncDispose]: fails(1) }; throw 2; });

  for (const Stack of [DisposableStack, AsyncDisposableStack]) {
    if (Stack === DisposableStack) tell(() => new Stack().use({}));
    tell(() => new Stack().use(5));
    tell(() => new Stack().use({ [Stack === DisposableStack ? Symbol.dispose : Symbol.asyncDispose]: 3 }));
    await tellLater(() => {
      const stack = new Stack();
      stack.defer(fails(1));
      stack.defer(fails(2));
      return Stack === DisposableStack ? stack.dispose() : stack.disposeAsync();
    });
  }
  show(new SuppressedError(1, 2));
  show(new SuppressedError(1, 2, 'given'));
}

main();
