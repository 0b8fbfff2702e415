import fs from '../support/b.mjs'; console.log(typeof fs, typeof require, import.meta.url.slice(-6));
export {};
