/* A callback of the loop, and the parts that it is made of: what Node runs inside of it, by JavaScript function.
 *
 * Node calls back into JavaScript, and then runs ticks and promise reactions, all in one callback of the loop; the
 * timers of a list, and immediates, too. Each is a part of its own in trace and watchdog, from its beginning to that of
 * the next.
 *
 * Where the name comes from. Of a timer, an immediate, a tick and a microtask, Node's hook hands over the function. A
 * callback of fs is seen when it is called (trampoline.h). Of events that Node emits at once when it is called back,
 * the listeners are looked up (the script). Of a promise reaction it is the function that is entered next: V8 is asked
 * to look up there. And what takes long, without having a name by then, is looked at from outside (alarm.h). So a name
 * is that of a function that has run, or there is none.
 *
 * What it costs has a limit, whatever the program does: a share of the time. When that is spent, the hooks are taken
 * out (the window is closed) until there is enough again. The alarm stays. */
#ifndef GRAFT_NAMES_CALL_PART_H
#define GRAFT_NAMES_CALL_PART_H

#include <stdatomic.h>

#include "inject/names/node_api.h"

enum names_kind { NAMES_ENTRY, NAMES_TIMER, NAMES_IMMEDIATE, NAMES_TICK, NAMES_MESSAGE, NAMES_REACTION, NAMES_MAIN };

enum { NAMES_OWN_ASYNCS = 8 };

/* Node's environment of a thread: the main one, or a worker's. */
struct names_env {
  napi_env env;
  void *isolate;
  uv_loop_t *loop;
  struct names_env *next; /* of all; alarm.c */
  /* The part that runs, or ran last. */
  _Atomic uint64_t call; /* its number, as rota_call_now tells it */
  _Atomic bool is_named;
  enum names_kind kind;
  bool step_wanted, step_asked;
  /* The window. */
  uint64_t start_ns, spent_ns;
  unsigned int checks;
  _Atomic bool is_closed;
  uint64_t closed_ns, left_out_ns; /* since when, and for how long before */
  uv_async_t opener;
  napi_ref open; /* a function that puts the hooks in again */
  /* rota attach; names.c. */
  struct names_env *next_attachable;
  napi_ref attached; /* a function that is told whether the loop is seen; null: no attach */
  _Atomic bool is_seen, is_told;
  napi_ref wrap; /* a function that makes what is called in place of another one; trampoline.h */
  napi_async_cleanup_hook_handle cleanup;
  /* A function of C++ that may take long; blocked.h. */
  char *inside; /* the stack of its caller; null: none runs */
  unsigned int inside_depth;
  /* Where things were made; alive.h. */
  napi_ref remember_timer, list_timers, list_immediates, list_workers;
  const uv_handle_t *own_idle;
  const uv_handle_t *own_asyncs[NAMES_OWN_ASYNCS];
  unsigned int own_asyncs_count;
  /* The alarm. */
  uint64_t seen_call, seen_ns, asked_call;
  _Atomic uint64_t alarm_call;
  /* Samples; alarm.c. */
  uint64_t sampled_call, sampled_ns;
  _Atomic bool sample_asked;
};

/* A part begins. Of a reaction, and mostly of an entry into JavaScript, the function is not known: null. True: the
 * window must be closed. */
bool names_part_begin(struct names_env *env, enum names_kind kind, napi_value function);

/* What runs now, outside of the loop, is the main script. Of a worker, its file is not known yet: the alarm finds it.
 */
void names_part_opened(struct names_env *env, bool has_file);

/* Whether a part runs, and which function of the program it is that runs is not known yet. */
bool names_part_lacks_name(const struct names_env *env);

/* It is this function that runs, if it is the program's: true. */
bool names_part_name(struct names_env *env, napi_value function);

/* V8 has looked up: if the part that was asked for still runs, it is named by the stack. On the isolate's thread. */
void names_part_look(struct names_env *env, uint64_t call);

/* Whether there is time to spend again. Any thread. */
bool names_part_can_open(const struct names_env *env);

#endif
