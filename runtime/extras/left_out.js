'use strict';

// Replaces each module of a folder of runtime/extras/ that was left out of the build (make WITHOUT="...").

internalBinding('runtime').builtinCache.delete(module.id); // the next caller gets the error, too
const isInternal = module.id.startsWith('internal/');
const extra = module.id.split('/')[isInternal ? 1 : 0];
const name = isInternal ? module.id : `node:${module.id}`;
const error = new Error(`No such built-in module: ${name}: this rota was built without it (make WITHOUT="${extra}")`);
error.code = 'ERR_UNKNOWN_BUILTIN_MODULE';
throw error;
