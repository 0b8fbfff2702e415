'use strict';
// Causes and delays in this trace.

const { b, cause, detail, details, duration, number, start, track } = require('./trace.js');
const { calls, waits } = require('./lanes.js');
const { Insight } = require('./insight.js');

exports.causes = new Insight({ start, duration, track, detail, details, late: b, number, cause, calls, waits });
