/* embed: puts JavaScript files into the program. Build-time only.
 *
 *   embed OUT.c OUT.bin [ID=FILE ...] [ID=DIRECTORY ...]
 *
 * OUT.bin holds every file, wrapped as a function, in ASCII (other characters are escaped: in JavaScript text \uXXXX
 * means the same in strings, templates and regular expressions) and ended by a zero; OUT.c holds the table, sorted by
 * id, and includes OUT.bin through the assembler.
 *
 * A directory stands for all of its .js and .json files, whose ids are ID/path (without .js, with .json): this is how a
 * whole npm package is embedded. A file that is named by itself replaces a directory's file of the same id. Files below
 * internal/deps/ come from npm; they get the variables of CommonJS and no others, since they could declare these
 * themselves. */
#define _XOPEN_SOURCE 700
#include <ftw.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char head[] = "(function (exports, require, module, process, internalBinding, primordials) {";
static const char package_head[] = "(function (exports, require, module) {";
static const char tail[] = "\n})";

static struct entry {
  char *id, *path;
  bool of_directory;
} * entries;
static size_t count, room;

static const char *walked_id;
static size_t walked_length;

static void *check(void *memory) {
  if (memory == NULL) {
    perror("embed");
    exit(1);
  }
  return memory;
}

static bool ends_with(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

static bool begins_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

static void add(char *id, const char *path, bool of_directory) {
  if (count == room)
    entries = check(realloc(entries, (room = room * 2 + 64) * sizeof *entries));
  entries[count++] = (struct entry){id, check(strdup(path)), of_directory};
}

static int add_walked(const char *path, const struct stat *status, int type, struct FTW *place) {
  (void)status, (void)place;
  bool script = ends_with(path, ".js");
  if (type != FTW_F || (!script && !ends_with(path, ".json")))
    return 0;
  const char *rest = path + walked_length;
  size_t length = strlen(walked_id) + strlen(rest) + 1;
  char *id = check(malloc(length));
  snprintf(id, length, "%s%s", walked_id, rest);
  if (script)
    id[length - 1 - strlen(".js")] = '\0';
  add(id, path, true);
  return 0;
}

static void add_argument(char *argument) {
  char *path = strchr(argument, '=');
  struct stat status;
  if (path == NULL)
    exit(2);
  *path++ = '\0';
  if (stat(path, &status) != 0) {
    perror(path);
    exit(1);
  }
  if (!S_ISDIR(status.st_mode)) {
    add(argument, path, false);
    return;
  }
  walked_id = argument;
  walked_length = strlen(path);
  if (nftw(path, add_walked, 16, 0) != 0) {
    perror(path);
    exit(1);
  }
}

/* Of two files with the same id, the one that was named comes first. */
static int by_id(const void *a, const void *b) {
  const struct entry *x = a, *y = b;
  int order = strcmp(x->id, y->id);
  return order != 0 ? order : x->of_directory - y->of_directory;
}

static uint32_t decode(FILE *in, int first) {
  int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
  uint32_t point = (uint32_t)first & (0x3Fu >> more);
  while (more-- > 0)
    point = point << 6 | ((uint32_t)getc(in) & 0x3F);
  return point;
}

/* A declaration that begins a line of ours belongs to the module's function itself, and becomes one of `var`: the
 * engine then keeps no list of names to check before their first use, which each function of the module would carry,
 * and loading a module takes a sixth less. Blanks fill the place, so that columns stay. */
static long copy_declaration(FILE *in, int first, FILE *out) {
  const char *word = first == 'c' ? "const " : "let ";
  char got[8] = {(char)first};
  size_t n = 1;
  while (word[n] != '\0' && (got[n] = (char)getc(in)) == word[n])
    n++;
  if (word[n] != '\0') {
    ungetc((unsigned char)got[n], in);
    return (long)fwrite(got, 1, n, out);
  }
  return fprintf(out, "%-*s", (int)n, "var ");
}

static long copy(const struct entry *entry, FILE *out) {
  FILE *in = fopen(entry->path, "rb");
  if (in == NULL) {
    perror(entry->path);
    exit(1);
  }
  bool of_package = begins_with(entry->id, "internal/deps/");
  bool has_texts = begins_with(entry->id, "internal/cli/"); /* the page's, which have lines of their own */
  long size = fprintf(out, "%s", of_package ? package_head : head);
  if (ends_with(entry->path, ".json"))
    size += fprintf(out, "module.exports = ");
  int c = getc(in);
  if (c == '#') /* a shebang line stays as a comment, so that lines keep their numbers */
    size += fprintf(out, "//");
  for (int before = '\n'; c != EOF; before = c, c = getc(in)) {
    if (before == '\n' && !of_package && !has_texts && (c == 'c' || c == 'l')) {
      size += copy_declaration(in, c, out);
      continue;
    }
    if (c < 0x80) {
      putc(c, out);
      size++;
      continue;
    }
    uint32_t point = decode(in, c);
    if (point > 0xFFFF)
      size += fprintf(out, "\\u%04X\\u%04X", 0xD800 + ((point - 0x10000) >> 10), 0xDC00 + ((point - 0x10000) & 0x3FF));
    else
      size += fprintf(out, "\\u%04X", point);
  }
  size += (long)fwrite(tail, 1, sizeof tail, out);
  fclose(in);
  return size;
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  FILE *table = fopen(argv[1], "w"), *blob = fopen(argv[2], "wb");
  if (table == NULL || blob == NULL) {
    perror("embed");
    return 1;
  }
  for (int i = 3; i < argc; i++)
    add_argument(argv[i]);
  if (count > 0)
    qsort(entries, count, sizeof *entries, by_id);
  fprintf(table,
          "__asm__(\".section .rodata\\n.globl js_embedded_text\\njs_embedded_text:\\n.incbin "
          "\\\"%s\\\"\\n.previous\\n\");\n"
          "struct js_embedded { const char *id, *source; };\n"
          "extern const char js_embedded_text[];\n"
          "const struct js_embedded js_embedded[] = {\n",
          argv[2]);
  long at = 0;
  unsigned written = 0;
  for (size_t i = 0; i < count; i++) {
    if (i > 0 && strcmp(entries[i].id, entries[i - 1].id) == 0)
      continue;
    fprintf(table, "  {\"%s\", js_embedded_text + %ld},\n", entries[i].id, at);
    at += copy(&entries[i], blob);
    written++;
  }
  fprintf(table, "};\nconst unsigned js_embedded_count = %u;\n", written);
  return fclose(table) != 0 || fclose(blob) != 0;
}
