// What a microtask of a timer sets is nested, too.
const began = performance.now();
async function main() {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setTimeout(resolve, 0));
  console.log(performance.now() - began >= 15 ? 'took at least 15 ms' : `took ${performance.now() - began} ms`);
}
main();
