/* A callback of the loop, and the parts that it is made of: what Node runs inside of it, by JavaScript function.
 *
 * Node calls back into JavaScript, and then runs ticks and promise reactions, all in one callback of the loop; the
 * timers of a list, and immediates, too. Each is a part of its own in trace and watchdog, from its beginning to that of
 * the next.
 *
 * Where the name comes from. Of a timer, an immediate, a tick and a microtask, Node's hook hands over the function. A
 * callback of fs is seen when it is called. Of events that Node emits at once when it is called back,
 * the listeners are looked up (the script). Of a promise reaction it is the function that is entered next: V8 is asked
 * to look up there. And what takes long, without having a name by then, is looked at from outside. So a name
 * is that of a function that has run, or there is none.
 *
 * What it costs has a limit, whatever the program does: a share of the time. When that is spent, the hooks are taken
 * out (the window is closed) until there is enough again. The alarm stays. */
#ifndef GRAFT_NAMES_NAMES_H
#define GRAFT_NAMES_NAMES_H

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
  uint64_t title_ns; /* spent for requests, of a share of their own */
  unsigned int titles;
  _Atomic bool is_closed;
  uint64_t closed_ns, left_out_ns; /* since when, and for how long before */
  atomic_bool has_told;
  uv_async_t opener;
  napi_ref open; /* a function that puts the hooks in again */
  /* rota attach; names.c. */
  struct names_env *next_attachable;
  napi_ref attached; /* a function that is told whether the loop is seen; null: no attach */
  _Atomic bool is_seen, is_notified;
  napi_ref wrap; /* a function that makes what is called in place of another one; names_trampoline_call */
  napi_async_cleanup_hook_handle cleanup;
  /* A function of C++ that may take long; blocked.c. */
  char *inside; /* the stack of its caller; null: none runs */
  unsigned int inside_depth;
  /* The same, of one that calls no function of the program: sample.c. */
  const char *slow_name; /* null: none runs */
  uint64_t slow_ns;
  /* Where things were made; alive.c. */
  napi_ref remember_timer, list_timers, list_immediates, list_workers;
  const uv_handle_t *own_idle;
  const uv_handle_t *own_asyncs[NAMES_OWN_ASYNCS];
  unsigned int own_asyncs_count;
  /* The alarm. */
  uint64_t seen_call, seen_ns, asked_call;
  _Atomic uint64_t alarm_call;
  /* Samples; sample.c. */
  uint64_t sampled_call, sampled_ns;
  _Atomic bool sample_asked;
  struct names_sample *sample; /* null: none was taken so far */
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

/* The same by a number of rota_name, such as that of a request of HTTP: "GET /slow"; also while the window is closed.
 * True: the time for it is spent. */
bool names_part_title(struct names_env *env, uint32_t name);

/* V8 has looked up: if the part that was asked for still runs, it is named by the stack. On the isolate's thread. */
void names_part_look(struct names_env *env, uint64_t call);

/* Whether there is time to spend again. Any thread. */
bool names_part_can_open(const struct names_env *env);

/* The alarm: a thread that looks at what every environment runs, and asks V8 for the stack of a part that takes long
 * and has no name. It also lets a closed window be opened again. */

void names_alarm_add(struct names_env *env);

/* Samples: stacks inside of what takes long, for the trace and for the watchdog (sample.c). */

/* On the alarm's thread: what runs since then. */
void names_sample_look(struct names_env *env, uint64_t call, uint64_t since_ns, uint64_t now_ns);
/* A function of C++ is left now, which began then: if a sample was asked for meanwhile, here is the answer. */
void names_sample_left(struct names_env *env, const char *function, uint64_t began_ns);

/* From now on nobody looks at it. */
void names_alarm_remove(struct names_env *env);

/* The environment that has this loop; null: none. It is only looked at while the function runs. */
void names_alarm_with(uv_loop_t *loop, void (*use)(struct names_env *env, void *data), void *data);

/* The watchdog's JavaScript stack: what blocks the loop, while it does.
 *
 * No other thread can walk V8's stack. V8 is asked to look up, and the thread itself takes it: in a loop, in a regular
 * expression, at the next call. Code of C++ does not look up. So functions that may take long (reading a file, a
 * process that is waited for, JSON.parse of a long text) have trampolines, which keep the stack of their
 * caller while they run. */

/* If there is a watchdog, it asks here from now on. Once for the process. */
void names_blocked_start(void);

/* A function of C++ is entered, and left. Text is freed; null: the stack is not known. */
void names_blocked_enter(struct names_env *env, char *text);
void names_blocked_leave(struct names_env *env);

/* Trampolines: native functions in the place of some of Node's. They get the program's function as an argument, name
 * the part that runs after it, and call the original.
 *
 * V8 shows no native function in a stack, so that errors look as they always do; and what is thrown passes through
 * without being caught and thrown again, so that it still belongs to the line that threw it. */

enum names_trampoline {
  NAMES_TRAMPOLINE_CALLBACK, /* in place of its last argument, a callback, names_trampoline_call is called */
  NAMES_TRAMPOLINE_SLOW,     /* it may take long: its caller's stack is kept meanwhile, for the watchdog */
  NAMES_TRAMPOLINE_PARSE,    /* the same if its first argument is a long text */
  NAMES_TRAMPOLINE_MADE,     /* it makes a timer or an immediate: its maker is remembered */
  NAMES_TRAMPOLINE_LAST      /* the process becomes another program: the trace is written first */
};

/* A function that calls the original. */
napi_value names_trampoline_make(struct names_env *env, napi_value name, napi_value original,
                                 enum names_trampoline kind);

/* Called in the place of a callback: the trap of a Proxy, which hands over the callback, its `this` and its arguments.
 */
napi_value names_trampoline_call(napi_env env, napi_callback_info info);

/* Why Node's loop is alive: where each handle, request and timer was made, by JavaScript's stack.
 *
 * Handles and requests of the loop: librota asks for the stack when they are made. All of JavaScript's timers are one
 * timer of the loop, so that each is remembered when it is made (a trampoline in place of setTimeout and setInterval),
 * and they are listed in its place. Immediates are one idle handle in the same way. A worker keeps the loop alive by an
 * async handle that Node has made before any JavaScript ran: workers are listed in the place of that. */

/* From now on librota asks about this thread. */
void names_alive_start(struct names_env *env);

/* An object with the functions of the script that remember a timer or an immediate with its maker's stack, and list
 * what keeps the loop alive: timers, immediates and workers. */
void names_alive_set(struct names_env *env, napi_value functions);

/* Who makes something now, in lines; null: nobody in JavaScript. Freed with free. */
char *names_alive_stack(void);

/* A timer was made just now, or an immediate, by the function of this name. */
void names_alive_made(struct names_env *env, napi_value timer, const char *by);

/* What a job of Node's in the thread pool is: Node runs its own (files, keys, zlib, addons) through one function, as
 * objects of a class ThreadPoolWork, each with a function of its own that does the work. That function has a name.
 *
 * The object begins with the address of its table of functions, then comes the environment, then the request; the third
 * in the table does the work (Node 22 and 26). What does not look so is left alone: both addresses must lie in Node's
 * file, the second one in its code. */

/* From now on the trace shows these functions. */
void names_job_start(void);

/* How a Node without process.getBuiltinModule loads the addon: Node 18 to 22.2, but not 20.16 and later
 * ones of Node 20. */

/* The addon's own object of type Module, which can require, while such a Node loads it; otherwise null. */
napi_value names_own_module(void);

/* The entry that every Node knows. */
__attribute__((visibility("default"))) napi_value napi_register_module_v1(napi_env env, napi_value exports);
/* Says so to the user. */
void names_cannot(void);

#endif
