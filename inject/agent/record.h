/* A trace of a loop by exchanged callbacks: what each part of it shares. All on the loop's thread, but what is said to
 * be otherwise. */
#ifndef ROTA_INJECT_AGENT_RECORD_H
#define ROTA_INJECT_AGENT_RECORD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "inject/agent/event.h"
#include "uv.h"

struct agent;

enum { AGENT_RING = 16384, AGENT_SAMPLE_NAMES = 32 };

/* What has happened in a phase of the iteration that goes on. */
struct agent_span {
  uint64_t first_ns, last_ns; /* the begin of the first callback, the end of the last */
  uint32_t calls;
};

/* A stack within a callback that takes long. */
struct agent_sample {
  _Atomic bool is_asked;
  _Atomic uint32_t asked_call;
  _Atomic uint64_t asked_ns;
  /* The loop's thread only: the last answer that came at once. */
  uint32_t call;
  unsigned int count;
  uint32_t names[AGENT_SAMPLE_NAMES];
  uint64_t position;
};

/* The callback that runs; number 0: none. */
struct agent_now {
  uint64_t since_ns;
  uint32_t number;
  uint32_t name;     /* 0: not known, or of several functions */
  uint32_t function; /* that was seen first, without its line; 0: none was seen */
  enum agent_cause cause;
};

/* Events go round in a ring: the loop's thread writes, the session's thread reads. What has no room is counted. */
struct agent_record {
  bool is_answered;         /* with the lock: it has begun, or there is a refusal */
  const char *refusal;      /* likewise: why nothing is exchanged (a text that stays), or null */
  struct agent_event *ring; /* set before is_answered */
  _Atomic uint32_t head, tail;
  _Atomic uint64_t dropped; /* and not told */
  /* The callback that runs, for the thread. */
  _Atomic uint32_t now_number;
  _Atomic uint64_t now_ns;
  _Atomic uint8_t now_cause;
  _Atomic uint64_t polls_ns; /* since when the loop is in its poll phase; 0: it is not */
  struct agent_sample sample;
  /* The loop's thread only. */
  bool is_exchanged;
  uint64_t session; /* a number of the process's: a callback may end in another session than it began in, or in none */
  struct agent_now now;
  uint32_t calls, iteration, iteration_calls;
  uint64_t iteration_ns, iteration_idle_ns;
  struct agent_span spans[AGENT_PHASES];
  const void *tail_seen;
  uint64_t walk_due_ns;
};

/* A callback that runs: on the stack of the function that stands in its place. */
struct agent_call {
  uint64_t session; /* 0: it is not recorded, and nothing else is set */
  uint64_t begin_ns, late_ns;
  struct agent_now outer;
  enum agent_cause cause;
  int fd, type;
};

/* ---- record.c ---- */

enum agent_phase agent_phase_of(enum agent_cause cause);

void agent_call_begin(struct agent_call *call, enum agent_cause cause, const uv_handle_t *handle);
void agent_call_end(const struct agent_call *call);
void agent_record_prepare(struct agent *agent, uint64_t now_ns, uint64_t idle_ns);
void agent_record_check(struct agent *agent, uint64_t now_ns, uint64_t idle_ns);
void agent_record_put(struct agent_record *record, const struct agent_event *event);
/* In each iteration: begins and ends as the thread wishes (agent->wants_record). */
void agent_record_turn(struct agent *agent);
/* At the end of the session: all callbacks are put back. */
void agent_record_stop(struct agent *agent, uv_loop_t *loop);

/* ---- exchange.c ---- */

/* Null: the layout of this libuv's handles is known, and is what was found. Else why not. */
const char *agent_exchange_check(struct agent *agent);
void agent_exchange_walk(struct agent *agent);
/* Handles that were made by the callback that has just ended. */
void agent_exchange_newest(struct agent *agent);
void agent_exchange_restore(struct agent *agent, uv_loop_t *loop);
/* When a timer that has fired was due; later than now: it was started again. */
uint64_t agent_exchange_due_ns(const uv_handle_t *timer);

/* ---- sample.c ---- */

/* On the session's thread: asks for a stack of what runs for long. */
void agent_sample_look(struct agent *agent, uint64_t now_ns);

/* ---- name.c ---- */

struct agent_names;

struct agent_names *agent_names_make(void);
void agent_names_free(struct agent_names *names);
/* Any thread: the function with this number; null: there is none. */
const char *agent_name_get(const struct agent_names *names, uint32_t number, int *line, const char **file);

/* ---- stream.c: all on the session's thread ---- */

struct agent_stream {
  uint32_t names_sent;
  uint64_t sent_ns;
};

enum agent_stream_state { AGENT_STREAM_WAITS, AGENT_STREAM_REFUSED, AGENT_STREAM_RUNS };

enum agent_stream_state agent_stream_begin(struct agent *agent, const char **refusal);
enum agent_stream_state agent_stream_turn(struct agent *agent, struct agent_stream *stream, uint64_t now_ns);
void agent_stream_end(struct agent *agent, struct agent_stream *stream);

#endif
