// process.env.TZ takes effect at once, in the script and in callbacks; an unknown name is UTC. (A Date that was read before
// keeps its time zone: runtime/doc/LIMITS.md.)
const told = () => {
  const date = new Date(1e12);
  return `${date.getHours()} ${date.getTimezoneOffset()} ${Intl.DateTimeFormat().resolvedOptions().timeZone}`;
};

process.env.TZ = 'Europe/London';
console.log(told());
process.env.TZ = 'America/New_York';
console.log(told());
process.env.TZ = 'No/Where';
console.log(new Date(1e12).getHours());
setTimeout(() => {
  process.env.TZ = 'Asia/Tokyo';
  console.log(told());
  setImmediate(() => {
    console.log(told());
    process.env.TZ = 'UTC';
    console.log(told());
    delete process.env.TZ;
    console.log(typeof told());
  });
}, 1);
