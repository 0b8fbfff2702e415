module.exports = 'found';
