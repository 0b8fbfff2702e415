// What eslint looks for in the project's modules (tools/tidy runs it). Those of the runtime are functions of (exports, require,
// module, process, internalBinding, primordials); the first names below are globals that the runtime itself makes. Those of the
// timeline's page run in a browser, those of inject/names in Node.
import js from '@eslint/js';

const globals = `AbortController AbortSignal Atomics Blob BroadcastChannel Buffer DOMException Event EventTarget
  FinalizationRegistry FormData Headers Intl Iterator MessageChannel MessagePort QuotaExceededError ReadableStream Request
  Response SharedArrayBuffer SuppressedError Temporal TextDecoder TextEncoder TransformStream URL URLSearchParams WeakRef
  WebAssembly WritableStream clearImmediate clearInterval clearTimeout console exports fetch internalBinding module
  performance primordials process queueMicrotask require setImmediate setInterval setTimeout structuredClone`;

const pageGlobals = `ResizeObserver atob clearTimeout devicePixelRatio document exports getComputedStyle matchMedia module
  performance requestAnimationFrame require setTimeout window`;

const globalsOf = (names) => Object.fromEntries(names.split(/\s+/).map((name) => [name, 'writable']));

export default [
  {
    files: ['inject/names/script/*.js'],
    languageOptions: { globals: globalsOf('Atomics exports globalThis module require WeakRef') },
  },
  {
    files: ['observe/page/script/*.js'],
    languageOptions: { globals: globalsOf(pageGlobals) },
  },
  {
    files: ['runtime/lib/**/*.js', 'runtime/extras/**/*.js', 'command/tools/**/*.js', 'observe/page/*.js'],
    languageOptions: { globals: globalsOf(globals) },
  },
  {
    files: [
      'runtime/lib/**/*.js',
      'runtime/extras/**/*.js',
      'command/tools/**/*.js',
      'observe/page/**/*.js',
      'inject/names/**/*.js',
    ],
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: {
      ecmaVersion: 2025,
      sourceType: 'commonjs',
    },
    rules: {
      ...js.configs.recommended.rules,
      'no-cond-assign': 'off', // while ((next = take()) !== undefined) is the house's way to walk a queue
      'no-control-regex': 'off', // parsers look for control characters
      'no-empty': 'off', // catch {} says that an error does not matter
      'no-misleading-character-class': 'off', // code units are meant
      'no-setter-return': 'off', // arrow functions in property descriptors
      'no-constant-condition': ['error', { checkLoops: false }],
      'no-unused-vars': ['error', { args: 'none', caughtErrors: 'none', ignoreRestSiblings: true }],
    },
  },
];
