'use strict';
// An addon for V8 is loaded if there is V8; elsewhere the error says what kind of addon it is, and what can be done.
try {
  require(process.argv[2]);
  console.log(true);
} catch ({ code, message }) {
  console.log(code === 'ERR_DLOPEN_FAILED' && /for V8/.test(message) && /Node-API only/.test(message));
}
