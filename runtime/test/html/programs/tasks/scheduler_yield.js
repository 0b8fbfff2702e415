// A continuation precedes other tasks of its priority.
scheduler.postTask(async () => {
  console.log('task 1 begins');
  await scheduler.yield();
  console.log('task 1 goes on');
});
scheduler.postTask(() => console.log('task 2'));
