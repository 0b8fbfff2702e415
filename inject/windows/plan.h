/* What is to be redirected in a program that exports libuv's functions, and why it cannot be.
 *
 * The linkers of Windows put several names on one function if their code is the same, also of functions that have
 * nothing to do with libuv: what reads one field of a structure, for instance. Such a function is left as it is: it
 * works on our structures, too, which have that field at the same place (loop/windows/abi.c). Of all others each has an
 * entry of its own, or nothing is done. */
#ifndef GRAFT_PLAN_H
#define GRAFT_PLAN_H

#include "inject/windows/image.h"

enum { GRAFT_ENTRIES_MAX = 1024, GRAFT_REASON_SIZE = 512, GRAFT_JUMP_SIZE = 5 };

struct graft_entry {
  const char *name;
  unsigned char *address;
  uintptr_t target;
  unsigned char *island; /* the long jump to the target */
  unsigned char original[GRAFT_JUMP_SIZE];
};

struct graft_plan {
  struct graft_entry entries[GRAFT_ENTRIES_MAX]; /* sorted by address */
  size_t count;
  unsigned int version; /* of the program's libuv: major, minor and patch, a byte each */
  char reason[GRAFT_REASON_SIZE];
};

/* False: `reason` says why nothing can be redirected. */
bool graft_plan_make(struct graft_plan *plan, const struct graft_image *program, const struct graft_image *library);

/* The same, always false. */
bool graft_plan_refuse(struct graft_plan *plan, const char *format, ...) __attribute__((format(gnu_printf, 2, 3)));

/* Writes a jump to its target at the beginning of each function, or nothing. False: `reason` says why.
 *
 * Invariant: no page is writable and executable at once. */
bool graft_plan_write(struct graft_plan *plan, const struct graft_image *program);

#endif
