let count = 0;

function foo() {
  count++;
  if (count > 3) return;
  console.log('foo', count);
  setTimeout(function inner() {
    console.log('setTimeout', count);
  }, 0);
  process.nextTick(foo);
}

setTimeout(foo, 2);
setTimeout(function other() {
  console.log('other setTimeout');
}, 2);
