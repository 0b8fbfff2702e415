let count = 0;

function foo() {
  count++;
  if (count > 4) return;
  console.log('foo');
  setTimeout(function inner() {
    console.log('setTimeout');
  }, 0);
  process.nextTick(foo);
}
setTimeout(foo, 2);
