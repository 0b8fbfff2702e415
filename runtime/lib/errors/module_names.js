'use strict';

// Names of imports in the engine's messages. It has seen the module as internal/modules/esm/transform wrote it, where
// an imported name is a property of another module's bindings; a program knows it by the name that it gave it.

const kCalled = /\(0 ?, ?(__rota_\d+(?:n\.ns|\.[\w$]+))\)/g;
const kImported = /__rota_(\d+)(n\.ns|\.([\w$]+))/g;

function namespaceIn(text, specifier) {
  const quoted = specifier.replace(/[^\w]/g, '\\$&');
  return new RegExp(`\\*\\s*as\\s+([\\w$]+)\\s+from\\s*['"]${quoted}['"]`).exec(text ?? '')?.[1];
}

// The message with the program's names, if the module is known.
function withNames(message, file, text) {
  const record = require('internal/modules/esm/record').records.get(file);
  if (record === undefined) return message;
  return message.replace(kCalled, '$1').replace(kImported, (whole, number, member, name) => {
    const request = Number(number);
    const check = name === undefined ? undefined : record.checks.find(([at, from]) => at === request && from === name);
    if (check !== undefined) return check[2];
    const namespace = namespaceIn(text, record.requests[request]?.specifier ?? '');
    if (namespace === undefined) return whole;
    return name === undefined ? namespace : `${namespace}.${name}`;
  });
}

module.exports = { withNames };
