/* Where handles and requests were made: stacks, each stored once, and a table of the requests in the pool or the
 * poller, which the loop itself only counts.
 *
 * The number of stacks is bounded: a program makes its handles in a few places. Further stacks are not recorded. */
#ifndef ROTA_TRACE_ORIGIN_H
#define ROTA_TRACE_ORIGIN_H

#include <stdbool.h>
#include <stddef.h>

#include "uv.h"

enum { ROTA_ORIGIN_FRAMES = 16 };

struct rota_origin {
  struct rota_origin *next; /* of the same hash */
  int count;
  const char *text;                 /* the embedder's stack, as lines of text; or null */
  void *frames[ROTA_ORIGIN_FRAMES]; /* innermost first; the library's own are among them */
};

struct rota_request_entry {
  const uv_req_t *req;              /* null: free */
  const struct rota_origin *origin; /* null: origins are not recorded */
  uint64_t begin_ns;                /* 0: times are not recorded */
};

struct rota_request_table {
  size_t capacity; /* a power of two */
  size_t count;
  struct rota_request_entry *entries; /* open addressing, linear */
};

/* The stack of the calling thread. Null: no room. */
const struct rota_origin *rota__origin_here(void);
/* A number for it, for who has little room; 0 for null. */
uint32_t rota__origin_number(const struct rota_origin *origin);
const struct rota_origin *rota__origin_of(uint32_t number);
void rota__origin_begin(struct rota_request_table **table, const uv_req_t *req, uint64_t begin_ns, bool with_origin);
uint64_t rota__origin_end(struct rota_request_table *table, const uv_req_t *req); /* when it began; 0: unknown */
void rota__origin_table_free(struct rota_request_table *table);
void rota__origin_before_fork(void);
void rota__origin_after_fork(void);

#endif
