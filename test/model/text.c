/* Text that grows, numbers that look random, the bytes that streams carry. */
#include "model.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_add(struct text *text, const char *format, ...) {
  va_list arguments;
  char room[512];
  va_start(arguments, format);
  int n = vsnprintf(room, sizeof(room), format, arguments);
  va_end(arguments);
  size_t length = n < 0 ? 0 : (size_t)n;
  if (length + 1 > text->capacity - text->length) {
    size_t capacity = (text->capacity + length + 1) * 2;
    char *bytes = realloc(text->bytes, capacity);
    if (bytes == NULL)
      abort();
    text->bytes = bytes;
    text->capacity = capacity;
  }
  if (length < sizeof(room)) {
    memcpy(text->bytes + text->length, room, length + 1);
  } else {
    va_start(arguments, format);
    vsnprintf(text->bytes + text->length, length + 1, format, arguments);
    va_end(arguments);
  }
  text->length += length;
}

const char *text_of(const struct text *text) {
  return text->bytes == NULL ? "" : text->bytes;
}

uint64_t mix(uint64_t value) {
  value += 0x9e3779b97f4a7c15u;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

const char *error_name(int err) {
  return err < 0 ? uv_err_name(err) : "0";
}

/* The period is prime, so that bytes which are out of place by any usual amount differ. */
enum { PERIOD = 65521 };
static char content[CONTENT_MAX + PERIOD];

void content_prepare(void) {
  for (size_t i = 0; i < PERIOD; i++)
    content[i] = (char)mix(i);
  for (size_t i = PERIOD; i < sizeof(content); i++)
    content[i] = content[i - PERIOD];
}

const char *content_at(uint64_t key, uint64_t offset) {
  return content + (key * 7919 + offset) % PERIOD;
}
