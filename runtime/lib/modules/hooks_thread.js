'use strict';

// The thread of the asynchronous hooks (see internal/modules/hooks_remote): it loads the modules that export them and
// runs the chain for each question. It writes its output directly, since the thread that started it is waiting and
// could not forward it.

const { codes } = require('internal/errors');

const loaders = []; // { url, resolve, load }, the newest first
const kinds = {
  resolve: { next: 'nextResolve', subject: 'specifier' },
  load: { next: 'nextLoad', subject: 'url' },
};

function printDirectly() {
  const { Writable } = require('stream');
  const { writeSync } = internalBinding('stdio');
  for (const [name, fd] of [
    ['stdout', 1],
    ['stderr', 2],
  ]) {
    const stream = new Writable({
      write(chunk, encoding, callback) {
        writeSync(fd, chunk.toString());
        callback();
      },
    });
    stream.fd = fd;
    Object.defineProperty(process, name, { value: stream, writable: true, configurable: true, enumerable: true });
  }
}

async function register({ specifier, parentURL, data }) {
  const esm = require('internal/modules/esm/loader');
  // The hooks that are already registered take part in resolving the next one.
  const context = {
    parentURL,
    importAttributes: {},
    conditions: [...require('internal/modules/helpers').importConditions],
  };
  const { url } = await runChain('resolve', 0, specifier, context);
  const { initialize, resolve, load } = await esm.importFrom(url, parentURL);
  await initialize?.(data);
  loaders.unshift({ url, resolve, load });
}

function check(kind, where, result, isEnd) {
  if (typeof result !== 'object' || result === null) {
    throw new codes.ERR_INVALID_RETURN_VALUE('an object', `${where} hook's ${kinds[kind].next}()`, result);
  }
  if (isEnd && result.shortCircuit !== true) throw new codes.ERR_LOADER_CHAIN_INCOMPLETE(where);
}

function checkWhole(kind, where, result) {
  const bad = (wanted, property) =>
    new codes.ERR_INVALID_RETURN_PROPERTY_VALUE(wanted, where, property, result[property]);
  const { url, format, source } = result;
  if (kind === 'resolve') {
    if (typeof url !== 'string') throw bad('a URL string', 'url');
    if (!URL.canParse(url)) throw bad('a URL string', 'url');
  }
  if (format != null && typeof format !== 'string') throw bad('a string', 'format');
  if (
    kind === 'load' &&
    source != null &&
    typeof source !== 'string' &&
    !ArrayBuffer.isView(source) &&
    !require('util').types.isAnyArrayBuffer(source)
  ) {
    throw bad('a string, an ArrayBuffer, or a TypedArray', 'source');
  }
}

async function runChain(kind, at, subject, context) {
  while (at < loaders.length && typeof loaders[at][kind] !== 'function') at++;
  if (at === loaders.length) return require('internal/modules/esm/loader').defaultStep(kind, subject, context);
  const hook = loaders[at][kind];
  const where = `${loaders[at].url} '${kind}'`;
  const { next: nextName, subject: subjectName } = kinds[kind];
  let passedOn = false;
  const next = async (nextSubject, nextContext) => {
    const name = `${where} hook's ${nextName}() `;
    if (typeof nextSubject !== 'string')
      throw new codes.ERR_INVALID_ARG_TYPE(`${name}${subjectName}`, 'string', nextSubject);
    if (
      nextContext !== undefined &&
      (typeof nextContext !== 'object' || nextContext === null || Array.isArray(nextContext))
    ) {
      throw new codes.ERR_INVALID_ARG_TYPE(`${name}context`, 'Object', nextContext);
    }
    if (kind === 'load' && !URL.canParse(nextSubject)) {
      throw new codes.ERR_INVALID_ARG_VALUE(`${name}${subjectName}`, nextSubject, 'should be a URL string');
    }
    passedOn = true;
    return runChain(kind, at + 1, nextSubject, nextContext === undefined ? context : { ...context, ...nextContext });
  };
  Object.defineProperty(next, 'name', { value: nextName, configurable: true });
  const result = await hook(subject, context, next);
  check(kind, where, result, !passedOn);
  return result;
}

async function answer(question) {
  if (question.type === 'register') return register(question);
  const { type: kind, subject, context } = question;
  const result = await runChain(kind, 0, subject, context);
  const first = loaders.find((each) => typeof each[kind] === 'function');
  checkWhole(kind, `${first?.url} '${kind}'`, result);
  return { ...result };
}

function run({ answers, port }) {
  const { describe } = require('internal/worker/thread');
  const reply = (message) => {
    port.postMessage(message);
    Atomics.add(answers, 0, 1);
    Atomics.notify(answers, 0);
  };
  port.on('message', async (question) => {
    try {
      reply({ value: await answer(question) });
    } catch (error) {
      try {
        reply({ failure: describe(error) });
      } catch {
        reply({ failure: { text: require('internal/util/inspect').inspect(error) } });
      }
    }
  });
}

module.exports = { prepare: printDirectly, run };
