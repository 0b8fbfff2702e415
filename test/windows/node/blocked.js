setTimeout(() => {
  for (const end = Date.now() + 400; Date.now() < end;);
}, 10);
setTimeout(() => (process.exitCode = 3), 800);
