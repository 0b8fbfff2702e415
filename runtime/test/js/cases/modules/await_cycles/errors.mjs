// A module of a cycle fails, before or after an await: who gets the error, what still runs, and what later imports get.
const load = (name) =>
  import(`./support/errors/${name}.mjs`).then(
    (space) => console.log('loaded', name, Object.keys(space)),
    (error) => console.log('failed', name, error.message, Boolean((seen[error.message] ??= error) === error)),
  );
const seen = {};
await load('root');
await Promise.all([load('waits'), load('fails'), load('apart')]);
await load('root');
await Promise.all([load('rootTwo'), load('sync')]);
await Promise.all([load('first'), load('second')]);
