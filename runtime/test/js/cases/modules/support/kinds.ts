enum Kind { One = 1 }
module.exports = Kind.One;
