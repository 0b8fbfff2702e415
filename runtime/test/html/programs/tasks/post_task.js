// Tasks of the scheduler run by priority, each with its checkpoint.
for (const priority of ['background', 'user-visible', 'user-blocking']) {
  scheduler.postTask(
    () => {
      console.log(priority);
      queueMicrotask(() => console.log(`microtask of ${priority}`));
    },
    { priority },
  );
}
scheduler.postTask(() => console.log('user-visible by default'));
console.log('script');
