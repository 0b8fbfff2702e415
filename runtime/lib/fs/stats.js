'use strict';

// Results of stat: Stats, their BigInt twin, and StatFs. The binding writes numbers into words; the objects are made
// from these directly, by constructors that share the public classes' prototypes. Dates are made when they are read.

const { binding } = require('internal/fs/native');
const { S_IFMT, S_IFBLK, S_IFCHR, S_IFDIR, S_IFIFO, S_IFLNK, S_IFREG, S_IFSOCK } = require('internal/fs/constants');

const numbers = binding.stats;
const exact = binding.exactStats;
const wordsPerStat = 18;
const times = ['atime', 'mtime', 'ctime', 'birthtime'];
const plainFields = ['dev', 'mode', 'nlink', 'uid', 'gid', 'rdev', 'blksize', 'ino', 'size', 'blocks'];
const kinds = {
  isDirectory: S_IFDIR,
  isFile: S_IFREG,
  isBlockDevice: S_IFBLK,
  isCharacterDevice: S_IFCHR,
  isSymbolicLink: S_IFLNK,
  isFIFO: S_IFIFO,
  isSocket: S_IFSOCK,
};

const name = (object, names, values) =>
  names.forEach((key, i) => {
    object[key] = values[i];
  });

// The tests of kinds are methods of a common base, enumerable and without a name of their own.
function StatsBase(...values) {
  name(this, plainFields, values);
}

for (const [test, kind] of Object.entries(kinds)) {
  StatsBase.prototype[test] = function () {
    return this._checkModeProperty(kind);
  };
}

// A date that the program has set stays; one that was made from milliseconds is cached.
function addDates(prototype, toDate) {
  for (const time of times) {
    const keep = (stats, value) => {
      Object.defineProperty(stats, time, { configurable: true, enumerable: true, writable: true, value });
      return value;
    };
    Object.defineProperty(prototype, time, {
      configurable: true,
      enumerable: true,
      get() {
        return keep(this, toDate(this[`${time}Ms`]));
      },
      set(value) {
        keep(this, value);
      },
    });
  }
}

function extendBase(Kind, toDate, hasKind) {
  Object.setPrototypeOf(Kind, StatsBase);
  Object.setPrototypeOf(Kind.prototype, StatsBase.prototype);
  addDates(Kind.prototype, toDate);
  Kind.prototype._checkModeProperty = hasKind;
}

// For programs that construct Stats themselves.
function Stats(...values) {
  name(this, [...plainFields, ...times.map((time) => `${time}Ms`)], values);
}

function BigIntStats(...values) {
  const ofTimes = values.slice(plainFields.length);
  name(this, plainFields, values);
  name(
    this,
    times.map((time) => `${time}Ms`),
    ofTimes.map((ns) => ns / 1000000n),
  );
  name(
    this,
    times.map((time) => `${time}Ns`),
    ofTimes,
  );
}

// Half a millisecond is added for rounding: a Date drops fractions.
extendBase(
  Stats,
  (ms) => new Date(Number(ms) + 0.5),
  function (kind) {
    return (this.mode & S_IFMT) === kind;
  },
);
// Few programs want it.
let isExtended = false;
function bigIntStats() {
  if (!isExtended) {
    isExtended = true;
    extendBase(
      BigIntStats,
      (ms) => new Date(Number(ms)),
      function (kind) {
        return (Number(this.mode) & S_IFMT) === kind;
      },
    );
  }
  return BigIntStats;
}

const milliseconds = (at) => numbers[at] * 1000 + numbers[at + 1] / 1e6;
const nanoseconds = (at) => exact[at] * 1000000000n + exact[at + 1];

function OfNumbers(at) {
  this.dev = numbers[at];
  this.mode = numbers[at + 1];
  this.nlink = numbers[at + 2];
  this.uid = numbers[at + 3];
  this.gid = numbers[at + 4];
  this.rdev = numbers[at + 5];
  this.blksize = numbers[at + 6];
  this.ino = numbers[at + 7];
  this.size = numbers[at + 8];
  this.blocks = numbers[at + 9];
  this.atimeMs = milliseconds(at + 10);
  this.mtimeMs = milliseconds(at + 12);
  this.ctimeMs = milliseconds(at + 14);
  this.birthtimeMs = milliseconds(at + 16);
}
OfNumbers.prototype = Stats.prototype;

function takeExact(at) {
  const values = Array.from(exact.subarray(at, at + plainFields.length));
  values[7] = BigInt.asUintN(64, values[7]);
  return new (bigIntStats())(
    ...values,
    nanoseconds(at + 10),
    nanoseconds(at + 12),
    nanoseconds(at + 14),
    nanoseconds(at + 16),
  );
}

// The stat that the binding filled last; row 1 is the one before, of a watched file.
function takeStats(wantsBigInt, row = 0) {
  return wantsBigInt ? takeExact(row * wordsPerStat) : new OfNumbers(row * wordsPerStat);
}

const fileTypeBits = () => numbers[1] & S_IFMT;

class StatFs {
  constructor(words) {
    [this.type, this.bsize, this.frsize, this.blocks, this.bfree, this.bavail, this.files, this.ffree] = words;
  }
}

function takeStatFs(wantsBigInt) {
  const [type, bsize, blocks, bfree, bavail, files, ffree, frsize] = wantsBigInt ? exact : numbers;
  return new StatFs([type, bsize, frsize, blocks, bfree, bavail, files, ffree]);
}

module.exports = { Stats, StatFs, fileTypeBits, takeStatFs, takeStats };
