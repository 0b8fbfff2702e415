'use strict';
// A handler in which one function takes the time, in one way or another; others run before and after it, and take none.
const fs = require('fs');
const crypto = require('crypto');

const ms = Number(process.argv[3]);
const text = `[${'{"a":[1,2,3,"x"]},'.repeat(100000)}0]`;
const now = Date.now;
let sum = 0;
const kinds = {
  loop: function guiltyLoop() { for (const end = now() + ms; now() < end;) sum++; },
  parse: function guiltyParse() { for (const end = now() + ms; now() < end;) JSON.parse(text); },
  regexp: function guiltyRegexp() { for (let n = 20, end = now() + ms; now() < end; n++) /^(a+)+$/.test(`${'a'.repeat(Math.min(n, 24))}b`); },
  file: function guiltyFile() {
    fs.writeFileSync('text', text);
    for (const end = now() + ms; now() < end;) fs.readFileSync('text');
  },
  crypto: function guiltyCrypto() { for (const end = now() + ms; now() < end;) crypto.pbkdf2Sync('a', 'b', 50000, 32, 'sha256'); },
  deep: function guiltyDeep(depth = 300) {
    if (depth > 0) return guiltyDeep(depth - 1) + 1;
    for (const end = now() + ms; now() < end;) sum++;
    return 0;
  },
  // Code of C++ that nobody can look into; what follows it is the next that V8 sees.
  unseen: function guiltyUnseen() { for (const end = now() + ms; now() < end;) 'b'.repeat(1 << 24).indexOf('a'); },
};
function innocentBefore() { for (let i = 0; i < 1000; i++) sum++; }
function innocentAfter() { for (let i = 0; i < 100000; i++) sum++; }
function handler() {
  innocentBefore();
  kinds[process.argv[2]]();
  innocentAfter();
}
setTimeout(handler, 5);
setTimeout(innocentAfter, 10);
