/* Events as Chrome's JSON trace events (an array, which a reader accepts without its end).
 *
 * The tracks: each thread has its own, with its waits, callbacks, ticks and jobs; each loop has two more, its
 * iterations and its phases. What does not change (the library of a function, the line of a name) is told once, as
 * metadata. */
#ifndef ROTA_TRACE_WRITER_H
#define ROTA_TRACE_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/json.h"
#include "trace/ring.h"

enum { ROTA_WRITER_SYMBOLS = 4096 };

struct rota_writer_symbol {
  const void *address;
  uint16_t length;
  char quoted[70]; /* the JSON string */
};

struct rota_writer {
  int fd;
  bool failed;
  uint64_t start_ns; /* times are from here */
  int process_id;
  uint32_t loops_told; /* a bit for each of the first loops whose tracks have names */
  uint32_t names_told; /* names up to this number have been told */
  uint64_t homeless_told;
  uint64_t events;
  uint64_t dropped;
  struct rota_writer_symbol symbols[ROTA_WRITER_SYMBOLS]; /* by address; a newcomer takes the place */
  struct rota_json json;
};

void rota__writer_begin(struct rota_writer *writer);
/* Takes what is in the ring. Returns how many events that were. */
uint32_t rota__writer_take(struct rota_writer *writer, struct rota_event_ring *ring);
void rota__writer_homeless(struct rota_writer *writer, uint64_t homeless);
/* A callback that has been running for a while, in case that its end is never seen. */
void rota__writer_still_running(struct rota_writer *writer, int thread_id, const void *function, uint32_t name,
                                uint64_t since_ns, uint64_t now_ns);
void rota__writer_end(struct rota_writer *writer);
void rota__writer_flush(struct rota_writer *writer);

#endif
