// An immediate that an immediate sets waits for Node's next iteration. Here each is a task, and tasks have one order.
setImmediate(() => {
  console.log('immediate 1');
  setTimeout(() => console.log('timer'), 0);
  setImmediate(() => console.log('immediate of immediate 1'));
});
setImmediate(() => console.log('immediate 2'));
