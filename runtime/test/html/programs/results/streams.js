// A stream hands out its chunks in microtasks.
const stream = new ReadableStream({
  start(controller) {
    for (const chunk of ['a', 'b', 'c']) controller.enqueue(chunk);
    controller.close();
  },
});
setTimeout(() => console.log('timer'), 0);
(async () => {
  for await (const chunk of stream) console.log(chunk);
  console.log('end of the stream');
})();
console.log('script');
