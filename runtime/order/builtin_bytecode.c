/* The bytecode of the embedded modules: a file that the program writes when it is built, and that is linked into it
 * then.
 *
 * Invariant: bytecode is used only with the build of the engine that has made it, and only from texts that are linked
 * with it. An update of the engine makes the modules be parsed again, until the program is built anew. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/engine/engine.h"
#include "runtime/engine/jobs/drain.h"
#include "runtime/engine/value/functions.h"
#include "runtime/engine/value/text.h"
#include "runtime/order/builtin.h"

enum { BUILD_ROOM = 64, CHECK_SECONDS = 60 };

/* The file: this, a span for each module, then their bytes. */
struct span {
  uint64_t at, size; /* at: from the beginning of the file; size 0: none */
};
struct head {
  char build[BUILD_ROOM]; /* of the engine; empty: there is no bytecode at all */
  struct js_bytecode_places places;
  struct span functions;  /* of the engine's own functions */
  int64_t functions_slot; /* see js_functions_make */
  uint64_t repaired;      /* whether they were made with JS_USE_REPAIR */
  uint64_t count;
  struct span spans[];
};

/* Aligned to a page. */
extern const struct head js_bytecode_file;

static bool usable;
static const char *to_complete; /* a file to add the bytecode of constructors to */

static struct js_bytecode bytes_of(const struct span *span) {
  return (struct js_bytecode){(const char *)&js_bytecode_file + span->at, span->size};
}

static void begin(void) {
  const struct head *head = &js_bytecode_file;
  usable = js_uses(JS_USE_BYTECODE) && head->build[0] != '\0' && head->count == js_embedded_count &&
           strncmp(head->build, js_engine_build(), sizeof head->build) == 0 && js_bytecode_begin(head->places);
  if (usable && js_uses(JS_USE_FUNCTIONS) && head->functions.size != 0 && js_uses(JS_USE_REPAIR) == head->repaired)
    js_functions_begin(bytes_of(&head->functions), head->functions_slot);
  if (to_complete != NULL && !js_functions_note_modules())
    to_complete = NULL; /* with this engine constructors are parsed */
}

void js_builtin_begin(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, begin);
}

/* The C API takes bytes for UTF-8, which it widens, and narrows when they were ASCII. */
static JSStringRef text_of(JSContextRef context, const char *source) {
  if (!js_uses(JS_USE_TEXT))
    return JSStringCreateWithUTF8CString(source);
  return JSValueToStringCopy(context, js_string_latin1(context, (const unsigned char *)source, strlen(source)), NULL);
}

static JSValueRef evaluate(JSContextRef context, unsigned index, JSStringRef url, bool *used, JSValueRef *error) {
  const char *source = js_embedded[index].source;
  const struct span *span = &js_bytecode_file.spans[index];
  *used = false;
  if (usable && span->size != 0) {
    JSValueRef value = js_bytecode_evaluate(context, source, index, url, bytes_of(span), used, error);
    if (*used)
      return value;
  }
  JSStringRef text = text_of(context, source);
  JSValueRef value = JSEvaluateScript(context, text, NULL, url, 1, error);
  JSStringRelease(text);
  return value;
}

JSValueRef js_builtin_evaluate(JSContextRef context, unsigned index, JSStringRef url, JSValueRef *error) {
  bool used;
  return evaluate(context, index, url, &used, error);
}

/* ---- for the build ---- */

/* What few programs load, and what would be large: these stay text. */
static bool is_wanted(const char *id) {
  static const char *const left_out[] = {"internal/deps/amaro", "internal/deps/temporal", "internal/cli/"};
  for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
    if (strncmp(id, left_out[i], strlen(left_out[i])) == 0)
      return false;
  return true;
}

static void write_padding(FILE *file, uint64_t *at) {
  for (; *at % JS_BYTECODE_ALIGNMENT != JS_BYTECODE_OFFSET; ++*at)
    putc(0, file);
}

static void write_bytes(FILE *file, uint64_t *at, struct span *span, struct js_bytecode made) {
  write_padding(file, at);
  *span = (struct span){*at, made.size};
  *at += fwrite(made.bytes, 1, made.size, file);
}

/* Calls the engine's own functions: a module that needs nothing but the engine. */
static bool call_functions(JSContextRef context) {
  JSStringRef text = JSStringCreateWithUTF8CString(js_builtin_source("internal/util/engine_functions"));
  JSValueRef function = JSEvaluateScript(context, text, NULL, NULL, 1, NULL);
  JSStringRelease(text);
  if (function == NULL || JSObjectCallAsFunction(context, (JSObjectRef)function, NULL, 0, NULL, NULL) == NULL)
    return false;
  js_drain(context, JSContextGetGroup(context));
  return true;
}

static void write_functions(FILE *file, uint64_t *at, JSContextRef context, struct head *head) {
  js_bytecode_make(context, "(function () {})", 0, &head->places);
  if (!call_functions(context))
    return;
  struct js_bytecode made = js_functions_make(context, &head->places, &head->functions_slot);
  head->repaired = js_uses(JS_USE_REPAIR);
  if (made.bytes != NULL)
    write_bytes(file, at, &head->functions, made);
}

static void write_modules(FILE *file, uint64_t *at, JSContextRef context, struct head *head) {
  for (unsigned i = 0; i < js_embedded_count; i++) {
    if (!is_wanted(js_embedded[i].id))
      continue;
    struct js_bytecode made = js_bytecode_make(context, js_embedded[i].source, i, &head->places);
    if (made.bytes == NULL)
      continue; /* told when it is loaded */
    write_bytes(file, at, &head->spans[i], made);
  }
}

static int write_file(FILE *file) {
  size_t size = sizeof(struct head) + js_embedded_count * sizeof(struct span);
  struct head *head = calloc(1, size);
  bool noted = js_uses(JS_USE_FUNCTIONS) && js_functions_note();
  JSGlobalContextRef context = head != NULL ? js_engine_create() : NULL;
  if (context == NULL) {
    free(head);
    return ENOMEM;
  }
  if (js_uses(JS_USE_BYTECODE)) {
    snprintf(head->build, sizeof head->build, "%s", js_engine_build());
    head->count = js_embedded_count;
    uint64_t at = size;
    fseek(file, (long)at, SEEK_SET);
    if (noted)
      write_functions(file, &at, context, head);
    write_modules(file, &at, context, head);
  }
  bool written = fseek(file, 0, SEEK_SET) == 0 && fwrite(head, 1, size, file) == size;
  free(head);
  return written && ferror(file) == 0 ? 0 : EIO;
}

int js_builtin_write_bytecode(const char *path) {
  if (js_uses_decide() != 0)
    return 1;
  FILE *file = fopen(path, "wb");
  int err = file != NULL ? write_file(file) : errno;
  if (file != NULL && fclose(file) != 0)
    err = errno;
  if (err != 0)
    fprintf(stderr, "rota: %s: %s\n", path, strerror(err));
  return err != 0;
}

void js_builtin_complete_begin(const char *path) {
  to_complete = path;
}

/* How many there were. */
static unsigned write_constructors(FILE *file, JSContextRef context) {
  struct js_constructor constructor;
  unsigned count = 0;
  fseek(file, 0, SEEK_END);
  uint64_t end = (uint64_t)ftell(file);
  while (js_functions_next_constructor(context, &constructor)) {
    int64_t at = constructor.place - (const char *)&js_bytecode_file, distance;
    fseek(file, (long)end, SEEK_SET);
    write_padding(file, &end);
    distance = (int64_t)end - at;
    end += fwrite(constructor.made.bytes, 1, constructor.made.size, file);
    fseek(file, (long)at, SEEK_SET);
    fwrite(&distance, sizeof distance, 1, file);
    count++;
  }
  return count;
}

int js_builtin_complete_bytecode(JSContextRef context) {
  if (to_complete == NULL)
    return 0;
  FILE *file = fopen(to_complete, "r+b");
  bool written = file != NULL && write_constructors(file, context) != 0 && ferror(file) == 0;
  if (file != NULL && fclose(file) == 0 && written)
    return 0;
  fprintf(stderr, "rota: %s: no constructors (%s)\n", to_complete, strerror(errno));
  return 1;
}

int js_builtin_check_bytecode(void) {
  if (js_uses_decide() != 0)
    return 1;
  js_builtin_begin();
  JSGlobalContextRef context = js_engine_create();
  if (context == NULL || !js_uses(JS_USE_BYTECODE))
    return context == NULL;
  JSStringRef url = JSStringCreateWithUTF8CString("node:check");
  int refused = 0;
  for (unsigned i = 0; i < js_embedded_count; i++) {
    bool used = false;
    evaluate(context, i, url, &used, NULL);
    if (!used && is_wanted(js_embedded[i].id)) {
      fprintf(stderr, "rota: the engine refuses the bytecode of %s\n", js_embedded[i].id);
      refused = 1;
    }
  }
  JSStringRelease(url);
  alarm(CHECK_SECONDS); /* one that is not as it was may never end */
  refused |= !call_functions(context);
  alarm(0);
  if (js_uses(JS_USE_FUNCTIONS) && js_functions_told() == 0) {
    fprintf(stderr, "rota: the engine parses its own functions\n");
    refused = 1;
  }
  return refused;
}
