'use strict';

// XML in JUnit's format. A test with subtests is a suite, and is written when it is over.

const { hostname } = require('os');
const { inspect } = require('internal/util/inspect');
const { generator, withoutOurFrames } = require('internal/test/reporters/text');

const attribute = (value) =>
  String(value)
    .replace(/\n$/, '')
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('\n', '&#10;');
const attributeWhole = (value) =>
  String(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('\n', '&#10;');
const content = (value) => String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const remark = (value) => String(value).replaceAll('--', '&#45;&#45;');

// An element: { tag, attributes, children }; a string is a remark.
function render(node, depth) {
  const indent = '\t'.repeat(depth);
  if (typeof node === 'string') return node === '' ? '' : `${indent}<!-- ${remark(node)} -->\n`;
  const attributes = Object.entries(node.attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${name === 'failure' ? attributeWhole(value) : attribute(value)}"`)
    .join('');
  if (node.text !== undefined)
    return `${indent}<${node.tag}${attributes}>\n${content(node.text)}\n${indent}</${node.tag}>\n`;
  if (node.children.length === 0) return `${indent}<${node.tag}${attributes}/>\n`;
  const children = node.children.map((child) => render(child, depth + 1)).join('');
  return `${indent}<${node.tag}${attributes}>\n${children}${indent}</${node.tag}>\n`;
}

const isCase = (node) => node.tag === 'testcase';
const has = (node, tag) => node.children?.some((child) => child.tag === tag);

class JUnit {
  #open = [];

  take(type, data) {
    switch (type) {
      case 'test:start':
        this.#open.push({ nesting: data.nesting, children: [] });
        return '';
      case 'test:pass':
      case 'test:fail':
        return this.#place(data.nesting, this.#element(data));
      case 'test:log':
      case 'test:diagnostic':
        return this.#place(data.nesting, data.message);
    }
    return '';
  }

  // At the top level it is written, below it is kept.
  #place(nesting, node) {
    if (nesting > 0 && this.#open.length > 0) {
      this.#open.at(-1).children.push(node);
      return '';
    }
    return render(node, 1);
  }

  #element(data) {
    const { children } = this.#open.pop() ?? { children: [] };
    const {
      details: { duration_ms: duration, error },
      name,
    } = data;
    const time = (duration / 1000).toFixed(6);
    if (children.some((child) => typeof child !== 'string')) return this.#suite(name, time, children);
    const attributes = { name, time, classname: data.classname ?? data.details.classname ?? 'test', file: data.file };
    const below = children.slice();
    for (const [mark, type] of [
      ['skip', 'skipped'],
      ['todo', 'todo'],
    ]) {
      if (data[mark] !== undefined)
        below.push({ tag: 'skipped', attributes: { type, message: data[mark] }, children: [] });
    }
    if (error !== undefined) {
      const message = error.message ?? '';
      attributes.failure = message;
      if (error.cause !== undefined) withoutOurFrames(error.cause);
      below.push({
        tag: 'failure',
        attributes: { type: error.failureType ?? error.code, message },
        text: inspect(bare(error)),
        children: [],
      });
    }
    return { tag: 'testcase', attributes, children: below };
  }

  #suite(name, time, children) {
    const cases = children.filter((child) => typeof child !== 'string');
    const attributes = {
      name,
      time,
      disabled: 0,
      errors: 0,
      tests: cases.length,
      failures: cases.filter((child) => (isCase(child) ? has(child, 'failure') : child.attributes.failures > 0)).length,
      skipped: cases.filter((child) => has(child, 'skipped')).length,
      timestamp: new Date(Date.now() - time * 1000).toISOString(),
      hostname: hostname(),
    };
    return { tag: 'testsuite', attributes, children };
  }
}

// The wrapping error was made by the test runner: its own frames are left out.
function bare(error) {
  const shown = Object.create(Object.getPrototypeOf(error), Object.getOwnPropertyDescriptors(error));
  try {
    Object.defineProperty(error, 'stack', {
      __proto__: null,
      value: `${String(error.stack).split('\n    at ', 1)[0]}`,
      configurable: true,
      writable: true,
      enumerable: false,
    });
    return error;
  } catch {
    return shown;
  }
}

const events = generator(() => new JUnit());

module.exports = async function* junit(source) {
  yield '<?xml version="1.0" encoding="utf-8"?>\n';
  yield '<testsuites>\n';
  yield* events(source);
  yield '</testsuites>\n';
};
