exports.inner = require('./inner.js');
exports.where = require('path').basename(require.resolve('./inner.js'));
