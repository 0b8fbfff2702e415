module.exports = 'one, require, with ' + require('other');
