#include "runtime/engine/value/functions.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/engine/engine.h"
#include "runtime/engine/uses/build.h"
#include "runtime/engine/uses/probes.h"

/* JSC::UnlinkedFunctionExecutable, up to its bytecode. The words before that are flags and numbers: parsing the
 * function changes some of them. */
enum { START = 2, FLAGS = 4, CODE = 7, WORDS = 9 };
#define IS_OWN (UINT64_C(1) << 31) /* beside its start */
#define IS_KEPT                                                                                                        \
  (UINT64_C(1) << 63)                 /* a flag: there is a decoder, and offsets in its bytecode: for calls, for `new` \
                                       */
#define IS_THE_SAME (UINT64_MAX >> 8) /* of the first word: the rest of it is the collector's */
struct function {
  uint64_t words[WORDS];
};

/* JSC::SourceCode: a part of a text. */
struct part {
  void *provider;
  int start, end;
};

/* JSC::Decoder. What it has read, and what is to be freed at the end, is in tables that are empty if they are 0; the
 * room is larger than any of its releases. */
struct decoder {
  uint32_t references;
  void *vm;
  void *bytecode;
  uint64_t tables[29];
};

/* What is kept: this for each function, in the order of their places, then the bytecode. */
struct kept {
  int32_t start, end;
  int32_t at[2]; /* from the beginning; for calls, and for `new`; 0: none */
  uint64_t changes[CODE];
};
struct table {
  uint64_t count;
  struct kept kept[];
};

/* `top` is the outermost function that the function is in; NULL: it is that itself, and `part` is all of its text. */
typedef void *(*link_function)(struct function *function, void *vm, void *top, const struct part *part, uint64_t line,
                               unsigned intrinsic, bool is_inside);

static bool is_own(const struct function *function) {
  return (function->words[START] & IS_OWN) != 0;
}

static bool is_kept(const struct function *function) {
  return (function->words[FLAGS] & IS_KEPT) != 0;
}

static link_function engine_link;
static void *(*encode)(struct js_bytecode_kept **result, JSContextGroupRef vm, uint64_t code, void *error);
static void *(*engine_malloc)(size_t size);

const struct js_symbol js_functions_symbols[] = {
    {"_ZN3JSC26UnlinkedFunctionExecutable4linkERNS_2VMEPNS_16ScriptExecutableERKNS_10SourceCodeESt8optionalIiENS_"
     "9IntrinsicEb",
     &engine_link},
    {"_ZN3JSC23encodeFunctionCodeBlockERNS_2VMEPKNS_25UnlinkedFunctionCodeBlockERNS_18BytecodeCacheErrorE", &encode},
    {"_ZN3WTF10fastMallocEm", &engine_malloc},
    {NULL, NULL}};

/* ---- the place of the function that links ---- */

static bool replace_slot(void **slot, link_function from, link_function to) {
  return js_slot_replace(slot, (void *)(uintptr_t)from, (void *)(uintptr_t)to);
}

/* ---- making ---- */

enum { NOTED_MAX = 1 << 16 };
static struct noted {
  struct function *function;
  struct part part;
  struct function before;
  const char *place; /* of a constructor of a module */
} * noted;
static size_t noted_count;
static void **noted_slot;

static void *note(struct function *function, void *vm, void *top, const struct part *part, uint64_t line,
                  unsigned intrinsic, bool is_inside) {
  if (top == NULL && is_own(function) && function->words[CODE] == 0 && noted_count < NOTED_MAX)
    noted[noted_count++] = (struct noted){function, *part, *function, NULL};
  return engine_link(function, vm, top, part, line, intrinsic, is_inside);
}

bool js_functions_note(void) {
  noted = calloc(NOTED_MAX, sizeof *noted);
  noted_slot = js_slot_find((void *)(uintptr_t)engine_link);
  return noted != NULL && noted_slot != NULL && replace_slot(noted_slot, engine_link, note);
}

static int compare(const void *one, const void *other) {
  int a = ((const struct noted *)one)->part.start, b = ((const struct noted *)other)->part.start;
  return (a > b) - (a < b);
}

/* All of them are parts of one text, but for the constructors that a class has if it says none. */
static void *text_of_most(void) {
  void *most = NULL;
  size_t best = 0;
  for (size_t i = 0; i < noted_count; i++) {
    size_t count = 0;
    for (size_t k = 0; k < noted_count; k++)
      count += noted[k].part.provider == noted[i].part.provider;
    if (count > best) {
      best = count;
      most = noted[i].part.provider;
    }
  }
  return most;
}

/* A value that an engine has once, and knows by its address, would be another one in another engine. */
static bool has_singleton(const struct part *part, int64_t text) {
  static const char name[] = "@orderedHashTableSentinel";
  const char *characters = js_bytecode_text(part->provider, text);
  return characters == NULL ||
         memmem(characters + part->start, (size_t)(part->end - part->start), name, sizeof name - 1) != NULL;
}

enum { ALIGNMENT = 16, ROOM = 8 << 20 };

/* The bytecode of one function for calls or for `new`, if it was compiled for that. Before it stands what the engine
 * looks for: how far it is from there. */
static int32_t add(char *room, size_t *used, JSContextRef context, uint64_t code) {
  uint64_t error[64] = {0};
  struct js_bytecode_kept *made = NULL;
  if (code == 0)
    return 0;
  encode(&made, JSContextGetGroup(context), code, error);
  struct js_bytecode bytes = js_bytecode_of(made);
  size_t at = (*used + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  if (bytes.bytes == NULL || at + ALIGNMENT + bytes.size > ROOM)
    return 0;
  memcpy(room + at, &(int64_t){ALIGNMENT}, sizeof(int64_t));
  memcpy(room + at + ALIGNMENT, bytes.bytes, bytes.size);
  *used = at + ALIGNMENT + bytes.size;
  return (int32_t)at;
}

struct js_bytecode js_functions_make(JSContextRef context, const struct js_bytecode_places *places, int64_t *slot) {
  char *room = calloc(1, ROOM);
  struct table *table = (struct table *)room;
  void *text = text_of_most();
  *slot = (int64_t)((intptr_t)noted_slot - (intptr_t)engine_link);
  if (room == NULL || text == NULL) {
    free(room);
    return (struct js_bytecode){NULL, 0};
  }
  qsort(noted, noted_count, sizeof *noted, compare);
  size_t used = sizeof *table + noted_count * sizeof *table->kept;
  for (size_t i = 0; i < noted_count; i++) {
    struct noted *one = &noted[i];
    struct kept *kept = &table->kept[table->count];
    if (one->part.provider != text || has_singleton(&one->part, places->text))
      continue;
    *kept = (struct kept){.start = one->part.start, .end = one->part.end};
    for (int k = 1; k < CODE; k++)
      kept->changes[k] = one->before.words[k] ^ one->function->words[k];
    kept->at[0] = add(room, &used, context, one->function->words[CODE]);
    kept->at[1] = add(room, &used, context, one->function->words[CODE + 1]);
    table->count += kept->at[0] != 0 || kept->at[1] != 0;
  }
  return (struct js_bytecode){room, used};
}

/* ---- using ---- */

static struct js_bytecode bytecode;
static void **used_slot;
static _Thread_local struct decoder *decoder;
static _Thread_local unsigned told; /* how many functions the engine was told the place of */

static const struct kept *find(const struct part *part) {
  const struct table *table = bytecode.bytes;
  size_t low = 0, high = table->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const struct kept *kept = &table->kept[middle];
    if (kept->start == part->start)
      return kept->end == part->end ? kept : NULL;
    if (kept->start < part->start)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

/* The engine's collector looks at a function by threads of its own. While it is at work, nothing is changed. */
static bool is_collecting(const void *vm) {
  return *(const uint32_t *)((const char *)vm + js_layout.threshold_at) != 0;
}

static struct decoder *decoder_for(void *vm) {
  if (decoder == NULL || decoder->vm != vm) {
    decoder = engine_malloc(sizeof *decoder);
    memset(decoder, 0, sizeof *decoder);
    decoder->references = 1;
    decoder->vm = vm;
    decoder->bytecode = js_bytecode_keep(bytecode);
  }
  return decoder;
}

static void *link_kept(struct function *function, void *vm, void *top, const struct part *part, uint64_t line,
                       unsigned intrinsic, bool is_inside) {
  if (top == NULL && is_own(function) && !is_kept(function) && function->words[CODE] == 0 &&
      function->words[CODE + 1] == 0 && !is_collecting(vm)) {
    const struct kept *kept = find(part);
    if (kept != NULL) {
      struct decoder *with = decoder_for(vm);
      with->references++;
      told++;
      for (int i = 1; i < CODE; i++)
        function->words[i] ^= kept->changes[i];
      function->words[FLAGS] |= IS_KEPT;
      function->words[CODE] = (uint64_t)(uintptr_t)with;
      memcpy(&function->words[CODE + 1], kept->at, sizeof kept->at);
    }
  }
  return engine_link(function, vm, top, part, line, intrinsic, is_inside);
}

bool js_functions_begin(struct js_bytecode made, int64_t slot) {
  bytecode = made;
  used_slot = (void **)((intptr_t)engine_link + slot);
  return replace_slot(used_slot, engine_link, link_kept);
}

unsigned js_functions_told(void) {
  return told;
}

/* ---- constructors ---- */

/* For the bytecode for calls there is a word in the bytecode of the module, which the function's first offset is of;
 * that for `new` is behind it. No distance is the largest number. */
static const char *place_of_constructor(const struct function *function) {
  const struct decoder *with = (const struct decoder *)(uintptr_t)function->words[CODE];
  int32_t at[2];
  memcpy(at, &function->words[CODE + 1], sizeof at);
  const char *place = (const char *)js_bytecode_of(with->bytecode).bytes + at[0] + sizeof(int64_t);
  int64_t distance;
  memcpy(&distance, place, sizeof distance);
  return at[0] != 0 && at[1] == 0 && distance == INT64_MAX ? place : NULL;
}

static void *link_noted(struct function *function, void *vm, void *top, const struct part *part, uint64_t line,
                        unsigned intrinsic, bool is_inside) {
  bool wanted = !is_own(function) && is_kept(function) && noted_count < NOTED_MAX;
  const char *place = wanted ? place_of_constructor(function) : NULL;
  if (place != NULL)
    noted[noted_count++] = (struct noted){function, *part, *function, place};
  return link_kept(function, vm, top, part, line, intrinsic, is_inside);
}

bool js_functions_note_modules(void) {
  noted = calloc(NOTED_MAX, sizeof *noted);
  return noted != NULL && used_slot != NULL && replace_slot(used_slot, link_kept, link_noted);
}

bool js_functions_next_constructor(JSContextRef context, struct js_constructor *constructor) {
  while (noted_count > 0) {
    const struct noted *last = &noted[--noted_count];
    uint64_t now[WORDS], error[64] = {0};
    memcpy(now, last->function->words, sizeof now);
    if (((now[0] ^ last->before.words[0]) & IS_THE_SAME) != 0 || (now[FLAGS] & IS_KEPT) != 0 || now[CODE + 1] == 0)
      continue; /* it was collected, never called, or only called without `new` */
    struct js_bytecode_kept *made = NULL;
    encode(&made, JSContextGetGroup(context), now[CODE + 1], error);
    *constructor = (struct js_constructor){last->place, js_bytecode_of(made)};
    if (constructor->made.bytes != NULL)
      return true;
  }
  return false;
}

/* The engine has the other references: one for each function that was never called. */
void js_functions_end(void) {
  if (decoder != NULL && decoder->references > 1)
    decoder->references--;
  decoder = NULL;
}

/* ---- probe ---- */

static uint32_t seen_in_collection;

static void look_in_collection(struct js_marker *marker, void *vm) {
  (void)marker;
  seen_in_collection |= *(const uint32_t *)((const char *)vm + js_layout.threshold_at);
}

/* The word that says whether a collection is at work does so. */
static bool knows_collections(JSContextRef context) {
  void *vm = (void *)(uintptr_t)JSContextGetGroup(context);
  if (js_layout.threshold_at == 0 || is_collecting(vm))
    return false;
  JSContextGroupAddMarkingConstraint(JSContextGetGroup(context), look_in_collection, vm);
  JSSynchronousGarbageCollectForDebugging(context);
  return seen_in_collection != 0 && !is_collecting(vm);
}

/* Functions of the engine's own, in another engine: this one knows their text already. */
static JSGlobalContextRef check_in_new(JSGlobalContextRef context, bool *good) {
  JSUnlock(context);
  JSGlobalContextRef other = JSGlobalContextCreate(NULL);
  JSLock(other);
  js_check_evaluate(other,
                    "log = '', last = 0; Promise.resolve(1).then((x) => { log += x; throw 2; })"
                    ".catch((x) => { log += x; });"
                    "(async () => { for await (const x of (async function* () { yield 3; })()) last = x; })(); 0");
  js_check_drain(other);
  *good = js_check_holds(other, "log += last + [4, 5].map((x) => x + 2).join(); [6].forEach((x) => { log += x; });"
                                "log += 'ab'.replace(/b/, 'c') + Array.from(new Set([7])); log === '1236,76ac7'");
  return other;
}

/* What it has made stays: the engine may use it until the process ends, which is soon. */
int js_probe_functions(JSGlobalContextRef context) {
  static struct js_bytecode made;
  static char *room;
  int64_t slot;
  bool good = false;
  struct js_bytecode_places places = {0, 0};
  js_bytecode_make(context, "(function () {})", 0, &places);
  if (!knows_collections(context))
    return 1;
  if (!js_functions_note())
    return 2;
  JSGlobalContextRef maker = check_in_new(context, &good);
  made = js_functions_make(maker, &places, &slot);
  if (!good || made.bytes == NULL || ((const struct table *)made.bytes)->count < 10)
    return 3;
  room = aligned_alloc(4096, 4096 * (made.size / 4096 + 2));
  if (room == NULL || !replace_slot(noted_slot, note, engine_link))
    return 4;
  memcpy(room + JS_BYTECODE_OFFSET, made.bytes, made.size);
  if (!js_functions_begin((struct js_bytecode){room + JS_BYTECODE_OFFSET, made.size}, slot))
    return 5;
  JSGlobalContextRef user = check_in_new(maker, &good);
  if (!good || told < 10 || decoder->references > told) /* it has given back the references of those that were called */
    return 6;
  JSSynchronousGarbageCollectForDebugging(user);
  if (!js_check_holds(user, "[4, 5].some((x) => x === 5) && [1, 2].map((x) => x + 1)[1] === 3"))
    return 7;
  js_functions_end();
  JSUnlock(user);
  JSGlobalContextRelease(user);
  JSLock(maker);
  return js_check_holds(maker, "[4].every((x) => x === 4)") ? 0 : 8;
}
