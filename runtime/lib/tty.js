'use strict';

// The number of colours that a terminal supports, in bits, by its environment. The rules are tried in order; the first
// that applies decides.

const { validateInteger } = require('internal/validators');

const kTwo = 1;
const kSixteen = 4;
const kMany = 8;
const kTrue = 24;

const forced = new Map([
  ['', kSixteen],
  ['1', kSixteen],
  ['true', kSixteen],
  ['2', kMany],
  ['3', kTrue],
]);

const terminals = new Map();
const name = (bits, ...terms) => terms.forEach((term) => terminals.set(term, bits));
name(
  kSixteen,
  'eterm',
  'cons25',
  'console',
  'cygwin',
  'dtterm',
  'gnome',
  'hurd',
  'jfbterm',
  'konsole',
  'kterm',
  'putty',
  'st',
);
name(kTrue, 'mlterm', 'mosh', 'rxvt-unicode-24bit', 'terminator', 'xterm-kitty');
const coloured = /ansi|color|linux|direct|^con\d*x\d|^(?:rxvt|screen|xterm|vt100|vt220)/;

// Continuous integration services.
const services = new Map([
  ['CIRCLECI', kTrue],
  ['GITEA_ACTIONS', kTrue],
  ['GITHUB_ACTIONS', kTrue],
  ['APPVEYOR', kMany],
  ['BUILDKITE', kMany],
  ['DRONE', kMany],
  ['GITLAB_CI', kMany],
  ['TRAVIS', kMany],
]);

const isSet = (value) => value !== undefined && value !== '';

const programs = {
  '__proto__': null,
  'iTerm.app': ({ TERM_PROGRAM_VERSION: version }) => (!version || /^[0-2]\./.test(version) ? kMany : kTrue),
  'HyperTerm': () => kTrue,
  'MacTerm': () => kTrue,
  'Apple_Terminal': () => kMany,
};

function byTerm({ TERM: term }) {
  if (!term) return undefined;
  if (term.includes('truecolor')) return kTrue;
  if (term.startsWith('xterm-256')) return kMany;
  const lower = term.toLowerCase();
  return terminals.get(lower) ?? (coloured.test(lower) ? kSixteen : undefined);
}

function byService(env) {
  if (!('CI' in env)) return undefined;
  for (const [service, bits] of services) {
    if (service in env) return bits;
  }
  return env.CI_NAME === 'codeship' ? kMany : kTwo;
}

const rules = [
  (env) => (isSet(env.NODE_DISABLE_COLORS) || isSet(env.NO_COLOR) || env.TERM === 'dumb' ? kTwo : undefined),
  () => (process.platform === 'win32' ? kSixteen : undefined),
  (env) => (env.TMUX ? kTrue : undefined),
  (env) => ('TF_BUILD' in env && 'AGENT_NAME' in env ? kSixteen : undefined),
  byService,
  ({ TEAMCITY_VERSION: version }) =>
    version === undefined ? undefined : /^(?:9\.0*[1-9]\d*\.|\d{2,}\.)/.test(version) ? kSixteen : kTwo,
  (env) => programs[env.TERM_PROGRAM]?.(env),
  ({ COLORTERM: kind }) => (kind === 'truecolor' || kind === '24bit' ? kTrue : undefined),
  byTerm,
  (env) => (env.COLORTERM ? kSixteen : kTwo),
];

let hasWarned = false;
function warnOfIgnored(env) {
  const ignored = ['NODE_DISABLE_COLORS', 'NO_COLOR'].filter((variable) => env[variable] !== undefined);
  if (hasWarned || ignored.length === 0) return;
  hasWarned = true;
  const list = ignored.map((variable) => `'${variable}'`).join(' and ');
  process.emitWarning(`The ${list} env is ignored due to the 'FORCE_COLOR' env being set.`, 'Warning');
}

function getColorDepth(env = process.env) {
  if (env.FORCE_COLOR !== undefined) {
    const bits = forced.get(env.FORCE_COLOR);
    if (bits !== undefined) warnOfIgnored(env);
    return bits ?? kTwo;
  }
  for (const rule of rules) {
    const bits = rule(env);
    if (bits !== undefined) return bits;
  }
  return kTwo;
}

// hasColors(), hasColors(env), hasColors(count), hasColors(count, env)
function hasColors(count, env) {
  const isEnvironment = env === undefined && (count === undefined || (typeof count === 'object' && count !== null));
  if (isEnvironment) return this.getColorDepth(count) >= kSixteen;
  validateInteger(count, 'count', 2);
  return count <= 2 ** this.getColorDepth(env);
}

// Whether output to a stream should have colours: as the environment demands, or as the stream supports.

function shouldColorize(stream) {
  if (process.env.FORCE_COLOR !== undefined) return getColorDepth() > 2;
  if (stream?.isTTY !== true) return false;
  return typeof stream.getColorDepth !== 'function' || stream.getColorDepth() > 2;
}

module.exports = { getColorDepth, hasColors, shouldColorize };
