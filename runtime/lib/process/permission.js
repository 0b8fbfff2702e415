'use strict';

// process.permission, and the errors of operations that are not permitted. C decides at the place of the operation
// (runtime/permission); JavaScript cannot override it.

const binding = internalBinding('permission');
const { kRead, kWrite, kWorker, kInspector, kWasi, kAddon, kStore } = require('internal/shared').scope;

// In the order of the scopes in runtime/shared.table: [name for programs, name in errors, the option that grants it,
// its channel].
const scopes = [
  ['fs.read', 'FileSystemRead', '--allow-fs-read', 'fs'],
  ['fs.write', 'FileSystemWrite', '--allow-fs-write', 'fs'],
  ['child', 'ChildProcess', '--allow-child-process', 'child'],
  ['worker', 'WorkerThreads', '--allow-worker', 'worker'],
  ['inspector', 'Inspector', '--allow-inspector', 'inspector'],
  ['wasi', 'WASI', '--allow-wasi', 'wasi'],
  ['addon', 'Addon', '--allow-addons', 'addon'],
  ['net', 'Net', '--allow-net', 'net'],
  ['ffi', 'FFI', '--allow-ffi', 'ffi'],
  ['openssl.store', 'OpenSSLStore', '--allow-openssl-store', 'openssl-store'],
];
const numbers = new Map(scopes.map(([name], number) => [name, number]));
const kNone = scopes.length;
const kPlain = 'Access to this API has been restricted';

function publish(channel, message) {
  const { channel: find } = require('diagnostics_channel');
  const found = find(`node:permission-model:${channel}`);
  if (found.hasSubscribers) found.publish(message);
}

function accessDenied(message, permission = '', resource = '') {
  const error = new Error(message);
  Error.captureStackTrace(error, makeError);
  return Object.assign(error, { code: 'ERR_ACCESS_DENIED', permission, resource });
}

// Called by C. With a text the option is not named, and without a scope nothing is published.
function makeError(scope, resource, text) {
  if (scope >= kNone) return accessDenied(text);
  const [, permission, option, channel] = scopes[scope];
  publish(channel, { permission, resource });
  return accessDenied(text ?? `${kPlain}. Use ${option} to manage permissions.`, permission, resource);
}

// ---- the interface for programs ----

function readReference(reference) {
  const { validateString } = require('internal/validators');
  if (reference === undefined || reference === null) return undefined;
  if (ArrayBuffer.isView(reference))
    return require('internal/buffer/class')
      .Buffer.from(reference.buffer, reference.byteOffset, reference.byteLength)
      .toString();
  if (typeof reference === 'object' && 'href' in reference && 'protocol' in reference)
    return require('url').fileURLToPath(reference);
  validateString(reference, 'reference');
  return reference;
}

function ask(number, reference) {
  if (reference === undefined) return binding.has(number);
  if (number <= kWrite && (reference === '' || reference.includes('\0'))) return false; // that is no path
  return binding.has(number, reference);
}

function has(scope, reference) {
  require('internal/validators').validateString(scope, 'scope');
  const about = readReference(reference);
  const number = numbers.get(scope);
  if (number === undefined && scope !== 'fs') return false;
  const allowed = scope === 'fs' ? ask(kRead, about) && ask(kWrite, about) : ask(number, about);
  const [, permission, , channel] = scopes[number] ?? ['fs', 'FileSystem', '', 'fs'];
  if (!allowed) publish(channel, { permission, resource: about ?? '' });
  return allowed;
}

function drop(scope, reference) {
  require('internal/validators').validateString(scope, 'scope');
  const about = readReference(reference);
  const list = scope === 'fs' ? [kRead, kWrite] : [numbers.get(scope)];
  if (list[0] === undefined) return;
  for (const number of list) {
    if (about === undefined) binding.drop(number);
    else binding.drop(number, about);
  }
  const [, permission, , channel] = scopes[numbers.get(scope)] ?? ['fs', 'FileSystem', '', 'fs'];
  publish(channel, { permission, resource: about ?? '', drop: true });
}

// ---- start ----

const cautious = [
  '--allow-addons',
  '--allow-child-process',
  '--allow-ffi',
  '--allow-inspector',
  '--allow-wasi',
  '--allow-worker',
  '--allow-openssl-store',
];

// Options that grant a permission are an error if permissions are not restricted.
function checkOptions() {
  const { hasFlag, valuesOf } = require('internal/process/flags');
  const given =
    [...cautious, '--allow-net', '--allow-fs-vfs'].some(hasFlag) ||
    valuesOf('--allow-fs-read').length > 0 ||
    valuesOf('--allow-fs-write').length > 0;
  if (given) throw new (require('internal/errors').codes.ERR_MISSING_OPTION)('--permission');
}

function warn() {
  const { hasFlag, valuesOf } = require('internal/process/flags');
  cautious.forEach((option, i) => {
    if (!hasFlag(option)) return;
    const text = `The flag ${option} must be used with extreme caution. It could invalidate the permission model.`;
    process.emitWarning(text, { type: 'SecurityWarning', code: `PERM000${i + 1}` });
  });
  const { script, requires } = internalBinding('process');
  for (const option of ['--allow-fs-read', '--allow-fs-write']) {
    const values = valuesOf(option);
    // The script may be read, too.
    if (
      values.length !== 1 ||
      !values[0].includes(',') ||
      (option === '--allow-fs-read' && (script !== undefined || requires.length > 0))
    )
      continue;
    process.emitWarning(
      `The ${option} CLI flag has changed. Passing a comma-separated list of paths is no longer valid. ` +
        'Documentation can be found at https://nodejs.org/api/permissions.html#file-system-permissions',
      'Warning',
    );
  }
  if (hasFlag('--allow-net'))
    process.emitWarning('The flag --allow-net is under experimental phase.', 'ExperimentalWarning');
}

function begin() {
  if (!binding.isOn) {
    checkOptions();
    return;
  }
  binding.onRefusal(makeError);
  Object.defineProperty(process, 'permission', {
    __proto__: null,
    value: { has, drop },
    writable: false,
    enumerable: true,
    configurable: false,
  });
  warn();
}

// ---- for modules without a C side of their own ----

// Throws if it is not permitted.
function check(scope, resource = '', text = undefined) {
  if (!binding.isOn) return;
  if (text === undefined) binding.check(scope, resource);
  else binding.check(scope, resource, text);
}

// Children that run Node get the same permissions, through NODE_OPTIONS, unless they have options of their own.
function optionsForChildren() {
  const { words } = require('internal/process/flags');
  return words().filter((word) => /^--(?:permission(?:-audit)?|allow-[a-z-]+(?:=.*)?)$/s.test(word));
}

module.exports = {
  begin,
  check,
  accessDenied,
  optionsForChildren,
  kWrite,
  kWorker,
  kInspector,
  kWasi,
  kAddon,
  kStore,
  kPlain,
  get isOn() {
    return binding.isOn;
  },
  hasAddons: () => !binding.isOn || binding.has(kAddon),
};
