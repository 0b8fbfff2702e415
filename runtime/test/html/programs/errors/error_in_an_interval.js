// An interval goes on after an error.
onerror = (message, file, line, column, error) => {
  console.log(`reported ${error.message}`);
  return true;
};
let count = 0;
const id = setInterval(() => {
  if (++count === 3) clearInterval(id);
  throw new Error(`number ${count}`);
}, 1);
