#include "runtime/engine/value/bytecode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/engine/engine.h"
#include "runtime/engine/uses/probes.h"
#include "runtime/engine/value/stack.h"

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
struct js_bytecode_kept {
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

/* WTF::StringImpl. */
struct characters {
  uint32_t references;
  uint32_t length;
  const char *data;
};

/* Which function of a provider is asked for its bytecode, and how many functions there are to look at. */
enum { ASKED = 4, PROVIDER_WORDS = 24, REFERENCE = 2 };

typedef void *(*asked_function)(struct js_bytecode_kept **result, void *provider);

static const struct source_code *(*function_source)(JSValueRef function);
static struct js_bytecode_kept **(*generate)(struct js_bytecode_kept **result, JSContextGroupRef vm,
                                             const struct source_code *source, void *file, void *error);
static struct payload *(*make_payload)(struct payload *result, struct payload *mapped);
static void (*end_payload)(struct payload *payload);
static void *(*engine_malloc)(size_t size);
static void (*make_characters)(struct characters **result, const char *data, size_t length);
static void (*end_characters)(struct characters *);

const struct js_symbol js_bytecode_symbols[] = {
    {"_ZNK3JSC10JSFunction10sourceCodeEv", &function_source},
    {"_ZN3JSC23generateProgramBytecodeERNS_2VMERKNS_10SourceCodeERN3WTF14FileSystemImpl10FileHandleERNS_"
     "18BytecodeCacheErrorE",
     &generate},
    {"_ZN3JSC12CachePayload17makeMappedPayloadEON3WTF14FileSystemImpl14MappedFileDataE", &make_payload},
    {"_ZN3JSC12CachePayloadD1Ev", &end_payload},
    {"_ZN3WTF10fastMallocEm", &engine_malloc},
    {"_ZN3WTF10StringImpl28createWithoutCopyingNonEmptyESt4spanIKhLm18446744073709551615EE", &make_characters},
    {"_ZN3WTF10StringImpl7destroyEPS0_", &end_characters},
    {NULL, NULL}};

/* ---- making ---- */

struct js_bytecode js_bytecode_of(const struct js_bytecode_kept *made) {
  return made != NULL ? (struct js_bytecode){made->payload.bytes, made->payload.size} : (struct js_bytecode){NULL, 0};
}

/* The function's whole text. */
static struct js_bytecode make_whole(JSContextRef context, const struct source_code *part, size_t length) {
  struct source_code whole = *part;
  whole.start = whole.line = whole.column = 0;
  whole.end = (int)length;
  struct outcome outcome;
  memset(outcome.file, -1, sizeof outcome.file);
  memset(outcome.error, 0, sizeof outcome.error);
  struct js_bytecode_kept *made = NULL;
  generate(&made, JSContextGetGroup(context), &whole, outcome.file, outcome.error);
  return js_bytecode_of(made);
}

static JSValueRef evaluate_text(JSContextRef context, const char *text, JSStringRef url, JSValueRef *error) {
  JSStringRef string = JSStringCreateWithUTF8CString(text);
  JSValueRef value = JSEvaluateScript(context, string, NULL, url, 1, error);
  JSStringRelease(string);
  return value;
}

static bool is_mapped(uintptr_t address, size_t length) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = address & ~(page - 1);
  unsigned char resident[4];
  return address >= page && address % sizeof(void *) == 0 &&
         mincore((void *)begin, address + length - begin, resident) == 0;
}

/* Which word of a provider has the text. */
static int64_t find_text(void **provider, const char *text) {
  size_t length = strlen(text);
  for (int i = 1; i < PROVIDER_WORDS; i++) {
    const struct characters *found = provider[i];
    if (is_mapped((uintptr_t)found, sizeof *found) && found->length == length &&
        is_mapped((uintptr_t)found->data & ~(sizeof(void *) - 1), sizeof(void *)) &&
        strncmp(found->data, text, JS_BYTECODE_KEY_LENGTH) == 0)
      return i;
  }
  return -1;
}

const char *js_bytecode_text(void *const *provider, int64_t place) {
  return place > 0 ? ((const struct characters *)provider[place])->data : NULL;
}

static void js_bytecode_key(unsigned index, char key[JS_BYTECODE_KEY_LENGTH + 1]) {
  snprintf(key, JS_BYTECODE_KEY_LENGTH + 1, "/*%04u*/", index % 10000);
}

/* The bytecode of a text that consists of a key; of one more than `index` for another hash. */
static struct js_bytecode make_of_key(JSContextRef context, const struct source_code *like, unsigned index,
                                      int64_t at) {
  char key[JS_BYTECODE_KEY_LENGTH + 1];
  js_bytecode_key(index, key);
  struct characters **text = (struct characters **)&like->provider[at], *before = *text;
  make_characters(text, key, JS_BYTECODE_KEY_LENGTH);
  struct js_bytecode made = make_whole(context, like, JS_BYTECODE_KEY_LENGTH);
  end_characters(*text);
  *text = before;
  return made;
}

/* Replaces what stands for the text in the bytecode's head: its length, its hash (in which the bytecode of one key
 * differs from that of another), its characters. */
static bool shorten(struct js_bytecode made, const char *text, struct js_bytecode of_key, struct js_bytecode of_other) {
  size_t length = strlen(text), hashes = 0, lengths = 0;
  if (made.bytes == NULL || of_key.bytes == NULL || of_other.bytes == NULL)
    return false;
  char *at = memmem(made.bytes, made.size, text, length);
  if (at == NULL || (size_t)(at - (char *)made.bytes) + JS_BYTECODE_KEY_LENGTH > of_key.size ||
      of_key.size != of_other.size)
    return false;
  size_t head = (size_t)(at - (char *)made.bytes) / sizeof(uint32_t);
  uint32_t *words = (uint32_t *)made.bytes;
  const uint32_t *key = of_key.bytes, *other = of_other.bytes;
  for (size_t i = 0; i < head; i++) {
    bool is_hash = key[i] != other[i], is_length = words[i] == length && key[i] == JS_BYTECODE_KEY_LENGTH;
    if (is_hash || is_length)
      words[i] = key[i];
    hashes += is_hash;
    lengths += is_length;
  }
  memset(at, 0, length);
  memcpy(at, &key[head], JS_BYTECODE_KEY_LENGTH);
  return hashes == 1 && lengths == 2;
}

struct js_bytecode js_bytecode_make(JSContextRef context, const char *text, unsigned index,
                                    struct js_bytecode_places *places) {
  struct js_bytecode none = {NULL, 0};
  JSStringRef url = JSStringCreateWithUTF8CString("node:made");
  JSValueRef function = evaluate_text(context, text, url, NULL);
  JSStringRelease(url);
  if (function == NULL)
    return none;
  const struct source_code *source = function_source(function);
  places->table = (intptr_t)source->provider[0] - (intptr_t)generate;
  if (places->text == 0)
    places->text = find_text(source->provider, text);
  struct js_bytecode made = make_whole(context, source, strlen(text));
  if (places->text <= 0 || shorten(made, text, make_of_key(context, source, index, places->text),
                                   make_of_key(context, source, index + 1, places->text)))
    return made;
  places->text = -1;
  return make_whole(context, source, strlen(text));
}

/* ---- using ---- */

static int64_t text_place;

/* What the text has that this thread is about to evaluate. */
static _Thread_local struct js_bytecode_kept *next;

static void *asked(struct js_bytecode_kept **result, void *provider) {
  (void)provider;
  *result = next;
  if (next != NULL)
    next->references++;
  next = NULL;
  return result;
}

bool js_bytecode_begin(struct js_bytecode_places places) {
  text_place = places.text;
  void **table = (void **)((intptr_t)generate + places.table);
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)&table[ASKED] & ~(page - 1);
  if (mprotect((void *)begin, page, PROT_READ | PROT_WRITE) != 0)
    return false;
  table[ASKED] = (void *)(uintptr_t)asked;
  mprotect((void *)begin, page, PROT_READ);
  return true;
}

struct js_bytecode_kept *js_bytecode_keep(struct js_bytecode bytecode) {
  struct js_bytecode_kept *made = engine_malloc(sizeof *made);
  memset(made, 0, sizeof *made);
  made->references = 1;
  made->size = bytecode.size;
  make_payload(&made->payload, &(struct payload){bytecode.bytes, bytecode.size, {0}});
  return made;
}

/* Gives the provider of a function its real text. */
static void lengthen(JSValueRef function, const char *text) {
  struct characters **place = (struct characters **)&function_source(function)->provider[text_place], *key = *place;
  make_characters(place, text, strlen(text));
  if (key->references <= REFERENCE)
    end_characters(key);
  else
    key->references -= REFERENCE;
}

JSValueRef js_bytecode_evaluate(JSContextRef context, const char *text, unsigned index, JSStringRef url,
                                struct js_bytecode bytecode, bool *used, JSValueRef *error) {
  char key[JS_BYTECODE_KEY_LENGTH + 1];
  js_bytecode_key(index, key);
  struct js_bytecode_kept *mine = js_bytecode_keep(bytecode);
  next = mine;
  JSValueRef value = evaluate_text(context, text_place > 0 ? key : text, url, error);
  next = NULL;
  *used = mine->references > 1;
  if (!*used)
    return NULL;      /* what was refused is lost: that is an error */
  mine->references--; /* the engine has the others, and frees it */
  if (text_place > 0 && value != NULL)
    lengthen(value, text);
  return value;
}

/* ---- probe ---- */

static const char check_text[] = "(function (a) { const b = [a, 'text', /x/g, 1.5, 12n]; return { get c() { return b; "
                                 "}, d: async () => `${a}` }; })";

/* The table is as expected: the function gives nothing, and the others are no such functions. */
static bool is_table(void **table) {
  struct js_bytecode_kept *given = (struct js_bytecode_kept *)&given;
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
  struct js_bytecode_places places = {0, 0};
  struct js_bytecode made = js_bytecode_make(context, check_text, 0, &places);
  if (made.bytes == NULL || made.size < sizeof check_text)
    return 90;
  char *room = aligned_alloc(4096, 4096 * (made.size / 4096 + 2));
  if (room == NULL)
    return 91;
  memcpy(room + JS_BYTECODE_OFFSET, made.bytes, made.size);
  struct js_bytecode copy = {room + JS_BYTECODE_OFFSET, made.size};
  if (!is_left(copy) || !is_table((void **)((intptr_t)generate + places.table)))
    return 92;
  JSUnlock(context);
  JSGlobalContextRef other = JSGlobalContextCreate(NULL); /* another engine: this one knows the text already */
  JSLock(other);
  bool used = false;
  if (!js_bytecode_begin(places))
    return 93;
  JSStringRef url = JSStringCreateWithUTF8CString("node:check");
  JSValueRef again = js_bytecode_evaluate(other, check_text, 0, url, copy, &used, NULL);
  if (!used || again == NULL)
    return 94;
  JSObjectSetProperty(other, JSContextGetGlobalObject(other), url, again, 0, NULL);
  JSStringRelease(url);
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
