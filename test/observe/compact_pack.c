/* Puts a trace in JSON into the compact form, in pieces as the writer does: compact_pack FROM TO [LIMIT]. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "observe/trace/compact.h"

enum { PIECE = 200 * 1024 };

static void write_at(void *data, int64_t at, const char *bytes, size_t length) {
  if (pwrite(*(int *)data, bytes, length, at) != (ssize_t)length)
    exit(1);
}

int main(int argc, char **argv) {
  struct stat found;
  int from = argc < 3 ? -1 : open(argv[1], O_RDONLY),
      to = argc < 3 ? -1 : open(argv[2], O_CREAT | O_TRUNC | O_RDWR, 0600);
  if (from < 0 || to < 0 || fstat(from, &found) < 0)
    return 1;
  size_t length = (size_t)found.st_size;
  char *text = malloc(length + 1);
  struct rota_compact *compact = rota__compact_new(argc > 3 ? strtoull(argv[3], NULL, 10) : 0, write_at, &to);
  if (text == NULL || compact == NULL || read(from, text, length) != (ssize_t)length)
    return 1;
  text[length] = '\0';
  if (length >= 3 && strcmp(text + length - 3, "\n]\n") == 0)
    length -= 3; /* the writer has no end of an array here */
  rota__compact_begin(compact, (int)getpid(), 1);
  for (size_t at = 0; at < length;) { /* whole lines */
    size_t end = at + PIECE < length ? at + PIECE : length;
    while (end < length && !(text[end] == ',' && text[end + 1] == '\n'))
      end++;
    rota__compact_put(compact, text + at, end - at);
    if (at % (3 * PIECE) == 0)
      rota__compact_flush(compact);
    at = end;
  }
  rota__compact_flush(compact);
  rota__compact_free(compact);
  free(text);
  return 0;
}
