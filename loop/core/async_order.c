#include "loop/core/async.h"

#include <stdint.h>

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

void rota__async_enter(struct rota_asyncs *asyncs, uv_async_t *async) {
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

void rota__async_leave(struct rota_asyncs *asyncs, uv_async_t *async) {
  struct rota_link *link = &async->u.rota.own.order;
  if (asyncs->called == link)
    asyncs->called = link->prev;
  rota__list_remove(link);
}

bool rota__async_is_ahead(const struct rota_asyncs *asyncs, const uv_async_t *async) {
  return asyncs->called != NULL && async->place > place_of(asyncs, asyncs->called);
}

/* ---- sorting ---- */

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
void rota__asyncs_add_list(struct rota_asyncs *asyncs, uv_async_t *list) {
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

uv_async_t *rota__asyncs_next_of_many(struct rota_asyncs *asyncs) {
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
