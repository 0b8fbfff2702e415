/* A text that is run in several contexts of one engine: see engine.h. */
#include <stdlib.h>

#include "runtime/engine/engine.h"
#include "runtime/engine/uses/probes.h"

typedef struct OpaqueJSScript *script_ref;

static script_ref (*create)(JSContextGroupRef group, JSStringRef url, int first_line, JSStringRef text,
                            JSStringRef *message, int *line);
static JSValueRef (*evaluate)(JSContextRef context, script_ref script, JSValueRef this_value, JSValueRef *exception);
static void (*release)(script_ref script);

/* They are functions in C, from a header of the engine's that is not installed. */
const struct js_symbol js_script_symbols[] = {
    {"JSScriptCreateFromString", &create},
    {"JSScriptEvaluate", &evaluate},
    {"JSScriptRelease", &release},
    {NULL, NULL},
};

/* What an object's private pointer is. All of a thread are in a ring. */
struct holder {
  struct holder *next, *before;
  script_ref script; /* NULL: forgotten */
};

static _Thread_local struct holder ring;

static void finalize(JSObjectRef object) {
  struct holder *holder = JSObjectGetPrivate(object);
  holder->before->next = holder->next;
  holder->next->before = holder->before;
  if (holder->script != NULL)
    release(holder->script);
  free(holder);
}

static JSClassRef holder_class(void) {
  static _Thread_local JSClassRef made;
  if (made == NULL) {
    JSClassDefinition definition = {0};
    definition.className = "Script";
    definition.finalize = finalize;
    made = JSClassCreate(&definition);
  }
  return made;
}

JSObjectRef js_script_make(JSContextRef context, JSStringRef text, JSStringRef url) {
  if (!js_uses(JS_USE_SCRIPTS))
    return NULL;
  struct holder *holder = malloc(sizeof *holder);
  script_ref script = holder == NULL ? NULL : create(JSContextGetGroup(context), url, 1, text, NULL, NULL);
  if (script == NULL) {
    free(holder);
    return NULL;
  }
  if (ring.next == NULL)
    ring.next = ring.before = &ring;
  *holder = (struct holder){.next = &ring, .before = ring.before, .script = script};
  ring.before->next = holder;
  ring.before = holder;
  return JSObjectMake(context, holder_class(), holder);
}

JSValueRef js_script_run(JSContextRef context, JSObjectRef script, JSValueRef *exception) {
  const struct holder *holder = JSObjectGetPrivate(script);
  return evaluate(context, holder->script, NULL, exception);
}

void js_scripts_forget(void) {
  for (struct holder *holder = ring.next; holder != NULL && holder != &ring; holder = holder->next) {
    release(holder->script);
    holder->script = NULL;
  }
}

/* One script in two contexts: each has its own variables and its own `this`, and errors tell the place. */
int js_probe_scripts(JSGlobalContextRef context) {
  JSGlobalContextRef other = JSGlobalContextCreateInGroup(JSContextGetGroup(context), NULL);
  JSStringRef url = JSStringCreateWithUTF8CString("probe.js");
  JSStringRef text = JSStringCreateWithUTF8CString("var mine = this; (function () { throw new Error(); })");
  JSStringRef wrong = JSStringCreateWithUTF8CString("var;");
  JSObjectRef script = js_script_make(context, text, url);
  JSValueRef error = NULL;
  if (script == NULL || js_script_make(context, wrong, url) != NULL)
    return 1;
  JSValueRef first = js_script_run(context, script, &error), second = js_script_run(other, script, &error);
  if (first == NULL || second == NULL || error != NULL)
    return 2;
  if (!js_check_holds(context, "mine === globalThis") || !js_check_holds(other, "mine === globalThis"))
    return 3;
  js_set(other, JSContextGetGlobalObject(other), "thrower", second);
  if (!js_check_holds(other, "try { thrower(); } catch (e) { e.sourceURL === 'probe.js' && e.line === 1 }"))
    return 4;
  JSStringRelease(url);
  JSStringRelease(text);
  JSStringRelease(wrong);
  return 0;
}
