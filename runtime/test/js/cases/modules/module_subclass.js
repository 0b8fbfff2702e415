'use strict';

// Test runners make a Module of their own, with everything that ours has.

const { Module } = require('node:module');

class Own extends Module {}
for (const [name, value] of Object.entries(Module)) Own[name] = value;
Own.SourceMap = class Mapped {};
console.log(Object.keys(Own).length === Object.keys(Module).length, Own.SourceMap.name, Module.SourceMap.name);
console.log(Object.keys(Module).every((name) => name === 'SourceMap' || Own[name] === Module[name]));
