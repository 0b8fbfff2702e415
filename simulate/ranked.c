/* The wait of a loop that goes by ranks (schedule.h): of all that could come next, those of the lowest rank do. With
 * `pick` instead of ranks, one of them does, by its index: so all orders of a small program can be run, one after the
 * other.
 */
#include <stdio.h>

#include "loop/base/units.h"
#include "simulate/schedule.h"

enum { CANDIDATES_MAX = 160, DESCRIPTORS_MAX = 64 };

enum kind { DESCRIPTOR, JOB, TIMER, TURN };

struct candidate {
  enum kind kind;
  int index;              /* of the descriptor's event */
  struct rota_work *work; /* of a job */
  struct rota_rank *place;
  bool chosen;
};

struct look {
  struct candidate list[CANDIDATES_MAX];
  int count;
  const struct rota_ready *ready;
};

/* ---- ranks ---- */

/* The place of this one: its own, else a free one, else null. */
static struct rota_rank *rank_at(struct rota_rank places[ROTA_RANKED_MAX], uint64_t key) {
  struct rota_rank *vacant = NULL;
  for (int i = 0; i < ROTA_RANKED_MAX; i++) {
    if (places[i].key == key)
      return &places[i];
    if (places[i].key == 0 && vacant == NULL)
      vacant = &places[i];
  }
  return vacant;
}

/* It was passed over once more. */
static void rank_passed_over(struct rota_rank *rank) {
  if (++rank->looks > ROTA_SLOW_LOOKS)
    rank->rank = 0;
}

/* ---- who could come next ---- */

static const char *words_of(const struct rota_steered_poller *self, const struct look *look,
                            const struct candidate *candidate, char words[2 * ROTA_WORDS_MAX]) {
  char it[ROTA_WORDS_MAX];
  const struct rota_ready *event = &look->ready[candidate->index];
  if (candidate->kind == DESCRIPTOR)
    snprintf(words, 2 * ROTA_WORDS_MAX, "poll: %s",
             rota__words_for_fd(self->wrapped.loop, event->u.watch.fd, event->u.watch.events, it));
  else if (candidate->kind == JOB)
    snprintf(words, 2 * ROTA_WORDS_MAX, "pool: %s", rota__words_for_job(candidate->work, it));
  else if (candidate->kind == TIMER)
    snprintf(words, 2 * ROTA_WORDS_MAX, "time: the timer due at %llu ms",
             (unsigned long long)(candidate->place->key - self->ranks.begin_ms));
  else
    snprintf(words, 2 * ROTA_WORDS_MAX, "loop: its next turn");
  return words;
}

static unsigned int rank_of(const struct candidate *candidate) {
  return candidate->place == NULL ? 0 : candidate->place->rank;
}

static void add(struct rota_steered_poller *self, struct look *look, struct candidate candidate, uint64_t key) {
  struct rota_rank *place = candidate.place;
  look->list[look->count++] = candidate;
  if (place == NULL || place->key == key)
    return;
  *place = (struct rota_rank){.key = key, .number = self->decisions.kinds[ROTA_CHOICE_RANK].number};
  if (self->decisions.picks) {
    self->decisions.kinds[ROTA_CHOICE_RANK].number++; /* they are told apart all the same */
    return;
  }
  place->rank = rota__decide(&self->decisions, ROTA_CHOICE_RANK, ROTA_RANKS);
  if (place->rank > 0) {
    char words[2 * ROTA_WORDS_MAX];
    rota__decided(&self->decisions,
                  place->rank == ROTA_RANKS - 1 ? "%s is put behind all others"
                                                : "%s comes after all of a rank below %u",
                  words_of(self, look, &candidate, words), place->rank);
  }
}

static void add_jobs(struct rota_steered_poller *self, struct look *look, bool patient) {
  struct rota_work *found[ROTA_JOBS_FRONT_MAX];
  unsigned int count = rota__jobs_front(&self->jobs, patient, found);
  if (count > 0 && !self->ranks.disk_asked) {
    self->ranks.disk_asked = true;
    self->ranks.disk_slow = rota__fault(self, "disk", "this machine") > 0;
  }
  for (unsigned int i = 0; i < count; i++) {
    uint64_t key = found[i]->req->rota.by.sequence;
    struct candidate candidate = {.kind = JOB, .work = found[i], .place = rank_at(self->ranks.jobs, key)};
    bool is_new = candidate.place != NULL && candidate.place->key != key;
    add(self, look, candidate, key);
    if (is_new && self->ranks.disk_slow)
      candidate.place->rank = ROTA_RANKS;
  }
}

/* Whoever waits lets timers come first for so long in all, whatever else happens meanwhile. */
static bool has_patience(const struct rota_steered_poller *self, const struct look *look, int64_t timeout_ns) {
  uint64_t now_ms = self->wrapped.loop->core.now_ms;
  for (int i = 0; i < look->count; i++) {
    const struct rota_rank *place = look->list[i].place;
    uint64_t waited_ms = place != NULL && place->waits ? now_ms - place->since_ms : 0;
    uint64_t limit_ms = look->list[i].kind == DESCRIPTOR ? ROTA_STEERED_HELD_MS : self->decisions.slack_ms;
    if ((int64_t)waited_ms * NS_PER_MS + timeout_ns > (int64_t)limit_ms * NS_PER_MS)
      return false;
  }
  return true;
}

/* A timer competes where the loop would wait for it, and its next turn where it would not. */
static void add_others(struct rota_steered_poller *self, struct look *look, int64_t timeout_ns) {
  if (look->count == 0)
    return;
  if (timeout_ns == 0)
    add(self, look, (struct candidate){.kind = TURN, .place = &self->ranks.turn}, 1);
  else if (rota__steered_has_slack(self, timeout_ns) && has_patience(self, look, timeout_ns))
    add(self, look, (struct candidate){.kind = TIMER, .place = &self->ranks.timer},
        rota__wheel_next_due(&rota__loop(self->wrapped.loop)->timers));
}

/* Signals come with the last of the other descriptors, never before. */
static void gather(struct rota_steered_poller *self, struct look *look, int ready, int64_t timeout_ns) {
  look->count = 0;
  for (int i = 0; i < ready && i < DESCRIPTORS_MAX; i++) {
    uint64_t generation = look->ready[i].u.watch.generation;
    if (rota__steered_is_signal(self, &look->ready[i]))
      continue;
    uint64_t key = generation + 1;
    add(self, look, (struct candidate){.kind = DESCRIPTOR, .index = i, .place = rank_at(self->ranks.descriptors, key)},
        key);
  }
  add_jobs(self, look, timeout_ns != 0);
  add_others(self, look, timeout_ns);
}

/* ---- who does ---- */

static unsigned int lowest(const struct look *look) {
  unsigned int best = UINT32_MAX;
  for (int i = 0; i < look->count; i++)
    best = rank_of(&look->list[i]) < best ? rank_of(&look->list[i]) : best;
  return best;
}

static void change(struct rota_steered_poller *self, struct look *look) {
  unsigned int best = lowest(look);
  if (look->count < 2 || rota__decide(&self->decisions, ROTA_CHOICE_CHANGE, 2) == 0)
    return;
  for (int i = 0; i < look->count; i++) {
    struct candidate *candidate = &look->list[i];
    if (candidate->place == NULL || rank_of(candidate) != best)
      continue;
    char words[2 * ROTA_WORDS_MAX];
    candidate->place->rank = ROTA_RANKS + self->ranks.changes++;
    rota__decided(&self->decisions, "%s is put behind all others", words_of(self, look, candidate, words));
    return;
  }
}

/* Of the lowest rank all come, the turn and the timer only where nobody else does. */
static void choose(struct rota_steered_poller *self, struct look *look) {
  change(self, look);
  unsigned int best = lowest(look);
  bool any = false;
  for (int i = 0; i < look->count; i++) {
    struct candidate *candidate = &look->list[i];
    candidate->chosen = rank_of(candidate) == best && (candidate->kind == DESCRIPTOR || candidate->kind == JOB || !any);
    any |= candidate->chosen;
    if (!candidate->chosen && candidate->place != NULL)
      rank_passed_over(candidate->place);
  }
}

/* Since when those wait that were not chosen. */
static void keep_time(const struct rota_steered_poller *self, const struct look *look) {
  for (int i = 0; i < look->count; i++) {
    struct rota_rank *place = look->list[i].place;
    if (place == NULL)
      continue;
    if (!place->waits)
      place->since_ms = self->wrapped.loop->core.now_ms;
    place->waits = !look->list[i].chosen;
  }
}

/* All choices are written down, those that are usual, too: whoever runs all orders must know how many there are. */
static void pick(struct rota_steered_poller *self, struct look *look) {
  if (look->count == 0)
    return;
  unsigned int chosen = look->count == 1 ? 0 : rota__decide(&self->decisions, ROTA_CHOICE_PICK, (unsigned)look->count);
  look->list[chosen].chosen = true;
  if (look->count == 1)
    return;
  char words[2 * ROTA_WORDS_MAX];
  rota__decided_always(&self->decisions, ROTA_CHOICE_PICK, chosen, "%s comes next, of %d",
                       words_of(self, look, &look->list[chosen], words), look->count);
}

/* ---- the record of who came before whom ---- */

static void note(struct rota_steered_poller *self, const struct look *look) {
  char words[2 * ROTA_WORDS_MAX];
  if (look->count < 2 || !rota__decisions_recorded())
    return;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < look->count; i++) {
      const struct candidate *candidate = &look->list[i];
      if (candidate->chosen == (pass == 0))
        rota__decisions_note("#%c %u %llu %s\n", pass == 0 ? '>' : '<', self->decisions.loop,
                             candidate->place == NULL ? 0ULL : (unsigned long long)candidate->place->number,
                             words_of(self, look, candidate, words));
    }
  }
  rota__decisions_note("#. %u\n", self->decisions.loop);
}

/* ---- how ---- */

static void run_jobs(struct rota_steered_poller *self, const struct look *look) {
  for (int i = 0; i < look->count; i++) {
    const struct candidate *candidate = &look->list[i];
    if (!candidate->chosen || candidate->kind != JOB)
      continue;
    if (candidate->place != NULL)
      candidate->place->key = 0;
    rota__jobs_run_this(&self->jobs, candidate->work);
  }
}

/* Those behind the first jobs of the queue have a thread now: in the usual order they come with them. */
static void run_next_jobs(struct rota_steered_poller *self, struct look *look, bool patient) {
  bool more = !self->decisions.picks;
  while (more) {
    more = false;
    look->count = 0;
    add_jobs(self, look, patient);
    for (int i = 0; i < look->count; i++)
      more |= look->list[i].chosen = rank_of(&look->list[i]) == 0;
    run_jobs(self, look);
  }
}

static int keep_chosen(const struct rota_steered_poller *self, const struct look *look, struct rota_ready *out,
                       int ready) {
  bool keeps[DESCRIPTORS_MAX] = {false}, all = true;
  for (int i = 0; i < look->count; i++)
    if (look->list[i].kind == DESCRIPTOR)
      all &= keeps[look->list[i].index] = look->list[i].chosen;
  int kept = 0;
  for (int i = 0; i < ready; i++)
    if (i >= DESCRIPTORS_MAX || rota__steered_is_signal(self, &out[i]) ? all : keeps[i])
      out[kept++] = out[i];
  return kept;
}

static const struct candidate *chosen_of(const struct look *look, enum kind kind) {
  for (int i = 0; i < look->count; i++)
    if (look->list[i].chosen && look->list[i].kind == kind)
      return &look->list[i];
  return NULL;
}

/* Lets those come that were chosen. Returns how many descriptors. */
static int let_come(struct rota_steered_poller *self, struct look *look, struct rota_ready *out, int ready,
                    bool patient) {
  if (chosen_of(look, TIMER) != NULL || chosen_of(look, TURN) != NULL)
    return 0;
  int n = keep_chosen(self, look, out, ready);
  const struct candidate *job = chosen_of(look, JOB);
  bool usual = job != NULL && rank_of(job) == 0;
  run_jobs(self, look);
  if (usual)
    run_next_jobs(self, look, patient);
  return n;
}

int rota__ranked_wait(struct rota_steered_poller *self, int64_t timeout_ns, struct rota_ready *out, int out_max) {
  struct look look = {.ready = out};
  for (;;) {
    int n = rota__wrapped_wait(&self->wrapped, 0, out, out_max);
    if (n < 0)
      return n;
    int ready = rota__steered_put_in_order(self, out, n);
    rota__steered_look_at_asyncs(self);
    gather(self, &look, ready, timeout_ns);
    if (self->decisions.picks)
      pick(self, &look);
    else
      choose(self, &look);
    keep_time(self, &look);
    note(self, &look);
    bool is_timer = chosen_of(&look, TIMER) != NULL;
    n = let_come(self, &look, out, ready, timeout_ns != 0);
    bool told = rota__jobs_tell(&self->jobs, &self->decisions, ROTA_HOLD_SLOW);
    if (n > 0 || told)
      self->slack_ns = (int64_t)self->decisions.slack_ms * NS_PER_MS;
    if (rota__steered_has_found(self, n, told, timeout_ns))
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
