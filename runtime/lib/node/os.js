'use strict';

// node:os: information about the system, from the binding.

const { codes } = require('internal/errors');
const { validateInt32 } = require('internal/validators');

const binding = internalBinding('os');

// What there is cannot be changed; further properties can be added, but for those of signals.
function fix(object) {
  for (const key of Object.keys(object)) {
    Object.defineProperty(object, key, { __proto__: null, writable: false, configurable: false });
  }
  return object;
}

let constants;
function getConstants() {
  if (constants === undefined) {
    constants = fix(internalBinding('constants').os ?? require('internal/util/os_constants'));
    for (const key of ['errno', 'priority', 'dlopen']) fix(constants[key]);
    Object.freeze(constants.signals);
  }
  return constants;
}

// Calls the binding; the result may be an error number of the loop.
function checked(result, syscall) {
  if (typeof result === 'number' && result < 0) {
    const [code, message] = internalBinding('uv').getErrorMap().get(result) ?? ['UNKNOWN', 'unknown error'];
    throw new codes.ERR_SYSTEM_ERROR({ errno: -result, code, message, syscall });
  }
  return result;
}

function homedir() {
  return binding.getHomeDirectory();
}
function hostname() {
  return binding.getHostname();
}
function release() {
  return binding.getRelease();
}
function type() {
  return binding.getType();
}
function version() {
  return binding.getVersion();
}
function machine() {
  return binding.getMachine();
}
function uptime() {
  return binding.getUptime();
}
function freemem() {
  return binding.getFreeMem();
}
function totalmem() {
  return binding.getTotalMem();
}
function loadavg() {
  return binding.getLoadAvg();
}
function availableParallelism() {
  return binding.getAvailableParallelism();
}
function cpus() {
  return binding.getCpus();
}
function arch() {
  return process.arch;
}
function platform() {
  return process.platform;
}

function tmpdir() {
  const { TMPDIR, TMP, TEMP } = process.env;
  const path = TMPDIR || TMP || TEMP || '/tmp';
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

for (const [fn, value] of [
  [availableParallelism, availableParallelism],
  [arch, () => process.arch],
  [freemem, freemem],
  [homedir, homedir],
  [hostname, hostname],
  [platform, () => process.platform],
  [release, release],
  [tmpdir, tmpdir],
  [totalmem, totalmem],
  [type, type],
  [uptime, uptime],
  [version, version],
  [machine, machine],
]) {
  fn[Symbol.toPrimitive] = () => value();
}

let isLittleEndian;
function endianness() {
  isLittleEndian ??= new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
  return isLittleEndian ? 'LE' : 'BE';
}
endianness[Symbol.toPrimitive] = () => endianness();

// The number of leading ones of a netmask, or null if it is not one.
function prefixLength(netmask, isV6) {
  const parts = isV6 ? expandV6(netmask) : netmask.split('.').map(Number);
  const width = isV6 ? 16 : 8;
  let bits = '';
  for (const part of parts) bits += part.toString(2).padStart(width, '0');
  const match = /^(1*)0*$/.exec(bits);
  return match === null ? null : match[1].length;
}

function expandV6(text) {
  const [head, tail] = text.split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const parts = tail === undefined ? left : [...left, ...Array(8 - left.length - right.length).fill('0'), ...right];
  return parts.map((part) => parseInt(part || '0', 16));
}

function networkInterfaces() {
  const result = binding.getInterfaces();
  if (!Array.isArray(result)) return result;
  const interfaces = {};
  for (const { name, address, netmask, family, mac, internal, scopeid } of result) {
    const prefix = prefixLength(netmask, family === 'IPv6');
    const entry = { address, netmask, family, mac, internal, cidr: prefix === null ? null : `${address}/${prefix}` };
    if (scopeid !== undefined && scopeid !== -1) entry.scopeid = scopeid;
    (interfaces[name] ??= []).push(entry);
  }
  return interfaces;
}

// With one argument, setPriority applies to this process.
function setPriority(...args) {
  const [pid, priority] = args[1] === undefined ? [0, args[0]] : args;
  validateInt32(pid, 'pid');
  validateInt32(priority, 'priority', -20, 19);
  checked(binding.setPriority(pid, priority), 'uv_os_setpriority');
}
Object.defineProperty(setPriority, 'length', { __proto__: null, value: 2 });

function getPriority(pid = 0) {
  validateInt32(pid, 'pid');
  // A priority may be negative; a failure is an array [error].
  const answer = binding.getPriority(pid);
  return Array.isArray(answer) ? checked(answer[0], 'uv_os_getpriority') : answer;
}
Object.defineProperty(getPriority, 'length', { __proto__: null, value: 1 });

function userInfo(options) {
  if (options !== undefined && (typeof options !== 'object' || options === null)) options = undefined;
  const encoding = options?.encoding;
  return checked(
    binding.getUserInfo({ encoding: encoding === 'buffer' ? 'buffer' : (encoding ?? 'utf8') }),
    'uv_os_get_passwd',
  );
}

module.exports = {
  arch,
  availableParallelism,
  cpus,
  endianness,
  freemem,
  getPriority,
  homedir,
  hostname,
  loadavg,
  networkInterfaces,
  platform,
  release,
  setPriority,
  tmpdir,
  totalmem,
  type,
  userInfo,
  uptime,
  version,
  machine,
};
Object.defineProperties(module.exports, {
  constants: { __proto__: null, configurable: false, enumerable: true, get: getConstants },
  EOL: { __proto__: null, configurable: true, enumerable: true, writable: false, value: '\n' },
  devNull: { __proto__: null, configurable: true, enumerable: true, writable: false, value: '/dev/null' },
});
