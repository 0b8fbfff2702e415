'use strict';

// The user and groups of the process (setuid and the like), process.execve and process.threadCpuUsage.

const { codes, uvErrmap } = require('internal/errors');
const { validateArray, validateObject, validateString, validateUint32 } = require('internal/validators');
const binding = internalBinding('identity');
const { kUid, kEuid, kGid, kEgid } = require('internal/shared').identity;

// Users and groups are given by number or by name.
function checkId(id, name) {
  if (typeof id === 'string') return;
  if (typeof id !== 'number') throw new codes.ERR_INVALID_ARG_TYPE(name, ['number', 'string'], id);
  validateUint32(id, name);
}

// A system error: with a positive number and the system's message.
function systemError(errno, syscall, path) {
  const [code, text] = uvErrmap(errno);
  const sentence = text[0].toUpperCase() + text.slice(1);
  const error = new Error(`${code}, ${sentence}${path === undefined ? '' : ` '${path}'`}`);
  return Object.assign(error, { errno: -errno, code }, path === undefined ? {} : { path }, { syscall });
}

// C returns 0, a negative errno, or the index (counted from 1) of an unknown name.
function settle(answer, syscall, names) {
  if (answer < 0) throw systemError(answer, syscall);
  if (answer === 0) return;
  const [kind, id] = names[answer - 1];
  throw new codes.ERR_UNKNOWN_CREDENTIAL(kind, id);
}

function setter(which, syscall, kind) {
  return (id) => {
    checkId(id, 'id');
    settle(binding.set(which, id === 0 ? 0 : id), syscall, [[kind, id]]); // -0 is 0
  };
}

function setgroups(groups) {
  validateArray(groups, 'groups');
  groups.forEach((group, i) => checkId(group, `groups[${i}]`));
  settle(
    binding.setGroups(groups),
    'setgroups',
    groups.map((group) => ['Group', group]),
  );
}

function initgroups(user, extraGroup) {
  checkId(user, 'user');
  checkId(extraGroup, 'extraGroup');
  settle(binding.initGroups(user, extraGroup), 'initgroups', [
    ['User', user],
    ['Group', extraGroup],
  ]);
}

const isCText = (text) => typeof text === 'string' && !text.includes('\0');

function execve(execPath, args = [], env = process.env) {
  if (internalBinding('worker').isMainThread === false)
    throw new codes.ERR_WORKER_UNSUPPORTED_OPERATION('Calling process.execve');
  validateString(execPath, 'execPath');
  validateArray(args, 'args');
  const bad = args.findIndex((argument) => !isCText(argument));
  if (bad !== -1)
    throw new codes.ERR_INVALID_ARG_VALUE(`args[${bad}]`, args[bad], 'must be a string without null bytes');
  validateObject(env, 'env');
  const variables = Object.entries(env);
  if (!variables.flat().every(isCText)) {
    throw new codes.ERR_INVALID_ARG_VALUE(
      'env',
      env,
      'must be an object with string keys and values without null bytes',
    );
  }
  // It returns only if it has failed.
  const failure = binding.execve(
    execPath,
    args,
    variables.map((pair) => pair.join('=')),
  );
  throw systemError(failure, 'execve', execPath);
}

function threadCpuUsage(previous) {
  if (previous) {
    validateObject(previous, 'prevValue');
    for (const key of ['user', 'system']) {
      const time = previous[key];
      if (typeof time !== 'number') throw new codes.ERR_INVALID_ARG_TYPE(`prevValue.${key}`, 'number', time);
      if (!(time >= 0 && time <= Number.MAX_SAFE_INTEGER))
        throw new codes.ERR_INVALID_ARG_VALUE.RangeError(`prevValue.${key}`, time);
    }
  }
  const [user, system] = binding.threadUsage();
  const since = previous || { user: 0, system: 0 };
  return { user: user - since.user, system: system - since.system };
}

module.exports = {
  setuid: setter(kUid, 'setuid', 'User'),
  seteuid: setter(kEuid, 'seteuid', 'User'),
  setgid: setter(kGid, 'setgid', 'Group'),
  setegid: setter(kEgid, 'setegid', 'Group'),
  setgroups,
  initgroups,
  execve,
  threadCpuUsage,
};
