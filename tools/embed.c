/* embed: puts JavaScript files into the program. Build-time only.
 *
 *   embed OUT.c OUT.bin [ID=FILE ...]
 *
 * OUT.bin holds every file, wrapped as a function, in ASCII (other characters are escaped: in JavaScript text \uXXXX
 * means the same in strings, templates and regular expressions) and ended by a zero; OUT.c holds the table, sorted by
 * id, and includes OUT.bin through the assembler. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char head[] = "(function (exports, require, module, process, internalBinding, primordials) {";
static const char tail[] = "\n})";

static int by_id(const void *a, const void *b) {
  const char *x = *(const char *const *)a, *y = *(const char *const *)b;
  size_t n = strcspn(x, "="), m = strcspn(y, "=");
  int order = memcmp(x, y, n < m ? n : m);
  return order != 0 ? order : (n > m) - (n < m);
}

static uint32_t decode(FILE *in, int first) {
  int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
  uint32_t point = (uint32_t)first & (0x3Fu >> more);
  while (more-- > 0)
    point = point << 6 | ((uint32_t)getc(in) & 0x3F);
  return point;
}

static long copy(const char *path, FILE *out) {
  FILE *in = fopen(path, "rb");
  if (in == NULL) {
    perror(path);
    exit(1);
  }
  long size = (long)fwrite(head, 1, sizeof head - 1, out);
  int c = getc(in);
  if (c == '#') /* a shebang line stays as a comment, so that lines keep their numbers */
    size += fprintf(out, "//");
  for (; c != EOF; c = getc(in)) {
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
  qsort(argv + 3, (size_t)argc - 3, sizeof *argv, by_id);
  fprintf(table,
          "__asm__(\".section .rodata\\n.globl rota_embedded_text\\nrota_embedded_text:\\n.incbin "
          "\\\"%s\\\"\\n.previous\\n\");\n"
          "struct rota_embedded { const char *id, *source; };\n"
          "extern const char rota_embedded_text[];\n"
          "const struct rota_embedded rota_embedded[] = {\n",
          argv[2]);
  long at = 0;
  for (int i = 3; i < argc; i++) {
    char *file = strchr(argv[i], '=');
    if (file == NULL)
      return 2;
    fprintf(table, "  {\"%.*s\", rota_embedded_text + %ld},\n", (int)(file - argv[i]), argv[i], at);
    at += copy(file + 1, blob);
  }
  fprintf(table, "};\nconst unsigned rota_embedded_count = %d;\n", argc - 3);
  return fclose(table) != 0 || fclose(blob) != 0;
}
