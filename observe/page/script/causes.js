'use strict';
// The causes and delays of the page's trace.

const { b, cause, detail, details, duration, number, start, track } = require('./trace.js');
const { calls, waits } = require('./lanes.js');
const { Insight } = require('./insight.js');

const causes = new Insight({ start, duration, track, detail, details, late: b, number, cause, calls, waits });

module.exports = { causes };
