/* What rota adds to libuv.
 *
 * Everything in uv.h works without this header. Include it for: which backend a loop got, a thread pool of a loop's
 * own, the tick layer (the two queues between callbacks that a JavaScript runtime calls nextTick and microtasks), and
 * for seeing the loop: trace, statistics, watchdog.
 *
 * Functions that can fail return 0 or a negative UV_E* code. Unless it says otherwise, a function must be called on
 * the thread that runs the loop. */
#ifndef ROTA_H
#define ROTA_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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

/* The version of the running library, which may differ from the version of this header: "0.1.0". May be called on any
 * thread. */
UV_EXTERN const char *rota_version(void);

/* What the loop works with: "io_uring" (a ring for files, epoll to wait) or "epoll" (the thread pool for files). It is
 * chosen when the loop is made, and changes only in the child of a fork (uv_loop_fork). The string is static. */
UV_EXTERN const char *rota_backend_name(const uv_loop_t *loop);

/* ---- a thread pool of a loop's own ----
 *
 * File operations, name look-ups and uv_queue_work go to one pool of threads that all loops of the process share, so
 * one loop's slow work delays another's. Instead, a loop may have a pool of its own, or a few loops may share one. */

typedef struct rota_pool rota_pool_t;

/* Makes a pool of 1 to 1024 threads (else UV_EINVAL). They are started when the first work comes. Any thread. */
UV_EXTERN int rota_pool_create(rota_pool_t **pool, unsigned int threads);

/* Ends the pool's threads, waits for them, and frees it. UV_EBUSY while a loop uses it: then nothing is changed. A loop
 * stops using a pool when it is given another one, or is closed. Any thread. */
UV_EXTERN int rota_pool_destroy(rota_pool_t *pool);

/* From now on the loop's work goes to this pool; null: to the process's. UV_EBUSY while the loop has work that it has
 * not been called back for. */
UV_EXTERN int rota_loop_use_pool(uv_loop_t *loop, rota_pool_t *pool);

/* uv_queue_work for a job of another kind: trace and statistics report jobs by kind, and name look-ups never take all
 * threads. */
typedef enum { ROTA_JOB_WORK, ROTA_JOB_FILE, ROTA_JOB_NAME, ROTA_JOB_CRYPTO } rota_job_kind;

UV_EXTERN int rota_queue_work(uv_loop_t *loop, uv_work_t *req, rota_job_kind kind, uv_work_cb work_cb,
                              uv_after_work_cb after_work_cb);

/* On the pool's thread, in a work_cb: the job that runs is called so in the trace, and is about this (a path, an
 * algorithm; of a long text the end is kept). Either may be null. File operations and name look-ups of the library tell
 * it themselves. Names are few: each takes memory. It does nothing while there is no trace. */
UV_EXTERN void rota_job_about(const char *name, const char *about);
/* For an embedder that runs all of its jobs by one work_cb: called on the pool's thread, while there is a trace, after
 * a job. The function that is shown in place of the work_cb; null: the work_cb. */
typedef const void *(*rota_job_hook)(const uv_work_t *req);
UV_EXTERN void rota_set_job_hook(rota_job_hook hook);

/* ---- many small files ----
 *
 * Reading a small file takes four system calls, and entering and leaving the kernel is a large part of their time. This
 * function opens and reads many files with few calls, if the kernel has io_uring. It is for threads of a pool: it
 * blocks until the disk has answered, but never for a pipe or a terminal. */

typedef struct {
  const char *path;
  int directory; /* the directory of a relative path, or AT_FDCWD */
  int flags;     /* for open(2), which is given O_CLOEXEC and O_NONBLOCK, too */
  char *room;
  size_t size; /* of the room; at least 2 */
  /* The answer: how many bytes are in the room, or an error. */
  int64_t result;
  int is_open_error; /* not 0: the error is that of open, and else that of read */
  int fd;            /* -1, or the open file, if there may be more to read; the caller must close it */
} rota_small_file_t;

/* May be called on any thread. Each thread has a ring of its own, made when there are many files and closed when the
 * thread ends. */
UV_EXTERN void rota_read_small_files(rota_small_file_t *files, unsigned int count);

/* ---- whole files ----
 *
 * Opening, reading and closing a file are one request. It is a uv_fs_t: with a callback it is carried out by the thread
 * pool, and without one before the function returns. uv_cancel, uv_fs_get_result and uv_fs_req_cleanup are as for other
 * requests. Files that are requested in one iteration of a loop are read together, with few system calls and few
 * wake-ups. */

/* The values of fs_type. */
#define ROTA_FS_READ_FILE ((uv_fs_type)48)
#define ROTA_FS_WRITE_FILE ((uv_fs_type)49)

/* Reads a file from its beginning to its end. flags are those of uv_fs_open. The result is the number of bytes, which
 * are in req->ptr; uv_fs_req_cleanup frees them. A file may claim to have another length than it has: the end is where
 * a read finds it. A FIFO waits for its first writer, as by opening it. limit: UV_EFBIG if the file has more bytes;
 * then req->statbuf.st_size is the length that is known. 0: no limit. UV_EINVAL, UV_ENOMEM. */
UV_EXTERN int rota_fs_read_file(uv_loop_t *loop, uv_fs_t *req, const char *path, int flags, int64_t limit, uv_fs_cb cb);

/* The bytes of such a request, which belong to the caller from now on, and are freed with the program's allocator
 * (uv_replace_allocator; else free). Null: there are none, or there is no memory for a copy. */
UV_EXTERN char *rota_fs_take_bytes(uv_fs_t *req);

/* Inside of a callback of rota_fs_read_file: the next file of this loop that was read together with that one. It gets
 * no callback then. Null: there is none, or the loop is observed, where each file has its callback. For an embedder
 * that enters its code once for several files. */
UV_EXTERN uv_fs_t *rota_fs_read_file_next(uv_loop_t *loop);

/* Opens a file, writes these bytes to it, and closes it. flags and mode are those of uv_fs_open; the bytes must stay
 * until the callback. The result is their number. UV_EINVAL, UV_ENOMEM. */
UV_EXTERN int rota_fs_write_file(uv_loop_t *loop, uv_fs_t *req, const char *path, int flags, int mode,
                                 const uv_buf_t *buf, uv_fs_cb cb);

/* The step of such a request that has failed: UV_FS_OPEN, UV_FS_READ, UV_FS_WRITE, UV_FS_CLOSE, or UV_FS_FSTAT if the
 * file is larger than the limit. UV_FS_UNKNOWN: none has; it has succeeded, or was cancelled. */
UV_EXTERN uv_fs_type rota_fs_failed_step(const uv_fs_t *req);

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
 * callback" is meant literally: between two timers due at once, two check handles, two close callbacks, two write
 * callbacks of one stream, or two reads of one wake-up there is a drain. Alloc callbacks do not count: they belong to a
 * read, and nothing is drained after them.
 *
 * Neither queue has a limit. A tick that always queues another one stops the loop for ever; that follows from the rule.
 *
 * Nesting: only the outermost callback drains. A uv_run inside of a callback makes its callbacks without a drain after
 * each; what they queue runs when the outermost callback has returned. Likewise a uv_run inside of a tick or a
 * microtask: what it queues runs later in the drain that is going on. A callback that runs a nested loop can call
 * rota_ticks_drain to run it earlier.
 *
 * A tick returns nothing and must return: it must not be left by longjmp or by a C++ exception. A runtime whose ticks
 * can throw catches inside of the function that it enqueues.
 *
 * Ticks cost nothing for a loop that has none. */

typedef struct rota_ticks rota_ticks_t;

/* A tick or a microtask, with the two pointers that it was enqueued with. */
typedef void (*rota_tick_cb)(void *data, void *more);

/* Runs all microtasks of an engine, those that are added meanwhile included. */
typedef void (*rota_microtask_hook)(void *data);

/* Called when both queues are empty. Not 0: it may have queued ticks or microtasks, drain again. */
typedef int (*rota_after_drain_hook)(void *data);

/* Gives the loop its two queues. UV_EALREADY if it has them, UV_ENOMEM. If they are attached inside a callback of the
 * loop, the first drain is at the end of that callback. */
UV_EXTERN int rota_ticks_attach(uv_loop_t *loop, rota_ticks_t **ticks);

/* Removes the queues; functions that are still queued are dropped and do not run. To be called before uv_loop_close.
 * UV_EBUSY inside of a callback of the loop, a scope or a drain. */
UV_EXTERN int rota_ticks_detach(rota_ticks_t *ticks);

/* The loop's queues, or null if it has none. */
UV_EXTERN rota_ticks_t *rota_ticks_of(const uv_loop_t *loop);

/* Adds a tick to the end of the queue. It allocates only if the queue must grow, which it does by doubling; then
 * UV_ENOMEM is possible. Queued work does not keep a loop alive and does not wake it: outside of a callback, call
 * rota_ticks_drain or use a scope. */
UV_EXTERN int rota_tick_enqueue(rota_ticks_t *ticks, rota_tick_cb cb, void *data, void *more);

/* The same for a microtask. UV_ENOTSUP while an engine's own queue is in use. */
UV_EXTERN int rota_microtask_enqueue(rota_ticks_t *ticks, rota_tick_cb cb, void *data, void *more);

/* Drains now. For code that no callback has called: the main script, before the first uv_run. Inside of a callback or
 * a scope it drains too, without waiting for the end. Inside of a drain it does nothing. */
UV_EXTERN void rota_ticks_drain(rota_ticks_t *ticks);

/* A scope is for a program that calls user code itself, for an event that the loop does not know: all between open and
 * close counts as one callback. Scopes nest, in each other and in callbacks; the outermost drains when it is closed.
 * Each open needs its close, in the same callback. */
UV_EXTERN void rota_callback_scope_open(rota_ticks_t *ticks);
UV_EXTERN void rota_callback_scope_close(rota_ticks_t *ticks);

/* Uses an engine's own microtask queue in place of the built-in one: the hook is called for step 2, at least once in
 * every drain, because only the engine knows whether it has microtasks. Null: the built-in queue again. UV_EBUSY inside
 * of a drain, or while microtasks are in the built-in queue. */
UV_EXTERN int rota_ticks_set_microtask_hook(rota_ticks_t *ticks, rota_microtask_hook hook, void *data);

/* Sets the hook of step 4, for example to report unhandled rejections. It is called after every callback, also if
 * nothing was queued, until it returns 0. Null: none. */
UV_EXTERN void rota_ticks_set_after_drain_hook(rota_ticks_t *ticks, rota_after_drain_hook hook, void *data);

/* What has happened since the queues were attached. */
typedef struct rota_ticks_info {
  uint64_t ticks_run;
  uint64_t microtasks_run;   /* of the built-in queue */
  uint64_t drains;           /* drains that ran something; with a hook set, all drains */
  uint64_t longest_drain;    /* the most ticks and microtasks that one drain ran */
  uint64_t longest_drain_ns; /* the longest time that one took; only while time is measured */
  uint64_t ticks_queued;     /* now */
  uint64_t microtasks_queued;
  uint64_t reserved[9];
} rota_ticks_info_t;

UV_EXTERN void rota_ticks_get_info(const rota_ticks_t *ticks, rota_ticks_info_t *info);

/* Measuring the time of drains reads the clock twice for each drain; it is off (0) by default. */
UV_EXTERN void rota_ticks_measure_time(rota_ticks_t *ticks, int on);

/* ---- seeing the loop: trace, statistics, watchdog, why it is alive ----
 *
 * Each is switched on for the process, here or by an environment variable that is read when the first loop is made:
 * ROTA_TRACE=file, ROTA_STATS=1, ROTA_METRICS=address, ROTA_WATCHDOG=milliseconds, ROTA_WHY=1; ROTA_ATTACH=1 lets `rota
 * attach` switch them on later. Loops made from then on are observed; one that was made earlier when rota_observe is
 * called for it. For a loop that is not observed this costs nothing. doc/TRACE.md describes what is recorded.
 *
 * Unless it says otherwise, these functions may be called on any thread, but not in a signal handler. */

#define ROTA_OBSERVE_TRACE 1u
#define ROTA_OBSERVE_STATS 2u
#define ROTA_OBSERVE_WATCHDOG 4u
#define ROTA_OBSERVE_ORIGINS 8u
#define ROTA_OBSERVE_METRICS 16u

/* What is switched on: ROTA_OBSERVE_*. An embedder checks this before it looks up names. */
UV_EXTERN unsigned int rota_observing(void);

/* Observes a loop that was made before anything was switched on. On the loop's thread. UV_ENOMEM. */
UV_EXTERN int rota_observe(uv_loop_t *loop);

/* A hook of an embedder that names its code: it is called on a loop's thread when `rota attach` begins or ends to
 * observe that loop while it runs. observing: ROTA_OBSERVE_*; 0: nothing any more. Null: none. */
typedef void (*rota_observe_hook)(uv_loop_t *loop, unsigned int observing, void *data);
UV_EXTERN void rota_set_observe_hook(rota_observe_hook hook, void *data);

/* Returns a number for a piece of the embedder's code: a function, and its file and line if known (else null and 0).
 * The same three get the same number. Numbers are never freed; 0: there are too many, or no memory. */
UV_EXTERN uint32_t rota_name(const char *function, const char *file, int line);

/* Names the callback that runs now on this loop: trace and watchdog show this name in place of the C function. On the
 * loop's thread. Does nothing outside of a callback, or when the loop is not observed. */
UV_EXTERN void rota_name_call(uv_loop_t *loop, uint32_t name);
/* The name of callbacks that are the embedder's own housekeeping: they are not shown. */
#define ROTA_NAME_NONE UINT32_MAX

/* -- for an embedder that has callbacks and queues of its own, such as a JavaScript runtime. On the loop's thread; they
 * do nothing when the loop is not observed. -- */

/* Inside a callback of the loop: the embedder enters its code, with this function. Each entry counts as a callback,
 * also if the loop made only one (a batch of results that are delivered one by one). */
UV_EXTERN void rota_call_enter(uv_loop_t *loop, uint32_t name);
/* Inside of a callback of the loop: what follows, up to the next such call or the end of the callback, is a callback of
 * the embedder's (which keeps all its timers in one handle, for instance). due_ns: when it should have run, on the
 * clock of uv_hrtime; 0: no due time. */
UV_EXTERN void rota_call_next(uv_loop_t *loop, uint32_t name, uint64_t due_ns);
/* The number of the callback that runs, unique in the process; 0: none does, or nobody traces. What it schedules with
 * the library has it as its cause by itself. */
UV_EXTERN uint32_t rota_call_number(const uv_loop_t *loop);
/* Inside of a callback: it was scheduled by the one with this number (the embedder has kept it with its timer, for
 * instance). is_first: nothing else of what was scheduled then has run so far; the trace shows an arrow. 0 does
 * nothing. */
UV_EXTERN void rota_call_cause(uv_loop_t *loop, uint32_t number, int is_first);
/* Inside of a callback: it came from a queue of the embedder's own, such as a task source of a browser's loop. The
 * trace shows this name (of rota_name) in the place of the loop's phase. There may be 64 of them. */
UV_EXTERN void rota_call_queue(uv_loop_t *loop, uint32_t name);
/* Outside of callbacks: code that the embedder runs by itself, such as a main script, counts as a callback from open to
 * close. */
UV_EXTERN void rota_call_open(uv_loop_t *loop, uint32_t name);
UV_EXTERN void rota_call_close(uv_loop_t *loop);
/* The same for one who cannot tell where it ends: the next uv_run of this loop closes it. */
UV_EXTERN void rota_call_open_main(uv_loop_t *loop, uint32_t name);

/* Any thread: the number of the callback, or of the part of one, that runs now, another number for each; 0: none runs.
 * since_ns: since when, as uv_hrtime counts; may be null. Only while there is a trace or a watchdog. The loop must not
 * be closed meanwhile. */
UV_EXTERN uint64_t rota_call_now(const uv_loop_t *loop, uint64_t *since_ns);
/* The same for the whole callback of the loop, with all of its parts (rota_call_next): when it began. 0: none runs, or
 * there is no watchdog. */
UV_EXTERN uint64_t rota_call_whole(const uv_loop_t *loop);

/* The embedder runs its own ticks (0) or microtasks (not 0). so_far: how many this drain has run before, because ticks
 * and microtasks alternate; 0 begins a new drain. The embedder may report each tick by its name, and reports their
 * number at the close. */
UV_EXTERN void rota_drain_open(uv_loop_t *loop, int microtasks, uint64_t so_far);
UV_EXTERN void rota_drain_step(uv_loop_t *loop, uint32_t name);
UV_EXTERN void rota_drain_close(uv_loop_t *loop, int microtasks, uint64_t count);

/* -- the trace: a file of Chrome's JSON trace events, written while the program runs -- */

typedef struct rota_trace_options {
  uint32_t loop_events; /* room for events of each thread that runs a loop. A power of two. 0: 65536, doubled when that
                           is not enough, up to 2^20 */
  uint32_t thread_events; /* of each other thread; 0: 8192 */
  uint32_t flush_ms;      /* events that are older than this have been written; 0: 25; at most 100 */
  uint32_t on_signals;    /* not 0: if SIGINT, SIGTERM or SIGHUP ends the process, all is written before. They get a
                             handler, unless they are ignored; one that the program has by then is called afterwards.
                             The same of a crash or abort */
  uint32_t limit_mb;      /* of a compact trace: only the newest is kept, in so many MiB, at least 4; 0: all is kept */
  uint32_t reserved[11];
} rota_trace_options_t;

/* Writes to this file; %p in the name is replaced by the process id. If another process writes its trace to this file,
 * the process id is added to the name. The file is its owner's alone (0600); UV_ELOOP for a symbolic link, UV_EMLINK
 * for a file with a second name, UV_EEXIST for one of another user. Options may be null. UV_EALREADY, UV_EINVAL, or the
 * error of opening the file. A child after fork goes on in a file of its own, if the name has %p, from its first
 * uv_loop_fork or uv_loop_init on; else it writes no trace. With `rota trace` it always does. A regular file is a whole
 * JSON array at all times. A name that ends with .rota gets the compact form, which rota's own tools read. */
UV_EXTERN int rota_trace_start(const char *path, const rota_trace_options_t *options);
/* The same to a descriptor, which is duplicated: the caller still owns it. */
UV_EXTERN int rota_trace_start_fd(int fd, const rota_trace_options_t *options);
/* Writes the remaining events and ends the file. UV_EINVAL: there is no trace. This also happens at exit. */
UV_EXTERN int rota_trace_stop(void);
/* What has happened is in the file now (unless it cannot be written within a second): before the process becomes
 * another program, for instance. The trace goes on. */
UV_EXTERN void rota_trace_flush(void);
/* How many events were dropped for lack of room since the trace was started. */
UV_EXTERN uint64_t rota_trace_dropped(void);

/* An embedder's own events, on the calling thread: a moment with a value, and something that lasted (in times of
 * uv_hrtime). Cheap; they do nothing while there is no trace. */
UV_EXTERN void rota_trace_mark(uint32_t name, uint64_t value);
UV_EXTERN void rota_trace_span(uint32_t name, uint64_t begin_ns, uint64_t end_ns);

/* -- samples: stacks inside of callbacks that take long. They need an embedder: only it knows its stacks -- */

/* How long a callback runs before its stack is wanted, and then again each time, as ROTA_SAMPLES=milliseconds says; 0:
 * no samples are wanted, or there is no trace. Any thread. */
UV_EXTERN uint64_t rota_samples_ns(void);
/* The stack inside of the callback that runs now: numbers of rota_name, the outermost first, at most 48. On the loop's
 * thread. */
UV_EXTERN void rota_trace_sample(uv_loop_t *loop, const uint32_t *names, unsigned int count);

/* -- the black box: the events of the last seconds, in memory, written into a file when something goes wrong -- */

/* Keeps what a trace would have, for so many seconds (1 to 3600), as far as there is room: half a million events for
 * each loop. The file is written when the watchdog reports a block, on SIGUSR2, on a crash (SIGSEGV and the like,
 * SIGABRT), and on exit with a status other than 0; each time another one, at most 16. path: %p in it is the process
 * id, %n counts the files; null: rota-black-box-%p-%n.json in the current directory. It cannot be switched off. While a
 * trace is written, nothing is kept. UV_EINVAL, UV_ENAMETOOLONG, UV_EAGAIN. ROTA_BLACKBOX=seconds and
 * ROTA_BLACKBOX_FILE do the same. */
UV_EXTERN int rota_black_box_start(unsigned int seconds, const char *path);
/* Writes the file now; the reason is told on stderr. A null reason only waits for a file that another thread is
 * writing: for one who ends the process by _exit. UV_EINVAL: there is no black box, or a trace is written. UV_ENOSPC:
 * there are 16 files; or the error of writing. */
UV_EXTERN int rota_black_box_write(const char *reason);

/* -- statistics: how long things took, in histograms; recorded without waking the loop -- */

typedef enum {
  /* of a loop: */
  ROTA_FIGURE_ITERATION, /* whole iterations, with their waits */
  ROTA_FIGURE_DELAY,     /* from the end of a wait to the beginning of the next: how long an event may have to wait */
  ROTA_FIGURE_WAIT,      /* in poll */
  ROTA_FIGURE_CALLBACK,  /* callbacks, with the ticks that they caused */
  ROTA_FIGURE_DRAIN,     /* runs of ticks, and of microtasks */
  ROTA_FIGURE_TIMER_LATENESS, /* from when it was due to its callback */
  ROTA_FIGURE_TIMERS,         /* phases in which there were callbacks, without waiting */
  ROTA_FIGURE_PENDING,
  ROTA_FIGURE_IDLE,
  ROTA_FIGURE_PREPARE,
  ROTA_FIGURE_POLL,
  ROTA_FIGURE_CHECK,
  ROTA_FIGURE_CLOSING,
  /* of the process: jobs of the thread pool, by kind: how long they waited in the queue, and how long they ran */
  ROTA_FIGURE_QUEUE_FILE,
  ROTA_FIGURE_QUEUE_NAME,
  ROTA_FIGURE_QUEUE_USER,
  ROTA_FIGURE_QUEUE_RANDOM,
  ROTA_FIGURE_QUEUE_CRYPTO,
  ROTA_FIGURE_RUN_FILE,
  ROTA_FIGURE_RUN_NAME,
  ROTA_FIGURE_RUN_USER,
  ROTA_FIGURE_RUN_RANDOM,
  ROTA_FIGURE_RUN_CRYPTO,
  ROTA_FIGURE_MAX
} rota_figure;

typedef struct rota_stats {
  uint64_t count;
  uint64_t min_ns;
  uint64_t max_ns;
  uint64_t mean_ns;
  uint64_t p50_ns; /* percentiles are exact to within 1/32, and never too small */
  uint64_t p75_ns;
  uint64_t p90_ns;
  uint64_t p99_ns;
  uint64_t p999_ns;
  uint64_t sum_ns;
  uint64_t reserved[6];
} rota_stats_t;

/* Begins to record, and ends. The recorded values stay. */
UV_EXTERN int rota_stats_start(void);
UV_EXTERN void rota_stats_stop(void);

/* A null loop: all loops of the process together, also those that were closed. All zero if there are no values.
 * UV_EINVAL: no such figure; UV_ENOENT: the loop is not observed. A loop must not be closed meanwhile. */
UV_EXTERN int rota_stats_get(const uv_loop_t *loop, rota_figure figure, rota_stats_t *stats);
UV_EXTERN int rota_stats_percentile(const uv_loop_t *loop, rota_figure figure, double percent, uint64_t *value_ns);
/* The time that the loop ran, and that it waited, in uv_run. Utilisation is busy / (busy + idle). */
UV_EXTERN int rota_stats_time(const uv_loop_t *loop, uint64_t *busy_ns, uint64_t *idle_ns);
/* Clears the values of this loop (on its thread), or, if null, of the jobs of the pool. */
UV_EXTERN int rota_stats_reset(uv_loop_t *loop);
UV_EXTERN const char *rota_figure_name(rota_figure figure); /* "iteration"; null: no such figure */
/* A table of all figures with values. ROTA_STATS=1 prints it at exit, when SIGINT, SIGTERM or SIGHUP ends the process,
 * and on SIGUSR2. */
UV_EXTERN void rota_stats_print(FILE *stream);

/* -- delay monitors: how late a timer comes -- */

/* A monitor computes the intervals that a repeating timer would measure, without a timer: nothing keeps the loop alive,
 * nothing wakes it. While the loop sleeps, such a timer would have been on time; these values are added when the loop
 * wakes. A loop may have any number of monitors; a stopped one costs nothing. All of these are called on the loop's
 * thread. */
typedef struct rota_delay rota_delay_t;

/* Makes a monitor; it does not run yet. An interval of 0 milliseconds: instead of a timer's times, each iteration is
 * measured, from the end of its poll phase to the beginning of the next. UV_ENOMEM. */
UV_EXTERN int rota_delay_create(uv_loop_t *loop, uint64_t interval_ms, rota_delay_t **delay);
/* May be called at any time, also after the loop was closed. Closing a loop stops its monitors; their values can still
 * be read. */
UV_EXTERN void rota_delay_destroy(rota_delay_t *delay);

/* UV_EALREADY: it runs. UV_EINVAL: the loop was closed. UV_ENOMEM. The time between a stop and the next start counts as
 * delay of the timer, unless there is a reset in between. */
UV_EXTERN int rota_delay_start(rota_delay_t *delay);
UV_EXTERN int rota_delay_stop(rota_delay_t *delay); /* UV_EALREADY: it does not run */
/* Clears all values. The next value is measured from the next expiry of the timer. */
UV_EXTERN void rota_delay_reset(rota_delay_t *delay);

/* The figures: percentiles are exact to within 1/1024. A delay of more than an hour is not a value but counts as
 * exceeding, which may be null. All zero if there are no values. */
UV_EXTERN void rota_delay_get(const rota_delay_t *delay, rota_stats_t *stats, uint64_t *exceeding);

typedef struct rota_delay_bucket {
  uint64_t first_ns; /* of the values that fall into it */
  uint64_t last_ns;
  uint64_t count; /* how many values: never 0 */
} rota_delay_bucket_t;

/* The first bucket with values, starting at the bucket of this value. To list all: begin with 0, continue after
 * last_ns. UV_ENOENT: there is none. */
UV_EXTERN int rota_delay_next_bucket(const rota_delay_t *delay, uint64_t from_ns, rota_delay_bucket_t *bucket);

/* -- metrics: the figures of all loops and of the pool, for Prometheus and OpenTelemetry. doc/METRICS.md has their
 * names. ROTA_METRICS=where does the same -- */

/* From now on they are measured. where: "127.0.0.1:9464" serves them at this address, by a thread of its own, also
 * while loops are blocked; port 0 is one that is free, and a port alone is that of 127.0.0.1. "otlp" pushes them to
 * OpenTelemetry, as its variables say (OTEL_EXPORTER_OTLP_ENDPOINT); both may be named, with a comma between. Processes
 * of one user with the same address share it: the first one serves all. Null: nothing is served, for one who writes
 * them himself. UV_EALREADY, UV_EINVAL (no such address), UV_EADDRINUSE, UV_EEXIST (another user's process serves
 * metrics there), or another error of listening; UV_ENOTSUP where there is no server (Windows). */
UV_EXTERN int rota_metrics_start(const char *where);
/* Ends that: no thread and no descriptor is left. UV_EINVAL: there are none. Not in a callback of rota's own. */
UV_EXTERN int rota_metrics_stop(void);
/* The port that this process serves them on; 0: none, or another process serves them. */
UV_EXTERN int rota_metrics_port(void);
/* The text of this process's metrics, in Prometheus's format, or in that of OpenMetrics (not 0), with a NUL. *size: of
 * the buffer, then the length of the text. UV_ENOBUFS: *size is what is needed; it may be more the next time.
 * UV_ENOENT: there are none; UV_ENOMEM. */
UV_EXTERN int rota_metrics_write(char *buffer, size_t *size, int openmetrics);

/* -- the watchdog: reports what blocks a loop, while it is blocked -- */

/* Called on the watchdog's thread, while the loop is blocked (or was until just now): an embedder can add its own
 * stack, which comes after the watchdog's first line. A line that begins with four spaces and "at " is a frame; the
 * first one names what runs in a loop of promises. It must not block for long. */
typedef void (*rota_watchdog_hook)(uv_loop_t *loop, FILE *report, void *data);

/* In the hook: the callback that is reported, as rota_call_now numbers it. Something else may run by now, which a stack
 * must not be mistaken for. 0: a callback of many parts that takes long as a whole. */
UV_EXTERN uint64_t rota_watchdog_call(void);
/* The same: the whole callback that it is a part of, as rota_call_whole tells it. */
UV_EXTERN uint64_t rota_watchdog_whole(void);

/* While there is a watchdog, on the loop's thread: what was seen of the callback that runs now. So many nanoseconds of
 * it were spent in these functions: numbers of rota_name, the outermost first. When a block has ended, the report says
 * in which function more than half of its time was spent, if that was seen. */
UV_EXTERN void rota_watchdog_sample(uv_loop_t *loop, const uint32_t *names, unsigned int count, uint64_t took_ns);

/* The same: the callback that runs now serves a request with these identifiers, each of which may be null. Reports tell
 * them; what is longer than 32 and 128 bytes is cut off. */
UV_EXTERN void rota_watchdog_request(uv_loop_t *loop, const char *trace_id, const char *request_id);

/* One callback, or one run of ticks and microtasks, that takes longer than this is reported on stderr, with its phase,
 * its name and a backtrace, unless the hook has given a stack; and again when it has ended, with its whole duration.
 * The same callback is reported again the second, fourth, eighth time, and so on. The hook may be null. A second call
 * changes the threshold and the hook. UV_EINVAL for 0; UV_EAGAIN, UV_ENOMEM. */
UV_EXTERN int rota_watchdog_start(uint64_t threshold_ms, rota_watchdog_hook hook, void *data);
UV_EXTERN void rota_watchdog_stop(void);
/* For one who ends the process by _exit: reports what has blocked up to now, and looks no more. At an exit this happens
 * by itself. */
UV_EXTERN void rota_watchdog_end(void);
/* How many callbacks and drains have taken too long. */
UV_EXTERN uint64_t rota_watchdog_count(void);

/* -- why is it still alive? -- */

/* Lists the handles and requests that keep the loop alive. On the loop's thread. With ROTA_WHY=1, SIGUSR2 does it. */
UV_EXTERN void rota_print_alive(uv_loop_t *loop, FILE *stream);
/* From now on (not 0), observed loops record where their handles and requests were made; that takes some microseconds
 * for each. Without it, requests to the thread pool are only counted. */
UV_EXTERN void rota_track_origins(int on);

/* Hooks of an embedder. The first returns its own stack where something is made, as lines of text that are freed with
 * free, or null; it is shown in place of the C functions. The second is called for each handle that keeps the loop
 * alive, and returns not 0 if it has described the handle itself. Null: none. */
typedef char *(*rota_stack_hook)(void *data);
typedef int (*rota_alive_hook)(uv_loop_t *loop, const uv_handle_t *handle, FILE *stream, void *data);
UV_EXTERN void rota_set_stack_hook(rota_stack_hook hook, void *data);
UV_EXTERN void rota_set_alive_hook(rota_alive_hook hook, void *data);

/* ---- steering the loop: virtual time, shuffled schedules ----
 *
 * Like the instruments above, they are switched on for the process, here or by the environment when the first loop is
 * made (ROTA_VIRTUAL_TIME=1, ROTA_SCHEDULE_SEED=number): loops made from then on are steered; one that was made earlier
 * when rota_steer is called for it. doc/STEERING.md says more. */

#define ROTA_STEER_TIME 1u
#define ROTA_STEER_SCHEDULE 2u

/* What is switched on: ROTA_STEER_*. If there was no loop yet, the environment is read now. */
UV_EXTERN unsigned int rota_steering(void);

/* Steers a loop that was made before anything was switched on. On the loop's thread, outside of uv_run. UV_ENOMEM. */
UV_EXTERN int rota_steer(uv_loop_t *loop);

typedef struct rota_virtual_time_options {
  int by_hand;       /* not 0: time moves only when rota_virtual_time_advance is called */
  uint32_t grace_ms; /* how long, in real time, to wait for descriptors after their last event; 0: 5 */
  int64_t day_ns;    /* the time of day to begin with, since 1970; 0: the real one */
  uint64_t reserved[6];
} rota_virtual_time_options_t;

/* The clock of the process (uv_now, uv_hrtime, uv_gettimeofday, uv_clock_gettime, uv_sleep) stands still from now on
 * while the program computes, and jumps to the next timer when all loops wait and nothing else can happen. It cannot be
 * switched off. Options may be null. UV_EALREADY. */
UV_EXTERN int rota_virtual_time_start(const rota_virtual_time_options_t *options);
/* Moves the clock forward; loops that wait for it wake up. Timers are run by their loops, in order. From any thread.
 * UV_EINVAL: time is not virtual. */
UV_EXTERN int rota_virtual_time_advance(uint64_t duration_ms);
/* Virtual time that a test moves. It stands still from rota_clock_stop on: no timer comes, reading the clock does not
 * advance it, and files, sockets, children and threads work as always. A blocking sleep still moves it. rota_clock_go
 * lets it go on by itself. Any thread. UV_EINVAL: time is not virtual. */
UV_EXTERN int rota_clock_stop(void);
UV_EXTERN int rota_clock_go(void);
/* Time goes on from timer to timer, as always: each loop runs what is due, with its ticks, before time
 * moves to the next. It does not move while a job of the pool is in progress, a loop of another thread runs, a message
 * to a loop is on its way, or a child computes, and with open descriptors until the grace period is over after the last
 * event, or the last step; but what takes longer than ten real seconds is not waited for. When no timer of this
 * duration is left and nothing of this is in progress, `ended` is called, on the thread of one of the loops; it must
 * not block: uv_async_send is what it is for. status: 0; UV_ECANCELED after rota_clock_go. UV_EINVAL: time does not
 * stand still; UV_EBUSY: it is being advanced. */
typedef void (*rota_clock_cb)(int status, void *data);
UV_EXTERN int rota_clock_advance(uint64_t duration_ms, rota_clock_cb ended, void *data);
/* The same until no timer keeps a loop alive. At most so many steps, each to a timer or to where a loop looks for its
 * next one: then the status is UV_E2BIG. */
UV_EXTERN int rota_clock_run_all(uint64_t steps_max, rota_clock_cb ended, void *data);
/* Between these two calls, something of the process takes real time that no loop knows of (a thread, for example): time
 * does not jump. May be called on any thread. They nest, and do nothing if time is not virtual. */
UV_EXTERN void rota_virtual_time_hold(void);
UV_EXTERN void rota_virtual_time_release(void);

typedef struct rota_schedule_options {
  uint64_t seed;
  const char *record;  /* a file to which the decisions are written; null: none */
  const char *replay;  /* such a file: exactly its decisions are made, and the seed is ignored. null: none */
  const char *without; /* kinds of decisions that are not made, separated by commas: "read,late"; null: all are made */
  const char *faults;  /* groups of faults that may be given, with commas between: "net,disk,child"; null: none */
  uint64_t hold_ms;    /* how much time holds may take in all, besides a tenth of the program's own; 0: 500 ms */
  const char *pairs;   /* a list of pairs, of which the seed turns some round; null: none */
  uint64_t reserved[1];
} rota_schedule_options_t;

/* The seed decides what the loop does not promise: the order of ready descriptors and of the pool's jobs, when they are
 * reported, how late timers are, how much a read returns. What the loop promises holds. With virtual time
 * (rota_virtual_time_start, before or after), the same seed gives the same run, if the program depends only on its
 * loop. UV_EALREADY, UV_EINVAL (no record, no such kind), or the error of opening a file. */
UV_EXTERN int rota_schedule_start(const rota_schedule_options_t *options);

/* A decision of the embedder, such as when messages of another thread are delivered: one of 0 .. options - 1. 0 is what
 * happens without a schedule. words[i] says what i means, for the record. On the loop's thread. */
UV_EXTERN unsigned int rota_schedule_choose(uv_loop_t *loop, unsigned int options, const char *const words[]);

/* Whether an operation that the embedder is going to do itself shall fail: 0, or an error that the system could give
 * for it. The operation is one of open, create, read, write, sync, mkdir, rename, scandir; `what` is told in the
 * record. A positive answer to a write: only a part shall be written. 0 while no faults are asked for. On the loop's
 * thread. */
UV_EXTERN int rota_schedule_fault(uv_loop_t *loop, const char *operation, const char *what);

#ifdef __cplusplus
}
#endif

#endif
