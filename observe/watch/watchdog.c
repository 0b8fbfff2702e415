#include "observe/trace/tracer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loop/base/units.h"
#include "loop/os/clock.h"
#include "loop/os/memory.h"
#include "observe/name/describe.h"
#include "observe/name/symbol.h"
#include "observe/trace/event_queue.h"
#include "observe/trace/trace.h"

enum { OFFENDERS = 256, FRAMES_MAX = 48, PERIOD_MAX_NS = 100 * NS_PER_MS, ANSWER_NS = 50 * NS_PER_MS };

struct offender {
  const void *function;
  uint32_t name;
  uint64_t seen; /* while running */
  uint64_t worst_ns;
};

/* What was running at the last check. */
struct sighting {
  uv_loop_t *loop;
  const void *function; /* null: a drain outside of any callback */
  uint64_t since_ns, now_ns, sequence;
  uint64_t ticks;   /* run by the drain so far */
  const void *tick; /* the function that runs; null: the engine's */
  uint32_t tick_name;
  uint32_t name;
  int32_t number;
  int thread_id;
  unsigned int type, flags, phase;
  bool draining, microtasks;
  bool again; /* it was reported before, and has gone on since */
  bool known; /* number, type, flags and phase are its own */
  /* No part of it takes long, but the whole does: how many there were, and the last one runs. Else 0. */
  uint32_t parts;
  /* One of them took more than half of the time, and is over. 0: none. */
  uint64_t longest_ns;
  const void *longest_function;
  uint32_t longest_name;
};

static _Atomic uint64_t threshold_ns;
static _Atomic uint64_t late_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the hook and the offenders */
static rota_watchdog_hook hook;
static void *hook_data;
static _Atomic uint64_t reported_call; /* what the hook is asked about */
static struct offender offenders[OFFENDERS];

/* ---- looking ---- */

/* What took most of the time is to blame, rather than what runs by now. */
static void look_at_longest(struct rota_tracer *tracer, struct sighting *seen) {
  struct rota_longest_part *longest = &tracer->now.longest;
  uint64_t took_ns = atomic_load_explicit(&longest->took_ns, memory_order_acquire);
  if (took_ns <= (seen->now_ns - seen->since_ns) / 2 ||
      atomic_load_explicit(&longest->sequence, memory_order_acquire) == atomic_load(&tracer->reported_sequence))
    return;
  seen->longest_ns = took_ns;
  seen->longest_function = atomic_load_explicit(&longest->function, memory_order_acquire);
  seen->longest_name = atomic_load_explicit(&longest->name, memory_order_acquire);
}

/* The part that runs has just begun: whether its callback takes too long as a whole. A part that was reported while it
 * ran does not count. */
static bool look_at_whole(struct rota_tracer *tracer, uint64_t since_ns, struct sighting *seen) {
  struct rota_tracer_now *now = &tracer->now;
  uint64_t whole_since_ns = atomic_load_explicit(&now->whole_since_ns, memory_order_acquire);
  uint64_t reported_end_ns = atomic_load_explicit(&tracer->reported_end_ns, memory_order_acquire);
  uint64_t from_ns = whole_since_ns > reported_end_ns ? whole_since_ns : reported_end_ns;
  if (since_ns == 0 || whole_since_ns == 0 || seen->now_ns < from_ns + atomic_load(&threshold_ns))
    return false;
  seen->since_ns = whole_since_ns;
  look_at_longest(tracer, seen);
  seen->parts = atomic_load_explicit(&now->parts, memory_order_acquire);
  return seen->parts > 1 && atomic_load_explicit(&now->since_ns, memory_order_acquire) != 0 &&
         atomic_load_explicit(&now->whole_since_ns, memory_order_acquire) == whole_since_ns;
}

/* What the tracer shows, if it has not changed for too long and was not reported. With the tracers' lock. */
static bool look_at(struct rota_tracer *tracer, struct sighting *seen) {
  struct rota_tracer_now *now = &tracer->now;
  uint64_t sequence = atomic_load_explicit(&now->sequence, memory_order_acquire);
  uint64_t since_ns = atomic_load_explicit(&now->since_ns, memory_order_acquire);
  bool draining = atomic_load_explicit(&now->draining, memory_order_acquire);
  uint64_t drain_since_ns = atomic_load_explicit(&now->drain_since_ns, memory_order_acquire);
  *seen = (struct sighting){
      .loop = tracer->loop, .since_ns = since_ns, .now_ns = rota__os_clock_ns(), .sequence = sequence};
  if (since_ns == 0 && draining)
    seen->since_ns = drain_since_ns;
  bool starts_late = seen->since_ns == 0 || seen->now_ns < seen->since_ns + atomic_load(&threshold_ns);
  if (starts_late && !look_at_whole(tracer, since_ns, seen))
    return false;
  /* It is reported once more when it has taken ten times as long. */
  uint64_t key = seen->parts > 0 ? seen->since_ns : sequence;
  if (tracer->reported_key == key && seen->now_ns - seen->since_ns < 10 * tracer->reported_ns)
    return false;
  if (since_ns != 0) {
    seen->function = atomic_load_explicit(&now->function, memory_order_acquire);
    seen->name = atomic_load_explicit(&now->name, memory_order_acquire);
    seen->number = atomic_load_explicit(&now->number, memory_order_acquire);
    seen->type = atomic_load_explicit(&now->type, memory_order_acquire);
    seen->flags = atomic_load_explicit(&now->flags, memory_order_acquire);
    seen->phase = atomic_load_explicit(&now->phase, memory_order_acquire);
  }
  seen->thread_id = atomic_load_explicit(&now->thread_id, memory_order_acquire);
  /* The ticks are named if they took the larger part of the time. */
  seen->draining = draining && (seen->now_ns - drain_since_ns) * 2 > seen->now_ns - seen->since_ns;
  seen->microtasks = atomic_load_explicit(&now->microtasks, memory_order_acquire);
  seen->ticks = atomic_load_explicit(&now->drain.run, memory_order_acquire);
  seen->tick_name = atomic_load_explicit(&now->tick_name, memory_order_acquire);
  seen->tick = (const void *)(uintptr_t)atomic_load_explicit(&now->drain.function, memory_order_acquire);
  seen->known = atomic_load_explicit(&now->described, memory_order_acquire) == sequence;
  if (seen->parts == 0 && atomic_load_explicit(&now->sequence, memory_order_acquire) != sequence)
    return false; /* it has just ended */
  seen->again = tracer->reported_key == key;
  tracer->reported_key = key;
  if (seen->parts == 0)
    atomic_store(&tracer->reported_sequence, sequence);
  tracer->reported_ns = seen->now_ns - seen->since_ns;
  return true;
}

/* The entry of this callback. If the table is full, a shared entry that is always reported. With the lock. */
static struct offender *offender_of(const void *function, uint32_t name) {
  static struct offender stranger;
  for (int i = 0; i < OFFENDERS; i++) {
    struct offender *offender = &offenders[i];
    if (offender->function == NULL && offender->name == 0) {
      offender->function = function;
      offender->name = name;
    }
    if (offender->function == function && offender->name == name)
      return offender;
  }
  stranger = (struct offender){.function = function, .name = name};
  return &stranger;
}

/* ---- reporting ---- */

static void print_name(const struct rota_name_entry *name, FILE *report) {
  if (name->file[0] != '\0')
    fprintf(report, "%s (%s:%d)", name->function, name->file, name->line);
  else
    fputs(name->function, report);
}

static void print_what(const struct sighting *seen, FILE *report) {
  const struct rota_name_entry *name = rota__name_find(seen->name);
  if (name != NULL)
    print_name(name, report);
  else if (seen->function != NULL)
    rota__symbol_print(seen->function, report);
  else
    fputs("code outside of any callback", report);
  if (seen->function == NULL || !seen->known)
    return;
  bool is_request = seen->flags & ROTA_EVENT_REQUEST;
  fprintf(report, ", %s of a %s", is_request ? "request" : "callback", rota__describe_type(seen->type, is_request));
  if (!(is_request && seen->type == UV_FS) && seen->number >= 0)
    fprintf(report, " (descriptor %d)", seen->number);
  fprintf(report, ", in phase %s", rota__describe_phase(seen->phase));
}

/* A return address is after the call instruction: the call itself is named. */
static const void *called_at(void *const *frames, int i) {
  return i == 0 ? frames[i] : (char *)frames[i] - 1;
}

/* Frames of a library without names, such as a JavaScript engine, are shown as one line: how many of them follow this
 * one. */
static int count_alike(void *const *frames, int i, int n) {
  const struct rota_symbol *symbol = rota__symbol_find(called_at(frames, i));
  int more = 0;
  if (symbol == NULL || symbol->function != NULL || symbol->library == NULL)
    return 0;
  for (; i + more + 1 < n; more++) {
    const struct rota_symbol *next = rota__symbol_find(called_at(frames, i + more + 1));
    if (next == NULL || next->function != NULL || next->library != symbol->library)
      break;
  }
  return more;
}

struct backtrace {
  void *frames[FRAMES_MAX];
  int count; /* or an error */
  long call; /* the system call that it waits in; negative: none */
};

static void print_backtrace(const struct backtrace *trace, FILE *report) {
  void *const *frames = trace->frames;
  if (trace->count == UV_EBUSY && trace->call >= 0)
    fprintf(report, "    it waits in system call %ld\n", trace->call);
  for (int i = 0, more; i < trace->count; i += 1 + more) {
    fprintf(report, "    #%-2d ", i);
    rota__symbol_print(called_at(frames, i), report);
    more = count_alike(frames, i, trace->count);
    fprintf(report, more > 0 ? " and %d more of that file\n" : "\n", more);
  }
}

/* If something else runs by now, a stack would name the wrong code. */
static bool still_runs(const struct sighting *seen) {
  bool same = false;
  struct rota_link *tracers = rota__tracer_lock();
  for (struct rota_link *link = tracers->next; link != tracers; link = link->next) {
    struct rota_tracer *tracer = rota__container_of(link, struct rota_tracer, link);
    bool goes_on = seen->parts > 0 ? atomic_load(&tracer->now.whole_since_ns) == seen->since_ns
                                   : atomic_load(&tracer->now.sequence) == seen->sequence;
    same = same || (tracer->loop == seen->loop && goes_on);
  }
  rota__tracer_unlock();
  return same;
}

static void take_stack(int thread_id, struct backtrace *trace) {
  static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER; /* caller at a time */
  trace->call = -1;
  pthread_mutex_lock(&one);
  trace->count = rota__os_backtrace_of(thread_id, trace->frames, FRAMES_MAX, ANSWER_NS, &trace->call);
  pthread_mutex_unlock(&one);
}

void rota__watchdog_print_stack(int thread_id, FILE *stream) {
  struct backtrace trace;
  rota__os_backtrace_prepare();
  take_stack(thread_id, &trace);
  print_backtrace(&trace, stream);
}

/* Empty if what was seen has ended meanwhile. */
static void take_backtrace(const struct sighting *seen, struct backtrace *trace) {
  take_stack(seen->thread_id, trace);
  if (!still_runs(seen))
    *trace = (struct backtrace){.call = -1};
}

/* The embedder's words, taken while it runs; null: there are none. To be freed. */
static char *ask_embedder(const struct sighting *seen) {
  char *text = NULL;
  size_t length;
  pthread_mutex_lock(&lock);
  rota_watchdog_hook call_hook = hook;
  void *data = hook_data;
  pthread_mutex_unlock(&lock);
  if (call_hook == NULL || !still_runs(seen))
    return NULL;
  FILE *words = open_memstream(&text, &length);
  if (words == NULL)
    return NULL;
  atomic_store(&reported_call, seen->parts > 0 ? 0 : seen->sequence);
  call_hook(seen->loop, words, data);
  fclose(words);
  return text;
}

/* A line of an embedder's stack that is Node's own, such as what calls ticks: it is not what the program does. */
static bool is_nodes(const char *frame, size_t length) {
  const char *place = memchr(frame, '(', length);
  return strncmp(place != NULL ? place + 1 : frame, "node:", 5) == 0;
}

/* The innermost frame of an embedder's stack that is the program's, behind the words. Returns whether there is one. */
static bool print_innermost(const char *before, const char *words, FILE *report) {
  static const char head[] = "    at ";
  const char *frame = words == NULL ? NULL : strstr(words, head);
  for (; frame != NULL; frame = strstr(frame, head)) {
    frame += sizeof(head) - 1;
    size_t length = strcspn(frame, "\n");
    if (is_nodes(frame, length))
      continue;
    fprintf(report, "%s%.*s", before, (int)length, frame);
    return true;
  }
  return false;
}

static void print_drain(const struct sighting *seen, const char *words, FILE *report) {
  const struct rota_name_entry *tick_name = rota__name_find(seen->tick_name);
  fprintf(report, "%s: ", seen->microtasks ? "microtasks" : "ticks");
  if (seen->tick != NULL || tick_name != NULL) {
    fprintf(report, "%llu so far, now ", (unsigned long long)seen->ticks);
    if (tick_name != NULL)
      print_name(tick_name, report);
    else
      rota__symbol_print(seen->tick, report);
  } else {
    fputs("promises", report);
    (void)print_innermost(", now ", words, report);
  }
  fputs(", after ", report);
}

/* One of many: promises that always begin another, or a long list of timers. */
static void print_parts(const struct sighting *seen, const char *words, FILE *report) {
  const struct rota_name_entry *longest = rota__name_find(seen->longest_name);
  if (seen->longest_ns > 0 && longest != NULL)
    print_name(longest, report);
  else if (seen->longest_ns > 0)
    rota__symbol_print(seen->longest_function, report);
  if (seen->longest_ns > 0) {
    fprintf(report, " for %llu ms, now ", (unsigned long long)(seen->longest_ns / NS_PER_MS));
    return;
  }
  fprintf(report, "%u callbacks in a row, now ", (unsigned int)seen->parts);
  if (print_innermost("", words, report))
    fputs(", in ", report);
}

/* A name that stands for many functions, such as that of promise reactions. */
static bool has_common_name(const struct sighting *seen) {
  const struct rota_name_entry *name = rota__name_find(seen->name);
  return name != NULL && name->file[0] == '\0';
}

static void print_report(const struct sighting *seen, uint64_t times, uint64_t worst_ns, FILE *to) {
  uint64_t for_ms = (seen->now_ns - seen->since_ns) / NS_PER_MS;
  /* Before anything is named: for that the symbols of a large program are read, which can take longer than the block.
   */
  struct backtrace trace;
  take_backtrace(seen, &trace);
  char *words = ask_embedder(seen);
  bool words_are_of_it = words != NULL && still_runs(seen);
  struct rota_report whole;
  rota__report_begin(&whole, to);
  FILE *report = whole.stream;
  fprintf(report, "rota: watchdog: a loop is %s%s for %llu ms by ", seen->again ? "still " : "",
          seen->draining ? "starved" : "blocked", (unsigned long long)for_ms);
  if (seen->draining)
    print_drain(seen, words, report);
  else if (seen->parts > 0)
    print_parts(seen, words, report);
  else if (words_are_of_it && has_common_name(seen) && print_innermost("", words, report))
    fputs(", in ", report);
  print_what(seen, report);
  if (times > 1)
    fprintf(report, "; %llu times so far, worst %llu ms", (unsigned long long)times,
            (unsigned long long)(worst_ns / NS_PER_MS));
  fputc('\n', report);
  /* The embedder's stack is more useful to its users: it is printed first, though ours is taken first. */
  if (words != NULL)
    fputs(words, report);
  free(words);
  print_backtrace(&trace, report);
  rota__report_end(&whole);
}

static struct offender *offender_of_sighting(const struct sighting *seen) {
  if (seen->longest_ns > 0)
    return offender_of(seen->longest_function, seen->longest_name);
  return offender_of(seen->draining && seen->tick != NULL ? seen->tick : seen->function,
                     seen->draining && seen->tick_name != 0 ? seen->tick_name : seen->name);
}

static void consider(const struct sighting *seen) {
  pthread_mutex_lock(&lock);
  struct offender *offender = offender_of_sighting(seen);
  uint64_t times = seen->again ? offender->seen : ++offender->seen;
  if (seen->now_ns - seen->since_ns > offender->worst_ns)
    offender->worst_ns = seen->now_ns - seen->since_ns;
  uint64_t worst_ns = offender->worst_ns;
  pthread_mutex_unlock(&lock);
  if (!seen->again && (times & (times - 1)) != 0)
    return;
  rota__black_box_hold();
  print_report(seen, times, worst_ns, stderr);
  rota__black_box_write_held("a loop is blocked");
}

void rota__watchdog_look(void) {
  struct sighting seen;
  bool found;
  do {
    found = false;
    struct rota_link *tracers = rota__tracer_lock();
    for (struct rota_link *link = tracers->next; link != tracers && !found; link = link->next)
      found = look_at(rota__container_of(link, struct rota_tracer, link), &seen);
    rota__tracer_unlock();
    if (found)
      consider(&seen);
  } while (found);
}

/* On the loop's thread. */
static void keep_longest(struct rota_tracer *tracer, const struct rota_frame *frame, uint64_t took_ns) {
  struct rota_longest_part *longest = &tracer->now.longest;
  uint64_t sequence = atomic_load_explicit(&tracer->now.sequence, memory_order_relaxed);
  if (sequence == atomic_load_explicit(&tracer->reported_sequence, memory_order_relaxed))
    atomic_store_explicit(&tracer->reported_end_ns, tracer->last_ns, memory_order_release);
  if (took_ns <= atomic_load_explicit(&longest->took_ns, memory_order_relaxed))
    return;
  atomic_store_explicit(&longest->sequence, sequence, memory_order_relaxed);
  atomic_store_explicit(&longest->function, frame->function, memory_order_relaxed);
  atomic_store_explicit(&longest->name, frame->name, memory_order_relaxed);
  atomic_store_explicit(&longest->took_ns, took_ns, memory_order_release);
}

void rota__watchdog_ended(struct rota_tracer *tracer, const struct rota_frame *frame, uint64_t took_ns) {
  keep_longest(tracer, frame, took_ns);
  if (took_ns < atomic_load_explicit(&threshold_ns, memory_order_relaxed))
    return;
  atomic_fetch_add(&late_count, 1);
  pthread_mutex_lock(&lock);
  struct offender *offender = offender_of(frame->function, frame->name);
  if (took_ns > offender->worst_ns)
    offender->worst_ns = took_ns;
  pthread_mutex_unlock(&lock);
}

/* ---- switching on and off ---- */

int rota_watchdog_start(uint64_t threshold_ms, rota_watchdog_hook new_hook, void *data) {
  if (threshold_ms == 0 || threshold_ms > UINT64_MAX / NS_PER_MS / 16)
    return UV_EINVAL;
  rota__observe_prepare();
  rota__os_backtrace_prepare();
  pthread_mutex_lock(&lock);
  hook = new_hook;
  hook_data = data;
  pthread_mutex_unlock(&lock);
  atomic_store(&threshold_ns, threshold_ms * NS_PER_MS);
  uint64_t period_ns = threshold_ms * NS_PER_MS / 4;
  int err = rota__service_watch(period_ns > PERIOD_MAX_NS ? PERIOD_MAX_NS : period_ns);
  if (err == 0)
    rota__observe_more(ROTA_OBSERVE_WATCHDOG);
  return err;
}

void rota_watchdog_stop(void) {
  if (!rota__observes(ROTA_OBSERVE_WATCHDOG))
    return;
  rota__observe_less(ROTA_OBSERVE_WATCHDOG);
  (void)rota__service_watch(0);
}

uint64_t rota_watchdog_call(void) {
  return atomic_load(&reported_call);
}

uint64_t rota_watchdog_count(void) {
  return atomic_load(&late_count);
}
