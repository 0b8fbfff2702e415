/* What rota has and libuv has not.
 *
 * Everything in uv.h works without this header. Include it for: which backend a loop got, a thread pool of a loop's
 * own, and the tick layer, the two queues between callbacks that a JavaScript runtime calls nextTick and microtasks.
 *
 * Functions that can fail return 0 or a negative UV_E* code. Unless it says otherwise, a function must be called on
 * the thread that runs the loop. */
#ifndef ROTA_H
#define ROTA_H

#include <stddef.h>
#include <stdint.h>

#include "uv.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the library ---- */

/* rota's own version. The version of libuv's interface that it keeps is UV_VERSION_*, in uv/version.h. */
#define ROTA_VERSION_MAJOR 0
#define ROTA_VERSION_MINOR 1
#define ROTA_VERSION_PATCH 0
#define ROTA_VERSION_HEX ((ROTA_VERSION_MAJOR << 16) | (ROTA_VERSION_MINOR << 8) | ROTA_VERSION_PATCH)
#define ROTA_VERSION_STRING "0.1.0"

/* The version of the library that runs, which need not be the one of this header: "0.1.0". Any thread. */
UV_EXTERN const char *rota_version(void);

/* What the loop waits with: "io_uring" or "epoll". It is chosen when the loop is made, and never changes, but in the
 * child of a fork (uv_loop_fork). The string is static. */
UV_EXTERN const char *rota_backend_name(const uv_loop_t *loop);

/* ---- a thread pool of a loop's own ----
 *
 * File operations, name look-ups and uv_queue_work go to one pool of threads that all loops of the process share, so
 * one loop's slow work delays another's. A loop may be given a pool of its own instead, or a few loops one between
 * them. */

typedef struct rota_pool rota_pool_t;

/* Makes a pool of 1 to 1024 threads (else UV_EINVAL). They are started when the first work comes. Any thread. */
UV_EXTERN int rota_pool_create(rota_pool_t **pool, unsigned int threads);

/* Ends the pool's threads, waits for them, and frees it. UV_EBUSY while a loop uses it: then nothing has happened.
 * A loop stops using a pool when it is given another one, or is closed. Any thread. */
UV_EXTERN int rota_pool_destroy(rota_pool_t *pool);

/* From now on the loop's work goes to this pool; null: to the process's. UV_EBUSY while the loop has work that it has
 * not been called back for. */
UV_EXTERN int rota_loop_use_pool(uv_loop_t *loop, rota_pool_t *pool);

/* ---- ticks and microtasks ----
 *
 * A loop with ticks has two queues besides its phases. After each callback that the loop makes, before it makes the
 * next one, both are drained:
 *
 *   1. ticks run until there are none, those added meanwhile included;
 *   2. microtasks run until there are none, those added meanwhile included;
 *   3. if there are ticks again, go to 1;
 *   4. the after-drain hook is called, if one is set; if it left work, go to 1.
 *
 * So a microtask queued by a tick waits for all ticks, and a tick queued by a microtask for all microtasks. "Each
 * callback" is meant to the letter: two timers due at once, two check handles, two close callbacks, two write callbacks
 * of one stream, two reads of one wake-up all have a drain between them. Alloc callbacks are no exception to the rule
 * but no part of it: they are a question in the midst of an event, and nothing is drained after them.
 *
 * Neither queue has a limit. A tick that always queues another one keeps the loop from ever going on; that is the
 * rule, not a fault.
 *
 * Nesting: only the outermost callback drains. A uv_run inside of a callback makes its callbacks without a drain after
 * each; what they queue runs when the outermost callback has returned. Likewise a uv_run inside of a tick or a
 * microtask: what it queues runs later in the drain that is going on. Who must have it earlier, in a callback that
 * runs a nested loop, calls rota_ticks_drain.
 *
 * A tick returns nothing and must return: it must not be left by longjmp or by a C++ exception. A runtime whose ticks
 * can throw catches inside of the function that it enqueues.
 *
 * A loop without ticks pays nothing for them. */

typedef struct rota_ticks rota_ticks_t;

/* A tick or a microtask, with the two pointers that it was enqueued with. */
typedef void (*rota_tick_cb)(void *data, void *more);

/* Runs all microtasks of an engine, those that are added meanwhile included. */
typedef void (*rota_microtask_hook)(void *data);

/* Called when both queues are empty. Not 0: it may have queued ticks or microtasks, drain again. */
typedef int (*rota_after_drain_hook)(void *data);

/* Gives the loop its two queues. UV_EALREADY if it has them, UV_ENOMEM. Attached inside of a callback of the loop, they
 * are first drained when that callback ends. */
UV_EXTERN int rota_ticks_attach(uv_loop_t *loop, rota_ticks_t **ticks);

/* Takes them away again; what is still queued is dropped without being run. To be called before uv_loop_close.
 * UV_EBUSY inside of a callback of the loop, a scope or a drain. */
UV_EXTERN int rota_ticks_detach(rota_ticks_t *ticks);

/* The loop's queues, or null if it has none. */
UV_EXTERN rota_ticks_t *rota_ticks_of(const uv_loop_t *loop);

/* Adds a tick to the end of the queue. No allocation but when the queue must grow, which it does by doubling; then
 * UV_ENOMEM is possible. Queued work does not keep a loop alive and does not wake it: outside of a callback, call
 * rota_ticks_drain or use a scope. */
UV_EXTERN int rota_tick_enqueue(rota_ticks_t *ticks, rota_tick_cb cb, void *data, void *more);

/* The same for a microtask. UV_ENOTSUP while an engine's own queue is in use. */
UV_EXTERN int rota_microtask_enqueue(rota_ticks_t *ticks, rota_tick_cb cb, void *data, void *more);

/* Drains now. For code that no callback has called: the main script, before the first uv_run. Inside of a callback or
 * a scope it drains too, without waiting for the end. Inside of a drain it does nothing. */
UV_EXTERN void rota_ticks_drain(rota_ticks_t *ticks);

/* A scope is for a program that calls user code itself, for an event that the loop knows nothing of: what stands
 * between open and close counts as one callback. Scopes nest, in each other and in callbacks; the outermost drains when
 * it is closed. Each open needs its close, in the same callback. */
UV_EXTERN void rota_callback_scope_open(rota_ticks_t *ticks);
UV_EXTERN void rota_callback_scope_close(rota_ticks_t *ticks);

/* Uses an engine's own microtask queue in place of the built-in one: the hook is called wherever step 2 comes,
 * at least once in every drain, as nobody else can know whether the engine has microtasks. Null: the built-in queue
 * again. UV_EBUSY inside of a drain, or while microtasks are in the built-in queue. */
UV_EXTERN int rota_ticks_set_microtask_hook(rota_ticks_t *ticks, rota_microtask_hook hook, void *data);

/* Sets the hook of step 4, for instance to report rejections that nobody has handled. It is called after every
 * callback, also one that has queued nothing, and until it returns 0. Null: none. */
UV_EXTERN void rota_ticks_set_after_drain_hook(rota_ticks_t *ticks, rota_after_drain_hook hook, void *data);

/* What has happened since the queues were attached. */
typedef struct rota_ticks_info {
  uint64_t ticks_run;
  uint64_t microtasks_run;   /* of the built-in queue */
  uint64_t drains;           /* those with anything to do; with a hook set, all */
  uint64_t longest_drain;    /* the most ticks and microtasks that one drain ran */
  uint64_t longest_drain_ns; /* the longest time that one took; only while time is measured */
  uint64_t ticks_queued;     /* now */
  uint64_t microtasks_queued;
  uint64_t reserved[9];
} rota_ticks_info_t;

UV_EXTERN void rota_ticks_get_info(const rota_ticks_t *ticks, rota_ticks_info_t *info);

/* Measuring the time of drains costs two looks at the clock each; it is off (0) until it is switched on. */
UV_EXTERN void rota_ticks_measure_time(rota_ticks_t *ticks, int on);

#ifdef __cplusplus
}
#endif

#endif
