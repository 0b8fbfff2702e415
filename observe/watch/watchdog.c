#include "observe/trace/tracer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/units.h"
#include "loop/os/clock.h"
#include "loop/os/memory.h"
#include "loop/os/process.h"
#include "observe/name/describe.h"
#include "observe/trace/trace.h"
#include "observe/watch/block.h"

enum {
  OFFENDERS = 256,
  PERIOD_MAX_NS = 100 * NS_PER_MS,
  ANSWER_NS = 50 * NS_PER_MS,
  ENDS = 8,
  EXIT_WAITS = 200,
  DRAIN_PAUSE_NS = 5 * NS_PER_MS
};

struct offender {
  const void *function;
  uint32_t name;
  uint64_t seen; /* while running */
  uint64_t worst_ns;
};

static _Atomic uint64_t threshold_ns;
static _Atomic uint64_t late_count;
static pthread_mutex_t telling = PTHREAD_MUTEX_INITIALIZER; /* one thread at a time looks and tells */
static uint64_t block_count;
static _Atomic bool exits;
static int process_id;                                   /* of the process that the watchdog was started in */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the hook and the offenders */
static rota_watchdog_hook hook;
static void *hook_data;
static bool has_exit_handler;
static _Atomic uint64_t reported_call, reported_whole; /* what the hook is asked about */
static struct offender offenders[OFFENDERS];

/* What was reported last, and how it has ended. */
struct end {
  struct rota_reported reported;
  uint64_t took_ns;
  struct rota_hot_function hot;
  uint32_t name;
  bool by_exit;
};

/* Of loops that were closed before the next look. With the tracers' lock. */
static struct end kept[ENDS];
static int kept_count;

/* ---- who blocks ---- */

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

static struct offender *offender_of_sighting(const struct rota_sighting *seen) {
  if (seen->longest_ns > 0)
    return offender_of(seen->longest_function, seen->longest_name);
  return offender_of(seen->draining && seen->tick != NULL ? seen->tick : seen->function,
                     seen->draining && seen->tick_name != 0 ? seen->tick_name : seen->name);
}

/* ---- looking ---- */

/* What took most of the time is to blame, rather than what runs by now. */
static void look_at_longest(struct rota_tracer *tracer, struct rota_sighting *seen) {
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
static bool look_at_whole(struct rota_tracer *tracer, uint64_t since_ns, struct rota_sighting *seen) {
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
static bool look_at(struct rota_tracer *tracer, struct rota_sighting *seen) {
  struct rota_tracer_now *now = &tracer->now;
  uint64_t sequence = atomic_load_explicit(&now->sequence, memory_order_acquire);
  uint64_t since_ns = atomic_load_explicit(&now->since_ns, memory_order_acquire);
  bool draining = atomic_load_explicit(&now->draining, memory_order_acquire);
  uint64_t drain_since_ns = atomic_load_explicit(&now->drain_since_ns, memory_order_acquire);
  *seen = (struct rota_sighting){.loop = tracer->loop,
                                 .loop_number = tracer->number,
                                 .since_ns = since_ns,
                                 .now_ns = rota__os_clock_ns(),
                                 .sequence = sequence};
  seen->start_up = !atomic_load_explicit(&now->has_served, memory_order_relaxed);
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
    seen->whole_ns = atomic_load_explicit(&now->whole_since_ns, memory_order_acquire);
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
  tracer->reported_ns = seen->now_ns - seen->since_ns;
  return true;
}

/* Decides whether it is told, and expects its end. With the tracers' lock. */
static void begin_report(struct rota_tracer *tracer, const struct rota_sighting *seen, struct rota_block *block) {
  struct rota_reported *reported = &tracer->reported;
  *block = (struct rota_block){.event = seen->again ? ROTA_BLOCK_GOES_ON : ROTA_BLOCK_BEGAN,
                               .seen = *seen,
                               .took_ns = seen->now_ns - seen->since_ns};
  pthread_mutex_lock(&lock);
  struct offender *offender = offender_of_sighting(seen);
  block->times = seen->again ? offender->seen : ++offender->seen;
  if (block->took_ns > offender->worst_ns)
    offender->worst_ns = block->took_ns;
  block->worst_ns = offender->worst_ns;
  if (seen->parts == 0 && tracer->request.sequence == seen->sequence)
    block->seen.request = tracer->request;
  pthread_mutex_unlock(&lock);
  if (!seen->again || reported->number == 0) {
    free(reported->words);
    *reported = (struct rota_reported){.number = ++block_count, .times = block->times, .seen = block->seen};
    reported->is_told = rota__tell_wants(block->times, seen->now_ns);
    atomic_store(&tracer->ended.at_ns, 0);
    atomic_store(&tracer->reported_whole_ns, seen->parts > 0 ? seen->since_ns : 0);
    if (seen->parts == 0)
      atomic_store(&tracer->reported_sequence, seen->sequence);
  } else if (!rota__tell_has_limit()) {
    reported->is_told = true; /* it goes on for long: so it is told, and its end, too */
  }
  block->number = reported->number;
  block->is_told = reported->is_told;
}

static bool find_block(struct rota_block *block) {
  bool found = false;
  struct rota_sighting seen;
  struct rota_link *tracers = rota__tracer_lock();
  for (struct rota_link *link = tracers->next; link != tracers && !found; link = link->next) {
    struct rota_tracer *tracer = rota__container_of(link, struct rota_tracer, link);
    bool has_end = tracer->reported.number != 0 && atomic_load(&tracer->ended.at_ns) != 0;
    found = !has_end && look_at(tracer, &seen); /* the end comes first */
    if (found)
      begin_report(tracer, &seen, block);
  }
  rota__tracer_unlock();
  return found;
}

/* ---- what there is to tell ---- */

/* If something else runs by now, a stack would name the wrong code. */
static bool still_runs(const struct rota_sighting *seen) {
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

static void take_stack(int thread_id, struct rota_backtrace *trace) {
  static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER; /* caller at a time */
  trace->call = -1;
  pthread_mutex_lock(&one);
  trace->count = rota__os_backtrace_of(thread_id, trace->frames, ROTA_BLOCK_FRAMES, ANSWER_NS, &trace->call);
  pthread_mutex_unlock(&one);
}

void rota__watchdog_print_stack(int thread_id, FILE *stream) {
  struct rota_backtrace trace;
  rota__os_backtrace_prepare();
  take_stack(thread_id, &trace);
  rota__block_print_backtrace(&trace, stream);
  if (trace.count < 0 && trace.call < 0)
    fputs("    (it did not answer in time: it got no processor, or waits in the kernel)\n", stream);
}

/* Empty if what was seen has ended meanwhile. */
static void take_backtrace(const struct rota_sighting *seen, struct rota_backtrace *trace) {
  take_stack(seen->thread_id, trace);
  if (!still_runs(seen))
    *trace = (struct rota_backtrace){.call = -1};
}

/* The embedder's words, taken while it runs; null: there are none. To be freed. */
static char *ask_embedder(const struct rota_sighting *seen) {
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
  atomic_store(&reported_whole, seen->whole_ns);
  call_hook(seen->loop, words, data);
  fclose(words);
  return text;
}

/* The end is told with them, too. It may have ended meanwhile. With the tracers' lock. */
static bool keep_words_in(struct rota_reported *reported, uint64_t number, char *words) {
  if (reported->number != number)
    return false;
  free(reported->words);
  reported->words = words;
  return true;
}

static void keep_words(uint64_t number, char *words) {
  bool kept_now = false;
  struct rota_link *tracers = rota__tracer_lock();
  for (struct rota_link *link = tracers->next; link != tracers && !kept_now; link = link->next)
    kept_now = keep_words_in(&rota__container_of(link, struct rota_tracer, link)->reported, number, words);
  for (int i = 0; i < kept_count && !kept_now; i++)
    kept_now = keep_words_in(&kept[i].reported, number, words);
  rota__tracer_unlock();
  if (!kept_now)
    free(words);
}

/* The backtrace before anything is named: for that the symbols of a large program are read, which can take longer than
 * the block. */
static void tell_block(struct rota_block *block) {
  take_backtrace(&block->seen, &block->trace);
  char *words = ask_embedder(&block->seen);
  block->words = words;
  block->words_are_of_it = words != NULL && still_runs(&block->seen);
  rota__black_box_hold();
  rota__tell(block);
  rota__black_box_write_held("a loop is blocked");
  if (words != NULL)
    keep_words(block->number, words);
}

/* ---- ends ---- */

/* It has ended, and nobody was told so far. With the tracers' lock. */
static bool has_ended(struct rota_tracer *tracer, struct end *end) {
  struct rota_reported *reported = &tracer->reported;
  uint64_t at_ns = atomic_load_explicit(&tracer->ended.at_ns, memory_order_acquire);
  if (reported->number == 0 || at_ns == 0)
    return false;
  /* Ticks and microtasks alternate in a drain: it has ended when nothing follows. */
  bool is_drain = reported->seen.function == NULL && reported->seen.draining;
  if (is_drain && (atomic_load(&tracer->now.draining) || rota__os_clock_ns() < at_ns + DRAIN_PAUSE_NS))
    return false;
  *end = (struct end){.reported = *reported,
                      .took_ns = at_ns - reported->seen.since_ns,
                      .hot = tracer->ended.hot,
                      .name = atomic_load_explicit(&tracer->ended.name, memory_order_acquire)};
  *reported = (struct rota_reported){0};
  return true;
}

static void tell_end(const struct end *end) {
  struct rota_block block = {.event = ROTA_BLOCK_ENDED,
                             .number = end->reported.number,
                             .seen = end->reported.seen,
                             .took_ns = end->took_ns,
                             .by_exit = end->by_exit,
                             .hot = end->hot,
                             .times = end->reported.times,
                             .words = end->reported.words,
                             .trace = {.call = -1}};
  if (end->name != 0 && end->name != ROTA_NAME_NONE && !block.seen.draining)
    block.seen.name = end->name;
  pthread_mutex_lock(&lock);
  struct offender *offender = offender_of_sighting(&block.seen);
  if (block.took_ns > offender->worst_ns)
    offender->worst_ns = block.took_ns;
  block.worst_ns = offender->worst_ns;
  pthread_mutex_unlock(&lock);
  if (end->reported.is_told)
    rota__tell(&block);
  else
    rota__tell_count(end->took_ns);
  free(end->reported.words);
}

static bool find_end(struct end *end) {
  struct rota_link *tracers = rota__tracer_lock();
  bool found = kept_count > 0;
  if (found)
    *end = kept[--kept_count];
  for (struct rota_link *link = tracers->next; link != tracers && !found; link = link->next)
    found = has_ended(rota__container_of(link, struct rota_tracer, link), end);
  rota__tracer_unlock();
  return found;
}

static void tell_ends(void) {
  struct end end = {0};
  while (find_end(&end))
    tell_end(&end);
}

void rota__watchdog_forget(struct rota_tracer *tracer) {
  struct end end = {0};
  bool ended = has_ended(tracer, &end);
  if (ended && kept_count < ENDS)
    kept[kept_count++] = end;
  else
    free(ended ? end.reported.words : tracer->reported.words);
}

/* ---- looking, periodically, and at the exit ---- */

void rota__watchdog_look(void) {
  struct rota_block block;
  pthread_mutex_lock(&telling);
  bool found = !atomic_load(&exits);
  while (found) {
    tell_ends();
    found = find_block(&block);
    if (found && block.is_told)
      tell_block(&block);
  }
  if (!atomic_load(&exits))
    rota__tell_left_out(rota__os_clock_ns(), false);
  pthread_mutex_unlock(&telling);
}

/* What blocks while the process exits has no other end. With the tracers' lock. */
static void end_by_exit(struct rota_tracer *tracer) {
  const struct rota_reported *reported = &tracer->reported;
  struct end end = {.reported = *reported, .by_exit = true};
  bool is_over = atomic_load(&tracer->ended.at_ns) != 0 || atomic_load(&tracer->now.since_ns) == 0;
  if (reported->number == 0 || is_over || kept_count == ENDS)
    return;
  end.took_ns = rota__os_clock_ns() - reported->seen.since_ns;
  end.name = atomic_load(&tracer->now.name);
  tracer->reported = (struct rota_reported){0};
  kept[kept_count++] = end;
}

/* The service thread may wait for the stack of the very thread that exits: it is not waited for. */
void rota_watchdog_end(void) {
  if (atomic_exchange(&exits, true))
    return;
  for (int i = 0; pthread_mutex_trylock(&telling) != 0; i++) {
    if (i == EXIT_WAITS || process_id != rota__os_process_id())
      return;
    rota__os_sleep_ns(NS_PER_MS);
  }
  if (process_id == rota__os_process_id() && rota__observes(ROTA_OBSERVE_WATCHDOG)) {
    tell_ends();
    struct rota_link *tracers = rota__tracer_lock();
    for (struct rota_link *link = tracers->next; link != tracers; link = link->next)
      end_by_exit(rota__container_of(link, struct rota_tracer, link));
    rota__tracer_unlock();
    tell_ends();
    rota__tell_left_out(rota__os_clock_ns(), true);
  }
  pthread_mutex_unlock(&telling);
}

/* ---- on the loop's thread ---- */

/* While at_ns is 0, the rest of the end is the loop's thread's to write. The watchdog sets it to 0 when it has read. */
static bool may_keep_end(const struct rota_tracer *tracer) {
  return atomic_load_explicit(&tracer->ended.at_ns, memory_order_acquire) == 0;
}

/* took_ns: of a callback or a part of one, whose samples there may be; 0: of many. */
static void keep_end(struct rota_tracer *tracer, uint32_t name, uint64_t took_ns) {
  if (!may_keep_end(tracer))
    return;
  atomic_store_explicit(&tracer->ended.name, name, memory_order_relaxed);
  bool is_sampled = tracer->hot != NULL && took_ns > 0 && tracer->hot->sequence == atomic_load(&tracer->now.sequence);
  tracer->ended.hot = is_sampled ? rota__hot_find(tracer->hot, took_ns) : (struct rota_hot_function){0};
  atomic_store_explicit(&tracer->ended.at_ns, tracer->last_ns, memory_order_release);
}

void rota_watchdog_sample(uv_loop_t *loop, const uint32_t *names, unsigned int count, uint64_t took_ns) {
  struct rota_tracer *tracer = loop->core.observers == NULL ? NULL : rota__tracer_of(loop);
  if (tracer == NULL || !rota__observes(ROTA_OBSERVE_WATCHDOG))
    return;
  uint64_t sequence = atomic_load_explicit(&tracer->now.sequence, memory_order_relaxed);
  if (tracer->hot == NULL && (tracer->hot = rota__calloc(1, sizeof(*tracer->hot))) == NULL)
    return;
  if (tracer->hot->sequence != sequence) {
    tracer->hot->sequence = sequence;
    tracer->hot->count = 0;
  }
  rota__hot_add(tracer->hot, names, count, took_ns);
}

static void copy(char *to, size_t size, const char *from) {
  size_t length = from == NULL ? 0 : strnlen(from, size - 1);
  if (length > 0)
    memcpy(to, from, length);
  to[length] = '\0';
}

void rota_watchdog_request(uv_loop_t *loop, const char *trace_id, const char *request_id) {
  struct rota_tracer *tracer = loop->core.observers == NULL ? NULL : rota__tracer_of(loop);
  if (tracer == NULL || !rota__observes(ROTA_OBSERVE_WATCHDOG))
    return;
  pthread_mutex_lock(&lock);
  tracer->request.sequence = atomic_load_explicit(&tracer->now.sequence, memory_order_relaxed);
  copy(tracer->request.trace_id, sizeof tracer->request.trace_id, trace_id);
  copy(tracer->request.request_id, sizeof tracer->request.request_id, request_id);
  pthread_mutex_unlock(&lock);
}

void rota__watchdog_whole_ended(struct rota_tracer *tracer) {
  uint64_t whole_ns = atomic_load_explicit(&tracer->reported_whole_ns, memory_order_relaxed);
  if (whole_ns != 0 && whole_ns == atomic_load_explicit(&tracer->now.whole_since_ns, memory_order_relaxed))
    keep_end(tracer, 0, 0);
}

void rota__watchdog_drain_ended(struct rota_tracer *tracer) {
  uint64_t sequence = atomic_load_explicit(&tracer->now.sequence, memory_order_relaxed);
  if (sequence == atomic_load_explicit(&tracer->reported_sequence, memory_order_relaxed)) {
    keep_end(tracer, 0, 0);
    atomic_store_explicit(&tracer->ended.at_ns, tracer->last_ns, memory_order_release); /* the last of them counts */
  }
}

static void keep_longest(struct rota_tracer *tracer, const struct rota_frame *frame, uint64_t took_ns) {
  struct rota_longest_part *longest = &tracer->now.longest;
  uint64_t sequence = atomic_load_explicit(&tracer->now.sequence, memory_order_relaxed);
  if (sequence == atomic_load_explicit(&tracer->reported_sequence, memory_order_relaxed)) {
    atomic_store_explicit(&tracer->reported_end_ns, tracer->last_ns, memory_order_release);
    if (atomic_load_explicit(&tracer->reported_whole_ns, memory_order_relaxed) == 0)
      keep_end(tracer, frame->name, took_ns);
  }
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

/* The program may have started the watchdog itself, whose thread tells by then. */
void rota__watchdog_tell(bool json, bool native_frames, const char *limit, const char *to) {
  pthread_mutex_lock(&telling);
  rota__tell_set(json, native_frames, limit, to);
  pthread_mutex_unlock(&telling);
}

int rota_watchdog_start(uint64_t threshold_ms, rota_watchdog_hook new_hook, void *data) {
  if (threshold_ms == 0 || threshold_ms > UINT64_MAX / NS_PER_MS / 16)
    return UV_EINVAL;
  rota__observe_prepare();
  rota__os_backtrace_prepare();
  pthread_mutex_lock(&lock);
  process_id = rota__os_process_id();
  if (!has_exit_handler)
    has_exit_handler = rota__os_at_exit(rota_watchdog_end) == 0;
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

uint64_t rota_watchdog_whole(void) {
  return atomic_load(&reported_whole);
}

uint64_t rota_watchdog_count(void) {
  return atomic_load(&late_count);
}
