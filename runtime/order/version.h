/* The release of Node that the runtime is like: `rota -v`, and what addons are told. process.version says it in
 * runtime/lib/process/object.js; runtime/test/js/cases/options/version.js compares them. */
#ifndef JS_VERSION_H
#define JS_VERSION_H

enum { JS_NODE_MAJOR = 26, JS_NODE_MINOR = 10, JS_NODE_PATCH = 0 };

#endif
