/* A module of this process, as its file for Windows (PE) describes it: what it exports and imports, and where its
 * functions are. */
#ifndef GRAFT_IMAGE_H
#define GRAFT_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "uv.h"

struct graft_image {
  unsigned char *base;
  const IMAGE_NT_HEADERS64 *headers;
  /* What is exported by name, sorted by name. */
  uint32_t name_count;
  const uint32_t *names;
  const uint16_t *ordinals;
  const uint32_t *addresses;
  /* Functions that have a frame, sorted by address. */
  const RUNTIME_FUNCTION *functions;
  uint32_t function_count;
  unsigned char *text; /* the section with the most code */
  size_t text_size;
};

/* False: it is no image for x86-64, or it exports nothing. */
bool graft_image_read(struct graft_image *image, HMODULE module);

const char *graft_image_name(const struct graft_image *image, uint32_t index);
unsigned char *graft_image_address(const struct graft_image *image, uint32_t index);

/* The first name that is not before this one; name_count: there is none. */
uint32_t graft_image_first(const struct graft_image *image, const char *name);

/* Null: it exports no function of this name. */
unsigned char *graft_image_find(const struct graft_image *image, const char *name);

/* How long a function with a frame is; 0: it has none. */
size_t graft_image_function_size(const struct graft_image *image, const unsigned char *address);

/* Whether another function begins behind this address and before `end`. */
bool graft_image_has_start(const struct graft_image *image, const unsigned char *address, const unsigned char *end);

/* Puts another function into the places where the loader has put `from`, so that the module's imported calls go there.
 * Returns how many there were; -1: the system does not let them be written. */
int graft_image_replace_import(HMODULE module, uintptr_t from, uintptr_t to);

#endif
