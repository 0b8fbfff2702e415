/* A program or a library that is loaded: the names of its functions, and its lines.
 *
 * Compilers of the GNU family put a table of symbols (COFF) and tables of lines (DWARF) behind the code, unless they
 * are told to strip it. Microsoft's, and Zig's, write them into a file of their own (PDB). Of other images, such as
 * the system's libraries, exported functions have names. */
#ifndef ROTA_NAME_WINDOWS_IMAGE_H
#define ROTA_NAME_WINDOWS_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "observe/name/line.h"
#include "uv.h"

enum { ROTA_IMAGE_NAME_MAX = 256 };

struct rota_image {
  struct rota_image *next;
  HMODULE module; /* also the address of its first byte */
  char *path;
  const unsigned char *file; /* the whole file, read only; null: it could not be read */
  size_t size;
  const IMAGE_SECTION_HEADER *sections;
  unsigned int section_count;
  const unsigned char *symbols; /* COFF's; null: there are none */
  uint32_t symbol_count;
  const char *names;
  size_t names_size;
  uint64_t linked_at; /* where the linker has put it: the tables of lines have such addresses */
  struct rota_lines lines;
  bool has_pdb;
};

struct rota_image_function {
  uint32_t start; /* from the image's beginning */
  char name[ROTA_IMAGE_NAME_MAX];
};

/* The image that the address is in; null: in none, or no memory. Images are kept for ever. One caller at a time. */
struct rota_image *rota__image_of(const void *address);
bool rota__image_function(const struct rota_image *image, const void *address, struct rota_image_function *function);
bool rota__image_line(const struct rota_image *image, const void *address, struct rota_line_place *found);

/* Names and lines of an image whose compiler has written them into a file of their own (PDB): by the system's reader,
 * dbghelp.dll, which is loaded when the first such image is met.
 *
 * That reader serves one thread at a time; all calls of the library's come with the lock of observe/name. A program
 * that uses it itself, in another thread at the same moment, is not protected. It has a session of its own. */

/* False: there is no such file, or no reader. */
bool rota__pdb_load(HMODULE module, const WCHAR *path);
bool rota__pdb_function(HMODULE module, const void *address, struct rota_image_function *function);
bool rota__pdb_line(const void *address, struct rota_line_place *found);

#endif
