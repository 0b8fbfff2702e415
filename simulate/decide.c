#include "simulate/decide.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/list.h"
#include "loop/core/handle.h"
#include "loop/core/internal.h"
#include "loop/os/file.h"
#include "loop/os/own_file.h"
#include "observe/name/describe.h"
#include "simulate/allowance.h"
#include "simulate/run_id.h"
#include "simulate/schedule.h"

enum {
  LINE_MAX_LENGTH = 768,
  DESCRIPTION_MAX_LENGTH = 512,
  ALL_FAULTS = 0xff,
  HOLD_MAX_MS = 86400000,
};

const unsigned int rota__take_ms[ROTA_TAKE_OPTIONS] = {0, 1, 2, 4, 7, 12, 20, 33, 55, 90, 150, 250, 33 /* at least */};

static const char *const strategy_names[ROTA_STRATEGY_COUNT] = {"delay", "mixed", "depth", "pairs"};

struct entry {
  unsigned int loop;
  uint64_t number;
  enum rota_choice choice;
  unsigned int chosen;
  const char *words; /* of one that names operations; else null */
};

static struct {
  uint64_t seed;
  bool replaying;
  bool has_pairs;     /* the entries are pairs, of which a seed chooses */
  bool names;         /* some entries name operations */
  bool ranked, picks; /* what the replayed record has */
  unsigned int faults;
  uint64_t hold_ms; /* UINT64_MAX: no bound */
  struct entry *entries;
  size_t count;
  int record;                       /* a descriptor; negative: none */
  bool disabled[ROTA_CHOICE_COUNT]; /* kinds that are always 0 */
  _Atomic unsigned int loops;
} process = {.record = -1};

/* The last decision of this thread that was not 0, until it is recorded. */
static _Thread_local struct entry last;

/* What finds most has most of the seeds. */
enum { STRATEGIES = 8 };
static const enum rota_strategy strategies[STRATEGIES] = {ROTA_STRATEGY_DELAY, ROTA_STRATEGY_DELAY, ROTA_STRATEGY_MIXED,
                                                          ROTA_STRATEGY_DELAY, ROTA_STRATEGY_DELAY, ROTA_STRATEGY_DEPTH,
                                                          ROTA_STRATEGY_DELAY, ROTA_STRATEGY_DELAY};

static enum rota_strategy strategy_of(uint64_t seed) {
  return process.has_pairs ? ROTA_STRATEGY_PAIRS : strategies[seed % STRATEGIES];
}

/* ---- pairs ---- */

/* A list of pairs has those that touch the same thing, of which the first as a rule changes it (mark -: it looks at
 * it), and such that put one operation behind all that are not ordered with it: of these a seed uses one, seldom or
 * mostly. The mark is the first character of the words. */
enum mark { CHANGES = 0, LOOKS = '-', SELDOM = '*', MOSTLY = '+' };

static enum mark mark_of(const struct entry *entry) {
  switch (entry->words[0]) {
  case LOOKS:
  case SELDOM:
  case MOSTLY:
    return (enum mark)entry->words[0];
  default:
    return CHANGES;
  }
}

static bool is_last(const struct entry *entry) {
  enum mark mark = mark_of(entry);
  return mark == SELDOM || mark == MOSTLY;
}

static bool is_listed(const struct rota_decisions *decisions, const struct entry *entry) {
  return entry->loop == decisions->loop && entry->choice == ROTA_CHOICE_AFTER;
}

/* Draws which operation is put behind all others, those at the beginning of the list more often: the index of its
 * entry; SIZE_MAX: none. */
static size_t draw_last(struct rota_decisions *decisions, uint64_t *random) {
  bool touch = false, *is_mostly = &decisions->pairs_mostly_last;
  uint64_t count = 0, share = rota__draw(random) % 32, part = rota__draw(random) >> 48;
  for (size_t i = 0; i < process.count; i++) {
    if (!is_listed(decisions, &process.entries[i]))
      continue;
    touch |= mark_of(&process.entries[i]) == CHANGES;
    if (!is_last(&process.entries[i]))
      continue;
    *is_mostly |= mark_of(&process.entries[i]) == MOSTLY;
    count++;
  }
  uint64_t left = part * part * count >> 32;
  if (share >= (*is_mostly ? 30 : touch ? 1 : 3))
    return SIZE_MAX;
  for (size_t i = 0; i < process.count; i++)
    if (is_listed(decisions, &process.entries[i]) && is_last(&process.entries[i]) && left-- == 0)
      return i;
  return SIZE_MAX;
}

static void init_pairs(struct rota_decisions *decisions, uint64_t *random) {
  decisions->pairs_random = rota__draw(random);
  decisions->pairs_looks = rota__draw(random) % 32 == 0;
  decisions->pairs_last = draw_last(decisions, random);
}

static void init_faults(struct rota_decisions *decisions, uint64_t *random) {
  static const uint32_t shares[] = {1024, 2048, 8192, 16384};
  decisions->kinds[ROTA_CHOICE_FAULT].rate = process.faults == 0 ? 0 : shares[rota__draw(random) % 4];
}

void rota__decisions_init(struct rota_decisions *decisions) {
  *decisions = (struct rota_decisions){.loop = atomic_fetch_add(&process.loops, 1)};
  uint64_t random = process.seed * 0x2545f4914f6cdd1d + decisions->loop + (rota__run_id_number() << 32);
  enum rota_strategy strategy = strategy_of(process.seed);
  if (process.replaying)
    strategy = process.ranked ? ROTA_STRATEGY_DELAY : ROTA_STRATEGY_MIXED;
  decisions->ranked = strategy != ROTA_STRATEGY_MIXED;
  decisions->picks = process.replaying && process.picks;
  for (int i = 0; i < ROTA_CHOICE_AFTER; i++) /* those behind it are listed, not drawn */
    decisions->kinds[i].random = rota__draw(&random);
  if (strategy == ROTA_STRATEGY_PAIRS)
    init_pairs(decisions, &random);
  rota__strategy_draw(decisions, strategy, &random);
  if (process.replaying && !decisions->ranked)
    decisions->time_budget_ms = UINT32_MAX;
  init_faults(decisions, &random);
  for (int i = 0; i < ROTA_CHOICE_COUNT; i++) {
    if (!process.disabled[i])
      continue;
    decisions->kinds[i].rate = 0;
    if (i == ROTA_CHOICE_TAKE)
      decisions->takes = (struct rota_takes){0};
    if (decisions->forced_choice == (enum rota_choice)i)
      decisions->forced_count = 0;
  }
}

/* ---- the record ---- */

/* Each process of a run has a record of its own: the name of a child's record ends in the id of the child. */
static int open_record(const char *path) {
  char own[LINE_MAX_LENGTH], other[LINE_MAX_LENGTH + 16];
  if (rota__run_id_number() != 0) {
    snprintf(own, sizeof(own), "%s.%s", path, rota__run_id());
    path = own;
  }
  int fd = rota__os_own_file_open(path);
  if (fd < 0)
    return fd;
  if (rota__os_lock_file(fd) < 0) {
    /* Another process writes to this file: it got the same options in another way. */
    rota__os_close(fd);
    snprintf(other, sizeof(other), "%s.%d", path, (int)uv_os_getpid());
    fd = rota__os_own_file_open(other);
    if (fd < 0)
      return fd;
  }
  int err = rota__os_truncate(fd, 0);
  if (err < 0) {
    rota__os_close(fd);
    return err;
  }
  return fd;
}

static void write_line(const char *line, size_t length) {
  if (process.record >= 0)
    (void)rota__os_write(process.record, line, length);
}

/* Returns ROTA_CHOICE_COUNT for an unknown name. */
static enum rota_choice choice_of(const char *name) {
  int i = 0;
  while (i < ROTA_CHOICE_COUNT && strcmp(rota__choice_names[i], name) != 0)
    i++;
  return (enum rota_choice)i;
}

static bool names_operations(enum rota_choice choice) {
  return choice == ROTA_CHOICE_AFTER || choice == ROTA_CHOICE_JOIN;
}

static const char *copy_words(const char *words) {
  size_t length = strcspn(words, "\n");
  char *copy = rota__malloc(length + 1);
  if (copy == NULL)
    return "";
  memcpy(copy, words, length);
  copy[length] = '\0';
  return copy;
}

static bool read_line(const char *line, struct entry *entry) {
  char name[16];
  unsigned long long number;
  int end = 0;
  if (sscanf(line, "%u %llu %15s %u %n", &entry->loop, &number, name, &entry->chosen, &end) != 4)
    return false;
  entry->number = number;
  entry->choice = choice_of(name);
  entry->words = names_operations(entry->choice) ? copy_words(line + end) : NULL;
  return entry->choice != ROTA_CHOICE_COUNT;
}

/* Kinds that only a wait without ranks decides show that the recorded run was not ranked. */
static void note_mode(enum rota_choice choice) {
  if (choice <= ROTA_CHOICE_PASS || choice == ROTA_CHOICE_SLOW)
    process.ranked = false;
  process.picks |= choice == ROTA_CHOICE_PICK;
  process.names |= names_operations(choice);
}

static int disable_kinds(const char *kinds) {
  unsigned int bits;
  if (!rota__setting_read_words(ROTA_SETTING_SCHEDULE_WITHOUT, kinds, &bits))
    return UV_EINVAL;
  for (unsigned int i = 0; i < ROTA_CHOICE_COUNT; i++)
    process.disabled[i] = (bits >> i & 1) != 0;
  return 0;
}

/* The lines after "# process ID COMMAND" belong to that process. */
static bool is_other_process(const char *line, bool *is_other) {
  static const char head[] = "# process ";
  if (strncmp(line, head, sizeof(head) - 1) != 0)
    return false;
  const char *place = line + sizeof(head) - 1;
  *is_other = strncmp(place, rota__run_id(), ROTA_RUN_ID_MAX - 1) != 0;
  return true;
}

static void read_hold(const char *line) {
  unsigned long long hold_ms;
  if (sscanf(line, "# hold %llu ms", &hold_ms) == 1 && hold_ms <= HOLD_MAX_MS)
    process.hold_ms = hold_ms;
}

static int add_entry(const struct entry *entry, size_t *capacity) {
  if (process.count == *capacity) {
    *capacity = *capacity == 0 ? 64 : *capacity * 2;
    struct entry *entries = rota__realloc(process.entries, *capacity * sizeof(*entries));
    if (entries == NULL)
      return UV_ENOMEM;
    process.entries = entries;
  }
  process.entries[process.count++] = *entry;
  return 0;
}

/* One file has the decisions of all processes of a run. All of them show whether it was ranked. Each process keeps its
 * own decisions. */
static int load_record(const char *path) {
  char line[LINE_MAX_LENGTH];
  struct entry entry;
  size_t capacity = 0;
  bool is_other = rota__run_id_number() != 0;
  int fd = rota__os_open(path, O_RDONLY | O_CLOEXEC, 0);
  if (fd < 0)
    return fd;
  FILE *file = fdopen(fd, "r");
  if (file == NULL) {
    rota__os_close(fd);
    return UV_ENOMEM;
  }
  int err = 0;
  process.ranked = true;
  process.hold_ms = UINT64_MAX; /* of records that were written before there was a bound */
  while (err == 0 && fgets(line, sizeof(line), file) != NULL) {
    read_hold(line);
    if (is_other_process(line, &is_other) || line[0] == '#' || line[0] == '\n')
      continue;
    err = read_line(line, &entry) ? 0 : UV_EINVAL;
    if (err == 0)
      note_mode(entry.choice);
    if (err == 0 && !is_other)
      err = add_entry(&entry, &capacity);
  }
  fclose(file);
  return err;
}

int rota__decisions_start(const rota_schedule_options_t *options) {
  process.hold_ms = options->hold_ms == 0 ? ROTA_HOLD_USUAL_MS : options->hold_ms;
  const char *entries = options->replay != NULL ? options->replay : options->pairs;
  int err = entries != NULL ? load_record(entries) : 0;
  if (options->replay == NULL && options->pairs != NULL) {
    process.has_pairs = true;
    process.hold_ms = options->hold_ms == 0 ? ROTA_HOLD_USUAL_MS : options->hold_ms; /* not that of the list */
  }
  if (err == 0 && options->without != NULL)
    err = disable_kinds(options->without);
  if (err < 0)
    return err;
  process.faults = options->replay != NULL ? ALL_FAULTS : 0;
  if (options->replay == NULL && options->faults != NULL &&
      !rota__setting_read_words(ROTA_SETTING_SCHEDULE_FAULTS, options->faults, &process.faults))
    return UV_EINVAL;
  process.replaying = options->replay != NULL;
  process.seed = options->seed;
  rota__allowance_start(process.hold_ms);
  if (options->record == NULL)
    return 0;
  process.record = open_record(options->record);
  if (process.record < 0)
    return process.record;
  char head[LINE_MAX_LENGTH];
  const char *strategy = process.replaying ? "replayed" : strategy_names[strategy_of(options->seed)];
  int length = snprintf(head, sizeof(head), "# rota schedule, seed %llu, %s: loop, number, kind, choice\n",
                        (unsigned long long)options->seed, strategy);
  write_line(head, (size_t)length);
  if (process.hold_ms != UINT64_MAX) {
    length = snprintf(head, sizeof(head), "# hold %llu ms\n", (unsigned long long)process.hold_ms);
    write_line(head, (size_t)length);
  }
  if (rota__run_id_number() != 0) {
    length = snprintf(head, sizeof(head), "# process %s %s\n", rota__run_id(), rota__run_id_command());
    write_line(head, (size_t)length);
  }
  return 0;
}

/* ---- deciding ---- */

static unsigned int replayed(struct rota_decisions *decisions, enum rota_choice choice, uint64_t number) {
  size_t *next = &decisions->kinds[choice].next;
  for (; *next < process.count; (*next)++) {
    const struct entry *entry = &process.entries[*next];
    if (entry->loop == decisions->loop && entry->choice == choice && entry->number >= number)
      return entry->number == number ? entry->chosen : 0;
  }
  return 0;
}

static bool is_forced(const struct rota_decisions *decisions, enum rota_choice choice, uint64_t number) {
  for (unsigned int i = 0; i < decisions->forced_count; i++)
    if (decisions->forced_choice == choice && decisions->forced[i] == number)
      return true;
  return false;
}

/* Keeps the choice for the record. A replayed choice may be too large: the program then behaves differently than in the
 * recorded run. */
static unsigned int remember(struct entry entry, unsigned int options) {
  if (entry.chosen >= options)
    entry.chosen = 0;
  if (entry.chosen > 0)
    last = entry;
  return entry.chosen;
}

/* One of 1 to options - 1. */
static unsigned int deviation(uint64_t random, unsigned int options) {
  return 1 + (unsigned int)((random >> 16) % (options - 1));
}

unsigned int rota__decide(struct rota_decisions *decisions, enum rota_choice choice, unsigned int options) {
  struct entry entry = {.loop = decisions->loop, .number = decisions->kinds[choice].number++, .choice = choice};
  if (process.replaying) {
    entry.chosen = replayed(decisions, choice, entry.number);
  } else {
    uint64_t random = rota__draw(&decisions->kinds[choice].random);
    bool deviates = (random & 0xffff) < decisions->kinds[choice].rate || is_forced(decisions, choice, entry.number);
    if (options > 1 && deviates)
      entry.chosen = deviation(random, options);
  }
  return remember(entry, options);
}

unsigned int rota__decide_time(struct rota_decisions *decisions, unsigned int usual, bool may_deviate) {
  struct entry entry = {
      .loop = decisions->loop, .number = decisions->kinds[ROTA_CHOICE_TAKE].number++, .choice = ROTA_CHOICE_TAKE};
  if (process.replaying) {
    entry.chosen = replayed(decisions, ROTA_CHOICE_TAKE, entry.number);
    return remember(entry, ROTA_TAKE_OPTIONS);
  }
  uint64_t random = rota__draw(&decisions->kinds[ROTA_CHOICE_TAKE].random);
  unsigned int less = decisions->takes.spread > 1 ? (unsigned int)((random >> 40) % decisions->takes.spread) : 0;
  entry.chosen = usual > less && usual != ROTA_TAKE_TIMER ? usual - less : usual;
  if (may_deviate && (random & 0xffff) < decisions->kinds[ROTA_CHOICE_TAKE].rate)
    entry.chosen =
        random >> 63 ? ROTA_TAKE_TIMER - (random >> 62 & 1) : (unsigned int)((random >> 16) % ROTA_TAKE_OPTIONS);
  return remember(entry, ROTA_TAKE_OPTIONS);
}

static unsigned int replayed_at(const struct rota_decisions *decisions, enum rota_choice choice, uint64_t number) {
  for (size_t i = 0; i < process.count; i++) {
    const struct entry *entry = &process.entries[i];
    if (entry->loop == decisions->loop && entry->choice == choice && entry->number == number)
      return entry->chosen;
  }
  return 0;
}

unsigned int rota__decide_at(struct rota_decisions *decisions, enum rota_choice choice, uint64_t number,
                             unsigned int options) {
  struct entry entry = {.loop = decisions->loop, .number = number, .choice = choice};
  uint64_t state = decisions->kinds[choice].random ^ number;
  uint64_t random = rota__draw(&state);
  if (process.replaying)
    entry.chosen = replayed_at(decisions, choice, number);
  else if (options > 1 && (random & 0xffff) < decisions->kinds[choice].rate)
    entry.chosen = deviation(random, options);
  return remember(entry, options);
}

/* Of the operations behind which this one could be put, a seed takes one: mostly the first that comes. The index of its
 * entry. */
static size_t target_of(const struct rota_decisions *decisions, const struct entry *entry, uint64_t random) {
  uint64_t count = 0, others = random >> 32;
  size_t target = SIZE_MAX;
  for (size_t i = 0; i < process.count; i++) {
    const struct entry *other = &process.entries[i];
    if (!is_listed(decisions, other) || other->number != entry->number || mark_of(other) != mark_of(entry))
      continue;
    /* each of those seen has the same chance, or only the first has one */
    if (count == 0 || (random % 4 == 0 && others % (count + 1) == 0))
      target = i;
    count++;
  }
  return target;
}

/* Whether the seed turns this pair round: the same in each run of a loop, whenever it is asked. */
static bool is_turned(const struct rota_decisions *decisions, size_t index) {
  const struct entry *entry = &process.entries[index];
  uint64_t state = decisions->pairs_random ^ entry->number << 32 ^ (uint64_t)entry->choice << 24;
  uint64_t random = rota__draw(&state);
  if (entry->choice == ROTA_CHOICE_JOIN)
    return random % 32 != 0;
  if (is_last(entry))
    return index == decisions->pairs_last;
  if ((mark_of(entry) == LOOKS) != decisions->pairs_looks)
    return false;
  return index == target_of(decisions, entry, random);
}

unsigned int rota__decide_listed(const struct rota_decisions *decisions, enum rota_choice choice, uint64_t number,
                                 size_t *at, const char **words) {
  while (*at < process.count) {
    size_t index = (*at)++;
    const struct entry *entry = &process.entries[index];
    if (entry->loop != decisions->loop || entry->choice != choice || entry->number != number ||
        process.disabled[choice])
      continue;
    *words = entry->words + strspn(entry->words, "-*+ ");
    if (process.replaying || is_turned(decisions, index))
      return entry->chosen;
  }
  return 0;
}

bool rota__decisions_name_operations(void) {
  return process.names || process.record >= 0;
}

/* ---- recording ---- */

static void write_decision(const char *words) {
  char line[LINE_MAX_LENGTH];
  int length = snprintf(line, sizeof(line), "%u %llu %s %u  %s\n", last.loop, (unsigned long long)last.number,
                        rota__choice_names[last.choice], last.chosen, words);
  write_line(line, (size_t)length);
  if (last.chosen > 0 && rota_observing() & ROTA_OBSERVE_TRACE) {
    snprintf(line, sizeof(line), "steered: %s", words);
    rota_trace_mark(rota_name(line, NULL, 0), last.number);
  }
}

void rota__decision_record(struct rota_decisions *decisions, const char *format, ...) {
  char words[DESCRIPTION_MAX_LENGTH];
  va_list arguments;
  (void)decisions;
  va_start(arguments, format);
  vsnprintf(words, sizeof(words), format, arguments);
  va_end(arguments);
  write_decision(words);
}

void rota__decision_record_any(struct rota_decisions *decisions, enum rota_choice choice, unsigned int chosen,
                               const char *format, ...) {
  char words[DESCRIPTION_MAX_LENGTH];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(words, sizeof(words), format, arguments);
  va_end(arguments);
  last = (struct entry){
      .loop = decisions->loop, .number = decisions->kinds[choice].number - 1, .choice = choice, .chosen = chosen};
  write_decision(words);
}

void rota__decision_record_listed(const struct rota_decisions *decisions, enum rota_choice choice, uint64_t number,
                                  unsigned int chosen, const char *words) {
  last = (struct entry){.loop = decisions->loop, .number = number, .choice = choice, .chosen = chosen};
  write_decision(words);
}

unsigned int rota__decisions_faults(void) {
  return process.faults;
}

bool rota__record_is_open(void) {
  return process.record >= 0;
}

void rota__record_note(const char *format, ...) {
  char line[LINE_MAX_LENGTH];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line, sizeof(line), format, arguments);
  va_end(arguments);
  if (length > 0)
    write_line(line, (size_t)length < sizeof(line) ? (size_t)length : sizeof(line) - 1);
}

/* ---- descriptions, for the record ---- */

/* The handle that watches the descriptor; null if the loop itself does. */
static const uv_handle_t *owner_of(const uv_loop_t *loop, int fd) {
  for (const struct rota_link *link = loop->handle_queue.next; link != &loop->handle_queue; link = link->next) {
    const uv_handle_t *handle = rota__container_of(link, const uv_handle_t, handle_queue);
    const struct rota_handle_class *kind = handle->u.rota.kind;
    if (kind->fd != NULL && kind->fd(handle) == fd)
      return handle;
  }
  return NULL;
}

static const char *state_of(const uv_handle_t *owner, unsigned int events) {
  if (owner != NULL && owner->flags & ROTA_STREAM_LISTENING)
    return "a connection for";
  if (events & POLLIN)
    return events & POLLHUP ? "data or the end of" : "data of";
  return events & POLLOUT ? "room in" : "the end of";
}

const char *rota__describe_ready(const uv_loop_t *loop, int fd, unsigned int events, char words[ROTA_DESCRIPTION_MAX]) {
  const struct rota_watcher *watcher =
      (size_t)fd < rota__loop(loop)->watchers_capacity ? rota__loop(loop)->watchers[fd] : NULL;
  const uv_handle_t *owner = owner_of(loop, fd);
  if (watcher != NULL && watcher == rota__loop(loop)->signal_watcher)
    snprintf(words, ROTA_DESCRIPTION_MAX, "a signal");
  else
    snprintf(words, ROTA_DESCRIPTION_MAX, "%s %s %d", state_of(owner, events),
             owner == NULL ? "descriptor" : rota__describe_type(owner->type, 0), fd);
  return words;
}

const char *rota__describe_job(const struct rota_work *work, char words[ROTA_DESCRIPTION_MAX]) {
  const uv_req_t *req = work->req;
  if (req->type == UV_FS) {
    const uv_fs_t *fs = (const uv_fs_t *)req;
    const char *operation = rota__describe_file_operation(fs->fs_type);
    size_t length = fs->path == NULL ? 0 : strlen(fs->path);
    if (length > 0)
      snprintf(words, ROTA_DESCRIPTION_MAX, "%s %s", operation, length > 80 ? fs->path + length - 80 : fs->path);
    else
      snprintf(words, ROTA_DESCRIPTION_MAX, "%s of descriptor %d", operation, (int)fs->file);
  } else if (req->type == UV_GETADDRINFO) {
    snprintf(words, ROTA_DESCRIPTION_MAX, "look-up of %.80s", ((const uv_getaddrinfo_t *)req)->hostname);
  } else {
    snprintf(words, ROTA_DESCRIPTION_MAX, "%s job %llu", rota__describe_work(req->rota.kind),
             (unsigned long long)req->rota.by.sequence);
  }
  return words;
}
