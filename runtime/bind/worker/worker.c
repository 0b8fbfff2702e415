/* The binding `worker`: threads, each with an engine, a loop and an env of its own.
 *
 * A worker belongs to the env that made it. It ends when its loop has nothing to do, when it calls exit, when its heap
 * exceeds its limit, or when its maker stops it: a flag that its mailbox checks, and that the engine checks
 * periodically while JavaScript runs (engine/limit/watch.h). Then its handles are closed without another call into
 * JavaScript, its engine is destroyed, and its maker is told and joins the thread. */
#include "runtime/bind/worker/worker.h"

#include <rota.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/bind/binding.h"
#include "runtime/bind/fs/fs.h"
#include "runtime/bind/net/stream.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/limit/heap.h"
#include "runtime/engine/limit/watch.h"
#include "runtime/engine/value/functions.h"
#include "runtime/engine/value/text.h"
#include "runtime/observe/trace.h"
#include "runtime/permission/permission.h"

enum { THREAD_STACK = 8 << 20, OUT_OF_MEMORY = -100000 };
/* The memory that an ended worker leaves in its maker's heap. It is small, but the collector must be told of it, or it
 * would not collect. */
enum { LEFT_BEHIND = 256 << 10 };
static const double look_every_s = 0.02;

struct js_worker {
  struct js_worker *next; /* of its maker's */
  struct js_mailbox *maker;
  struct js_port *control;
  struct js_options options;
  struct js_permission *permission; /* copied from its maker; the thread's own from its start on */
  int id;
  char name[16]; /* as much as the system keeps */
  uv_thread_t thread;
  atomic_bool stop, ended;
  int code;
  size_t heap_max;  /* 0: no limit */
  size_t look_from; /* the heap is checked when its blocks take more than this */
  bool out_of_memory;
  struct js_watch watch;
  /* Under the lock of ports; null before and after: */
  struct js_mailbox *box;
  JSContextGroupRef vm;
  int thread_number; /* the system's */
};

static atomic_int last_id, running;

int js_workers_running(void) {
  return atomic_load_explicit(&running, memory_order_relaxed);
}

static void stop_here(struct js_env *env, int code) {
  if (env->stopping)
    return;
  env->stopping = true;
  env->exit_code = code;
  uv_stop(env->loop);
}

/* Blocks may be half empty: only a collection shows what is alive. The next check comes after another quarter of the
 * limit. */
static void check_heap(struct js_env *env, struct js_worker *worker) {
  if (js_heap_is_within(env->group, worker->look_from))
    return;
  JSSynchronousGarbageCollectForDebugging(env->context);
  if (js_heap_size(env->group) > worker->heap_max) {
    worker->out_of_memory = true;
    stop_here(env, 1);
  } else {
    size_t now = js_heap_capacity(env->group) + worker->heap_max / 4;
    worker->look_from = now > worker->heap_max ? now : worker->heap_max;
  }
}

void js_worker_check(struct js_env *env) {
  struct js_worker *worker = env->worker;
  if (worker == NULL || env->stopping)
    return;
  if (worker->stop)
    stop_here(env, 1);
  else if (worker->heap_max != 0)
    check_heap(env, worker);
}

static bool is_stopped(JSContextRef context, void *data) {
  (void)context;
  struct js_env *env = data;
  js_worker_check(env);
  return env->stopping;
}

/* From now on the engine checks periodically whether this thread must stop. */
static void watch(struct js_env *env) {
  env->worker->watch = (struct js_watch){.every_s = look_every_s, .look = is_stopped, .data = env};
  js_watch_start(env->group, &env->worker->watch);
}

static void on_closed(uv_handle_t *handle) {
  (void)handle;
}

/* Closes a handle that a binding left open. Its callbacks do not enter JavaScript any more. */
static void close_handle(uv_handle_t *handle, void *data) {
  (void)data;
  if (!uv_is_closing(handle))
    uv_close(handle, on_closed);
}

static void end_workers(struct js_env *env);

static void take_apart(struct js_env *env) {
  if (env->context == NULL) {
    uv_loop_close(env->loop);
    free(env->words);
    free(env->html);
    return;
  }
  env->stopping = true; /* no JavaScript runs any more */
  js_jobs_drop(env->context);
  end_workers(env);
  js_napi_end(env);
  struct js_mailbox *box = env->mailbox;
  if (box != NULL) {
    js_locks_forget(box);
    js_waiters_forget(box);
    js_mailbox_forget(box);
  }
  js_ports_lock();
  env->worker->box = NULL;
  env->worker->vm = NULL;
  js_ports_unlock();
  js_engine_unwake(env->group);
  js_mailbox_close(env);
  js_dns_forget();
  uv_walk(env->loop, close_handle, NULL);
  while (uv_run(env->loop, UV_RUN_DEFAULT) != 0)
    continue; /* a stop from outside of uv_run still counts, once */
  js_fs_forget();
  js_blocks_forget();
  js_scripts_forget();
  for (int i = 0; i < JS_CALLBACK_COUNT; i++)
    if (env->callbacks[i] != NULL)
      JSValueUnprotect(env->context, env->callbacks[i]);
  JSValueUnprotect(env->context, env->drain);
  js_watch_stop(env->group, &env->worker->watch);
  js_functions_end();
  JSUnlock(env->context);
  JSGlobalContextRelease(env->context);
  js_napi_forget(env);
  js_natives_end();
  js_copy_end();
  uv_loop_close(env->loop);
  free(env->words);
  free(env->html);
  free(box);
}

/* The exit code, or a negative error when the thread could not be set up. */
static int live(struct js_worker *worker, struct js_env *env, uv_loop_t *loop) {
  int err = js_env_init_thread(env, loop, &worker->options, worker);
  struct js_mailbox *box = err == 0 ? js_mailbox_of(env) : NULL;
  if (box == NULL)
    return err != 0 ? err : UV_EMFILE;
  env->drain = js_drain_function(env->context);
  JSValueProtect(env->context, env->drain);
  uv_loop_configure(loop, UV_METRICS_IDLE_TIME);
  js_ports_lock();
  worker->thread_number = (int)gettid();
  worker->box = box;
  worker->vm = env->group;
  js_port_adopt(box, worker->control);
  js_ports_unlock();
  watch(env);
  js_worker_check(env);
  return js_env_run(env);
}

static void run(void *data) {
  struct js_worker *worker = data;
  uv_loop_t loop;
  struct js_env env;
  uv_thread_setname(worker->name);
  js_permission_here = worker->permission;
  running++;
  int code = uv_loop_init(&loop);
  rota_virtual_time_release();
  if (code == 0) {
    code = live(worker, &env, &loop);
    take_apart(&env);
  }
  js_env_here = NULL;
  js_permission_free(js_permission_here);
  js_permission_here = NULL;
  running--;
  js_ports_lock();
  worker->code = worker->out_of_memory ? OUT_OF_MEMORY : code;
  worker->ended = true;
  if (worker->maker != NULL)
    js_mailbox_wake(worker->maker);
  js_ports_unlock();
}

/* start(port, megabytes of stack, megabytes of heap, name) -> the thread's number, or a negative error; 0: the default.
 * The port moves into the new thread. */
static JSValueRef start(JSContextRef context, struct js_frame *frame) {
  struct js_env *env = js_env_here;
  if (js_refused(context, JS_SCOPE_WORKER, NULL))
    return NULL;
  struct js_worker *worker = calloc(1, sizeof *worker);
  struct js_mailbox *box = js_mailbox_of(env);
  if (worker == NULL || box == NULL) {
    free(worker);
    return js_number(context, UV_ENOMEM);
  }
  worker->control = (struct js_port *)(uintptr_t)js_to_number(context, js_arg(context, frame, 0));
  worker->options = *env->options;
  worker->permission = js_permission_copy();
  if (worker->permission == NULL && js_permission_here != NULL) {
    free(worker);
    return js_number(context, UV_ENOMEM);
  }
  worker->maker = box;
  worker->id = atomic_fetch_add(&last_id, 1) + 1;
  js_port_leave(worker->control);
  double megabytes = js_to_number(context, js_arg(context, frame, 1));
  double heap_max = js_to_number(context, js_arg(context, frame, 2)) * (1 << 20);
  worker->heap_max = worker->look_from = heap_max >= 1 ? (size_t)heap_max : js_limit_bytes();
  uv_thread_options_t options = {.flags = UV_THREAD_HAS_STACK_SIZE,
                                 .stack_size = megabytes > 4 ? (size_t)(megabytes * (1 << 20)) : THREAD_STACK};
  char *name = js_to_text(context, js_arg(context, frame, 3), NULL);
  snprintf(worker->name, sizeof worker->name, "%s", name != NULL ? name : "");
  free(name);
  worker->next = box->born;
  box->born = worker;
  rota_virtual_time_hold(); /* until it has a loop of its own */
  int err = uv_thread_create_ex(&worker->thread, &options, run, worker);
  if (err != 0) {
    rota_virtual_time_release();
    box->born = worker->next;
    js_permission_free(worker->permission);
    free(worker);
    return js_number(context, err);
  }
  return js_number(context, worker->id);
}

static struct js_worker *find(struct js_env *env, int id) {
  struct js_worker *worker = env->mailbox != NULL ? env->mailbox->born : NULL;
  while (worker != NULL && worker->id != id)
    worker = worker->next;
  return worker;
}

static void ask_to_stop(struct js_worker *worker) {
  worker->stop = true;
  js_ports_lock();
  if (worker->box != NULL)
    js_mailbox_wake(worker->box);
  if (worker->vm != NULL)
    js_engine_wake(worker->vm);
  js_ports_unlock();
}

/* stop(id); to be repeated until it has ended, see js_engine_wake */
static JSValueRef stop(JSContextRef context, struct js_frame *frame) {
  struct js_worker *worker = find(js_env_here, (int)js_to_integer(context, js_arg(context, frame, 0)));
  if (worker != NULL)
    ask_to_stop(worker);
  return js_undefined(context);
}

/* The share of the system in a thread's time, by the clock ticks that it counts: 0 to 1. */
static double system_share(int thread_number) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread_number);
  FILE *file = fopen(path, "r");
  size_t length = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file != NULL)
    fclose(file);
  text[length] = 0;
  const char *rest = strrchr(text, ')'); /* the name may contain any character */
  unsigned long user = 0, system = 0;
  if (rest == NULL || sscanf(rest, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2)
    return 0;
  double both = (double)user + (double)system;
  return both > 0 ? (double)system / both : 0; // NOLINT(clang-analyzer-core.DivideZero): it is no zero here
}

/* figures(id) -> [ms idle, ms since its loop began, us of user time, us of system time], undefined before and after */
static JSValueRef figures(JSContextRef context, struct js_frame *frame) {
  struct js_worker *worker = find(js_env_here, (int)js_to_integer(context, js_arg(context, frame, 0)));
  double idle_ms = 0, ran_ms = 0, cpu_us = 0, share = 0;
  bool runs = false;
  clockid_t clock;
  struct timespec spent;
  js_ports_lock();
  if (worker != NULL && worker->box != NULL && worker->box->env->loop_began_ns != 0) {
    struct js_env *env = worker->box->env;
    runs = true;
    idle_ms = (double)uv_metrics_idle_time(env->loop) / 1e6;
    ran_ms = (double)(uv_hrtime() - env->loop_began_ns) / 1e6;
    if (pthread_getcpuclockid(worker->thread, &clock) == 0 && clock_gettime(clock, &spent) == 0)
      cpu_us = (double)spent.tv_sec * 1e6 + (double)spent.tv_nsec / 1e3;
    share = system_share(worker->thread_number);
  }
  js_ports_unlock();
  if (!runs)
    return js_undefined(context);
  JSValueRef values[] = {js_number(context, idle_ms), js_number(context, ran_ms),
                         js_number(context, cpu_us * (1 - share)), js_number(context, cpu_us * share)};
  return js_array(context, 4, values);
}

/* look(): ends a thread that waits in slices, if it must stop */
static JSValueRef look(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  js_worker_check(js_env_here);
  return js_env_here->stopping || js_limit_due() ? js_throw_end(context) : js_undefined(context);
}

/* exit(code): no JavaScript of this thread runs any more */
static JSValueRef exit_here(JSContextRef context, struct js_frame *frame) {
  struct js_env *env = js_env_here;
  stop_here(env, (int)js_to_integer(context, js_arg(context, frame, 0)));
  return js_throw_end(context);
}

JSObjectRef js_workers_ended(struct js_env *env) {
  JSObjectRef list = js_array(env->context, 0, NULL);
  unsigned count = 0;
  for (struct js_worker **at = &env->mailbox->born; *at != NULL;) {
    struct js_worker *worker = *at;
    if (!worker->ended) {
      at = &worker->next;
      continue;
    }
    uv_thread_join(&worker->thread);
    *at = worker->next;
    JSObjectSetPropertyAtIndex(env->context, list, count++, js_number(env->context, worker->id), NULL);
    JSObjectSetPropertyAtIndex(env->context, list, count++, js_number(env->context, worker->code), NULL);
    JSReportExtraMemoryCost(env->context, LEFT_BEHIND);
    free(worker);
  }
  return list;
}

void js_workers_stop(struct js_env *env) {
  struct js_worker *worker = env->mailbox != NULL ? env->mailbox->born : NULL;
  for (; worker != NULL; worker = worker->next)
    ask_to_stop(worker);
}

/* Ends the workers that this thread has made, and joins them. */
static void end_workers(struct js_env *env) {
  if (env->mailbox == NULL)
    return;
  js_workers_stop(env);
  while (env->mailbox->born != NULL) {
    struct js_worker *worker = env->mailbox->born;
    for (useconds_t pause_us = 500; !worker->ended; pause_us += pause_us < 20000 ? pause_us : 0) {
      usleep(pause_us);
      ask_to_stop(worker);
    }
    uv_thread_join(&worker->thread);
    env->mailbox->born = worker->next;
    free(worker);
  }
}

JSObjectRef js_binding_worker(struct js_env *env) {
  static const struct js_method methods[] = {
      {"start", start, 4},    {"stop", stop, 1}, {"figures", figures, 1},
      {"exit", exit_here, 1}, {"look", look, 0}, {NULL, NULL, 0},
  };
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  js_set_methods(env->context, binding, js_port_methods);
  js_set_methods(env->context, binding, js_lock_methods);
  js_set_methods(env->context, binding, js_waiter_methods);
  js_set(env->context, binding, "outOfMemory", js_number(env->context, OUT_OF_MEMORY));
  js_set(env->context, binding, "threadId", js_number(env->context, env->worker != NULL ? env->worker->id : 0));
  if (env->worker != NULL)
    js_set(env->context, binding, "control", js_number(env->context, (double)(uintptr_t)env->worker->control));
  return binding;
}
