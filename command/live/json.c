#include "command/live/live.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text is read once, from the left, without recursion; values that are not looked for are skipped by counting
 * brackets. It need not end with a zero. */
struct reader {
  const char *at, *end;
};

static void skip_space(struct reader *reader) {
  while (reader->at < reader->end && strchr(" \t\r\n", *reader->at) != NULL && *reader->at != 0)
    reader->at++;
}

static bool take(struct reader *reader, char wanted) {
  skip_space(reader);
  if (reader->at == reader->end || *reader->at != wanted)
    return false;
  reader->at++;
  return true;
}

static bool read_hex(struct reader *reader, unsigned int *code) {
  char digits[5] = {0}, *end;
  if (reader->end - reader->at < 4)
    return false;
  memcpy(digits, reader->at, 4);
  *code = (unsigned int)strtoul(digits, &end, 16);
  reader->at += 4;
  return end == digits + 4;
}

static size_t put_code(unsigned int code, char *bytes) {
  if (code < 0x80) {
    bytes[0] = (char)code;
    return 1;
  }
  if (code < 0x800) {
    bytes[0] = (char)(0xc0 | code >> 6);
    bytes[1] = (char)(0x80 | (code & 0x3f));
    return 2;
  }
  if (code < 0x10000) {
    bytes[0] = (char)(0xe0 | code >> 12);
    bytes[1] = (char)(0x80 | (code >> 6 & 0x3f));
    bytes[2] = (char)(0x80 | (code & 0x3f));
    return 3;
  }
  bytes[0] = (char)(0xf0 | code >> 18);
  bytes[1] = (char)(0x80 | (code >> 12 & 0x3f));
  bytes[2] = (char)(0x80 | (code >> 6 & 0x3f));
  bytes[3] = (char)(0x80 | (code & 0x3f));
  return 4;
}

/* Behind a backslash. The number of bytes; 0: this is no JSON. */
static size_t read_escape(struct reader *reader, char *bytes) {
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  if (reader->at == reader->end)
    return 0;
  char letter = *reader->at++;
  const char *place = letter != 0 ? strchr(letters, letter) : NULL;
  if (place != NULL) {
    bytes[0] = meanings[place - letters];
    return 1;
  }
  unsigned int code, low;
  if (letter != 'u' || !read_hex(reader, &code))
    return 0;
  if (code >= 0xd800 && code < 0xdc00 && reader->end - reader->at >= 6 && memcmp(reader->at, "\\u", 2) == 0) {
    reader->at += 2;
    if (!read_hex(reader, &low) || low < 0xdc00 || low > 0xdfff)
      return 0;
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  }
  return put_code(code == 0 ? ' ' : code, bytes);
}

/* With `text` null, it is skipped. */
static bool read_text(struct reader *reader, char *text, size_t size) {
  size_t length = 0;
  if (!take(reader, '"'))
    return false;
  while (reader->at < reader->end && *reader->at != '"') {
    char bytes[4] = {*reader->at++};
    size_t count = bytes[0] == '\\' ? read_escape(reader, bytes) : 1;
    if (count == 0 || (text != NULL && length + count >= size))
      return false;
    if (text != NULL)
      memcpy(text + length, bytes, count);
    length += count;
  }
  if (text != NULL)
    text[length] = 0;
  return take(reader, '"');
}

static bool skip_value(struct reader *reader) {
  size_t depth = 0;
  do {
    skip_space(reader);
    if (reader->at == reader->end)
      return false;
    char c = *reader->at;
    if (c == '"') {
      if (!read_text(reader, NULL, 0))
        return false;
    } else if (c == '{' || c == '[') {
      depth++;
      reader->at++;
    } else if (c == '}' || c == ']') {
      if (depth-- == 0)
        return false;
      reader->at++;
    } else if ((c == ',' || c == ':') && depth > 0) {
      reader->at++;
    } else {
      const char *begin = reader->at;
      while (reader->at < reader->end && strchr(",:{}[]\" \t\r\n", *reader->at) == NULL)
        reader->at++;
      if (reader->at == begin)
        return false;
    }
  } while (depth > 0);
  return true;
}

/* Goes to the value of this member. */
static bool enter(struct reader *reader, const char *name) {
  char found[64];
  skip_space(reader);
  if (take(reader, '['))
    skip_space(reader);
  if (!take(reader, '{'))
    return false;
  do {
    struct reader begin = *reader;
    bool is_short = read_text(reader, found, sizeof found);
    if (!is_short) {
      *reader = begin;
      if (!read_text(reader, NULL, 0))
        return false;
    }
    if (!take(reader, ':'))
      return false;
    skip_space(reader);
    if (is_short && strcmp(found, name) == 0)
      return true;
  } while (skip_value(reader) && take(reader, ','));
  return false;
}

static bool find(struct reader *reader, const char *const *path) {
  for (; *path != NULL; path++)
    if (!enter(reader, *path))
      return false;
  return true;
}

bool live_json_text(const char *json, size_t length, const char *const *path, char *text, size_t size) {
  struct reader reader = {json, json + length};
  return find(&reader, path) && read_text(&reader, text, size);
}

bool live_json_number(const char *json, size_t length, const char *const *path, long *number) {
  struct reader reader = {json, json + length};
  char digits[24] = {0}, *end;
  if (!find(&reader, path))
    return false;
  size_t n = 0;
  while (reader.at < reader.end && n < sizeof digits - 1 && strchr("-0123456789", *reader.at) != NULL)
    digits[n++] = *reader.at++;
  *number = strtol(digits, &end, 10);
  return n > 0 && *end == 0;
}

bool live_json_quote(const char *text, char *json, size_t size) {
  size_t length = 0;
  if (size < 3)
    return false;
  json[length++] = '"';
  for (const unsigned char *c = (const unsigned char *)text; *c != 0; c++) {
    if (length + 8 > size)
      return false;
    if (*c == '"' || *c == '\\' || *c < 0x20)
      length += (size_t)sprintf(json + length, "\\u%04x", *c);
    else
      json[length++] = (char)*c;
  }
  json[length++] = '"';
  json[length] = 0;
  return true;
}
