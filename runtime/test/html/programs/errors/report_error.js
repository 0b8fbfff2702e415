// reportError fires the event at once.
onerror = (message, file, line, column, error) => {
  console.log(`reported ${error}`);
  return true;
};
reportError('a text');
console.log('script');
