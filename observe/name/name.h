/* Names that an embedder gives to running code: a function, its file and line. Each is stored once under a number, so
 * an event carries only the number.
 *
 * Any thread may add a name, under a lock. Names are never changed or removed, so reading needs no lock. Their memory
 * is bounded. */
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
