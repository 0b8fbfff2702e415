/* Patches of the first instructions of a function: a jump to another function. One file for each processor.
 *
 * The jump at the entry is the processor's short form, which has a limited range. If the target is farther away, it
 * goes to an island: memory in range that holds a long jump. The instruction that the processor requires at the target
 * of an indirect call (endbr64, bti) stays in place. */
#ifndef GRAFT_ENTRY_H
#define GRAFT_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  GRAFT_ENTRY_MAX = 16,  /* no patch is longer */
  GRAFT_ISLAND_SIZE = 16 /* bytes of one long jump */
};

struct graft_patch {
  unsigned char bytes[GRAFT_ENTRY_MAX];
  size_t length;
};

/* How far from an entry an island may lie, less room for the code and the islands themselves. */
extern const uint64_t graft_entry_reach;

/* The patch that goes from `entry` to `target`. False: the target is out of reach. */
bool graft_entry_make(struct graft_patch *patch, const unsigned char *entry, uintptr_t target);

/* How many of the bytes from `text` on, up to `size`, are padding between functions. */
size_t graft_entry_padding(const unsigned char *text, size_t size);

void graft_island_make(unsigned char island[GRAFT_ISLAND_SIZE], uintptr_t target);

/* Flushes the instruction cache for these bytes. */
void graft_entry_flush(unsigned char *from, size_t size);

#endif
