// What a task returns or throws settles its promise; an aborted one does not run.
const controller = new AbortController();
scheduler.postTask(() => 'result').then((value) => console.log(value));
scheduler
  .postTask(() => {
    throw new Error('thrown');
  })
  .catch((error) => console.log(error.message));
scheduler.postTask(() => console.log('never'), { signal: controller.signal }).catch((error) => console.log(error.name));
controller.abort();
