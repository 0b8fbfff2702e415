'use strict';

// Every function of every binding, under --permission without a permission: those that reach something outside of the process are called directly,
// with sound arguments, and must refuse. A binding or a function that this table does not name fails the test: whoever adds one says here what it
// reaches. Run by gates.sh: gates.js SECRET BINDING...
//
//   refuses   calls that must throw ERR_ACCESS_DENIED, by their arguments
//   answers   calls that must answer so: a guest of WASI and SQLite hear of a refusal without an exception
//   inner     works on descriptors, objects and memory that the program has already, or on figures of this process
//   open      reaches something outside and does not ask, as in Node; with the reason
const { internalBinding, streamKind } = require('bindings'); // only the program of gates.sh has it
const [, , P, ...names] = process.argv;
const Q = `${P}-2`;
const kEacces = -13;
const child = [P, [P], [], '/', 0, -1, -1, [], []];
const bytes = new Uint8Array(8);
// An argument that is made for the call.
class Late {
  constructor(make) {
    this.make = make;
  }
}
const late = (make) => new Late(make);

let connection; // of SQLite, in memory
let root; // a descriptor of a directory that WASI knows nothing of

const table = {
  addons: { refuses: { open: [P, `file://${P}`, {}, 1, {}, {}] }, inner: 'isExternal address' },
  buffer: { inner: '*' },
  charset: { inner: '*' }, // iconv's tables; GCONV_PATH is what it was at the start: runtime/test/js/cases/permission/environment.js
  child: { refuses: { spawn: [() => {}, ...child], spawnSync: [0, -1, 9, ...child] }, inner: 'pid kill close reference' },
  crypto: { inner: '*' }, // OpenSSL's configuration is chosen at the start: the same
  dns: {
    refuses: { addresses: [() => {}, 'localhost', 4, 0], name: [() => {}, '127.0.0.1', 80], query: [0, () => {}, 'localhost', 1], reverse: [0, () => {}, '127.0.0.1'] },
    inner: 'cancel destroy localAddress servers setServers statusText',
    open: { channel: 'reads the names of the servers from resolv.conf' },
  },
  fs: {
    refuses: {
      access: [-1, P, 0], chmod: [-1, P, 0o600], chown: [-1, P, 1, 1], copyfile: [-1, P, Q, 0], fchmod: [-1, 1, 0o600], fchown: [-1, 1, 1, 1], fdatasync: [-1, 1], fsync: [-1, 1],
      futime: [-1, 1, 1, 1], lchown: [-1, P, 1, 1], link: [-1, P, Q], lstat: [-1, P], lutime: [-1, P, 1, 1], mkdir: [-1, Q, 0o700], mkdtemp: [-1, P, false], open: [-1, P, 0, 0],
      opendir: [-1, P], poll: [P, 100], readFile: [0, P, 0, true], readFileNow: [P, 0, true], readlink: [-1, P, false], realpath: [-1, P, false], rename: [-1, P, Q], rmdir: [-1, P],
      scandir: [-1, P, false], stat: [-1, P], statfs: [-1, P], symlink: [-1, P, Q, 0], unlink: [-1, P], utime: [-1, P, 1, 1], watch: [P, false], writeFile: [0, P, 1, 0o600, bytes],
    },
    // As in Node, an open descriptor may be used and truncated: opening it for writing was permitted.
    inner: 'arrived close closedir fstat ftruncate gone handleGone handleOpened nextFile read readdir readv setCallbacks stats takeFile trackDescriptors unwatch watchRef write writev',
  },
  http2: { inner: '*' },
  http_parser: { inner: '*' },
  identity: { refuses: { execve: [P, [P], []] }, inner: 'threadUsage', open: { set: 'users and groups; the system decides', setGroups: 'the same', initGroups: 'the same' } },
  loop_delay: { inner: '*' },
  metrics: { inner: '*' },
  modules: {
    refuses: { readText: [P], readPackage: [P, false] },
    inner: 'rewrite digest isExpression isPlain evaluate checkSyntax',
    open: {
      statKind: 'whether there is a file, to resolve a module', realpath: 'of a module',
      readEnvironmentFile: 'only files that --env-file names',
    },
  },
  os: { inner: '*' },
  performance: { inner: '*' },
  permission: { refuses: { check: [0, P] }, inner: 'has drop onRefusal audits isOn' },
  process: {
    refuses: { chdir: ['/etc'] },
    inner: `abort activeHandles addEnvironmentOptions argv0 arguments availableMemory checkOnly clock code constrainedMemory cpuUsage cwd environmentOptions environmentWordCount envGet envNames
      envSet envText execArgv execPath getTitle groups hrtime identity idleTime imports interactive isKnownOption isPlain libraryVersions loadedVersion memoryUsage nanoseconds optionWords print
      readStdin reallyExit requires resourceUsage rss script setTitle showVersion umask uptime uvVersion`,
    open: { kill: 'signals to other processes; the system decides' },
  },
  runtime: { inner: '*' },
  signals: { inner: '*' },
  sqlite: {
    refuses: { open: [P, 3, 0], backup: [0, late(() => connection), P, 'main', 'main', 1] },
    answers: { loadExtension: [[late(() => connection), P], 'Cannot load SQLite extensions when the permission model is enabled.'] },
    inner: `allowExtensions apply arm begin bind changes close closeSession codeText columns count createSession defend defineAggregate defineFunction deserialize fetch finalize
      finalizeAll get inTransaction isBusy isLive lastRow limit location names parameters prepare profile rewind run serialize sessionIsOpen setAuthorizer setBackupListener
      setErrorMaker sql exec`,
  },
  stdio: { inner: '*' },
  steer: { inner: '*' },
  stream: {
    refuses: {
      listen: [late(() => socket('tcp')), 1], pipeBind: [late(() => socket('pipe')), P], pipeConnect: [late(() => socket('pipe')), P], tcpBind: [late(() => socket('tcp')), '127.0.0.1', 0, 4, 0],
      tcpConnect: [late(() => socket('tcp')), '127.0.0.1', 9, 4],
    },
    inner: `active addressBytes addressText adopt close count create fd isIP isTTY kindOf pipeMode pipeName pipeOpen readStart readStop reference reset setBlocking setBuffer
      setCallbacks shutdown take tcpKeepAlive tcpName tcpNoDelay tcpOpen tcpTypeOfService ttyMode ttySize useBuffer write writeMany`,
  },
  tasks: { inner: '*' },
  tls: { inner: '*' }, // certificates and keys come as bytes; the system's authorities are public
  trace: { inner: '*' },
  udp: {
    refuses: { bind: [late(() => socket('udp')), '127.0.0.1', 0, 4, 0], connect: [late(() => socket('udp')), '127.0.0.1', 9, 4], send: [late(() => socket('udp')), [bytes], 1, 0, '127.0.0.1', 9, 4] },
    inner: 'bufferSize membership multicastInterface name open queue receiveStart receiveStop set',
  },
  util: { inner: '*' },
  uv: { inner: '*' },
  v8: { inner: '*' },
  vm: { inner: '*' },
  wasi: {
    refuses: { openRoot: ['/etc'] },
    answers: {
      open: [[late(() => root), 'passwd', true, 0, 0], kEacces], makeDirectory: [[late(() => root), 'new', 0o700], kEacces], remove: [[late(() => root), 'passwd', false], kEacces],
      symlink: [[late(() => root), 'new', '/etc'], kEacces], readlink: [[late(() => root), 'mtab'], kEacces], link: [[late(() => root), 'passwd', true, late(() => root), 'new'], kEacces],
      rename: [[late(() => root), 'passwd', late(() => root), 'new'], kEacces], stat: [[late(() => root), 'passwd', true, new BigUint64Array(8)], kEacces],
      utimes: [[late(() => root), 'passwd', true, 1, 0, 1, 0], kEacces],
    },
    inner: 'allocate clock close flags fstat futimes list poll read seek sync truncate write',
  },
  worker: {
    refuses: { start: [0, 4, 0, ''] },
    inner: `atClosing broadcast channel close discard exit figures isWorker keep listen lockEnd lockNews lockQuery lockRequest look onRound pair ring send sharedGive sharedHold stop take threadId
      sleeperBegin sleeperEnd sleeperWaits waiterAdd waiterEnd waiterNews waiterNotify waitersLater`,
  },
  zlib: { inner: '*' },
};

// ---- things to call with ----

function socket(kind) {
  return internalBinding('stream').create(streamKind[`k${kind[0].toUpperCase()}${kind.slice(1)}`], {}, 0);
}

// ---- the walk ----

const count = { refused: 0, answered: 0, inner: 0, open: 0, failed: 0 };
function fail(text) {
  console.log('FAILED', text);
  count.failed++;
}

const given = (list) => list.map((each) => (each instanceof Late ? each.make() : each));

function mustRefuse(name, binding, method, list) {
  try {
    fail(`${name}.${method} did not refuse, but answered ${String(binding[method](...given(list)))}`);
  } catch (error) {
    if (error.code === 'ERR_ACCESS_DENIED') count.refused++;
    else fail(`${name}.${method} threw ${error.code} ${error.message}`);
  }
}

function mustAnswer(name, binding, method, [list, wanted]) {
  let answer;
  try {
    answer = binding[method](...given(list));
  } catch (error) {
    answer = error.message;
  }
  if (answer === wanted) count.answered++;
  else fail(`${name}.${method} answered ${String(answer)} instead of ${wanted}`);
}

connection = internalBinding('sqlite').open(':memory:', 3, 0);
root = 0; // whatever is open there: WASI does not know it
for (const name of new Set([...names, ...Object.keys(table)])) {
  const row = table[name];
  if (row === undefined) {
    fail(`the binding ${name} is not in the table`);
    continue;
  }
  const binding = internalBinding(name);
  const { refuses = {}, answers = {}, open = {} } = row;
  const inner = (row.inner ?? '').split(/\s+/);
  const named = new Set([...Object.keys(refuses), ...Object.keys(answers), ...Object.keys(open), ...inner]);
  for (const method of Object.getOwnPropertyNames(binding)) {
    if (typeof binding[method] !== 'function') continue;
    if (!named.has(method) && row.inner !== '*') fail(`${name}.${method} is not in the table`);
    if (row.inner === '*' || inner.includes(method)) count.inner++;
  }
  for (const [method, list] of Object.entries(refuses)) mustRefuse(name, binding, method, list);
  for (const [method, call] of Object.entries(answers)) mustAnswer(name, binding, method, call);
  for (const method of Object.keys(open)) {
    if (typeof binding[method] === 'function') count.open++;
    else fail(`${name}.${method} is not there any more`);
  }
}

// SQLite opens files itself.
const { DatabaseSync } = require('node:sqlite');
const memory = new DatabaseSync(':memory:');
memory.exec('CREATE TABLE a(b)');
for (const [name, way] of [
  ['ATTACH', () => memory.exec(`ATTACH '${P}' AS c; CREATE TABLE c.d(e)`)],
  ['VACUUM INTO', () => memory.exec(`VACUUM INTO '${Q}'`)],
  ['a URI', () => new DatabaseSync(`file:${P}?mode=rwc`).exec('CREATE TABLE d(e)')],
  ['another way to the system', () => new DatabaseSync(`file:${P}?vfs=unix-none`).exec('CREATE TABLE d(e)')],
]) {
  try {
    way();
    fail(`SQLite lets ${name} through`);
  } catch (error) {
    if (error.code === 'ERR_SQLITE_ERROR') count.refused++;
    else fail(`${name}: ${error.stack}`);
  }
}
console.log(`${count.refused} refuse, ${count.answered} answer that they do not, ${count.inner} reach nothing, ${count.open} do not ask, ${count.failed} failed`);
process.exit(count.failed > 0 ? 1 : 0);
