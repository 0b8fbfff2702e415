// The handler counts as a listener, at the place where it was first set.
onmessage = () => console.log('replaced');
addEventListener('message', () => console.log('listener'));
onmessage = ({ data }) => console.log(`handler ${data}`);
postMessage('hello', '*');
