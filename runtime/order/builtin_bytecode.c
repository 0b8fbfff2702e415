/* The bytecode of the embedded modules: a file that the program writes when it is built, and that is linked into it
 * then.
 *
 * Invariant: bytecode is used only with the build of the engine that has made it, and only from texts that are linked
 * with it. An update of the engine makes the modules be parsed again, until the program is built anew. */
#include "runtime/engine/engine.h"
#include "runtime/engine/value/text.h"
#include "runtime/order/builtin.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BUILD_ROOM = 64 };

/* The file: this, a span for each module, then their bytes. */
struct span {
  uint64_t at, size; /* at: from the beginning of the file; size 0: none */
};
struct head {
  char build[BUILD_ROOM]; /* of the engine; empty: there is no bytecode at all */
  struct js_bytecode_places places;
  uint64_t count;
  struct span spans[];
};

/* Aligned to a page. */
extern const struct head js_bytecode_file;

static bool usable;

static void begin(void) {
  const struct head *head = &js_bytecode_file;
  usable = js_uses(JS_USE_BYTECODE) && head->build[0] != '\0' && head->count == js_embedded_count &&
           strncmp(head->build, js_engine_build(), sizeof head->build) == 0 && js_bytecode_begin(head->places);
}

/* The C API takes bytes for UTF-8, which it widens, and narrows when they were ASCII. */
static JSStringRef text_of(JSContextRef context, const char *source) {
  if (!js_uses(JS_USE_TEXT))
    return JSStringCreateWithUTF8CString(source);
  return JSValueToStringCopy(context, js_string_latin1(context, (const unsigned char *)source, strlen(source)), NULL);
}

static JSValueRef evaluate(JSContextRef context, unsigned index, JSStringRef url, bool *used, JSValueRef *error) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, begin);
  const char *source = js_embedded[index].source;
  const struct span *span = &js_bytecode_file.spans[index];
  *used = false;
  if (usable && span->size != 0) {
    struct js_bytecode bytecode = {(const char *)&js_bytecode_file + span->at, span->size};
    JSValueRef value = js_bytecode_evaluate(context, source, index, url, bytecode, used, error);
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

static void write_modules(FILE *file, JSContextRef context, struct head *head) {
  uint64_t at = sizeof *head + js_embedded_count * sizeof *head->spans;
  fseek(file, (long)at, SEEK_SET);
  for (unsigned i = 0; i < js_embedded_count; i++) {
    if (!is_wanted(js_embedded[i].id))
      continue;
    struct js_bytecode made = js_bytecode_make(context, js_embedded[i].source, i, &head->places);
    if (made.bytes == NULL)
      continue; /* told when it is loaded */
    write_padding(file, &at);
    head->spans[i] = (struct span){at, made.size};
    at += fwrite(made.bytes, 1, made.size, file);
  }
}

static int write_file(FILE *file) {
  size_t size = sizeof(struct head) + js_embedded_count * sizeof(struct span);
  struct head *head = calloc(1, size);
  JSGlobalContextRef context = head != NULL ? js_engine_create() : NULL;
  if (context == NULL) {
    free(head);
    return ENOMEM;
  }
  if (js_uses(JS_USE_BYTECODE)) {
    snprintf(head->build, sizeof head->build, "%s", js_engine_build());
    head->count = js_embedded_count;
    write_modules(file, context, head);
  }
  rewind(file);
  fwrite(head, 1, size, file);
  free(head);
  return ferror(file) != 0 ? EIO : 0;
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

int js_builtin_check_bytecode(void) {
  if (js_uses_decide() != 0)
    return 1;
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
  return refused;
}
