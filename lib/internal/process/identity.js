'use strict';

// Who the process acts as (setuid and its relatives), process.execve and process.threadCpuUsage.

const { codes, ErrnoException } = require('internal/errors');
const { validateArray, validateObject, validateString, validateUint32 } = require('internal/validators');
const binding = internalBinding('identity');

function validateId(id, name) {
  if (typeof id === 'number') validateUint32(id, name);
  else if (typeof id !== 'string') throw new codes.ERR_INVALID_ARG_TYPE(name, ['number', 'string'], id);
}

function setter(which, syscall, kind) {
  return function(id) {
    validateId(id, 'id');
    if (Object.is(id, -0)) id = 0;
    const result = binding.set(which, id);
    if (result === 1) throw new codes.ERR_UNKNOWN_CREDENTIAL(kind, id);
    if (result < 0) throw new ErrnoException(result, syscall);
  };
}

function setgroups(groups) {
  validateArray(groups, 'groups');
  for (let i = 0; i < groups.length; i++) validateId(groups[i], `groups[${i}]`);
  const result = binding.setGroups(groups);
  if (result > 0) throw new codes.ERR_UNKNOWN_CREDENTIAL('Group', groups[result - 1]);
  if (result < 0) throw new ErrnoException(result, 'setgroups');
}

function initgroups(user, extraGroup) {
  validateId(user, 'user');
  validateId(extraGroup, 'extraGroup');
  const result = binding.initGroups(user, extraGroup);
  if (result === 1) throw new codes.ERR_UNKNOWN_CREDENTIAL('User', user);
  if (result === 2) throw new codes.ERR_UNKNOWN_CREDENTIAL('Group', extraGroup);
  if (result < 0) throw new ErrnoException(result, 'initgroups');
}

function execve(path, args = [], env = process.env) {
  validateString(path, 'execPath');
  validateArray(args, 'args');
  for (let i = 0; i < args.length; i++) {
    if (typeof args[i] !== 'string' || args[i].includes('\u0000')) {
      throw new codes.ERR_INVALID_ARG_VALUE(`args[${i}]`, args[i], 'must be a string without null bytes');
    }
  }
  validateObject(env, 'env');
  const list = [];
  for (const [key, value] of Object.entries(env)) {
    if (typeof key !== 'string' || typeof value !== 'string' || key.includes('\u0000') || value.includes('\u0000')) {
      throw new codes.ERR_INVALID_ARG_VALUE('env', env, 'must be an object with string keys and values without null bytes');
    }
    list.push(`${key}=${value}`);
  }
  const result = binding.execve(path, args, list);
  const [code] = internalBinding('uv').getErrorMap().get(result) ?? ['UNKNOWN'];
  throw new codes.ERR_PROCESS_EXECVE_FAILED(code);
}

function threadCpuUsage(previous) {
  if (previous !== undefined && previous !== null && previous !== false) {
    validateObject(previous, 'prevValue');
    for (const key of ['user', 'system']) {
      if (typeof previous[key] !== 'number') throw new codes.ERR_INVALID_ARG_TYPE(`prevValue.${key}`, 'number', previous[key]);
      if (!(previous[key] >= 0 && previous[key] <= Number.MAX_SAFE_INTEGER)) {
        throw new codes.ERR_INVALID_ARG_VALUE.RangeError(`prevValue.${key}`, previous[key]);
      }
    }
  }
  const [user, system] = binding.threadUsage();
  return previous ? { user: user - previous.user, system: system - previous.system } : { user, system };
}

module.exports = {
  setuid: setter(0, 'setuid', 'User'),
  seteuid: setter(1, 'seteuid', 'User'),
  setgid: setter(2, 'setgid', 'Group'),
  setegid: setter(3, 'setegid', 'Group'),
  setgroups,
  initgroups,
  execve,
  threadCpuUsage,
};
