/* A link: two ends of a byte stream, of any of the kinds that the interface has.
 *
 * An end knows how much the other one has sent, and so what must still arrive. `known` is how much it had received when
 * it was last known to have received all: how much has arrived since, while it was stopped or is reading, is not
 * specified. */
#ifndef ROTA_TEST_MODEL_LINK_H
#define ROTA_TEST_MODEL_LINK_H

#include "model.h"

/* This much always fits into the kernel's buffers, even if nothing is read. */
enum { SMALL = 12000, SMALL_WRITES = 12 };

struct end {
  struct object base;
  struct end *peer;        /* null: there is none */
  struct object *listener; /* of a link that is being made; else null */
  uint64_t key;
  bool is_tcp, plain_pipe, can_read, can_write, ipc;
  bool connects; /* it is the one that asked for the connection */
  bool connecting, open, failed;
  bool want_read, reading, ended;
  bool shutting, shut;
  int end_status;
  int buffer_style;
  bool refuse; /* the next buffer is refused */
  int refused;
  char *buffer; /* that the last alloc gave and no read took back */
  size_t buffer_size;
  uint64_t sent, got, known;
  int writes, writes_done, writes_outstanding; /* the last: since the other end was known to have all */
  struct text calls;                           /* what calls have returned */
};

static inline uv_stream_t *end_stream(const struct end *end) {
  return (uv_stream_t *)end->base.handle;
}

extern const struct kind end_kind;

struct end *end_new(bool is_tcp, size_t handle_size);
void end_join(struct end *one, struct end *other);
void end_opened(struct end *end);
bool end_start(struct end *end);
void end_stop(struct end *end);
void end_write(struct end *end, size_t size, unsigned int parts);
void end_shutdown(struct end *end);
/* Whether all that was sent fits into the kernel, for certain. */
bool end_is_small(const struct end *end, size_t more);

#endif
