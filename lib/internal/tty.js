'use strict';

// How many colours a terminal shows: read from its environment, which is all that can be known of it.

const { validateInteger } = require('internal/validators');

const kTwo = 1;
const kSixteen = 4;
const kMany = 8;
const kTrue = 24;

// By TERM, whole or by its beginning.
const terms = {
  __proto__: null,
  'eterm': kSixteen, 'cons25': kSixteen, 'console': kSixteen, 'cygwin': kSixteen, 'dtterm': kSixteen, 'gnome': kSixteen, 'hurd': kSixteen,
  'jfbterm': kSixteen, 'konsole': kSixteen, 'kterm': kSixteen, 'mlterm': kTrue, 'mosh': kTrue, 'putty': kSixteen, 'st': kSixteen,
  'rxvt-unicode-24bit': kTrue, 'terminator': kTrue, 'xterm-kitty': kTrue,
};
const builders = { __proto__: null, APPVEYOR: kMany, BUILDKITE: kMany, CIRCLECI: kTrue, DRONE: kMany, GITEA_ACTIONS: kTrue, GITHUB_ACTIONS: kTrue, GITLAB_CI: kMany, TRAVIS: kMany };
const patterns = [/ansi/, /color/, /linux/, /direct/, /^con[0-9]*x[0-9]/, /^rxvt/, /^screen/, /^xterm/, /^vt100/, /^vt220/];

let warned = false;
function warnIgnored(env) {
  if (warned) return;
  const ignored = [];
  if (env.NODE_DISABLE_COLORS !== undefined) ignored.push("'NODE_DISABLE_COLORS'");
  if (env.NO_COLOR !== undefined) ignored.push("'NO_COLOR'");
  if (ignored.length > 0) {
    warned = true;
    process.emitWarning(`The ${ignored.join(' and ')} env is ignored due to the 'FORCE_COLOR' env being set.`, 'Warning');
  }
}

function getColorDepth(env = process.env) {
  if (env.FORCE_COLOR !== undefined) {
    switch (env.FORCE_COLOR) {
      case '':
      case '1':
      case 'true':
        warnIgnored(env);
        return kSixteen;
      case '2':
        warnIgnored(env);
        return kMany;
      case '3':
        warnIgnored(env);
        return kTrue;
      default:
        return kTwo;
    }
  }
  const disables = (value) => value !== undefined && value !== '';
  if (disables(env.NODE_DISABLE_COLORS) || disables(env.NO_COLOR) || env.TERM === 'dumb') return kTwo;
  if (process.platform === 'win32') return kSixteen;
  if (env.TMUX) return kTrue;
  if ('TF_BUILD' in env && 'AGENT_NAME' in env) return kSixteen;
  if ('CI' in env) {
    for (const name in builders) if (name in env) return builders[name];
    return env.CI_NAME === 'codeship' ? kMany : kTwo;
  }
  if ('TEAMCITY_VERSION' in env) return /^(9\.(0*[1-9]\d*)\.|\d{2,}\.)/.test(env.TEAMCITY_VERSION) ? kSixteen : kTwo;
  switch (env.TERM_PROGRAM) {
    case 'iTerm.app':
      return !env.TERM_PROGRAM_VERSION || /^[0-2]\./.test(env.TERM_PROGRAM_VERSION) ? kMany : kTrue;
    case 'HyperTerm':
    case 'MacTerm':
      return kTrue;
    case 'Apple_Terminal':
      return kMany;
  }
  if (env.COLORTERM === 'truecolor' || env.COLORTERM === '24bit') return kTrue;
  if (env.TERM) {
    if (/truecolor/.test(env.TERM)) return kTrue;
    if (/^xterm-256/.test(env.TERM)) return kMany;
    const name = env.TERM.toLowerCase();
    if (terms[name]) return terms[name];
    if (patterns.some((pattern) => pattern.test(name))) return kSixteen;
  }
  return env.COLORTERM ? kSixteen : kTwo;
}

function hasColors(count, env) {
  if (env === undefined && (count === undefined || (typeof count === 'object' && count !== null))) {
    env = count;
    count = 16;
  } else {
    validateInteger(count, 'count', 2);
  }
  return count <= 2 ** this.getColorDepth(env);
}

module.exports = { getColorDepth, hasColors };
