/* JavaScriptCore: creating it, and converting values between C and JavaScript.
 *
 * Invariant: the main thread holds the engine's lock from its creation on. So no function takes the lock, and
 * microtasks run only where js_enter drains them. */
#include "runtime/engine/engine.h"

#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/engine/jobs/jobs.h"
#include "runtime/engine/limit/heap.h"
#include "runtime/engine/limit/watch.h"
#include "runtime/engine/value/text.h"
#include "runtime/engine/value/value.h"

_Thread_local JSContextRef js_context_here;
bool js_values_by_api;

/* ---- signals of faults ---- */

/* SIGSEGV and SIGBUS. The engine has handlers of these, because its own code may fault on purpose. When a fault is not
 * its own and the program had no handler before, the engine resets the signal and returns: the faulting instruction
 * runs again, and ends the program. A signal that was sent (kill, process.kill) has no such instruction, so the program
 * went on as if nothing had come.
 *
 * A handler of ours that is there first is called by the engine instead. It ends the program in both cases. */

static void on_signal(int number, siginfo_t *info, void *place) {
  (void)place;
  struct sigaction usual = {.sa_handler = SIG_DFL};
  sigaction(number, &usual, NULL);
  if (info->si_code <= 0) /* it was sent: no instruction brings it again */
    raise(number);
}

static void end_program_by_signals(void) {
  static const int signals[] = {SIGSEGV, SIGBUS};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    struct sigaction before, ours = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
    if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL) /* a sanitizer's stays */
      sigaction(signals[i], &ours, NULL);
  }
}

/* ---- creating it ---- */

static const struct {
  const char *name, *value;
} engine_options[] = {
    {"JSC_useSharedArrayBuffer", "1"},
    {"JSC_useExplicitResourceManagement", "1"},
    {"JSC_useIteratorSequencing", "1"},
    {"JSC_useTailCalls", "0"}, /* as in V8: a call in tail position has a frame, which a stack trace shows */
    {"JSC_smallHeapSize", JS_SMALL_HEAP_OPTION}, /* not 1 MB; see also engine/limit/heap.c and order/idle_gc.c */
    /* If garbage is made quickly, the engine may delay collections, up to eight times as much garbage. That is switched
     * off: new memory costs more than collecting a heap with few live objects. */
    {"JSC_maxEdenSizeForRateLimitingMultiplier", "1"},
    /* Compiled code looks at each turn of a loop whether it is to be interrupted. Otherwise the engine stops the thread
     * and patches its code, and that does not reach every function of the last compiler: a limit of time of `vm` and
     * the end of a worker would never come there. It costs up to 9 % of a program of short calls. */
    {"JSC_usePollingTraps", "1"},
    /* The first compiler waits for 130 calls of a function, not 33: most functions of a program's start are called a
     * few ten times, and compiling them takes more of the processor than it saves (prettier takes 6 % less,
     * require('http') 10 %; a loop of a second the same). */
    {"JSC_thresholdForJITAfterWarmUp", "2000"},
    /* The second compiler waits for twice as long: of what programs of a few seconds gave to it (jest, npm, tsc), much
     * was not called often enough afterwards. The first 6,000 requests of a server take 16 % more for it, later ones
     * the same. */
    {"JSC_thresholdForOptimizeAfterWarmUp", "2000"},
    /* The last compiler waits for code that runs longer. It takes more of the processor than a server of a few ten
     * thousand requests gets back; code that only computes reaches it soon enough. */
    {"JSC_thresholdForFTLOptimizeAfterWarmUp", "400000"},
};

static const char memory_option[] = "JSC_forceRAMSize";

static bool without_compilers;

void js_engine_without_compilers(void) {
  without_compilers = true;
}

/* The engine reads its options from the environment, once. They are taken back at once, so that neither process.env
 * nor a child sees them. */
JSGlobalContextRef js_engine_create(void) {
  static bool configured; /* by the main thread, before there is another */
  bool first = !configured;
  js_values_by_api = !js_uses(JS_USE_VALUES);
  if (first) {
    configured = true;
    /* The collector stops threads with a signal, SIGUSR1 unless told otherwise, which belongs to the program. */
    JSConfigureSignalForGC(SIGRTMIN + 9);
    end_program_by_signals();
    /* Collections come with allocations only: those by the clock would run in idle programs, and want a main loop of
     * GLib. */
    JSDisableGCTimer();
    if (js_uses(JS_USE_REPAIR))
      js_repair();
    for (size_t i = 0; i < sizeof engine_options / sizeof *engine_options; i++)
      setenv(engine_options[i].name, engine_options[i].value, 0);
    if (js_limit_memory() != 0) {
      char memory[32];
      snprintf(memory, sizeof memory, "%zu", js_limit_memory());
      setenv(memory_option, memory, 0);
    }
    if (without_compilers)
      setenv("JSC_useJIT", "0", 1);
  }
  JSGlobalContextRef context = JSGlobalContextCreate(NULL);
  for (size_t i = 0; first && i < sizeof engine_options / sizeof *engine_options; i++)
    unsetenv(engine_options[i].name);
  if (first)
    unsetenv(memory_option);
  if (first && without_compilers)
    unsetenv("JSC_useJIT");
  if (context == NULL)
    return NULL;
  js_watch_open(JSContextGetGroup(context));
  JSLock(context);
  js_context_here = context;
  js_repair_global(context);
  if (!js_uses(JS_USE_VIEWS))
    js_copy_begin(context);
  return context;
}

JSStringRef js_text_string(const char *bytes, size_t length) {
  JSChar *wide = calloc(length + 1, sizeof *wide);
  if (wide == NULL)
    return JSStringCreateWithUTF8CString("");
  const unsigned char *at = (const unsigned char *)bytes, *end = at + length;
  size_t n = 0;
  bool bad = false;
  while (at < end) {
    uint32_t point = *at < 0x80 ? *at++ : js_utf8_decode(&at, end, &bad);
    if (point > 0xFFFF) {
      wide[n++] = (JSChar)(0xD800 + ((point - 0x10000) >> 10));
      wide[n++] = (JSChar)(0xDC00 + ((point - 0x10000) & 0x3FF));
    } else {
      wide[n++] = (JSChar)point;
    }
  }
  JSStringRef string = JSStringCreateWithCharacters(wide, n);
  free(wide);
  return string;
}

static bool is_plain(const char *bytes, size_t length) {
  for (size_t i = 0; i < length; i++)
    if ((signed char)bytes[i] <= 0)
      return false;
  return true;
}

static JSValueRef adopt_string(JSContextRef context, JSStringRef string) {
  JSValueRef value = JSValueMakeString(context, string);
  JSStringRelease(string);
  return value;
}

/* Plain ASCII takes the engine's compact form, which wants a zero at the end; anything else is decoded here, since the
 * engine refuses bad UTF-8. */
JSValueRef js_text(JSContextRef context, const char *bytes, size_t length) {
  char small[256];
  char *copy = NULL;
  if (is_plain(bytes, length))
    copy = length < sizeof small ? small : malloc(length + 1);
  if (copy == NULL)
    return adopt_string(context, js_text_string(bytes, length));
  memcpy(copy, bytes, length);
  copy[length] = 0;
  JSStringRef string = JSStringCreateWithUTF8CString(copy);
  if (copy != small)
    free(copy);
  return adopt_string(context, string);
}

JSValueRef js_string(JSContextRef context, const char *text) {
  size_t length = strlen(text);
  return adopt_string(context,
                      is_plain(text, length) ? JSStringCreateWithUTF8CString(text) : js_text_string(text, length));
}

/* The engine's own conversion stops at a lone surrogate; here it becomes U+FFFD. */
char *js_to_text(JSContextRef context, JSValueRef value, size_t *length) {
  JSStringRef string = JSValueToStringCopy(context, value, NULL);
  if (string == NULL)
    return NULL;
  size_t count = JSStringGetLength(string);
  const JSChar *wide = JSStringGetCharactersPtr(string);
  char *bytes = malloc(count * 3 + 1);
  size_t n = 0;
  for (size_t i = 0; bytes != NULL && i < count; i++) {
    uint32_t point = wide[i];
    if (point >= 0xD800 && point < 0xE000) {
      if (point < 0xDC00 && i + 1 < count && wide[i + 1] >= 0xDC00 && wide[i + 1] < 0xE000)
        point = 0x10000 + ((point - 0xD800) << 10) + (wide[++i] - 0xDC00u);
      else
        point = 0xFFFD;
    }
    if (point < 0x80) {
      bytes[n++] = (char)point;
    } else if (point < 0x800) {
      bytes[n++] = (char)(0xC0 | point >> 6);
      bytes[n++] = (char)(0x80 | (point & 0x3F));
    } else if (point < 0x10000) {
      bytes[n++] = (char)(0xE0 | point >> 12);
      bytes[n++] = (char)(0x80 | (point >> 6 & 0x3F));
      bytes[n++] = (char)(0x80 | (point & 0x3F));
    } else {
      bytes[n++] = (char)(0xF0 | point >> 18);
      bytes[n++] = (char)(0x80 | (point >> 12 & 0x3F));
      bytes[n++] = (char)(0x80 | (point >> 6 & 0x3F));
      bytes[n++] = (char)(0x80 | (point & 0x3F));
    }
  }
  if (bytes != NULL)
    bytes[n] = 0;
  if (length != NULL)
    *length = n;
  JSStringRelease(string);
  return bytes;
}

bool js_to_bytes(JSContextRef context, JSValueRef value, unsigned char **bytes, size_t *length) {
  JSTypedArrayType type = JSValueGetTypedArrayType(context, value, NULL);
  if (type == kJSTypedArrayTypeNone)
    return false;
  JSObjectRef object = (JSObjectRef)value;
  if (type == kJSTypedArrayTypeArrayBuffer) {
    *bytes = JSObjectGetArrayBufferBytesPtr(context, object, NULL);
    *length = JSObjectGetArrayBufferByteLength(context, object, NULL);
  } else {
    *bytes = (unsigned char *)JSObjectGetTypedArrayBytesPtr(context, object, NULL) +
             JSObjectGetTypedArrayByteOffset(context, object, NULL);
    *length = JSObjectGetTypedArrayByteLength(context, object, NULL);
  }
  return true;
}

void js_set(JSContextRef context, JSObjectRef object, const char *name, JSValueRef value) {
  JSStringRef key = JSStringCreateWithUTF8CString(name);
  JSObjectSetProperty(context, object, key, value, kJSPropertyAttributeNone, NULL);
  JSStringRelease(key);
}

JSValueRef js_get(JSContextRef context, JSObjectRef object, const char *name) {
  JSStringRef key = JSStringCreateWithUTF8CString(name);
  JSValueRef value = JSObjectGetProperty(context, object, key, NULL);
  JSStringRelease(key);
  return value != NULL ? value : js_undefined(context);
}

void js_set_callbacks(JSContextRef context, JSValueRef object, int count, const char *const names[],
                      JSObjectRef callbacks[]) {
  for (int i = 0; i < count; i++) {
    JSValueRef function = js_get(context, (JSObjectRef)object, names[i]);
    if (!JSValueIsObject(context, function))
      continue;
    JSValueProtect(context, function);
    if (callbacks[i] != NULL)
      JSValueUnprotect(context, callbacks[i]);
    callbacks[i] = (JSObjectRef)function;
  }
}

void js_set_methods(JSContextRef context, JSObjectRef object, const struct js_method *methods) {
  for (; methods->name != NULL; methods++)
    js_set(context, object, methods->name, js_function(context, methods->function, methods->length));
}

JSObjectRef js_object(JSContextRef context) {
  return JSObjectMake(context, NULL, NULL);
}

/* The C API takes the end of a script or thread that comes just then for an error of its own, and gives nothing;
 * natives do not expect that. The engine has forgotten the end by then, so a second try has what was asked for, and
 * js_unless_ended is for those who return it. */
JSObjectRef js_array(JSContextRef context, size_t count, const JSValueRef values[]) {
  enum { TRIES = 5 };
  JSObjectRef made = NULL;
  for (int i = 0; made == NULL && i < TRIES; i++)
    made = JSObjectMakeArray(context, count, values, NULL);
  return made;
}

/* ---- values by the C API ---- */

/* Numbers, booleans, null and undefined by the C API, for an engine whose encoding is not known. */

JSValueRef js_number_by_api(double value) {
  return JSValueMakeNumber(js_context_here, value);
}

double js_to_number_by_api(JSValueRef value) {
  return JSValueToNumber(js_context_here, value, NULL);
}

JSValueRef js_word_by_api(unsigned word) {
  if (word == JS_VALUE_UNDEFINED)
    return JSValueMakeUndefined(js_context_here);
  if (word == JS_VALUE_NULL)
    return JSValueMakeNull(js_context_here);
  return JSValueMakeBoolean(js_context_here, word == JS_VALUE_TRUE);
}
