'use strict';

// An alias that programs know: the checks of names and values, the methods, and a parser.

const { hasBadCharacter, isToken } = require('internal/http/fields');
const { parserMethods } = require('internal/http/tables');
const { idleParsers } = require('internal/http/parser');
const { HTTPParser } = require('internal/http/program_parser');

module.exports = {
  _checkInvalidHeaderChar: (value, relaxed) => hasBadCharacter(value, relaxed === true),
  _checkIsHttpToken: (value) => value !== '' && isToken(value),
  HTTPParser,
  CRLF: '\r\n',
  chunkExpression: /(?:^|\W)chunked(?:$|\W)/i,
  continueExpression: /(?:^|\W)100-continue(?:$|\W)/i,
  methods: parserMethods.filter((name) => name !== undefined),
  parsers: idleParsers,
};
