// From the main script either may come first; both do come.
const seen = [];
const done = (name) => { if (seen.push(name) === 2) console.log(seen.sort().join(' and ')); };
setTimeout(() => {
    done('setTimeout');
}, 0);
setImmediate(() => {
  done('setImmediate');
});
