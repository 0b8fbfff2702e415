/* Streams of the simulator: ends of connections, and listeners. stream.c has their steps, stream_write.c what is
 * written to them. */
#ifndef SIMULATOR_STREAM_H
#define SIMULATOR_STREAM_H

#include "simulator.h"

enum { ENDS = 24, LISTENERS = 3, WRITES = 8, HEADER = 2, ROOM = 4096 };

struct write {
  uv_write_t *req; /* null: there is none */
  char *bytes;
  uint64_t from; /* the place of its first byte in the stream */
  size_t length;
  bool is_cancelled, was_whole; /* was_whole: when it was cancelled, as far as that is known */
};

/* An end writes its number first, so the other side knows whose bytes it gets. Then each byte follows from the number
 * and its place. */
struct end {
  struct sim_handle base;
  int number;
  bool is_tcp;
  uv_connect_t *connect;  /* null: it is not connecting */
  bool is_ipc;            /* it may pass descriptors */
  uint64_t passed, taken; /* how many of them */
  bool is_one_way;        /* it is a pipe to a child, or from one */
  bool is_connected, is_reading, has_ended, is_broken;
  /* what it writes */
  struct write writes[WRITES];
  int write_first, write_count;
  uint64_t offered, confirmed; /* bytes */
  bool has_lost;               /* a write has failed, or was cancelled: the rest is not what was offered */
  uv_shutdown_t *shutdown;
  bool is_shut, is_shutting; /* the callback has come; it was asked for */
  /* what it reads */
  int peer; /* whose bytes these are; -1: not known yet */
  unsigned char header[HEADER];
  uint64_t received;
  char *room;    /* the buffer that the next bytes come in */
  uint64_t life; /* how often its number was used */
};

extern struct end ends[ENDS];
/* By life: a write was cancelled, so what comes after it has another place. */
extern bool sim_lives_with_gaps[256];

char sim_byte(const struct end *end, uint64_t place);
uv_stream_t *end_stream(const struct end *end);
struct end *end_make(bool is_tcp); /* null: all are in use */
void end_read(struct end *end);
void end_close(struct end *end);
void end_write(struct end *end);
void end_try_write(struct end *end);
void end_shutdown(struct end *end);
void end_cancel_write(struct end *end);
void end_check_queue(const struct end *end);

/* The handle that is passed over a local connection; null: there is none (stream_pass.c). */
uv_stream_t *gift_handle(void);
void gift_close(void);
/* Takes what has come with the bytes. */
void end_take_gifts(struct end *end);

#endif
