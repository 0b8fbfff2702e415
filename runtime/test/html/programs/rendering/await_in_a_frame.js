// Each await of a frame ends in the checkpoint after its callback.
requestAnimationFrame(async () => {
  console.log('one');
  await null;
  console.log('two');
  await null;
  console.log('three');
});
requestAnimationFrame(() => console.log('next callback'));
