console.log('apart starts');
await 0;
await 0;
console.log('apart ends');
export const apart = 1;
