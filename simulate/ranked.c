/* The wait of a loop by ranks (schedule.h): in each round, the candidates of the lowest rank come. A candidate is a
 * ready descriptor, a job of the pool, the next timer, or the loop's next turn.
 *
 * With `picks` instead of ranks, a replayed record gives the index of the one candidate that comes. So all orders of a
 * small program can be run, one after the other. */
#include <stdio.h>

#include "loop/base/units.h"
#include "simulate/allowance.h"
#include "simulate/schedule.h"

enum { CANDIDATES_MAX = 160, DESCRIPTORS_MAX = 64 };

enum kind {
  DESCRIPTOR,
  JOB,
  TIMER, /* the next one comes before what is ready */
  TURN,  /* the loop runs its other phases before what is ready */
};

struct candidate {
  enum kind kind;
  int index;              /* of the descriptor's event */
  struct rota_work *work; /* of a job */
  struct rota_rank *slot; /* null: there is no free slot, and the rank is 0 */
  bool chosen;
};

struct round {
  struct candidate list[CANDIDATES_MAX];
  int count;
  const struct rota_ready *ready; /* the events of descriptors */
};

/* ---- ranks ---- */

/* The slot with this key, else a free one, else null. */
static struct rota_rank *rank_at(struct rota_rank slots[ROTA_RANKED_MAX], uint64_t key) {
  struct rota_rank *vacant = NULL;
  for (int i = 0; i < ROTA_RANKED_MAX; i++) {
    if (slots[i].key == key)
      return &slots[i];
    if (slots[i].key == 0 && vacant == NULL)
      vacant = &slots[i];
  }
  return vacant;
}

/* A candidate that was passed over too often gets rank 0, and takes no longer. */
static void pass_over(struct rota_rank *rank) {
  if (++rank->rounds <= ROTA_SLOW_ROUNDS)
    return;
  rank->rank = 0;
  rank->until_ns = 0;
  rank->why = "it was passed over too often";
}

/* ---- the candidates of a round ---- */

static const char *describe(const struct rota_steered_poller *self, const struct round *round,
                            const struct candidate *candidate, char words[2 * ROTA_DESCRIPTION_MAX]) {
  char text[ROTA_DESCRIPTION_MAX];
  const struct rota_ready *event = &round->ready[candidate->index];
  if (candidate->kind == DESCRIPTOR)
    snprintf(words, 2 * ROTA_DESCRIPTION_MAX, "poll: %s",
             rota__describe_ready(self->wrapped.loop, event->u.watch.fd, event->u.watch.events, text));
  else if (candidate->kind == JOB)
    snprintf(words, 2 * ROTA_DESCRIPTION_MAX, "pool: %s", rota__describe_job(candidate->work, text));
  else if (candidate->kind == TIMER)
    snprintf(words, 2 * ROTA_DESCRIPTION_MAX, "time: the timer due at %llu ms",
             (unsigned long long)(candidate->slot->key - self->ranks.begin_ms));
  else
    snprintf(words, 2 * ROTA_DESCRIPTION_MAX, "loop: its next turn");
  return words;
}

static unsigned int rank_of(const struct candidate *candidate) {
  return candidate->slot == NULL ? 0 : candidate->slot->rank;
}

static bool comes_by_itself(const struct candidate *candidate) {
  return candidate->kind == DESCRIPTOR || candidate->kind == JOB;
}

/* Whether it waits for another operation. */
static bool is_tied(const struct candidate *candidate) {
  return candidate->slot != NULL && candidate->slot->is_tied;
}

/* Whether it still takes a time, or waits for another operation. */
static bool is_held(const struct candidate *candidate) {
  return is_tied(candidate) || (candidate->slot != NULL && candidate->slot->until_ns > rota__steered_now_ns());
}

/* How long a candidate of its class takes. */
static unsigned int usual_time(struct rota_steered_poller *self, const struct candidate *candidate) {
  const struct rota_takes *takes = &self->decisions.takes;
  if (candidate->kind == DESCRIPTOR)
    return takes->descriptor;
  unsigned int usual = rota__job_changes_files(candidate->work) ? takes->changing : takes->job;
  uint64_t now_ns = rota__steered_now_ns(), begun_ns = now_ns - now_ns % NS_PER_MS;
  self->ranks.begun_count = self->ranks.begun_ns == begun_ns ? self->ranks.begun_count + 1 : 0;
  self->ranks.begun_ns = begun_ns;
  if (!takes->reverses || self->ranks.begun_count == 0)
    return usual;
  if (usual == ROTA_TAKE_TIMER) /* those behind it take less than the least of it */
    for (usual = 0; rota__take_ms[usual] < rota__take_ms[ROTA_TAKE_TIMER];)
      usual++;
  return usual > self->ranks.begun_count ? usual - self->ranks.begun_count : usual;
}

/* Until after the next timer, if the bound of what is held back allows that. */
static uint64_t longer_than_timer_ms(const struct rota_steered_poller *self) {
  const struct rota_wheel *timers = &rota__loop(self->wrapped.loop)->timers;
  uint64_t least_ms = rota__take_ms[ROTA_TAKE_TIMER], now_ms = self->wrapped.loop->core.now_ms;
  uint64_t due_ms = rota__wheel_empty(timers) ? 0 : rota__wheel_next_due(timers);
  if (due_ms < now_ms + least_ms || !rota__allowance_has((int64_t)(due_ms - now_ms) * NS_PER_MS))
    return least_ms;
  return due_ms - now_ms + 1;
}

/* How long it takes: a job is asked once, a descriptor each time that it is ready. */
static void decide_time(struct rota_steered_poller *self, const struct round *round,
                        const struct candidate *candidate) {
  struct rota_rank *slot = candidate->slot;
  if (slot->is_asked || !comes_by_itself(candidate) || self->decisions.picks)
    return;
  slot->is_asked = true;
  const struct rota_takes *takes = &self->decisions.takes;
  bool may_deviate = candidate->kind == JOB ? !takes->spares_jobs : !takes->spares_descriptors;
  unsigned int chosen = rota__decide_time(&self->decisions, usual_time(self, candidate), may_deviate);
  if (chosen == 0)
    return;
  char words[2 * ROTA_DESCRIPTION_MAX];
  uint64_t take_ms = chosen == ROTA_TAKE_TIMER ? longer_than_timer_ms(self) : rota__take_ms[chosen];
  uint64_t until_ns = rota__steered_now_ns() + take_ms * NS_PER_MS;
  slot->until_ns = until_ns - until_ns % NS_PER_MS;
  rota__decision_record(&self->decisions, "%s takes %u ms", describe(self, round, candidate, words),
                        (unsigned int)take_ms);
}

static void decide_rank(struct rota_steered_poller *self, const struct round *round, const struct candidate *candidate,
                        uint64_t key) {
  struct rota_rank *slot = candidate->slot;
  *slot = (struct rota_rank){.key = key, .number = self->decisions.kinds[ROTA_CHOICE_RANK].number};
  if (self->decisions.picks) {
    self->decisions.kinds[ROTA_CHOICE_RANK].number++; /* the number identifies the candidate in the record */
    return;
  }
  slot->rank = rota__decide(&self->decisions, ROTA_CHOICE_RANK, ROTA_RANKS);
  if (slot->rank > 0) {
    char words[2 * ROTA_DESCRIPTION_MAX];
    rota__decision_record(&self->decisions,
                          slot->rank == ROTA_RANKS - 1 ? "%s is put behind all others"
                                                       : "%s comes after all of a rank below %u",
                          describe(self, round, candidate, words), slot->rank);
  }
}

/* A job has its name, a descriptor gets one each time that it is ready. */
static void look_for_pairs(struct rota_steered_poller *self, const struct round *round,
                           const struct candidate *candidate) {
  struct rota_rank *slot = candidate->slot;
  if (candidate->kind == TIMER)
    (void)rota__pairs_timer(&self->pairs, slot->key);
  if (!self->pairs.is_on || !comes_by_itself(candidate))
    return;
  if (!slot->is_named) {
    const struct rota_ready *event = &round->ready[candidate->index];
    slot->is_named = true;
    slot->why = NULL;
    slot->name = candidate->kind == JOB ? rota__pairs_job(&self->pairs, candidate->work)
                                        : rota__pairs_ready(&self->pairs, event);
    rota__pairs_record(&self->pairs, slot->name);
  }
  slot->is_tied = slot->why == NULL && rota__pairs_is_tied(&self->pairs, slot->name);
}

static void add(struct rota_steered_poller *self, struct round *round, struct candidate candidate, uint64_t key) {
  round->list[round->count++] = candidate;
  if (candidate.slot == NULL)
    return;
  if (candidate.slot->key != key)
    decide_rank(self, round, &candidate, key);
  decide_time(self, round, &candidate);
  look_for_pairs(self, round, &candidate);
}

static void add_jobs(struct rota_steered_poller *self, struct round *round, bool may_wait) {
  struct rota_work *found[ROTA_JOBS_FRONT_MAX];
  unsigned int count = rota__jobs_front(&self->jobs, may_wait, found);
  if (count > 0 && !self->ranks.disk_asked) {
    self->ranks.disk_asked = true;
    self->ranks.disk_slow = rota__fault(self, "disk", "this machine") > 0;
  }
  for (unsigned int i = 0; i < count; i++) {
    uint64_t key = found[i]->req->rota.by.sequence;
    struct candidate candidate = {.kind = JOB, .work = found[i], .slot = rank_at(self->ranks.jobs, key)};
    bool is_new = candidate.slot != NULL && candidate.slot->key != key;
    add(self, round, candidate, key);
    if (is_new && self->ranks.disk_slow)
      candidate.slot->rank = ROTA_RANKS;
  }
}

/* Whether the timer may come first, though the candidates wait for it. A candidate waits for a limited time in all. */
static bool may_wait_for_timer(const struct rota_steered_poller *self, const struct round *round, int64_t timeout_ns) {
  uint64_t now_ms = self->wrapped.loop->core.now_ms;
  for (int i = 0; i < round->count; i++) {
    const struct rota_rank *slot = round->list[i].slot;
    uint64_t waited_ms = slot != NULL && slot->is_waiting ? now_ms - slot->waiting_since_ms : 0;
    uint64_t limit_ms = round->list[i].kind == DESCRIPTOR ? ROTA_STEERED_HELD_MS : self->decisions.time_budget_ms;
    if ((int64_t)waited_ms * NS_PER_MS + timeout_ns > (int64_t)limit_ms * NS_PER_MS)
      return false;
  }
  return true;
}

/* If the loop would wait for a timer, the timer is a candidate; if it would not wait, its next turn is one. */
static void add_others(struct rota_steered_poller *self, struct round *round, int64_t timeout_ns) {
  if (round->count == 0)
    return;
  if (timeout_ns == 0)
    add(self, round, (struct candidate){.kind = TURN, .slot = &self->ranks.turn}, 1);
  else if (rota__steered_may_pass_time(self, timeout_ns) && may_wait_for_timer(self, round, timeout_ns))
    add(self, round, (struct candidate){.kind = TIMER, .slot = &self->ranks.timer},
        rota__wheel_next_due(&rota__loop(self->wrapped.loop)->timers));
}

/* Signals are no candidates: they come with the last of the other descriptors. */
static void gather(struct rota_steered_poller *self, struct round *round, int ready, int64_t timeout_ns) {
  round->count = 0;
  for (int i = 0; i < ready && i < DESCRIPTORS_MAX; i++) {
    uint64_t generation = round->ready[i].u.watch.generation;
    if (rota__steered_is_signal(self, &round->ready[i]))
      continue;
    uint64_t key = generation + 1;
    add(self, round, (struct candidate){.kind = DESCRIPTOR, .index = i, .slot = rank_at(self->ranks.descriptors, key)},
        key);
  }
  add_jobs(self, round, timeout_ns != 0);
  add_others(self, round, timeout_ns);
}

/* ---- choosing ---- */

/* Of those that are not held. */
static unsigned int lowest_rank(const struct round *round) {
  unsigned int best = UINT32_MAX;
  for (int i = 0; i < round->count; i++)
    if (!is_held(&round->list[i]) && rank_of(&round->list[i]) < best)
      best = rank_of(&round->list[i]);
  return best;
}

/* Perhaps puts the first candidate of the lowest rank behind all others. */
static void change_rank(struct rota_steered_poller *self, struct round *round) {
  unsigned int best = lowest_rank(round);
  if (round->count < 2 || rota__decide(&self->decisions, ROTA_CHOICE_CHANGE, 2) == 0)
    return;
  for (int i = 0; i < round->count; i++) {
    struct candidate *candidate = &round->list[i];
    if (candidate->slot == NULL || is_held(candidate) || rank_of(candidate) != best)
      continue;
    char words[2 * ROTA_DESCRIPTION_MAX];
    candidate->slot->rank = ROTA_RANKS + self->ranks.changes++;
    rota__decision_record(&self->decisions, "%s is put behind all others", describe(self, round, candidate, words));
    return;
  }
}

/* All candidates of the lowest rank come; the turn and the timer come only if they are alone. */
static void choose_by_rank(struct rota_steered_poller *self, struct round *round) {
  change_rank(self, round);
  unsigned int best = lowest_rank(round);
  bool any = false;
  for (int i = 0; i < round->count; i++) {
    struct candidate *candidate = &round->list[i];
    candidate->chosen = !is_held(candidate) && rank_of(candidate) == best && (comes_by_itself(candidate) || !any);
    any |= candidate->chosen;
    if (!candidate->chosen && candidate->slot != NULL)
      pass_over(candidate->slot);
  }
}

/* The loop does not wait, and what takes a time is left behind. */
static void count_turn(const struct round *round) {
  for (int i = 0; i < round->count; i++) {
    struct rota_rank *slot = round->list[i].slot;
    if (is_held(&round->list[i]) && ++slot->turns >= ROTA_TAKE_TURNS)
      slot->until_ns = 0;
  }
}

/* It comes: notes which of the orders that were asked for are turned. */
static void note_order(const struct rota_steered_poller *self, const struct rota_rank *slot) {
  if (slot->name != 0)
    rota__pairs_note(&self->pairs, slot->name, slot->why == NULL ? "it came before" : slot->why);
}

/* Notes since when the candidates wait that were not chosen. */
static void note_waiting(const struct rota_steered_poller *self, const struct round *round) {
  for (int i = 0; i < round->count; i++) {
    struct rota_rank *slot = round->list[i].slot;
    if (slot == NULL)
      continue;
    if (!slot->is_waiting)
      slot->waiting_since_ms = self->wrapped.loop->core.now_ms;
    slot->is_waiting = !round->list[i].chosen;
    slot->is_asked &= slot->is_waiting;
    slot->is_named &= slot->is_waiting;
    if (round->list[i].chosen && round->list[i].kind == DESCRIPTOR)
      note_order(self, slot);
    slot->rounds = slot->is_waiting ? slot->rounds : 0;
    slot->turns = slot->is_waiting ? slot->turns : 0;
  }
}

/* All choices are recorded, also the usual one: a search through all orders must know how many candidates
 * there were. */
static void pick_by_index(struct rota_steered_poller *self, struct round *round) {
  if (round->count == 0)
    return;
  unsigned int chosen =
      round->count == 1 ? 0 : rota__decide(&self->decisions, ROTA_CHOICE_PICK, (unsigned)round->count);
  round->list[chosen].chosen = true;
  if (round->count == 1)
    return;
  char words[2 * ROTA_DESCRIPTION_MAX];
  rota__decision_record_any(&self->decisions, ROTA_CHOICE_PICK, chosen, "%s comes next, of %d",
                            describe(self, round, &round->list[chosen], words), round->count);
}

/* ---- the record: what was chosen (>), and what was passed over (<) ---- */

static void record_round(struct rota_steered_poller *self, const struct round *round) {
  char words[2 * ROTA_DESCRIPTION_MAX];
  if (round->count < 2 || !rota__record_is_open())
    return;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < round->count; i++) {
      const struct candidate *candidate = &round->list[i];
      if (candidate->chosen == (pass == 0))
        rota__record_note("#%c %u %llu %s\n", pass == 0 ? '>' : '<', self->decisions.loop,
                          candidate->slot == NULL ? 0ULL : (unsigned long long)candidate->slot->number,
                          describe(self, round, candidate, words));
    }
  }
  rota__record_note("#. %u\n", self->decisions.loop);
}

/* ---- running what was chosen ---- */

static void run_jobs(struct rota_steered_poller *self, const struct round *round) {
  for (int i = 0; i < round->count; i++) {
    const struct candidate *candidate = &round->list[i];
    if (!candidate->chosen || candidate->kind != JOB)
      continue;
    if (candidate->slot != NULL) {
      note_order(self, candidate->slot);
      candidate->slot->key = 0;
    }
    rota__jobs_run_one(&self->jobs, candidate->work);
  }
}

/* After jobs of rank 0, the jobs behind them in the queue have a thread: those of rank 0 run in the same round, as they
 * would without steering. */
static void run_next_jobs(struct rota_steered_poller *self, struct round *round, bool may_wait) {
  bool more = !self->decisions.picks;
  while (more) {
    more = false;
    round->count = 0;
    add_jobs(self, round, may_wait);
    for (int i = 0; i < round->count; i++)
      more |= round->list[i].chosen = !is_held(&round->list[i]) && rank_of(&round->list[i]) == 0;
    run_jobs(self, round);
  }
}

/* Removes the other events. Returns how many are left. */
static int keep_chosen_events(const struct rota_steered_poller *self, const struct round *round, struct rota_ready *out,
                              int ready) {
  bool keeps[DESCRIPTORS_MAX] = {false}, all = true;
  for (int i = 0; i < round->count; i++)
    if (round->list[i].kind == DESCRIPTOR)
      all &= keeps[round->list[i].index] = round->list[i].chosen;
  int kept = 0;
  for (int i = 0; i < ready; i++)
    if (i >= DESCRIPTORS_MAX || rota__steered_is_signal(self, &out[i]) ? all : keeps[i])
      out[kept++] = out[i];
  return kept;
}

static const struct candidate *chosen_of(const struct round *round, enum kind kind) {
  for (int i = 0; i < round->count; i++)
    if (round->list[i].chosen && round->list[i].kind == kind)
      return &round->list[i];
  return NULL;
}

/* Runs the chosen jobs, and keeps the chosen events. Returns the number of events. */
static int run_chosen(struct rota_steered_poller *self, struct round *round, struct rota_ready *out, int ready,
                      bool may_wait) {
  if (chosen_of(round, TIMER) != NULL || chosen_of(round, TURN) != NULL)
    return 0;
  int n = keep_chosen_events(self, round, out, ready);
  const struct candidate *job = chosen_of(round, JOB);
  bool is_usual = job != NULL && rank_of(job) == 0;
  run_jobs(self, round);
  if (is_usual)
    run_next_jobs(self, round, may_wait);
  return n;
}

/* The time at which the first that is held comes; 0: something comes without a wait; UINT64_MAX: none of them comes. */
static uint64_t first_comes_ns(const struct round *round) {
  uint64_t first_ns = UINT64_MAX;
  for (int i = 0; i < round->count; i++) {
    const struct candidate *candidate = &round->list[i];
    if (comes_by_itself(candidate) && !is_held(candidate))
      return 0;
    if (comes_by_itself(candidate) && !is_tied(candidate) && candidate->slot->until_ns < first_ns)
      first_ns = candidate->slot->until_ns;
  }
  return first_ns;
}

/* Whether it waits for another one of the round. */
static bool waits_for_one_of(const struct rota_steered_poller *self, const struct round *round,
                             const struct candidate *candidate) {
  for (int i = 0; i < round->count; i++)
    if (round->list[i].slot != NULL &&
        rota__pairs_waits_for(&self->pairs, candidate->slot->name, round->list[i].slot->name))
      return true;
  return false;
}

/* If nothing is left but what waits for other operations, the first comes whose operation is not there. Returns whether
 * there is any. */
static bool untie(const struct rota_steered_poller *self, const struct round *round) {
  struct rota_rank *first = NULL;
  for (int i = 0; i < round->count; i++) {
    if (!is_tied(&round->list[i]))
      continue;
    if (first == NULL)
      first = round->list[i].slot;
    if (!waits_for_one_of(self, round, &round->list[i])) {
      first = round->list[i].slot;
      break;
    }
  }
  if (first == NULL)
    return false;
  first->why = "nothing else could come";
  return true;
}

/* If all that could come takes a time, and the next timer is later, lets time pass until the first comes. Without
 * enough of it, all come now. Returns whether the round is to be repeated. */
static bool wait_for_first(struct rota_steered_poller *self, struct round *round, int64_t timeout_ns) {
  uint64_t first_ns = first_comes_ns(round), now_ns = rota__steered_now_ns();
  if (first_ns == 0 || timeout_ns == 0)
    return false;
  if (first_ns == UINT64_MAX)
    return chosen_of(round, TIMER) == NULL && untie(self, round);
  int64_t wait_ns = (int64_t)(first_ns - now_ns);
  bool timer_is_next = timeout_ns > 0 && timeout_ns <= wait_ns;
  if (timer_is_next && chosen_of(round, TIMER) != NULL)
    return false;
  if (!timer_is_next && rota__steered_may_pass_time(self, wait_ns)) {
    rota__steered_pass_time(self, wait_ns);
    return true;
  }
  for (int i = 0; i < round->count; i++)
    if (round->list[i].slot != NULL)
      round->list[i].slot->until_ns = 0;
  return true;
}

/* What is left of the wait. */
static int64_t left_of(const struct rota_steered_poller *self, int64_t timeout_ns) {
  if (timeout_ns <= 0 || self->until_ns == 0)
    return timeout_ns;
  uint64_t now_ns = rota__steered_now_ns();
  return now_ns >= self->until_ns ? 0 : (int64_t)(self->until_ns - now_ns);
}

int rota__ranked_wait(struct rota_steered_poller *self, int64_t timeout_ns, struct rota_ready *out, int out_max) {
  struct round round = {.ready = out};
  for (;;) {
    int n = rota__wrapped_wait(&self->wrapped, 0, out, out_max);
    if (n < 0)
      return n;
    int ready = rota__steered_sort(self, out, n);
    rota__steered_decide_asyncs(self);
    gather(self, &round, ready, timeout_ns);
    if (self->decisions.picks)
      pick_by_index(self, &round);
    else
      choose_by_rank(self, &round);
    if (wait_for_first(self, &round, timeout_ns)) {
      timeout_ns = left_of(self, timeout_ns);
      continue;
    }
    if (timeout_ns == 0)
      count_turn(&round);
    note_waiting(self, &round);
    record_round(self, &round);
    bool is_timer = chosen_of(&round, TIMER) != NULL;
    n = run_chosen(self, &round, out, ready, timeout_ns != 0);
    bool reported = rota__jobs_report(&self->jobs, &self->decisions, ROTA_HOLD_SLOW);
    if (n > 0 || reported)
      self->time_budget_ns = (int64_t)self->decisions.time_budget_ms * NS_PER_MS;
    if (rota__steered_wait_ends(self, n, reported, timeout_ns))
      return n;
    if (is_timer) {
      rota__steered_pass_time(self, timeout_ns);
      return 0;
    }
    n = rota__steered_sleep(self, timeout_ns, out, out_max);
    if (n <= 0)
      return n;
  }
}
