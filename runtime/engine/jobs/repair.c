/* The order of the engine's jobs differs from the language's specification in some places, and programs see it. What is
 * done about it depends on how the engine has its promises:
 *
 * In 2.50, asynchronous generators and `await` are functions written in JavaScript, whose text lies in its library and
 * is compiled when it is needed first. Three of them are wrong:
 *
 * - `for await` over a synchronous iterator that has no `return` never ends when one of its promises is rejected;
 * - what waits for a promise of another class, or for one that a thenable resolves with, goes on a job too early;
 * - `yield*` in an asynchronous generator awaits each value a second time.
 *
 * So these pieces of text are replaced by others of the same length, in this process's copy of the page. It is safe
 * because it is done before the engine has run anything, in pages that are private to this process, at places that have
 * been compared byte by byte, and only for a build of the engine that has passed the probe.
 *
 * Later releases have all of this in C++, and only a shortcut is wrong: what waits for a promise that a thenable
 * resolves with, and `finally`, do not call `then` while Promise.prototype.then has never been changed, and save a job
 * by that. So it is changed in each global, and put back: the engine takes the long way from then on. That costs a
 * `return promise` of an async function 60 ns, and other promises nothing.
 *
 * If neither gives the right order, JS_USE_REPAIR is off, and the program's text is changed instead
 * (runtime/lib/async/order.js). That is slower: files have to be parsed for it. */
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/engine/jobs/jobs.h"
#include "runtime/engine/uses/probes.h"

/* JSC::Symbol::create, and the name of a property that no program can say. */
static JSValueRef (*create_symbol)(JSContextGroupRef vm, void *name);
static void *private_name;

const struct js_symbol js_repair_symbols[] = {{"_ZN3JSC6Symbol6createERNS_2VMERN3WTF10SymbolImplE", &create_symbol},
                                              {"_ZN3JSC7Symbols18promisePrivateNameE", &private_name},
                                              JS_SYMBOLS_OR,
                                              {NULL, NULL}};

static int texts_replaced;

/* Everything from `first` to the end of `last`, looked for from `skip` bytes off the first `near` on, becomes `text`
 * and blanks. */
struct repair {
  const char *near;
  int skip;
  const char *first, *last, *text;
};

static const struct repair repairs[] = {
    {"context.@syncIterator;", 0, "var returnMethod;", "returnMethod.@call(syncIterator);",
     "try { syncIterator.return?.@call(syncIterator); } catch { }"},
    {"@promiseResolveThenableJobWithoutPromiseFast, resolution", -120, "then ===", "@defaultPromiseThen", "false"},
    {"@awaitValue(generator, value, @doAsyncGeneratorBodyCallOnFulfilledNormal);", 0, "@awaitValue",
     "@asyncGeneratorResolve(generator, value, true);",
     "value?.@promise?@awaitValue(generator,value.@promise,(r)=>{"
     "var m=@GeneratorResumeModeNormal,d;"
     "if(@isObject(r))try{d=r.done;r={done:d,value:r.value};d=!d}"
     "catch(e){r=e;m=@GeneratorResumeModeThrow;d=0}"
     "@doAsyncGeneratorBodyCall(generator,r,m,d)})"
     ":@awaitValue(generator,value,@doAsyncGeneratorBodyCallOnFulfilledNormal);"
     "return}"
     "if(reason===@AsyncGeneratorSuspendReasonYield)"
     "return @argument(3)?@asyncGeneratorYieldAwaited(value,generator):@asyncGeneratorYield(generator,value);"
     "if(state===@AsyncGeneratorStateCompleted){return @asyncGeneratorResolve(generator,value,true);"},
};

enum { REACH = 2000 };

static void apply(const struct repair *repair, char *area, size_t length) {
  char *near = memmem(area, length, repair->near, strlen(repair->near));
  if (near == NULL || near - area < -repair->skip || (size_t)(near - area) + REACH > length)
    return;
  near += repair->skip;
  char *first = memmem(near, REACH, repair->first, strlen(repair->first));
  if (first == NULL)
    return;
  char *last = memmem(first, (size_t)(near + REACH - first), repair->last, strlen(repair->last));
  if (last == NULL)
    return;
  size_t room = (size_t)(last - first) + strlen(repair->last), used = strlen(repair->text);
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *start = (char *)((uintptr_t)first & ~(page - 1));
  size_t span = (size_t)(first + room - start);
  if (used > room || mprotect(start, span, PROT_READ | PROT_WRITE) != 0)
    return;
  memset(first, ' ', room);
  memcpy(first, repair->text, used);
  mprotect(start, span, PROT_READ);
  texts_replaced++;
}

/* The texts lie in that part of the library which is neither code nor data. */
static int in_library(struct dl_phdr_info *library, size_t size, void *known) {
  (void)size;
  bool ours = false;
  for (int i = 0; i < library->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &library->dlpi_phdr[i];
    uintptr_t start = library->dlpi_addr + part->p_vaddr;
    ours |= part->p_type == PT_LOAD && (uintptr_t)known >= start && (uintptr_t)known < start + part->p_memsz;
  }
  for (int i = 0; ours && i < library->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &library->dlpi_phdr[i];
    if (part->p_type == PT_LOAD && part->p_flags == PF_R && part->p_offset != 0)
      for (size_t k = 0; k < sizeof repairs / sizeof *repairs; k++)
        apply(&repairs[k], (char *)(library->dlpi_addr + part->p_vaddr), part->p_filesz);
  }
  return ours;
}

void js_repair(void) {
  if (create_symbol != NULL)
    dl_iterate_phdr(in_library, (void *)(uintptr_t)create_symbol);
}

bool js_repair_marks_delegation(void) {
  return js_uses(JS_USE_REPAIR) && texts_replaced == sizeof repairs / sizeof *repairs;
}

void js_repair_global(JSContextRef global) {
  if (!js_uses(JS_USE_REPAIR) || js_repair_marks_delegation())
    return;
  JSObjectRef constructor = (JSObjectRef)js_get(global, JSContextGetGlobalObject(global), "Promise");
  JSObjectRef prototype = (JSObjectRef)js_get(global, constructor, "prototype");
  JSValueRef then = js_get(global, prototype, "then");
  js_set(global, prototype, "then", js_undefined(global));
  js_set(global, prototype, "then", then);
}

JSObjectRef js_repair_delegated(JSContextRef context, JSValueRef promise) {
  static _Thread_local JSValueRef name;
  if (name == NULL) {
    name = create_symbol(JSContextGetGroup(context), private_name);
    JSValueProtect(context, name);
  }
  JSObjectRef object = JSObjectMake(context, NULL, NULL);
  JSObjectSetPropertyForKey(context, object, name, promise, kJSPropertyAttributeNone, NULL);
  return object;
}

/* ---- probes ---- */

static JSValueRef check_delegated(JSContextRef context, struct js_frame *frame) {
  return js_repair_delegated(context, js_arg(context, frame, 0));
}

static bool log_is(JSContextRef context, const char *code, const char *expected) {
  char text[700];
  js_check_evaluate(
      context, "count = (n, i = 0) => { Promise.resolve().then(() => { log += i; if (++i < n) count(n, i); }); }; 0");
  snprintf(text, sizeof text, "log = ''; (async () => { %s })(); 0", code);
  js_check_evaluate(context, text);
  js_check_drain(context);
  snprintf(text, sizeof text, "log === '%s'", expected);
  return js_check_holds(context, text);
}

int js_probe_for_await(JSGlobalContextRef context) {
  return log_is(context,
                "try { for await (const x of [1, Promise.reject(2)]) log += x; } catch (e) { log += `c${e}`; }", "1c2")
             ? 0
             : 1;
}

int js_probe_thenables(JSGlobalContextRef context) {
  return log_is(context, "count(5); await { then(r) { r(Promise.resolve(1)); } }; log += 'a';", "0123a4") ? 0 : 1;
}

int js_probe_delegation(JSGlobalContextRef context) {
  return log_is(context,
                "count(9); const inner = { async *[Symbol.asyncIterator]() { yield 1; yield 2; } };"
                "const g = (async function* () { yield* inner; })(); for await (const x of g) log += 'v' + x;",
                "012v1345v2678")
             ? 0
             : 1;
}

int js_probe_finally(JSGlobalContextRef context) {
  bool good =
      log_is(context, "count(6); Promise.resolve(1).finally(() => { log += 'f'; }).then(() => { log += 'a'; });",
             "0f123a45") &&
      log_is(context, "count(6); Promise.reject(1).finally(() => Promise.resolve()).catch(() => { log += 'a'; });",
             "0123a45");
  return good ? 0 : 1;
}

int js_probe_repair(JSGlobalContextRef context) {
  if (js_probe_for_await(context) != 0)
    return 1;
  if (js_probe_thenables(context) != 0)
    return 2;
  if (js_probe_finally(context) != 0)
    return 4;
  if (!js_repair_marks_delegation())
    return js_check_holds(context, "Object.keys(Promise.prototype).length === 0") ? 0 : 5;
  js_set(context, JSContextGetGlobalObject(context), "delegated", js_function(context, check_delegated, 1));
  return log_is(context,
                "const inner = { next: () => delegated(Promise.resolve({ value: Promise.resolve(5), done: false })) };"
                "const g = (async function* () { yield* { [Symbol.asyncIterator]: () => inner }; })();"
                "count(3); g.next().then(({ value }) => { log += value instanceof Promise; });",
                "01true2")
             ? 0
             : 3;
}
