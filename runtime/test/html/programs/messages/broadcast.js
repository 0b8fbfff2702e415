// Messages of one channel, in order, and not to the one that posts.
const [one, two] = [new BroadcastChannel('test'), new BroadcastChannel('test')];
one.onmessage = () => console.log('never');
two.onmessage = ({ data }) => {
  console.log(data);
  queueMicrotask(() => console.log(`microtask of ${data}`));
  if (data === 'second') [one, two].forEach((each) => each.close());
};
one.postMessage('first');
one.postMessage('second');
