// A response comes by a task, also for data that is in the URL.
async function main() {
  const response = await fetch('data:text/plain,hello');
  console.log('response', response.status);
  queueMicrotask(() => console.log('microtask of the response'));
  console.log(await response.text());
}
main();
let turns = 0;
(function turn() {
  if (++turns < 100) queueMicrotask(turn);
  else console.log('microtasks');
})();
console.log('script');
