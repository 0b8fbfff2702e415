/* Asynchronous generators and `await` are, in the engine, functions written in JavaScript, whose text lies in its
 * library and is compiled when it is needed first. Three of them differ from the language's specification, which
 * changes the order of programs:
 *
 * - `for await` over a synchronous iterator that has no `return` never ends when one of its promises is rejected;
 * - what waits for a promise of another class, or for one that a thenable resolves with, goes on a job too early;
 * - `yield*` in an asynchronous generator awaits each value a second time.
 *
 * So these pieces of text are replaced by others of the same length, in this process's copy of the page. If a piece is
 * not found, nothing is changed: it is another engine, and JS_USE_REPAIR is off. Then the program's text is changed
 * instead (runtime/lib/order/async/order.js).
 *
 * It is kept because it is the faster way: no file needs to be parsed for it, and generators stay the engine's own. It
 * is safe because it is done before the engine has run anything, in pages that are private to this process, at places
 * that have been compared byte by byte, and only for a build of the engine that has passed the probe. */
#include "runtime/engine/jobs/repair.h"

#include "runtime/engine/uses/probes.h"

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* JSC::Symbol::create, and the name of a property that no program can say. */
static JSValueRef (*create_symbol)(JSContextGroupRef vm, void *name);
static void *private_name;

const struct js_symbol js_repair_symbols[] = {{"_ZN3JSC6Symbol6createERNS_2VMERN3WTF10SymbolImplE", &create_symbol},
                                              {"_ZN3JSC7Symbols18promisePrivateNameE", &private_name},
                                              {NULL, NULL}};

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
  dl_iterate_phdr(in_library, (void *)(uintptr_t)create_symbol);
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
  js_set(context, JSContextGetGlobalObject(context), "delegated", js_function(context, check_delegated, 1));
  if (js_probe_for_await(context) != 0)
    return 1;
  if (js_probe_thenables(context) != 0)
    return 2;
  return log_is(context,
                "const inner = { next: () => delegated(Promise.resolve({ value: Promise.resolve(5), done: false })) };"
                "const g = (async function* () { yield* { [Symbol.asyncIterator]: () => inner }; })();"
                "count(3); g.next().then(({ value }) => { log += value instanceof Promise; });",
                "01true2")
             ? 0
             : 3;
}
