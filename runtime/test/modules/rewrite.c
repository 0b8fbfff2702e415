/* Rewrites the modules whose names come on standard input, one on each line, and writes what came out, for whoever
 * compares: a line `declined`, or `done CODE NOTES` with two lengths, then the code and the notes.
 *
 *   rewrite [--commonjs] [--speed]     with --speed each text is rewritten 20 times, and only MB/s are told */
#include "runtime/modules/rewrite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static unsigned char *read_whole(const char *name, size_t *length) {
  FILE *file = fopen(name, "rb");
  if (file == NULL)
    return NULL;
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  /* A block of exactly this size: a sanitizer sees a byte too far. */
  unsigned char *bytes = malloc(size > 0 ? (size_t)size : 1);
  *length = bytes == NULL || size < 0 ? 0 : fread(bytes, 1, (size_t)size, file);
  fclose(file);
  return bytes;
}

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void show(const unsigned char *text, size_t length, const struct js_rewrite_wish *wish) {
  struct js_rewritten result;
  if (!js_rewrite(text, length, wish, &result)) {
    puts("declined");
    return;
  }
  printf("done %zu %zu\n", result.is_changed ? result.code_length : 0, result.notes_length);
  if (result.is_changed)
    fwrite(result.code, 1, result.code_length, stdout);
  fwrite(result.notes, 1, result.notes_length, stdout);
  putchar('\n');
  free(result.code);
  free(result.notes);
}

int main(int argc, char **argv) {
  struct js_rewrite_wish wish = {.kind = JS_REWRITE_MODULE, .marks_delegation = true, .wants_edits = true};
  bool tells_speed = false;
  char name[4096];
  double total = 0, seconds = 0;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--commonjs") == 0)
      wish.kind = JS_REWRITE_COMMONJS;
    if (strcmp(argv[i], "--speed") == 0)
      tells_speed = true;
  }
  wish.wants_edits = !tells_speed;
  while (fgets(name, sizeof name, stdin) != NULL) {
    size_t length = 0;
    name[strcspn(name, "\n")] = 0;
    unsigned char *text = read_whole(name, &length);
    if (text == NULL) {
      puts("declined");
    } else if (!tells_speed) {
      show(text, length, &wish);
    } else {
      double before = processor_seconds();
      for (int i = 0; i < 20; i++) {
        struct js_rewritten result;
        if (js_rewrite(text, length, &wish, &result)) {
          total += (double)length;
          free(result.code);
          free(result.notes);
        }
      }
      seconds += processor_seconds() - before;
    }
    free(text);
  }
  if (tells_speed)
    printf("%.1f MB/s\n", total / 1e6 / (seconds > 0 ? seconds : 1));
  return 0;
}
