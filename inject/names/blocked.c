#include "inject/names/names.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "inject/names/v8.h"
#include "rota.h"

enum { NS_PER_MS = 1000000, PATIENCE_MS = 400, TRIES = 20, LATE_NS = 30 * NS_PER_MS, MS_PER_S = 1000 };

/* One question at a time: there is one watchdog. */
static struct {
  pthread_mutex_t lock;
  pthread_cond_t answered;
  uint64_t call;  /* what is asked for; 0: nothing */
  uint64_t whole; /* the callback of the loop that it is a part of; 0: unknown */
  bool is_answered;
  bool is_later; /* the stack is of a later part of the same callback */
  char *text;    /* null: it was over, or there is no JavaScript in it */
} question = {.lock = PTHREAD_MUTEX_INITIALIZER, .answered = PTHREAD_COND_INITIALIZER};

/* ---- the thread that is blocked ---- */

static char *take_stack(struct names_env *env) {
  napi_handle_scope scope;
  struct names_stack stack;
  if (napi_open_handle_scope(env->env, &scope) != NAPI_OK)
    return NULL;
  names_stack_take(&stack, env->env, env->isolate, NAMES_FRAMES);
  char *text = names_stack_text(&stack, "    ", false);
  napi_close_handle_scope(env->env, scope);
  return text;
}

static void on_look(void *isolate, void *data) {
  struct names_env *env = data;
  (void)isolate;
  uint64_t call = rota_call_now(env->loop, NULL), whole = rota_call_whole(env->loop);
  pthread_mutex_lock(&question.lock);
  bool is_asked = question.call != 0 && !question.is_answered;
  bool is_right = is_asked && (question.call == call || (call != 0 && question.whole != 0 && question.whole == whole));
  pthread_mutex_unlock(&question.lock);
  char *text = is_right ? take_stack(env) : NULL;
  pthread_mutex_lock(&question.lock);
  if (is_asked && question.call != 0 && !question.is_answered) {
    question.text = text;
    question.is_later = question.call != call;
    question.is_answered = true;
    pthread_cond_signal(&question.answered);
  } else {
    free(text);
  }
  pthread_mutex_unlock(&question.lock);
}

void names_blocked_enter(struct names_env *env, char *text) {
  pthread_mutex_lock(&question.lock);
  if (env->inside_depth++ == 0)
    env->inside = text;
  else
    free(text);
  pthread_mutex_unlock(&question.lock);
}

void names_blocked_leave(struct names_env *env) {
  pthread_mutex_lock(&question.lock);
  if (--env->inside_depth == 0) {
    free(env->inside);
    env->inside = NULL;
  }
  pthread_mutex_unlock(&question.lock);
}

/* ---- the watchdog's thread ---- */

struct asked {
  FILE *report;
  uint64_t began_ns;
  bool is_done, is_pending;
};

/* With the list of environments locked. */
static void begin_asking(struct names_env *env, void *data) {
  struct asked *asked = data;
  pthread_mutex_lock(&question.lock);
  if (env->inside != NULL) {
    fprintf(asked->report, "  in JavaScript:\n%s", env->inside);
    asked->is_done = true;
  } else {
    uint64_t reported = rota_watchdog_call(), now = rota_call_now(env->loop, NULL);
    question.call = reported != 0 && now != 0 ? reported : now;
    question.whole = rota_watchdog_whole();
    question.is_answered = false;
    asked->is_pending = question.call != 0;
  }
  pthread_mutex_unlock(&question.lock);
  if (asked->is_pending)
    names_v8_interrupt(env->isolate, on_look, env);
}

/* A stack that does not show what the report names says so: a tick or a reaction may be over before the engine answers.
 */
static void print_answer(const struct asked *asked) {
  uint64_t took_ns = uv_hrtime() - asked->began_ns;
  fputs("  in JavaScript", asked->report);
  if (took_ns > LATE_NS)
    fprintf(asked->report, ", %llu ms later", (unsigned long long)(took_ns / NS_PER_MS));
  fprintf(asked->report, "%s:\n%s", question.is_later ? ", in a later part of the callback" : "", question.text);
}

/* Until the answer is there, or patience is at its end. With the question's lock. */
static void await_answer(void) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += (PATIENCE_MS % MS_PER_S) * NS_PER_MS;
  until.tv_sec += until.tv_nsec / ((long)MS_PER_S * NS_PER_MS);
  until.tv_nsec %= (long)MS_PER_S * NS_PER_MS;
  while (!question.is_answered && pthread_cond_timedwait(&question.answered, &question.lock, &until) != ETIMEDOUT)
    continue;
}

/* Returns whether it is worth asking again: the answer came, but from a place without JavaScript of the program, such
 * as between two promise reactions. */
static bool ask_once(uv_loop_t *loop, struct asked *asked) {
  asked->is_pending = false;
  names_alarm_with(loop, begin_asking, asked);
  if (!asked->is_pending)
    return !asked->is_done;
  pthread_mutex_lock(&question.lock);
  await_answer();
  bool again = question.is_answered && question.text == NULL;
  if (question.is_answered && question.text != NULL)
    print_answer(asked);
  question.call = 0;
  free(question.text);
  question.text = NULL;
  pthread_mutex_unlock(&question.lock);
  return again;
}

static void on_blocked(uv_loop_t *loop, FILE *report, void *data) {
  const struct timespec pause = {.tv_nsec = NS_PER_MS};
  struct asked asked = {.report = report, .began_ns = uv_hrtime()};
  (void)data;
  for (int tries = 0; tries < TRIES && ask_once(loop, &asked); tries++)
    nanosleep(&pause, NULL);
}

void names_blocked_start(void) {
  const char *threshold = getenv("ROTA_WATCHDOG");
  unsigned long threshold_ms = threshold == NULL ? 0 : strtoul(threshold, NULL, 10);
  if (threshold_ms > 0 && (rota_observing() & ROTA_OBSERVE_WATCHDOG))
    rota_watchdog_start(threshold_ms, on_blocked, NULL);
}
