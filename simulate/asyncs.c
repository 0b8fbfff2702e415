/* What other threads send to a steered loop, such as a worker's messages: for each send it is decided when it comes.
 *
 * A postponed send waits for some milliseconds of the loop's time. Timers, jobs and descriptors come meanwhile, and so
 * do sends to other handles: whether two sends of one thread are seen in their order depends on the pass of the loop
 * that is under way. But that pass ends: when a later send has come, the earlier one comes in the next round.
 *
 * Decisions are counted for each handle, because the time at which a thread sends is not determined. Otherwise one more
 * send would change all later decisions. */
#include "loop/base/units.h"
#include "loop/os/clock.h"
#include "simulate/allowance.h"
#include "simulate/clock.h"
#include "simulate/schedule.h"
#include "simulate/virtual.h"

/* The last two only in virtual time. */
static const unsigned int later_ms[] = {0, 1, 5, 20, 200, 2000};
enum { OPTIONS = sizeof(later_ms) / sizeof(later_ms[0]), REAL_OPTIONS = 4 };

uint64_t rota__steered_now_ns(void) {
  return rota__virtual_clock_on() ? rota__virtual_clock_ns() : rota__os_clock_ns();
}

static struct rota_late_async *late_at(struct rota_steered_poller *self, const uv_async_t *async) {
  for (int i = 0; i < ROTA_STEERED_ASYNCS; i++)
    if (self->late[i].async == async)
      return &self->late[i];
  return NULL;
}

/* Returns whether the send is postponed. */
static bool postpone(struct rota_steered_poller *self, uv_async_t *async) {
  struct rota_late_async *late = late_at(self, NULL);
  uint64_t number = async->place + ((unsigned int)async->remote >> 1);
  async->remote += 2;
  unsigned int options = rota__virtual_clock_on() ? OPTIONS : REAL_OPTIONS;
  unsigned int chosen = late == NULL ? 0 : rota__decide_at(&self->decisions, ROTA_CHOICE_ASYNC, number, options);
  if (chosen == 0 || !rota__allowance_take((int64_t)later_ms[chosen] * NS_PER_MS))
    return false;
  uint64_t until_ns = rota__steered_now_ns() + (uint64_t)later_ms[chosen] * NS_PER_MS;
  *late = (struct rota_late_async){.async = async, .until_ns = until_ns - until_ns % NS_PER_MS, .seen = true};
  rota__decision_record(&self->decisions, "thread: what another one has sent to async handle %u comes %u ms later",
                        rota__async_number(async), later_ms[chosen]);
  return true;
}

static bool still_waits(struct rota_steered_poller *self, uv_async_t *async) {
  struct rota_late_async *late = late_at(self, async);
  if (late == NULL)
    return postpone(self, async);
  late->seen = true;
  if (!late->is_last && rota__steered_now_ns() < late->until_ns && ++late->rounds <= ROTA_SLOW_ROUNDS)
    return true;
  late->async = NULL;
  return false;
}

/* Frees the slots of handles that were closed meanwhile. */
static void forget_unseen(struct rota_steered_poller *self) {
  for (int i = 0; i < ROTA_STEERED_ASYNCS; i++) {
    if (!self->late[i].seen)
      self->late[i].async = NULL;
    self->late[i].seen = false;
  }
}

void rota__steered_decide_asyncs(struct rota_steered_poller *self) {
  struct rota_asyncs *asyncs = &rota__loop(self->wrapped.loop)->asyncs;
  /* Not postponed: sends to an engine's own loop, whose time may stand still, and to a loop whose descriptor the
   * program polls, because nothing would wake the program. */
  bool at_once = self->wrapped.shared || rota__virtual_is_service(self->wrapped.inner);
  rota__asyncs_hold_remote(asyncs);
  uv_async_t **link = &asyncs->held, **last = NULL;
  while (*link != NULL) {
    if (!at_once && still_waits(self, *link)) {
      link = &(*link)->next_sent;
    } else {
      rota__asyncs_release(asyncs, link);
      last = link;
    }
  }
  for (uv_async_t **at = &asyncs->held; !at_once && last != NULL && at != last; at = &(*at)->next_sent)
    late_at(self, *at)->is_last = true;
  forget_unseen(self);
}

int64_t rota__steered_time_to_async(const struct rota_steered_poller *self, int64_t timeout_ns) {
  uint64_t now = rota__steered_now_ns();
  for (int i = 0; i < ROTA_STEERED_ASYNCS; i++) {
    const struct rota_late_async *late = &self->late[i];
    if (late->async == NULL)
      continue;
    int64_t left_ns = late->is_last || late->until_ns <= now ? 0 : (int64_t)(late->until_ns - now);
    if (timeout_ns < 0 || left_ns < timeout_ns)
      timeout_ns = left_ns;
  }
  return timeout_ns;
}
