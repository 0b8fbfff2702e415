'use strict';

// LevelDB, an addon in C++: work on the thread pool, iterators, references that end with their database.

const fs = require('fs'), os = require('os'), path = require('path');
const { ClassicLevel } = require('classic-level');

(async () => {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'level-'));
  const db = new ClassicLevel(directory, { valueEncoding: 'json' });
  await db.batch(Array.from({ length: 50 }, (_, i) => ({ type: 'put', key: `key ${String(i).padStart(2, '0')}`, value: { i } })));
  await db.del('key 07');
  console.log(await db.get('key 09'), await db.get('key 07'), await db.getMany(['key 01', 'none']));
  for await (const [key, { i }] of db.iterator({ gte: 'key 06', lt: 'key 10' })) console.log(key, i);
  const all = await db.keys({ reverse: true, limit: 3 }).all();
  console.log(all, db.status);
  await db.close();
  await db.get('key 01').catch((error) => console.log(error.code));
  fs.rmSync(directory, { recursive: true });
})();
