#include "simulate/pairs.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "loop/core/handle.h"
#include "loop/core/internal.h"
#include "simulate/schedule.h"

enum { RANDOM_LENGTH = 6, SHORT_NUMBER = 3, WORDS_MAX = ROTA_DESCRIPTION_MAX + 16 };

/* ---- names ---- */

/* "-Ab3x9Z" at the end of a part of a path, as mkdtemp makes it. */
static bool is_random(const char *c) {
  int length = 0;
  if (*c != '-')
    return false;
  while (length < RANDOM_LENGTH && isalnum((unsigned char)c[1 + length]))
    length++;
  char end = c[1 + length];
  return length == RANDOM_LENGTH && (end == '/' || end == ' ' || end == '\0');
}

static uint32_t mix(uint32_t hash, unsigned char c) {
  return (hash ^ c) * 16777619;
}

/* FNV-1a. Numbers of more than three digits do not count. */
static uint32_t hash_of(const char *words) {
  uint32_t hash = 2166136261;
  for (const char *c = words; *c != '\0'; c++) {
    size_t digits = strspn(c, "0123456789");
    if (is_random(c) || digits > SHORT_NUMBER) {
      c += is_random(c) ? RANDOM_LENGTH : (int)digits - 1;
      hash = mix(hash, '*');
    } else
      hash = mix(hash, (unsigned char)*c);
  }
  return hash;
}

/* The place of a hash in a table of ROTA_OPERATIONS_MAX; the next one if it is another's. */
static size_t place_of(uint32_t hash, size_t tries) {
  return (hash * 2654435761U + tries) % ROTA_OPERATIONS_MAX;
}

/* 0: the table is full. Those that are not counted are one. */
static uint32_t name_of(struct rota_pairs *pairs, const char *words, bool is_counted, bool *is_new) {
  uint32_t hash = hash_of(words);
  for (size_t i = 0; i < ROTA_OPERATIONS_MAX; i++) {
    size_t at = place_of(hash, i);
    if (pairs->counts[at].count > 0 && pairs->counts[at].words != hash)
      continue;
    *is_new = is_counted || pairs->counts[at].count == 0;
    pairs->counts[at].words = hash;
    uint32_t count = is_counted ? ++pairs->counts[at].count : (pairs->counts[at].count = 1), name = hash;
    for (int byte = 0; byte < 4; byte++)
      name = mix(name, (unsigned char)(count >> 8 * byte));
    return name == 0 ? 1 : name;
  }
  *is_new = false;
  return 0;
}

static uint64_t now_of(const struct rota_pairs *pairs) {
  return pairs->loop->core.now_ms - pairs->begin_ms;
}

static void note_new(const struct rota_pairs *pairs, uint32_t name, uint32_t parent, bool changes, const char *words) {
  if (name != 0 && rota__record_is_open())
    rota__record_note("#+ %u %u %u %llu %c %s\n", pairs->decisions->loop, name, parent,
                      (unsigned long long)now_of(pairs), changes ? 'w' : 'r', words);
}

/* ---- what comes ---- */

static bool has_come(const struct rota_pairs *pairs, uint32_t name) {
  for (size_t i = 0; i < ROTA_OPERATIONS_MAX; i++) {
    uint32_t other = pairs->come[place_of(name, i)];
    if (other == name || other == 0)
      return other == name;
  }
  return false;
}

/* Returns whether this is its first callback. */
static bool come(struct rota_pairs *pairs, uint32_t name) {
  for (size_t i = 0; i < ROTA_OPERATIONS_MAX; i++) {
    uint32_t *place = &pairs->come[place_of(name, i)];
    if (*place == name)
      return false;
    if (*place == 0) {
      *place = name;
      return true;
    }
  }
  return false;
}

static int fd_of(const uv_handle_t *handle) {
  return handle->u.rota.kind->fd == NULL ? -1 : handle->u.rota.kind->fd(handle);
}

static uint32_t of_descriptor(const struct rota_pairs *pairs, const uv_handle_t *handle) {
  int fd = fd_of(handle);
  for (int i = 0; fd >= 0 && i < ROTA_OPERATIONS_OPEN; i++)
    if (pairs->descriptors[i].name != 0 && pairs->descriptors[i].fd == fd)
      return pairs->descriptors[i].name;
  return 0;
}

static uint32_t of_request(struct rota_pairs *pairs, const uv_req_t *req) {
  for (int i = 0; i < ROTA_OPERATIONS_OPEN; i++) {
    if (pairs->jobs[i].req != req)
      continue;
    pairs->jobs[i].req = NULL;
    return pairs->jobs[i].name;
  }
  if (req->type == UV_CONNECT)
    return of_descriptor(pairs, (const uv_handle_t *)((const uv_connect_t *)req)->handle);
  if (req->type == UV_WRITE)
    return of_descriptor(pairs, (const uv_handle_t *)((const uv_write_t *)req)->handle);
  return 0;
}

static const char *timer_words(uint64_t due_ms, char words[WORDS_MAX]) {
  snprintf(words, WORDS_MAX, "time: the timer due at %llu ms", (unsigned long long)due_ms);
  return words;
}

uint32_t rota__pairs_timer(struct rota_pairs *pairs, uint64_t due_ms) {
  char words[WORDS_MAX];
  if (!pairs->is_on || due_ms < pairs->begin_ms)
    return 0;
  bool is_new;
  uint32_t name = name_of(pairs, timer_words(due_ms - pairs->begin_ms, words), false, &is_new);
  if (is_new)
    note_new(pairs, name, 0, false, words);
  return name;
}

/* One that is not due is being closed. */
static uint32_t of_timer(struct rota_pairs *pairs, const uv_timer_t *timer) {
  return timer->timer.due_ms > pairs->loop->core.now_ms ? 0 : rota__pairs_timer(pairs, timer->timer.due_ms);
}

/* What a phase calls that does not wait comes of the operation before it, if there was one only. */
static uint32_t of_phase(const struct rota_pairs *pairs) {
  return pairs->called == 1 ? pairs->last : 0;
}

static bool has_failed(const uv_req_t *req) {
  return req->type == UV_FS && ((const uv_fs_t *)req)->result < 0;
}

static void on_begin(struct rota_observer *observer, uv_loop_t *loop, const struct rota_call *call) {
  struct rota_pairs *pairs = rota__container_of(observer, struct rota_pairs, observer);
  const uv_handle_t *handle = call->subject;
  (void)loop;
  pairs->failed = call->is_request && has_failed(call->subject);
  if (call->is_request)
    pairs->current = of_request(pairs, call->subject);
  else if (handle->type == UV_TIMER)
    pairs->current = of_timer(pairs, call->subject);
  else if (handle->type == UV_CHECK || handle->type == UV_IDLE || handle->type == UV_PREPARE)
    pairs->current = of_phase(pairs);
  else
    pairs->current = of_descriptor(pairs, handle);
}

static void on_end(struct rota_observer *observer, uv_loop_t *loop) {
  struct rota_pairs *pairs = rota__container_of(observer, struct rota_pairs, observer);
  uint32_t name = pairs->current;
  pairs->current = 0;
  if (name == 0)
    return;
  bool is_first = come(pairs, name);
  pairs->called += pairs->called == 0 || pairs->last != name;
  pairs->last = name;
  if (is_first && rota__record_is_open())
    rota__record_note("#- %u %u %u %s\n", pairs->decisions->loop, name, loop->core.call,
                      pairs->failed ? "failed" : "done");
}

void rota__pairs_begin(struct rota_pairs *pairs, uv_loop_t *loop, const struct rota_decisions *decisions) {
  pairs->loop = loop;
  pairs->decisions = decisions;
  pairs->begin_ms = loop->core.now_ms;
  pairs->is_on = rota__decisions_name_operations();
  pairs->observer = (struct rota_observer){.begin = on_begin, .end = on_end, .outermost = true};
  if (pairs->is_on)
    rota__observer_add(loop, &pairs->observer);
}

void rota__pairs_end(struct rota_pairs *pairs) {
  if (pairs->is_on)
    rota__observer_remove(pairs->loop, &pairs->observer);
}

void rota__pairs_waits(struct rota_pairs *pairs) {
  pairs->called = 0;
}

/* ---- operations ---- */

/* Else its words end in a number: that of a descriptor or of its submission, which may be another in another run. */
static bool is_about_path(const uv_req_t *req) {
  const char *path = req->type == UV_FS ? ((const uv_fs_t *)req)->path : NULL;
  return req->type == UV_GETADDRINFO || (path != NULL && path[0] != '\0');
}

void rota__pairs_submitted(struct rota_pairs *pairs, const struct rota_work *work) {
  char text[ROTA_DESCRIPTION_MAX], words[WORDS_MAX], key[WORDS_MAX];
  int at = 0;
  while (at < ROTA_OPERATIONS_OPEN && pairs->jobs[at].req != NULL && pairs->jobs[at].req != work->req)
    at++;
  if (!pairs->is_on || at == ROTA_OPERATIONS_OPEN)
    return;
  snprintf(words, sizeof(words), "pool: %s", rota__describe_job(work, text));
  snprintf(key, sizeof(key), "%s", words);
  if (!is_about_path(work->req))
    *strrchr(key, ' ') = '\0';
  bool is_new;
  pairs->jobs[at].req = work->req;
  pairs->jobs[at].name = name_of(pairs, key, true, &is_new);
  note_new(pairs, pairs->jobs[at].name, pairs->current, rota__job_changes_files(work), words);
}

uint32_t rota__pairs_job(const struct rota_pairs *pairs, const struct rota_work *work) {
  for (int i = 0; pairs->is_on && i < ROTA_OPERATIONS_OPEN; i++)
    if (pairs->jobs[i].req == work->req)
      return pairs->jobs[i].name;
  return 0;
}

uint32_t rota__pairs_ready(struct rota_pairs *pairs, const struct rota_ready *event) {
  char text[ROTA_DESCRIPTION_MAX], words[WORDS_MAX], key[WORDS_MAX + 16];
  int at = 0, fd = event->u.watch.fd;
  while (at < ROTA_OPERATIONS_OPEN && pairs->descriptors[at].name != 0 && pairs->descriptors[at].fd != fd)
    at++;
  if (!pairs->is_on || at == ROTA_OPERATIONS_OPEN)
    return 0;
  if (pairs->descriptors[at].name == 0 || pairs->descriptors[at].generation != event->u.watch.generation)
    pairs->descriptors[at].place = ++pairs->places;
  pairs->descriptors[at].fd = fd;
  pairs->descriptors[at].generation = event->u.watch.generation;
  snprintf(words, sizeof(words), "poll: %s", rota__describe_ready(pairs->loop, fd, event->u.watch.events, text));
  snprintf(key, sizeof(key), "%s", words);
  char *number = strrchr(key, ' '); /* that of the descriptor may be another in another run */
  snprintf(number, sizeof(key) - (size_t)(number - key), " at place %u", pairs->descriptors[at].place);
  bool is_new;
  pairs->descriptors[at].name = name_of(pairs, key, true, &is_new);
  note_new(pairs, pairs->descriptors[at].name, of_phase(pairs), false, words);
  return pairs->descriptors[at].name;
}

/* ---- pairs ---- */

bool rota__pairs_is_tied(const struct rota_pairs *pairs, uint32_t name) {
  size_t at = 0;
  const char *words;
  unsigned int first;
  while (name != 0 && (first = rota__decide_listed(pairs->decisions, ROTA_CHOICE_AFTER, name, &at, &words)) != 0)
    if (!has_come(pairs, first))
      return true;
  return false;
}

bool rota__pairs_waits_for(const struct rota_pairs *pairs, uint32_t name, uint32_t other) {
  size_t at = 0;
  const char *words;
  unsigned int first;
  while (name != 0 && other != 0 &&
         (first = rota__decide_listed(pairs->decisions, ROTA_CHOICE_AFTER, name, &at, &words)) != 0)
    if (first == other && !has_come(pairs, other))
      return true;
  return false;
}

void rota__pairs_record(const struct rota_pairs *pairs, uint32_t name) {
  size_t at = 0;
  const char *words;
  unsigned int first;
  while (name != 0 && (first = rota__decide_listed(pairs->decisions, ROTA_CHOICE_AFTER, name, &at, &words)) != 0)
    rota__decision_record_listed(pairs->decisions, ROTA_CHOICE_AFTER, name, first, words);
}

void rota__pairs_note(const struct rota_pairs *pairs, uint32_t name, const char *why_not) {
  size_t at = 0;
  const char *words;
  unsigned int first;
  while (name != 0 && rota__record_is_open() &&
         (first = rota__decide_listed(pairs->decisions, ROTA_CHOICE_AFTER, name, &at, &words)) != 0)
    rota__record_note("#= %u %u %u %s\n", pairs->decisions->loop, name, first,
                      has_come(pairs, first) ? "turned" : why_not);
}

unsigned int rota__pairs_lateness(const struct rota_pairs *pairs, uint64_t due_ms) {
  size_t at = 0;
  const char *words;
  if (!pairs->is_on || due_ms < pairs->begin_ms)
    return 0;
  uint64_t number = due_ms - pairs->begin_ms;
  unsigned int late_ms = rota__decide_listed(pairs->decisions, ROTA_CHOICE_JOIN, number, &at, &words);
  if (late_ms > 0)
    rota__decision_record_listed(pairs->decisions, ROTA_CHOICE_JOIN, number, late_ms, words);
  return late_ms;
}
