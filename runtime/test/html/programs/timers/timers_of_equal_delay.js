// Timers of equal delay run in the order in which they were set.
for (const delay of [0, 5]) for (let i = 0; i < 4; i++) setTimeout(() => console.log(`${delay} ms, number ${i}`), delay);
