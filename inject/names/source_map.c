#include "inject/names/v8.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAP_SIZE_MAX = 8 << 20, SOURCES_MAX = 10000, FIELDS = 5, BITS_MAX = 30 };
enum { COLUMN, SOURCE, LINE, SOURCE_COLUMN, NAME };

/* The numbers before a line's first segment; each is given as a difference to the one before. */
struct line_start {
  const char *text;
  int fields[FIELDS];
};

struct names_source_map {
  char *json;
  char *directory; /* of the map: paths begin there */
  const char *mappings, *mappings_end;
  const char **sources; /* within the JSON, behind the quote */
  size_t sources_count;
  char root[PATH_MAX]; /* sourceRoot; empty: none */
  struct line_start *lines;
  size_t lines_count;
};

/* ---- texts ---- */

static int digit_of(char letter) {
  if (letter >= 'A' && letter <= 'Z')
    return letter - 'A';
  if (letter >= 'a' && letter <= 'z')
    return letter - 'a' + 26;
  if (letter >= '0' && letter <= '9')
    return letter - '0' + 52;
  return letter == '+' ? 62 : letter == '/' ? 63 : -1;
}

static char *from_base64(const char *text) {
  size_t length = strlen(text), used = 0;
  char *out = length > MAP_SIZE_MAX ? NULL : malloc(length / 4 * 3 + 4);
  uint32_t bits = 0;
  int count = 0;
  for (; out != NULL && digit_of(*text) >= 0; text++) {
    bits = bits << 6 | (uint32_t)digit_of(*text);
    count += 6;
    if (count >= 8)
      out[used++] = (char)(bits >> (count -= 8));
  }
  if (out != NULL)
    out[used] = 0;
  return out;
}

static char *from_file(const char *path) {
  FILE *file = fopen(path, "re");
  char *text = file == NULL ? NULL : malloc(MAP_SIZE_MAX + 1);
  size_t length = text == NULL ? 0 : fread(text, 1, MAP_SIZE_MAX + 1, file);
  if (file != NULL)
    fclose(file);
  if (text == NULL || length > MAP_SIZE_MAX) {
    free(text);
    return NULL;
  }
  text[length] = 0;
  return text;
}

/* Without "." and "..", in place. */
static void tidy(char *path) {
  char *out = path;
  for (const char *in = path; *in != 0;) {
    size_t length = strcspn(in + 1, "/") + 1;
    if (length == 3 && strncmp(in, "/..", 3) == 0) {
      while (out > path && *--out != '/')
        continue;
    } else if (length > 1 && !(length == 2 && in[1] == '.')) {
      memmove(out, in, length);
      out += length;
    }
    in += length;
  }
  *out = 0;
}

static bool join(const char *directory, const char *path, size_t length, char *out, size_t size) {
  if (length >= 7 && strncmp(path, "file://", 7) == 0) {
    path += 7;
    length -= 7;
  }
  bool is_whole = path[0] == '/';
  int written = snprintf(out, size, "%s%s%.*s", is_whole ? "" : directory, is_whole ? "" : "/", (int)length, path);
  if (out[0] == '/')
    tidy(out);
  return written > 0 && (size_t)written < size;
}

/* ---- JSON, as far as it is needed: the members of one object ---- */

static const char *skip_space(const char *at) {
  return at + strspn(at, " \t\r\n");
}

/* Behind the quote at the end; null: there is none. */
static const char *skip_string(const char *at) {
  for (at++; *at != '"'; at++)
    if (*at == 0 || (*at == '\\' && *++at == 0))
      return NULL;
  return at + 1;
}

static const char *skip_value(const char *at) {
  int depth = 0;
  do {
    at = skip_space(at);
    if (*at == '"') {
      at = skip_string(at);
      if (at == NULL)
        return NULL;
    } else if (*at == '[' || *at == '{') {
      depth++;
      at++;
    } else if (*at == ']' || *at == '}') {
      depth--;
      at++;
    } else if (*at == ',' || *at == ':') {
      at++;
    } else {
      at += strcspn(at, ",]} \t\r\n");
    }
    if (*at == 0 && depth > 0)
      return NULL;
  } while (depth > 0);
  return at;
}

/* The value of a member; null: it has none, or the text is damaged. */
static const char *member(const char *json, const char *wanted) {
  const char *at = skip_space(json);
  size_t length = strlen(wanted);
  if (*at != '{')
    return NULL;
  for (at = skip_space(at + 1); *at == '"'; at = skip_space(at + 1)) {
    const char *name = at + 1, *end = skip_string(at);
    if (end == NULL)
      return NULL;
    at = skip_space(end);
    if (*at != ':')
      return NULL;
    const char *value = skip_space(at + 1);
    if ((size_t)(end - 1 - name) == length && strncmp(name, wanted, length) == 0)
      return value;
    at = skip_value(value);
    at = at == NULL ? NULL : skip_space(at);
    if (at == NULL || *at != ',')
      return NULL;
  }
  return NULL;
}

static bool read_sources(struct names_source_map *map) {
  const char *at = member(map->json, "sources");
  if (at == NULL || *at != '[')
    return false;
  map->sources = calloc(SOURCES_MAX, sizeof *map->sources);
  if (map->sources == NULL)
    return false;
  at = skip_space(at + 1);
  while (*at == '"' && map->sources_count < SOURCES_MAX) {
    map->sources[map->sources_count++] = at + 1;
    at = skip_string(at);
    if (at == NULL)
      return false;
    at = skip_space(at);
    at = *at == ',' ? skip_space(at + 1) : at;
  }
  return *at == ']';
}

/* ---- mappings ---- */

/* A number of base 64, the lowest digits first, and the sign in the lowest bit of all. */
static const char *read_number(const char *at, const char *end, int *number) {
  uint32_t value = 0;
  for (int shift = 0; at < end && shift <= BITS_MAX; shift += 5) {
    int digit = digit_of(*at++);
    if (digit < 0)
      return NULL;
    value |= (uint32_t)(digit & 31) << shift;
    if (digit < 32) {
      *number = value & 1 ? -(int)(value >> 1) : (int)(value >> 1);
      return at;
    }
  }
  return NULL;
}

/* Up to the comma or the semicolon behind it; null: it is damaged. */
static const char *read_segment(const char *at, const char *end, int fields[FIELDS], int *count) {
  for (*count = 0; at < end && *at != ',' && *at != ';'; (*count)++) {
    int difference;
    at = *count >= FIELDS ? NULL : read_number(at, end, &difference);
    if (at == NULL)
      return NULL;
    fields[*count] = (int)((unsigned int)fields[*count] + (unsigned int)difference);
  }
  return at;
}

static bool read_mappings(struct names_source_map *map) {
  const char *at = member(map->json, "mappings"), *end = at == NULL || *at != '"' ? NULL : skip_string(at);
  if (end == NULL)
    return false;
  map->mappings = at + 1;
  map->mappings_end = end - 1;
  size_t lines = 1;
  for (const char *each = map->mappings; each < map->mappings_end; each++)
    lines += *each == ';';
  map->lines = calloc(lines, sizeof *map->lines);
  if (map->lines == NULL)
    return false;
  int fields[FIELDS] = {0}, count;
  map->lines[map->lines_count++].text = map->mappings;
  for (at = map->mappings; at < map->mappings_end; at++) {
    at = read_segment(at, map->mappings_end, fields, &count);
    if (at == NULL)
      return false;
    if (at < map->mappings_end && *at == ';') {
      fields[COLUMN] = 0;
      struct line_start *start = &map->lines[map->lines_count++];
      start->text = at + 1;
      memcpy(start->fields, fields, sizeof fields);
    }
  }
  return true;
}

/* ---- the map ---- */

void names_source_map_free(struct names_source_map *map) {
  if (map == NULL)
    return;
  free(map->json);
  free(map->directory);
  free(map->sources);
  free(map->lines);
  free(map);
}

static char *directory_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return strndup(path, slash == NULL ? 0 : (size_t)(slash - path));
}

static void read_text_of(struct names_source_map *map, const char *url, const char *script) {
  char path[PATH_MAX];
  map->directory = directory_of(script);
  if (strncmp(url, "data:", 5) == 0) {
    const char *text = strstr(url, ";base64,");
    map->json = text == NULL ? NULL : from_base64(text + 8);
  } else if (map->directory != NULL && join(map->directory, url, strlen(url), path, sizeof path)) {
    map->json = from_file(path);
    free(map->directory);
    map->directory = directory_of(path);
  }
}

struct names_source_map *names_source_map_read(const char *url, const char *script) {
  struct names_source_map *map = calloc(1, sizeof *map);
  if (map == NULL)
    return NULL;
  read_text_of(map, url, script);
  if (map->json == NULL || map->directory == NULL || !read_sources(map) || !read_mappings(map)) {
    names_source_map_free(map);
    return NULL;
  }
  const char *root = member(map->json, "sourceRoot");
  if (root != NULL && *root == '"')
    snprintf(map->root, sizeof map->root, "%.*s", (int)strcspn(root + 1, "\""), root + 1);
  return map;
}

/* A name with an escape is not a path that could be found. */
static bool put_source(const struct names_source_map *map, int source, char *file, size_t size) {
  const char *name = source < 0 || (size_t)source >= map->sources_count ? NULL : map->sources[source];
  size_t length = name == NULL ? 0 : strcspn(name, "\"\\");
  char root[PATH_MAX + 8];
  if (length == 0 || name[length] == '\\' || !join(map->directory, map->root, strlen(map->root), root, sizeof root))
    return false;
  return join(map->root[0] == 0 ? map->directory : root, name, length, file, size);
}

bool names_source_map_find(const struct names_source_map *map, int *line, int column, char *file, size_t size) {
  if (*line < 0 || (size_t)*line >= map->lines_count)
    return false;
  const char *at = map->lines[*line].text;
  int fields[FIELDS], count, source = -1, found = 0;
  memcpy(fields, map->lines[*line].fields, sizeof fields);
  while (at != NULL && at < map->mappings_end && *at != ';') {
    at = read_segment(at, map->mappings_end, fields, &count);
    if (at == NULL || count == 0 || fields[COLUMN] > column)
      break;
    source = count > SOURCE ? fields[SOURCE] : -1;
    found = fields[LINE];
    at += at < map->mappings_end && *at == ',';
  }
  if (source < 0 || found < 0 || !put_source(map, source, file, size))
    return false;
  *line = found;
  return true;
}
