/* Errors in words. */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/text.h"
#include "loop/os/outcome.h"
#include "rota.h"
#include "uv.h"

enum { UNKNOWN_SIZE = 32 }; /* room for the longest text about an unknown code */

struct known {
  int code;
  const char *name;
  const char *message;
};

static const struct known known[] = {
#define XX(code, message) {UV_##code, #code, message},
    UV_ERRNO_MAP(XX)
#undef XX
};

static const struct known *find(int err) {
  for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
    if (known[i].code == err)
      return &known[i];
  return NULL;
}

static void describe_unknown(int err, char *buffer, size_t size) {
  snprintf(buffer, size, "Unknown system error %d", err);
}

/* Callers of uv_strerror and uv_err_name do not free the text, and may use it at any time. So the text for an unknown
 * code is kept for ever, once for each code, in a list that only grows. */
struct remembered {
  struct remembered *next;
  int code;
  char text[UNKNOWN_SIZE];
};

static _Atomic(struct remembered *) all_remembered;

static const char *remember_unknown(int err) {
  struct remembered *first = atomic_load(&all_remembered);
  for (struct remembered *entry = first; entry != NULL; entry = entry->next)
    if (entry->code == err)
      return entry->text;

  struct remembered *entry = rota__malloc(sizeof(*entry));
  if (entry == NULL)
    return "Unknown system error";
  entry->code = err;
  describe_unknown(err, entry->text, sizeof(entry->text));
  do /* another thread may add the same code, which is harmless */
    entry->next = first;
  while (!atomic_compare_exchange_weak(&all_remembered, &first, entry));
  return entry->text;
}

const char *uv_strerror(int err) {
  const struct known *entry = find(err);
  return entry != NULL ? entry->message : remember_unknown(err);
}

const char *uv_err_name(int err) {
  const struct known *entry = find(err);
  return entry != NULL ? entry->name : remember_unknown(err);
}

char *uv_strerror_r(int err, char *buf, size_t buflen) {
  const struct known *entry = find(err);
  if (entry != NULL)
    rota__text_copy(buf, buflen, entry->message);
  else
    describe_unknown(err, buf, buflen);
  return buf;
}

char *uv_err_name_r(int err, char *buf, size_t buflen) {
  const struct known *entry = find(err);
  if (entry != NULL)
    rota__text_copy(buf, buflen, entry->name);
  else
    describe_unknown(err, buf, buflen);
  return buf;
}

int uv_translate_sys_error(int sys_errno) {
  return rota__os_translate(sys_errno);
}

/* ---- the version ---- */

#define TEXT_OF_VALUE(value) #value
#define TEXT_OF(name) TEXT_OF_VALUE(name)

unsigned int uv_version(void) {
  return UV_VERSION_HEX;
}

const char *uv_version_string(void) {
  return TEXT_OF(UV_VERSION_MAJOR) "." TEXT_OF(UV_VERSION_MINOR) "." TEXT_OF(UV_VERSION_PATCH) UV_VERSION_SUFFIX;
}

const char *rota_version(void) {
  return ROTA_VERSION_STRING;
}

uv_buf_t uv_buf_init(char *base, unsigned int len) {
  return (uv_buf_t){.base = base, .len = len};
}
