#include "runtime/engine/value/bytecode.h"

#include "runtime/engine/engine.h"
#include "runtime/engine/uses/probes.h"
#include "runtime/engine/value/place.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* JSC::CachePayload and the mapped file that one is made of. Behind the bytes stands what kind of payload it is: at
 * another place from release to release. The room is larger than any of them. */
enum { ROOM_WORDS = 6 };
struct payload {
  const void *bytes;
  size_t size;
  uint64_t rest[ROOM_WORDS];
};

/* JSC::CachedBytecode. The engine counts references to it, and frees it with the memory that it has put there by then.
 * The payload is shorter than its room: a table of functions and a list of updates follow it, both empty if they are 0.
 */
struct cached {
  uint32_t references;
  size_t size;
  struct payload payload;
  uint64_t functions_and_updates[ROOM_WORDS];
};

/* JSC::SourceCode: a part of a text. */
struct source_code {
  void **provider;
  int start, end;
  int line, column; /* from 0 */
};

/* A file handle and an error of the engine's, large enough: -1 is no file, 0 is no error. */
struct outcome {
  int file[16];
  uint64_t error[64];
};

/* Which function of a provider is asked for its bytecode, and how many functions there are to look at. */
enum { ASKED = 4 };

typedef void *(*asked_function)(struct cached **result, void *provider);

static const struct source_code *(*function_source)(JSValueRef function);
static struct cached **(*generate)(struct cached **result, JSContextGroupRef vm, const struct source_code *source,
                                   void *file, void *error);
static struct payload *(*make_payload)(struct payload *result, struct payload *mapped);
static void (*end_payload)(struct payload *payload);
static void *(*engine_malloc)(size_t size);

const struct js_symbol js_bytecode_symbols[] = {
    {"_ZNK3JSC10JSFunction10sourceCodeEv", &function_source},
    {"_ZN3JSC23generateProgramBytecodeERNS_2VMERKNS_10SourceCodeERN3WTF14FileSystemImpl10FileHandleERNS_"
     "18BytecodeCacheErrorE",
     &generate},
    {"_ZN3JSC12CachePayload17makeMappedPayloadEON3WTF14FileSystemImpl14MappedFileDataE", &make_payload},
    {"_ZN3JSC12CachePayloadD1Ev", &end_payload},
    {"_ZN3WTF10fastMallocEm", &engine_malloc},
    {NULL, NULL}};

struct js_bytecode js_bytecode_make(JSContextRef context, JSValueRef function, size_t length) {
  struct source_code whole = *function_source(function);
  whole.start = whole.line = whole.column = 0;
  whole.end = (int)length;
  struct outcome outcome;
  memset(outcome.file, -1, sizeof outcome.file);
  memset(outcome.error, 0, sizeof outcome.error);
  struct cached *made = NULL;
  generate(&made, JSContextGetGroup(context), &whole, outcome.file, outcome.error);
  return made != NULL ? (struct js_bytecode){made->payload.bytes, made->payload.size} : (struct js_bytecode){NULL, 0};
}

intptr_t js_bytecode_place(JSValueRef function) {
  return (intptr_t)function_source(function)->provider[0] - (intptr_t)generate;
}

/* What the text has that this thread is about to evaluate. */
static _Thread_local struct cached *next;

static void *asked(struct cached **result, void *provider) {
  (void)provider;
  *result = next;
  if (next != NULL)
    next->references++;
  next = NULL;
  return result;
}

bool js_bytecode_begin(intptr_t place) {
  void **table = (void **)((intptr_t)generate + place);
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)&table[ASKED] & ~(page - 1);
  if (mprotect((void *)begin, page, PROT_READ | PROT_WRITE) != 0)
    return false;
  table[ASKED] = (void *)(uintptr_t)asked;
  mprotect((void *)begin, page, PROT_READ);
  return true;
}

static struct cached *make_cached(struct js_bytecode bytecode) {
  struct cached *made = engine_malloc(sizeof *made);
  memset(made, 0, sizeof *made);
  made->references = 1;
  made->size = bytecode.size;
  make_payload(&made->payload, &(struct payload){bytecode.bytes, bytecode.size, {0}});
  return made;
}

JSValueRef js_bytecode_evaluate(JSContextRef context, JSStringRef text, JSStringRef url, struct js_bytecode bytecode,
                                bool *used, JSValueRef *error) {
  struct cached *mine = make_cached(bytecode);
  next = mine;
  JSValueRef value = JSEvaluateScript(context, text, NULL, url, 1, error);
  next = NULL;
  *used = mine->references > 1;
  if (*used)
    mine->references--; /* the engine has the others, and frees it. One that was refused is lost: that is an error */
  return value;
}

/* ---- probe ---- */

static const char check_text[] = "(function (a) { const b = [a, 'text', /x/g, 1.5, 12n]; return { get c() { return b; "
                                 "}, d: async () => `${a}` }; })";

/* The table is as expected: the function gives nothing, and the others are no such functions. */
static bool is_table(void **table) {
  struct cached *given = (struct cached *)&given;
  asked_function ask;
  memcpy(&ask, &table[ASKED], sizeof ask);
  return ask(&given, NULL) == &given && given == NULL;
}

/* A payload fits into its room with a word to spare. Freeing it leaves bytes alone that do not begin a page. */
static bool is_left(struct js_bytecode bytecode) {
  const uint64_t untouched = UINT64_C(0xaaaaaaaaaaaaaaaa);
  struct payload payload;
  memset(&payload, (int)(untouched & 0xff), sizeof payload);
  make_payload(&payload, &(struct payload){bytecode.bytes, bytecode.size, {0}});
  if (payload.bytes != bytecode.bytes || payload.size != bytecode.size || payload.rest[0] == untouched ||
      payload.rest[ROOM_WORDS - 1] != untouched)
    return false;
  end_payload(&payload);
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  unsigned char resident[64];
  void *start = (void *)((uintptr_t)bytecode.bytes & ~(page - 1));
  return bytecode.size / page < sizeof resident - 2 && mincore(start, bytecode.size, resident) == 0;
}

int js_probe_bytecode(JSGlobalContextRef context) {
  JSStringRef text = JSStringCreateWithUTF8CString(check_text), url = JSStringCreateWithUTF8CString("node:check");
  JSValueRef function = JSEvaluateScript(context, text, NULL, url, 1, NULL);
  struct js_bytecode made = js_bytecode_make(context, function, strlen(check_text));
  if (made.bytes == NULL || made.size < sizeof check_text)
    return 90;
  char *room = aligned_alloc(4096, 4096 * (made.size / 4096 + 2));
  if (room == NULL)
    return 91;
  memcpy(room + JS_BYTECODE_OFFSET, made.bytes, made.size);
  struct js_bytecode copy = {room + JS_BYTECODE_OFFSET, made.size};
  intptr_t place = js_bytecode_place(function);
  if (!is_left(copy) || !is_table((void **)((intptr_t)generate + place)))
    return 92;
  JSUnlock(context);
  JSGlobalContextRef other = JSGlobalContextCreate(NULL); /* another engine: this one knows the text already */
  JSLock(other);
  bool used = false;
  if (!js_bytecode_begin(place))
    return 93;
  JSValueRef again = js_bytecode_evaluate(other, text, url, copy, &used, NULL);
  if (!used || again == NULL)
    return 94;
  JSObjectSetProperty(other, JSContextGetGlobalObject(other), url, again, 0, NULL);
  if (!js_check_holds(
          other,
          "f = globalThis['node:check']; o = f(7); c = o.c; `${f}`.includes('get c()') && c.length === 5 &&"
          "c[0] === 7 && c[1] === 'text' && 'axa'.replace(c[2], 'b') === 'aba' && c[3] === 1.5 && c[4] === 12n &&"
          "o.d() instanceof Promise && (() => 5)() === 5"))
    return 95;
  JSUnlock(other);
  JSGlobalContextRelease(other);
  JSLock(context);
  return js_check_holds(context, "(() => 5)() === 5") ? 0 : 96;
}
