#include "loop/core/async.h"

#include <sched.h>

#include "loop/core/handle.h"
#include "loop/core/internal.h"
#include "loop/core/observe.h"
#include "loop/core/wake.h"

static struct rota_asyncs *asyncs_of(const uv_loop_t *loop) {
  return &rota__loop(loop)->asyncs;
}

/* ---- the order ---- */

/* Numbers are assigned with large gaps. A handle that is inserted between two others takes a number near the first one,
 * because more handles are likely to be inserted between it and the second. When a gap is used up, all handles get new
 * numbers. */
enum { PART = 1024 };
static const rota_place PLACE_MAX = (rota_place)-1, DISTANCE = (rota_place)1 << 4 * sizeof(rota_place);

static uv_async_t *async_at(const struct rota_link *link) {
  return rota__container_of(link, uv_async_t, u.rota.own.order);
}

static void number_anew(struct rota_asyncs *asyncs) {
  size_t count = 0;
  for (const struct rota_link *link = asyncs->order.next; link != &asyncs->order; link = link->next)
    count++;
  /* At least half of the numbers are left for those behind the last one. */
  rota_place step = PLACE_MAX / 2 / (count + 1), place = 0;
  for (const struct rota_link *link = asyncs->order.next; link != &asyncs->order; link = link->next)
    async_at(link)->place = place += step < DISTANCE ? step : DISTANCE;
}

static rota_place place_of(const struct rota_asyncs *asyncs, const struct rota_link *link) {
  return link == &asyncs->order ? 0 : async_at(link)->place;
}

/* How much room there is for numbers behind a handle. */
static rota_place distance_after(const struct rota_asyncs *asyncs, const struct rota_link *link) {
  rota_place end = link->next == &asyncs->order ? PLACE_MAX : async_at(link->next)->place;
  return end - place_of(asyncs, link);
}

static void enter_order(struct rota_asyncs *asyncs, uv_async_t *async) {
  struct rota_link *before = asyncs->called != NULL ? asyncs->called : asyncs->order.prev;
  if (distance_after(asyncs, before) < 2)
    number_anew(asyncs);
  rota_place distance = distance_after(asyncs, before);
  rota_place step = distance / PART;
  if (before->next == &asyncs->order)
    step = distance > DISTANCE ? DISTANCE : distance / 2;
  async->place = place_of(asyncs, before) + (step > 0 ? step : 1);
  rota__list_append(before->next, &async->u.rota.own.order); /* before the next one */
  if (asyncs->called != NULL)
    asyncs->called = &async->u.rota.own.order;
}

static void leave_order(struct rota_asyncs *asyncs, uv_async_t *async) {
  struct rota_link *link = &async->u.rota.own.order;
  if (asyncs->called == link)
    asyncs->called = link->prev;
  rota__list_remove(link);
}

static bool is_ahead(const struct rota_asyncs *asyncs, const uv_async_t *async) {
  return asyncs->called != NULL && async->place > place_of(asyncs, asyncs->called);
}

static uv_async_t *merge(uv_async_t *a, uv_async_t *b) {
  uv_async_t *first;
  uv_async_t **end = &first;
  while (a != NULL && b != NULL) {
    uv_async_t **least = a->place < b->place ? &a : &b;
    *end = *least;
    end = &(*least)->next_sent;
    *least = *end;
  }
  *end = a != NULL ? a : b;
  return first;
}

static void add_run(struct rota_asyncs *asyncs, struct rota_async_run run) {
  while (asyncs->run_count > 0) {
    const struct rota_async_run *last = &asyncs->runs[asyncs->run_count - 1];
    if (last->count > 2 * run.count && asyncs->run_count < ROTA_ASYNC_RUNS)
      break;
    run.first = merge(last->first, run.first);
    run.count += last->count;
    asyncs->run_count--;
  }
  asyncs->runs[asyncs->run_count++] = run;
}

/* Most programs send in the order of initialisation, or to one handle only: then the list is already a run. */
static void add_list(struct rota_asyncs *asyncs, uv_async_t *list) {
  while (list != NULL) {
    struct rota_async_run run = {list, 1};
    uv_async_t *last = list;
    for (; last->next_sent != NULL && last->next_sent->place > last->place; last = last->next_sent)
      run.count++;
    list = last->next_sent;
    last->next_sent = NULL;
    add_run(asyncs, run);
  }
}

static uv_async_t *next_of_many(struct rota_asyncs *asyncs) {
  struct rota_async_run *least = asyncs->runs;
  for (int i = 1; i < asyncs->run_count; i++)
    if (asyncs->runs[i].first->place < least->first->place)
      least = &asyncs->runs[i];
  uv_async_t *async = least->first;
  least->first = async->next_sent;
  least->count--;
  if (least->first == NULL) {
    struct rota_async_run *end = &asyncs->runs[--asyncs->run_count];
    for (; least != end; least++)
      *least = least[1];
  }
  return async;
}

/* A list of handles, linked by next_sent, in any order; it may be empty. Nearly always it is a single one. */
static void add(struct rota_asyncs *asyncs, uv_async_t *list) {
  if (list == NULL)
    return;
  if (list->next_sent == NULL && asyncs->run_count == 0)
    asyncs->runs[asyncs->run_count++] = (struct rota_async_run){list, 1};
  else
    add_list(asyncs, list);
}

/* Null: none is left. */
static uv_async_t *take_next(struct rota_asyncs *asyncs) {
  if (asyncs->run_count == 0)
    return NULL;
  if (asyncs->run_count > 1 || asyncs->runs[0].count > 1)
    return next_of_many(asyncs);
  asyncs->run_count = 0;
  return asyncs->runs[0].first;
}

/* ---- what was sent ---- */

/* Its address tells threads apart. */
static _Thread_local char this_thread;

/* Returns the others. An async handle that does not keep the loop alive belongs to a service, such as an engine's
 * compiler, whose sends depend on the machine: it is not held. */
static uv_async_t *hold_remote(struct rota_asyncs *asyncs, uv_async_t *list) {
  uv_async_t *others = NULL;
  uv_async_t **end = &others, **held = &asyncs->held;
  while (*held != NULL)
    held = &(*held)->next_sent;
  for (; list != NULL; list = list->next_sent) {
    uv_async_t ***to = (list->remote & 1) && uv_has_ref((const uv_handle_t *)list) ? &held : &end;
    **to = list;
    *to = &list->next_sent;
  }
  *end = *held = NULL;
  return others;
}

/* What was pushed since, oldest first. */
static uv_async_t *take_sent(struct rota_asyncs *asyncs) {
  if (atomic_load_explicit(&asyncs->sent, memory_order_relaxed) == NULL)
    return NULL;
  uv_async_t *newest = atomic_exchange_explicit(&asyncs->sent, NULL, memory_order_acquire);
  uv_async_t *oldest = NULL;
  while (newest != NULL) {
    uv_async_t *next = newest->next_sent;
    newest->next_sent = oldest;
    oldest = newest;
    newest = next;
  }
  bool steered = atomic_load_explicit(&asyncs->steered, memory_order_relaxed) != 0;
  return rota__unlikely(steered) ? hold_remote(asyncs, oldest) : oldest;
}

static void keep_for_later(struct rota_asyncs *asyncs, uv_async_t *async) {
  async->next_sent = asyncs->later;
  asyncs->later = async;
}

static void keep_sent(struct rota_asyncs *asyncs) {
  for (uv_async_t *async = take_sent(asyncs), *next; async != NULL; async = next) {
    next = async->next_sent;
    keep_for_later(asyncs, async);
  }
}

/* ---- closing ---- */

/* Takes closed handles out of a list. */
static void drop_closed(uv_async_t **link, size_t *count) {
  while (*link != NULL) {
    uv_async_t *async = *link;
    if (!(async->flags & ROTA_ASYNC_LEFT_SENT)) {
      link = &async->next_sent;
      continue;
    }
    *link = async->next_sent;
    async->flags &= ~(unsigned int)ROTA_ASYNC_LEFT_SENT;
    if (count != NULL)
      --*count;
  }
}

static void drop_all_closed(struct rota_asyncs *asyncs) {
  keep_sent(asyncs);
  drop_closed(&asyncs->later, NULL);
  drop_closed(&asyncs->held, NULL);
  /* Runs exist only during a pass, so this matters only if a callback of the pass runs the loop. */
  int kept = 0;
  for (int i = 0; i < asyncs->run_count; i++) {
    struct rota_async_run run = asyncs->runs[i];
    drop_closed(&run.first, &run.count);
    if (run.first != NULL)
      asyncs->runs[kept++] = run;
  }
  asyncs->run_count = kept;
}

static void async_close(uv_handle_t *handle) {
  uv_async_t *async = (uv_async_t *)handle;
  if (__atomic_exchange_n(&async->state, ROTA_ASYNC_CLOSED, __ATOMIC_ACQ_REL) == ROTA_ASYNC_SENT)
    handle->flags |= ROTA_ASYNC_LEFT_SENT;
  leave_order(asyncs_of(handle->loop), async);
  rota__handle_stop(handle);
  rota__handle_closed(handle);
}

/* After the close callback, the memory is the user's. Many closed handles are taken out of the lists at once. */
static void async_finish(uv_handle_t *handle) {
  while (handle->flags & ROTA_ASYNC_LEFT_SENT) {
    drop_all_closed(asyncs_of(handle->loop));
    /* A sender has marked the handle and not pushed it yet. That takes a few instructions, unless the sender was
     * preempted. */
    if (handle->flags & ROTA_ASYNC_LEFT_SENT)
      sched_yield();
  }
}

static const struct rota_handle_class async_class = {.type = UV_ASYNC, .close = async_close, .finish = async_finish};

/* ---- a handle's life before that ---- */

int uv_async_init(uv_loop_t *loop, uv_async_t *async, uv_async_cb async_cb) {
  rota__handle_init(loop, (uv_handle_t *)async, &async_class);
  async->async_cb = async_cb;
  async->next_sent = NULL;
  async->state = ROTA_ASYNC_QUIET;
  async->remote = 0;
  enter_order(asyncs_of(loop), async);
  rota__handle_start((uv_handle_t *)async);
  return 0;
}

int uv_async_send(uv_async_t *async) {
  rota_call_finder find = atomic_load_explicit(&rota__call_finder, memory_order_relaxed);
  if (rota__unlikely(find != NULL))
    __atomic_store_n(&async->u.rota.cause, find(), __ATOMIC_RELAXED); /* of several senders, the last */
  /* The handle is already pushed: its callback will run, and will see what the caller wrote before this. */
  if (__atomic_exchange_n(&async->state, ROTA_ASYNC_SENT, __ATOMIC_ACQ_REL) != ROTA_ASYNC_QUIET)
    return 0;
  struct rota_loop *loop = rota__loop(async->loop);
  uintptr_t steered = atomic_load_explicit(&loop->asyncs.steered, memory_order_relaxed);
  if (rota__unlikely(steered != 0))
    async->remote = (async->remote & ~1) | (steered != (uintptr_t)&this_thread);
  rota__wake_push_begin(&loop->wake);
  uv_async_t *top = atomic_load_explicit(&loop->asyncs.sent, memory_order_relaxed);
  do
    async->next_sent = top;
  while (!atomic_compare_exchange_weak(&loop->asyncs.sent, &top, async));
  /* The handle may be gone from here on. */
  rota__wake_push_end(&loop->wake);
  return 0;
}

/* ---- the loop's side ---- */

void rota__asyncs_init(struct rota_asyncs *asyncs) {
  atomic_init(&asyncs->sent, NULL);
  rota__list_init(&asyncs->order);
}

void rota__asyncs_fork(uv_loop_t *loop) {
  struct rota_asyncs *asyncs = asyncs_of(loop);
  atomic_store(&asyncs->sent, NULL);
  asyncs->later = asyncs->held = NULL;
  asyncs->run_count = 0;
  for (struct rota_link *link = asyncs->order.next; link != &asyncs->order; link = link->next)
    rota__container_of(link, uv_async_t, u.rota.own.order)->state = ROTA_ASYNC_QUIET;
  for (uv_handle_t *handle = rota__loop(loop)->closing; handle != NULL; handle = handle->next_closing)
    if (handle->type == UV_ASYNC)
      handle->flags &= ~(unsigned int)ROTA_ASYNC_LEFT_SENT;
}

void rota__asyncs_hold_remote(struct rota_asyncs *asyncs) {
  atomic_store_explicit(&asyncs->steered, (uintptr_t)&this_thread, memory_order_relaxed);
  keep_sent(asyncs);
}

void rota__asyncs_release(struct rota_asyncs *asyncs, uv_async_t **link) {
  uv_async_t *async = *link;
  *link = async->next_sent;
  keep_for_later(asyncs, async);
}

/* What was sent in the course of a pass. */
static void sort_in(struct rota_asyncs *asyncs) {
  uv_async_t *ahead = NULL;
  uv_async_t **end = &ahead;
  for (uv_async_t *async = take_sent(asyncs), *next; async != NULL; async = next) {
    next = async->next_sent;
    if (is_ahead(asyncs, async)) {
      async->next_sent = NULL;
      *end = async;
      end = &async->next_sent;
    } else {
      keep_for_later(asyncs, async);
    }
  }
  add(asyncs, ahead);
}

static void call(uv_loop_t *loop, uv_async_t *async) {
  if (async->flags & ROTA_ASYNC_LEFT_SENT) {
    async->flags &= ~(unsigned int)ROTA_ASYNC_LEFT_SENT;
    return;
  }
  asyncs_of(loop)->called = &async->u.rota.own.order;
  /* The state is QUIET before the call: a send during the callback leads to another call. */
  __atomic_exchange_n(&async->state, ROTA_ASYNC_QUIET, __ATOMIC_ACQ_REL);
  if (async->async_cb == NULL)
    return;
  rota__handle_call_begin(loop, async, (rota_function)async->async_cb);
  async->async_cb(async);
  rota__call_end(loop);
}

int rota__asyncs_call(uv_loop_t *loop, struct rota_asyncs *asyncs) {
  int calls = 0;
  uv_async_t *async;
  add(asyncs, asyncs->later);
  asyncs->later = NULL;
  add(asyncs, take_sent(asyncs));
  while ((async = take_next(asyncs)) != NULL) {
    call(loop, async);
    calls++;
    sort_in(asyncs);
  }
  asyncs->called = NULL;
  return calls;
}
