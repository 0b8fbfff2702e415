// The same for a blob.
async function main() {
  const url = URL.createObjectURL(new Blob(['from a blob'], { type: 'text/plain' }));
  const response = await fetch(url);
  console.log('response', response.status);
  console.log(await response.text());
  URL.revokeObjectURL(url);
}
main();
queueMicrotask(() => console.log('microtask'));
console.log('script');
