/* A block: one callback, one part of it, many of them in a row, or a drain, that takes longer than the threshold.
 *
 * The watchdog (watchdog.c) finds it while it runs, and again when it has ended. What there is to tell of it is
 * gathered once (struct rota_block), and told in words (block_text.c) or as one object of JSON on a line
 * (block_json.c). How many are told, and where, is in tell.c. All on one thread at a time: the service thread, or, when
 * the process exits, the one that ends it. */
#ifndef ROTA_WATCH_BLOCK_H
#define ROTA_WATCH_BLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "observe/watch/hot.h"
#include "uv.h"

enum { ROTA_BLOCK_FRAMES = 48 };

/* The request that a callback serves. */
struct rota_block_request {
  uint64_t sequence; /* of the callback, or the part of one */
  char trace_id[33], request_id[129];
};

/* What was running at the last look. */
struct rota_sighting {
  uv_loop_t *loop;
  const void *function; /* null: a drain outside of any callback */
  uint64_t since_ns, now_ns, sequence;
  uint64_t whole_ns; /* when the callback of the loop began that it is a part of; 0: none runs */
  uint64_t ticks;    /* run by the drain so far */
  const void *tick;  /* the function that runs; null: the engine's */
  uint32_t tick_name;
  uint32_t name;
  int32_t number;
  int thread_id;
  unsigned int type, flags, phase;
  unsigned int loop_number;
  bool draining, microtasks;
  bool again;    /* it was reported before, and has gone on since */
  bool known;    /* number, type, flags and phase are its own */
  bool start_up; /* the loop has never waited so far, nor ended an iteration */
  /* No part of it takes long, but the whole does: how many there were, and the last one runs. Else 0. */
  uint32_t parts;
  /* One of them took more than half of the time, and is over. 0: none. */
  uint64_t longest_ns;
  const void *longest_function;
  uint32_t longest_name;
  struct rota_block_request request; /* empty: none is known */
};

struct rota_backtrace {
  void *frames[ROTA_BLOCK_FRAMES];
  int count; /* or an error */
  long call; /* the system call that it waits in; negative: none */
};

/* What was reported last of a loop, and not yet as ended. */
struct rota_reported {
  uint64_t number; /* of blocks of this process, from 1; 0: nothing */
  uint64_t times;  /* this one so far */
  bool is_told;
  char *words;               /* the embedder's by then, to be freed */
  struct rota_sighting seen; /* when it was reported first */
};

enum rota_block_event { ROTA_BLOCK_BEGAN, ROTA_BLOCK_GOES_ON, ROTA_BLOCK_ENDED };

struct rota_block {
  enum rota_block_event event;
  uint64_t number; /* of blocks of this process, from 1 */
  bool is_told;
  struct rota_sighting seen;
  uint64_t took_ns;             /* up to now, or in all */
  bool by_exit;                 /* it has ended because the process exits */
  uint64_t times, worst_ns;     /* this one so far */
  struct rota_hot_function hot; /* of one that has ended: the function that took most of the time */
  const char *words;            /* the embedder's, with its stack; null: none */
  bool words_are_of_it;
  struct rota_backtrace trace;
};

/* The embedder's stack in its words: what stands behind "in JavaScript, " and the first frame, at which the others
 * follow line by line, each behind ROTA_BLOCK_AT. */
#define ROTA_BLOCK_AT "    at "

static inline bool rota__block_has_stack(const struct rota_block *block);

/* Blocks that were not told, because there were too many. */
struct rota_left_out {
  uint64_t count, sum_ns, worst_ns;
};

/* ---- block_text.c ---- */

void rota__block_print(const struct rota_block *block, bool native_frames, FILE *report);
void rota__block_print_left_out(const struct rota_left_out *left_out, const char *limit, FILE *report);
void rota__block_print_backtrace(const struct rota_backtrace *trace, FILE *report);
/* A return address is after the call instruction: the call itself is named. */
const void *rota__block_called_at(const struct rota_backtrace *trace, int i);
/* A line of an embedder's stack that is Node's own, such as what calls ticks: it is not what the program does. */
bool rota__block_is_inner_frame(const char *frame, size_t length);
/* The function that the block is named after, and its file and line, if they are known. */
void rota__block_print_culprit(const struct rota_block *block, FILE *report);

/* ---- block_json.c ---- */

void rota__block_print_json(const struct rota_block *block, bool native_frames, FILE *report);
void rota__block_print_left_out_json(const struct rota_left_out *left_out, const char *limit, FILE *report);

/* ---- tell.c ---- */

/* What the variables say: whether blocks are told as JSON, with frames of C++ below JavaScript's, and how many; and the
 * socket of the process that calls a command or a URL for each (command/alert.c). Before the watchdog starts. limit:
 * null for the usual one; to: null for none. Texts are kept. */
void rota__tell_set(bool json, bool native_frames, const char *limit, const char *to);
/* Whether a block is told that was met for so many times. If there is a limit, those that are not told are counted. */
bool rota__tell_wants(uint64_t times, uint64_t now_ns);
bool rota__tell_has_limit(void);
void rota__tell(const struct rota_block *block);
/* A block that was not told has ended. */
void rota__tell_count(uint64_t took_ns);
/* Tells how many were left out, if it is time for that, or if this is the end. */
void rota__tell_left_out(uint64_t now_ns, bool is_end);

static inline bool rota__block_has_stack(const struct rota_block *block) {
  const char *words = block->words;
  return words != NULL && __builtin_strstr(words, ROTA_BLOCK_AT) != NULL;
}

#endif
