// Reading a blob takes a task.
const blob = new Blob(['text of a blob']);
blob.text().then((text) => {
  console.log(text);
  queueMicrotask(() => console.log('microtask of the text'));
  blob.arrayBuffer().then(({ byteLength }) => console.log(`${byteLength} bytes`));
});
let turns = 0;
(function turn() {
  if (++turns < 100) queueMicrotask(turn);
  else console.log('microtasks');
})();
