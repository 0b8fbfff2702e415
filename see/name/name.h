/* Names that an embedder gives to what runs: a function, its file and line. They are kept once, under a number, so that
 * an event carries the number alone.
 *
 * Names are added by any thread, under a lock, and never change or go: reading them needs none. Their memory is
 * bounded. */
#ifndef ROTA_TRACE_NAME_H
#define ROTA_TRACE_NAME_H

#include <stdint.h>

struct rota_name_entry {
  struct rota_name_entry *next; /* of the same hash */
  uint32_t number;
  int line; /* 0: unknown */
  const char *function;
  const char *file; /* may be empty */
};

/* Null: no such name. */
const struct rota_name_entry *rota__name_find(uint32_t number);
uint32_t rota__name_intern(const char *function, const char *file, int line); /* 0: no room */
void rota__name_before_fork(void);
void rota__name_after_fork(void);

#endif
