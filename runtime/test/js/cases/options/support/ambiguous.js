import fs from 'fs';
console.log(typeof fs, typeof require);
