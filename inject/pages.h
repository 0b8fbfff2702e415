/* Pages of code: patching those of the program, and making islands near them.
 *
 * Invariant: no page is writable and executable at once. A page of the program is made writable and not executable, is
 * written, and is made executable again; the program has not started yet. If the system refuses to make it executable
 * again, the page is mapped again from the program's file. */
#ifndef GRAFT_PAGES_H
#define GRAFT_PAGES_H

#include "inject/entry.h"
#include "inject/module.h"

/* One function that is redirected. */
struct graft_entry {
  const char *name;
  const struct graft_module *module;
  unsigned char *address;
  size_t size; /* of the function, as its symbol says */
  uintptr_t target;
  uintptr_t island; /* 0: the target itself is within reach */
  struct graft_patch patch;
  unsigned char original[GRAFT_ENTRY_MAX];
};

/* Makes executable islands for the entries of one module that cannot reach their targets. Returns 0 or -errno. */
int graft_islands_make(struct graft_entry *entries, size_t count);

/* Gives the islands back. */
void graft_islands_free(struct graft_entry *entries, size_t count);

/* Writes all patches, or none. The entries are sorted by address. Returns 0 or -errno; *failed is an entry of a page
 * that could not be written. */
int graft_pages_write(struct graft_entry *entries, size_t count, const struct graft_entry **failed);

#endif
