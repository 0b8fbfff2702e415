// A database compiled to WebAssembly.
require('sql.js')().then((SQL) => {
  const db = new SQL.Database();
  db.run("CREATE TABLE t(a, b); INSERT INTO t VALUES (1, 'x'), (2, 'y')");
  console.log(JSON.stringify(db.exec('SELECT * FROM t ORDER BY b DESC')));
  console.log(db.prepare('SELECT * FROM t WHERE a = :a').getAsObject({ ':a': 1 }));
  try {
    db.run('nonsense');
  } catch (error) {
    console.log(error.message);
  }
  console.log(db.export().length);
});
