'use strict';

// Whether a stream wants colours, and how many: from the environment and from the stream itself.

function shouldColorize(stream) {
  const { FORCE_COLOR } = process.env;
  if (FORCE_COLOR !== undefined) return getColorDepth(process.env) > 2;
  return stream?.isTTY === true && (typeof stream.getColorDepth === 'function' ? stream.getColorDepth() > 2 : true);
}

const colorTerms = /^(ansi|color|linux|direct|con\d*x\d|^screen|^xterm|^vt100|^vt220|^rxvt)|(ansi|color|linux)/i;

function getColorDepth(env = process.env) {
  if (env.FORCE_COLOR !== undefined) {
    switch (env.FORCE_COLOR) {
      case '':
      case '1':
      case 'true':
        return 4;
      case '2':
        return 8;
      case '3':
        return 24;
      default:
        return 1;
    }
  }
  if (env.NODE_DISABLE_COLORS !== undefined && env.NODE_DISABLE_COLORS !== '') return 1;
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return 1;
  if (env.TERM === 'dumb') return 1;
  if (env.TMUX) return 24;
  if (env.CI) return 4;
  if (env.COLORTERM === 'truecolor' || env.COLORTERM === '24bit') return 24;
  const term = (env.TERM ?? '').toLowerCase();
  if (term.includes('256color')) return 8;
  if (term.includes('truecolor') || term.includes('direct')) return 24;
  if (colorTerms.test(term)) return 4;
  return 1;
}

module.exports = { shouldColorize, getColorDepth };
