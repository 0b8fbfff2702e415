/* damaged FILE TIMES: parses copies of an ELF file (command/elf.c) with changed bytes and truncated ends. It is
 * compiled with sanitizers, and must not read outside of a copy. */
#include "command/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long state = 1;

static size_t below(size_t max) {
  state = state * 48271 % 2147483647;
  return max > 0 ? state % max : 0;
}

int main(int argc, char **argv) {
  static unsigned char whole[1 << 20];
  FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
  if (file == NULL)
    return 2;
  size_t size = fread(whole, 1, sizeof whole, file);
  fclose(file);
  struct program_elf elf;
  unsigned long found = 0, times = strtoul(argv[2], NULL, 10);
  program_elf_read(&elf, whole, size);
  if (!elf.exports_whole_loop)
    return 3;
  for (unsigned long i = 0; i < times; i++) {
    size_t length = i % 4 == 0 ? below(size) : size;
    unsigned char *copy = malloc(length + (length == 0)); /* the sanitizer knows where it ends */
    if (copy == NULL)
      return 4;
    memcpy(copy, whole, length);
    for (unsigned int k = 0; k < 1 + i % 8 && length > 0; k++)
      copy[below(i % 2 ? length : length < 4096 ? length : 4096)] = (unsigned char)below(256);
    program_elf_read(&elf, copy, length);
    found += elf.exports_whole_loop;
    free(copy);
  }
  printf("%lu of %lu\n", found, times);
  return 0;
}
