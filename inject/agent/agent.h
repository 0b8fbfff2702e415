/* rota-agent.node: what rota attach loads into a Node that nothing prepared (command/live has the way in).
 *
 * A session lasts as long as the connection to the command. It has handles on the loop that do not keep it alive, and a
 * thread that sleeps; but for a trace (exchange.c) it changes nothing of the program's. When the command goes away, in
 * whatever way, the thread ends and the handles are closed. The module itself stays in memory (-z nodelete): V8 may
 * still call what it was asked to call.
 *
 * It must never end the program: all that it calls is bound when it is loaded (-z now), so that a Node that lacks
 * something throws an exception; V8's functions are looked up, and may be missing.
 *
 * Locks: `agent_lock` is for what both threads use. Only the loop's thread makes a session, closes its handles, and
 * enters V8. */
#ifndef ROTA_INJECT_AGENT_AGENT_H
#define ROTA_INJECT_AGENT_AGENT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "inject/agent/record.h"
#include "inject/names/node_api.h"
#include "observe/stats/histogram.h"
#include "uv.h"

enum {
  AGENT_NS_PER_MS = 1000000,
  AGENT_NS_PER_S = 1000000000,
  AGENT_PROBE_MS = 20, /* how often the timer's lateness is measured */
  AGENT_LONG_MS = 50,  /* what is a block, unless the command says otherwise */
  AGENT_PACKET_MAX = 60000
};

/* What the loop's thread records, and any thread may read. */
struct agent_measure {
  _Atomic uint64_t beats;   /* changes whenever the loop comes round */
  _Atomic uint64_t longest; /* time between two beats without waiting; the reader sets it to 0 */
  struct rota_histogram iterations, polls, rests, lateness, pool;
  uint64_t prepare_ns, prepare_idle_ns, check_ns, probes; /* the loop's thread only */
};

/* A stack that is wanted of the loop's thread. With the lock. */
struct agent_look {
  bool is_wanted, is_answered;
  uint64_t beats; /* the answer is right only while this has not changed */
  uint64_t asked_ns;
  char *text; /* null: there was no JavaScript */
};

/* The job that waits for the pool. The loop's thread only, but for ran_ns. */
struct agent_pool {
  bool is_known, is_queued;
  uint64_t queued_ns, ran_ns;
  uv_work_t job;
};

/* For metrics. All but is_wanted with the lock. */
struct agent_count {
  _Atomic bool is_wanted;
  bool is_known;
  uint32_t handles[UV_HANDLE_TYPE_MAX];
  uint32_t requests;
};

struct agent {
  uv_loop_t *loop; /* null: the session ends on the loop's side. With the lock */
  napi_env env;
  void *isolate; /* as the loop. With the lock */
  napi_async_cleanup_hook_handle cleanup;
  bool has_cleanup, is_ending_env;
  uv_async_t wake;
  uv_prepare_t prepare;
  uv_check_t check;
  uv_timer_t timer;
  uv_pipe_t probe;
  bool is_probing;
  unsigned int open_parts; /* the loop's thread only */
  bool is_thread_done, are_handles_done;
  _Atomic bool wants_walk;
  bool has_walked; /* with the lock: what keeps the loop alive was asked for, and is in `walk` */
  char *walk;
  int fd;
  int client; /* the command's process, and this one as the command sees it: for messages */
  int process;
  int thread; /* the loop's */
  uint64_t began_ns, began_idle_ns;
  uint64_t timer_due_ms; /* the loop's thread only */
  char *first_stack;     /* what ran when the command came; null: no JavaScript did */
  struct agent_measure measure;
  struct agent_look look;
  struct agent_pool pool;
  _Atomic bool wants_record;
  struct agent_record record;
  struct agent_count count;
  struct agent_names *names; /* null until something is recorded */
};

extern pthread_mutex_t agent_lock;

/* ---- session.c ---- */

/* The session that there is; with the lock, or on the loop's thread. */
struct agent *agent_current(void);

/* On the loop's thread; the name is the socket's. Null, or why not (a text that stays). */
const char *agent_begin(napi_env env, const char *name, int client, int process);
/* Whether a handle is one of the session's own. */
bool agent_owns(const struct agent *agent, const void *handle);
void agent_on_wake(uv_async_t *handle);
/* A handle is closed, or a job done: the last ends the loop's part of the session. */
void agent_part_closed(struct agent *agent);
/* Ends the session, if there is one; `reason` is told to the command. */
void agent_end(const char *reason);

/* ---- measure.c ---- */

/* On the loop's thread: starts the handles of the session, and stops nothing: closing them does. */
void agent_measure_start(struct agent *agent);
void agent_on_prepare(uv_prepare_t *handle);
void agent_on_check(uv_check_t *handle);
void agent_on_timer(uv_timer_t *handle);
/* The time that the loop has waited. With the lock, and a loop. */
uint64_t agent_idle_ns(const struct agent *agent);
void agent_print_stats(struct agent *agent, FILE *out, uint64_t now_ns, uint64_t idle_ns);
const char *agent_format_ns(uint64_t ns, char *text, size_t size);

/* ---- pool.c: all on the loop's thread ---- */

void agent_pool_start(struct agent *agent);
void agent_pool_probe(struct agent *agent);
void agent_pool_stop(struct agent *agent);

/* ---- stack.c ---- */

/* On the loop's thread, in JavaScript. Lines, freed with free; null: no JavaScript but ours or, unless that is wanted,
 * Node's own. */
char *agent_take_stack(const struct agent *agent, bool wants_inner);
/* With the lock: the loop's thread is asked for its stack. */
void agent_look_ask(struct agent *agent);
/* With the lock: forgets what was asked, and returns the answer, freed with free; null: there is none. */
char *agent_look_take(struct agent *agent);

/* ---- alive.c ---- */

/* On the loop's thread. Freed with free. */
char *agent_describe_handles(struct agent *agent);
/* On the loop's thread, in each iteration. */
void agent_walk_if_wanted(struct agent *agent);

/* ---- figures.c ---- */

/* On the session's thread. `lag_ns`: for how long the loop has not come round. */
void agent_print_figures(struct agent *agent, FILE *out, uint64_t now_ns, uint64_t idle_ns, uint64_t lag_ns);
/* On the loop's thread, in each iteration. */
void agent_count_if_wanted(struct agent *agent);

/* ---- others.c ---- */

/* Nothing, if the main thread's loop is the only one. */
void agent_print_others(FILE *out);

/* ---- thread.c ---- */

/* The session's thread: talks to the command and watches the loop. */
void *agent_thread(void *data);
/* False: the command is gone. */
bool agent_send(int fd, char kind, const char *text, size_t length);
/* Called by the thread when it is done, and by the loop's thread when all handles are closed: the later frees it. */
void agent_release(struct agent *agent, bool *done);

#endif
