#include "observe/trace/trace.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "loop/base/units.h"
#include "loop/core/signal.h"
#include "loop/core/wake.h"
#include "loop/os/clock.h"
#include "loop/os/process.h"
#include "loop/os/signal.h"
#include "loop/os/thread.h"
#include "observe/name/describe.h"
#include "observe/trace/tracer.h"
#include "rota.h"

/* How often a thread that is about to be ended looks whether all is printed and written: for up to a second. The lock
 * of standard error may be held by that very thread. */
enum { ENDING_PAUSES = 500 };

static struct {
  pthread_mutex_t lock;
  bool running;
  bool resume; /* in a child: start again at the first loop */
  bool listening;
  bool at_exit;
  uv_sem_t wakeup;
  _Atomic bool asked; /* by the signal */
  _Atomic bool ends;  /* a signal is about to end the process */
  _Atomic bool has_ended;
  _Atomic int process_id;
  _Atomic uint64_t period_ns;
  _Atomic bool prints_stats;
  _Atomic bool prints_alive;
  _Atomic bool writes_black_box;
  _Atomic int thread_id;
  _Atomic uint64_t alive_at_ns; /* when to print the report without being asked; 0: never, or done */
} service = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A loop lists what keeps it alive on its own thread: it is woken for that. */
static void ask_loops(void) {
  struct rota_link *tracers = rota__tracer_lock();
  for (struct rota_link *link = tracers->next; link != tracers; link = link->next) {
    struct rota_tracer *tracer = rota__container_of(link, struct rota_tracer, link);
    atomic_store(&tracer->print_alive, true);
    rota__wake_signal(tracer->loop);
  }
  rota__tracer_unlock();
}

/* Sleeps until `wakeup` is posted, the period ends, or the time of the one report comes. */
static void sleep_until_wakeup(void) {
  uint64_t sleep_ns = atomic_load(&service.period_ns), at_ns = atomic_load(&service.alive_at_ns);
  if (at_ns != 0) {
    uint64_t now_ns = rota__os_clock_ns(), rest_ns = at_ns > now_ns ? at_ns - now_ns : 1;
    sleep_ns = sleep_ns == 0 || rest_ns < sleep_ns ? rest_ns : sleep_ns;
  }
  if (sleep_ns == 0)
    rota__os_sem_wait(&service.wakeup);
  else
    rota__os_sem_wait_for(&service.wakeup, sleep_ns);
  if (at_ns != 0 && rota__os_clock_ns() >= at_ns) {
    atomic_store(&service.alive_at_ns, 0);
    ask_loops();
  }
}

static void *thread_main(void *unused) {
  rota__os_thread_set_name("rota-watch");
  atomic_store(&service.thread_id, rota__os_thread_number());
  while (true) {
    sleep_until_wakeup();
    rota__black_box_look();
    if (atomic_exchange(&service.asked, false)) {
      if (atomic_load(&service.prints_stats))
        rota_stats_print(stderr);
      if (atomic_load(&service.prints_alive))
        ask_loops();
      if (atomic_load(&service.writes_black_box))
        (void)rota_black_box_write("SIGUSR2");
    }
    if (atomic_exchange(&service.ends, false)) {
      rota_stats_print(stderr);
      atomic_store(&service.has_ended, true);
    }
    if (rota__observes(ROTA_OBSERVE_WATCHDOG))
      rota__watchdog_look();
  }
  return unused;
}

/* With the lock held. The thread runs to the end of the process: it is detached, and sleeps while there is nothing. */
static int start(void) {
  pthread_t thread;
  sigset_t saved;
  if (service.running)
    return 0;
  int err = rota__os_sem_init(&service.wakeup, 0);
  if (err < 0)
    return err;
  rota__os_signals_block(&saved);
  err = -pthread_create(&thread, NULL, thread_main, NULL);
  rota__os_signals_restore(&saved);
  if (err < 0)
    return err;
  pthread_detach(thread);
  rota__os_stay_loaded();
  service.running = true;
  atomic_store(&service.process_id, rota__os_process_id());
  return 0;
}

int rota__service_start(void) {
  pthread_mutex_lock(&service.lock);
  int err = start();
  pthread_mutex_unlock(&service.lock);
  return err;
}

bool rota__service_wake(void) {
  if (!service.running || atomic_load(&service.thread_id) == rota__os_thread_number())
    return false;
  rota__os_sem_post(&service.wakeup);
  return true;
}

int rota__service_watch(uint64_t period_ns) {
  pthread_mutex_lock(&service.lock);
  int err = start();
  if (err == 0) {
    atomic_store(&service.period_ns, period_ns);
    rota__os_sem_post(&service.wakeup);
  }
  pthread_mutex_unlock(&service.lock);
  return err;
}

/* In the signal handler. */
static void on_signal(void) {
  if (service.running) {
    atomic_store(&service.asked, true);
    rota__os_sem_post(&service.wakeup);
  }
}

/* A program that has its own handler for the signal keeps it; then the signal gives no report. */
static void listen_to_signal(void) {
  pthread_mutex_lock(&service.lock);
  if (start() == 0 && !service.listening)
    service.listening = rota__signal_listen(SIGUSR2, on_signal) == 0;
  pthread_mutex_unlock(&service.lock);
}

static void print_at_exit(void) {
  if (!atomic_load(&service.prints_stats))
    return;
  rota__tracer_record_unfinished();
  rota_stats_print(stderr);
}

static bool prints_table(void) {
  if (!service.running || !atomic_load(&service.prints_stats))
    return false;
  atomic_store(&service.ends, true);
  return rota__service_wake();
}

/* In the signal handler: other threads print and write, and this one waits for them. A child that shares our memory
 * until it has started its program is not us. */
static void on_ending(void) {
  if (atomic_load(&service.process_id) != rota__os_process_id())
    return;
  bool writes = rota__trace_hurry(), prints = prints_table();
  for (int i = 0; i < ENDING_PAUSES; i++) {
    if ((!writes || rota__trace_has_hurried()) && (!prints || atomic_load(&service.has_ended)))
      return;
    rota__os_crash_pause();
  }
}

void rota__service_write_trace(void) {
  atomic_store(&service.process_id, rota__os_process_id());
  rota__os_ending_handle(on_ending);
}

/* A server runs until Ctrl-C: the signal ends the process without an exit. */
void rota__service_print_stats(void) {
  atomic_store(&service.prints_stats, true);
  listen_to_signal();
  rota__os_ending_handle(on_ending);
  pthread_mutex_lock(&service.lock);
  if (!service.at_exit)
    service.at_exit = rota__os_at_exit(print_at_exit) == 0;
  pthread_mutex_unlock(&service.lock);
}

/* A program that ends before it was asked: that is the answer. Not that of a child that it has forked. */
static void say_it_has_ended(void) {
  char label[256];
  if (atomic_load(&service.alive_at_ns) == 0 || atomic_load(&service.process_id) != rota__os_process_id())
    return;
  rota__process_label(label, sizeof(label));
  fprintf(stderr,
          "rota: %s has ended before it was asked what keeps it alive: nothing does (--after=ms asks earlier)\n",
          label);
}

void rota__service_print_alive(uint64_t after_ms) {
  static bool at_exit;
  atomic_store(&service.prints_alive, true);
  if (after_ms > 0)
    atomic_store(&service.alive_at_ns, rota__os_clock_ns() + after_ms * NS_PER_MS);
  listen_to_signal();
  if (after_ms > 0 && !at_exit)
    at_exit = rota__os_at_exit(say_it_has_ended) == 0;
}

void rota__service_write_black_box(void) {
  atomic_store(&service.writes_black_box, true);
  listen_to_signal();
}

void rota__service_before_fork(void) {
  pthread_mutex_lock(&service.lock);
}

void rota__service_after_fork_in_parent(void) {
  pthread_mutex_unlock(&service.lock);
}

void rota__service_after_fork_in_child(void) {
  service.resume = service.resume || service.running;
  service.running = false;
  pthread_mutex_unlock(&service.lock);
}

void rota__service_resume(void) {
  pthread_mutex_lock(&service.lock);
  if (service.resume && start() == 0)
    service.resume = false;
  pthread_mutex_unlock(&service.lock);
}
