#include "runtime/observe/trace.h"

#include "runtime/bind/worker/worker.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/jobs/jobs.h"
#include "runtime/engine/limit/watch.h"
#include "runtime/engine/value/stack.h"

#include <limits.h>
#include <rota.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NAMES = 512, THRESHOLD_MS = 50 };

extern char **environ;

static struct {
  bool stats;           /* to be printed at the end */
  bool attach;          /* may come later */
  const char *timeline; /* the page to be made at the end */
  char *file;           /* its trace */
} asked;

/* ---- begin and end ---- */

static int complain(const char *option, const char *value, int err) {
  fprintf(stderr, "rota: %s=%s: %s\n", option, value, uv_strerror(err));
  return 9;
}

static int begin_trace(const struct js_options *options) {
  const char *file = options->settings[ROTA_SETTING_TRACE];
  if (options->timeline != NULL) {
    if (file == NULL) {
      size_t size = strlen(options->timeline) + sizeof ".trace.json";
      asked.file = malloc(size);
      if (asked.file == NULL)
        return 1;
      snprintf(asked.file, size, "%s.trace.json", options->timeline);
      file = asked.file;
    }
    asked.timeline = options->timeline;
  }
  if (file == NULL)
    return 0;
  int err = rota_trace_start(file, &(rota_trace_options_t){.on_signals = 1});
  return err < 0 ? complain(options->settings[ROTA_SETTING_TRACE] != NULL ? "--trace" : "--timeline", file, err) : 0;
}

/* Settings that the library reads when the first loop is made. Children must not inherit what was asked for this
 * program; but metrics are those of a service, and its workers belong to it. */
static const enum rota_setting lent[] = {ROTA_SETTING_STATS,    ROTA_SETTING_WHY,     ROTA_SETTING_ATTACH,
                                         ROTA_SETTING_BLACKBOX, ROTA_SETTING_SAMPLES, ROTA_SETTING_METRICS};

enum { LENT = sizeof lent / sizeof *lent };

static const char *lent_value(const struct js_options *options, enum rota_setting setting) {
  return setting == ROTA_SETTING_WHY && options->why ? "1" : options->settings[setting];
}

/* Port 0 of metrics: what the environment says is the port that the parent has got, whose options were passed on to a
 * worker of a cluster. */
static bool replaces(enum rota_setting setting, const char *value) {
  struct rota_endpoint endpoint;
  if (setting == ROTA_SETTING_METRICS && rota__setting_read_endpoint(value, &endpoint))
    return !endpoint.listens || endpoint.port != 0;
  return rota__settings[setting].value != ROTA_VALUE_FLAG;
}

/* What the environment says already stays, of the instruments that are on or off. */
static void lend(const struct js_options *options, bool was_given[LENT]) {
  for (int i = 0; i < LENT; i++) {
    const struct rota_setting_row *row = &rota__settings[lent[i]];
    const char *value = lent_value(options, lent[i]);
    was_given[i] = getenv(row->variable) != NULL;
    if (value != NULL)
      setenv(row->variable, value, replaces(lent[i], value));
  }
}

static void take_back(const struct js_options *options, const bool was_given[LENT]) {
  for (int i = 0; i < LENT; i++)
    if (!was_given[i] && lent_value(options, lent[i]) != NULL && lent[i] != ROTA_SETTING_METRICS)
      unsetenv(rota__settings[lent[i]].variable);
}

/* By the option, or by its variable. */
static bool is_asked(const struct js_options *options, enum rota_setting setting) {
  const char *value = getenv(rota__settings[setting].variable);
  return options->settings[setting] != NULL || (value != NULL && *value != 0 && strcmp(value, "0") != 0);
}

/* The threshold of --watchdog; 0: it is not given. */
static uint64_t threshold_ms(const struct js_options *options) {
  const char *value = options->settings[ROTA_SETTING_WATCHDOG];
  unsigned long long number = 0;
  return value != NULL && rota__setting_read_number(ROTA_SETTING_WATCHDOG, value, &number) ? number : 0;
}

int js_trace_begin(const struct js_options *options) {
  bool was_given[LENT];
  asked.attach = is_asked(options, ROTA_SETTING_ATTACH);
  asked.stats = is_asked(options, ROTA_SETTING_STATS);
  int code = begin_trace(options);
  if (code != 0)
    return code;
  lend(options, was_given);
  if (threshold_ms(options) > 0) {
    int err = rota_watchdog_start(threshold_ms(options), NULL, NULL);
    if (err < 0)
      fprintf(stderr, "rota: --watchdog: %s\n", uv_strerror(err));
  }
  uv_default_loop();
  /* Compiled code polls for requests of its stack; interrupting it with signals may take long. */
  if (rota_observing() & ROTA_OBSERVE_WATCHDOG || rota_samples_ns() > 0)
    setenv("JSC_usePollingTraps", "1", 0);
  take_back(options, was_given);
  return 0;
}

/* Metrics want nothing of JavaScript: they are always on, and names of all that runs would cost too much. */
static unsigned observed_in_javascript(void) {
  return rota_observing() & ~ROTA_OBSERVE_METRICS;
}

void js_trace_introduce(struct js_env *env, JSObjectRef native) {
  unsigned observing = env->observed ? observed_in_javascript() : 0;
  if (env->worker != NULL)
    observing &= ~ROTA_OBSERVE_ORIGINS; /* where things were made is only kept of the main thread's */
  if (env->observed)
    js_set(env->context, native, "observed", js_number(env->context, observing));
  if (asked.attach)
    js_set(env->context, native, "attachable", js_boolean(env->context, true));
  if (rota_steering() & ROTA_STEER_TIME)
    js_set(env->context, native, "virtualTime", js_boolean(env->context, true));
}

static void count_jobs(struct js_env *env) {
  if (!js_uses(JS_USE_JOBS))
    return;
  js_jobs_count(env->context);
  env->microtasks_seen = js_jobs_queued();
}

/* rota attach has begun to observe the loop, or has ended. Between two callbacks of the loop. */
static void on_observe(uv_loop_t *loop, unsigned int observing, void *data) {
  struct js_env *env = js_env_here;
  (void)data;
  if (env == NULL || env->loop != loop || env->attached == NULL || env->stopping)
    return;
  observing &= ~ROTA_OBSERVE_METRICS;
  JSValueRef argument = js_number(env->context, observing), error = NULL;
  env->observed = false;
  count_jobs(env);
  env->entered = env->in_ticks = false;
  env->own_function = env->unnamed = NULL;
  /* Not by js_enter: nothing is to be drained, and no callback runs that could have a name. */
  JSObjectCallAsFunction(env->context, env->attached, NULL, 1, &argument, &error);
  env->observed = observing != 0 && error == NULL;
}

/* A single promise job is too short to be caught by a sample: all jobs of a drain are one entry. */
static void watch_drains(struct js_env *env) {
  if (env->drain != NULL)
    return;
  env->drain = js_drain_function(env->context);
  JSValueProtect(env->context, env->drain);
}

void js_trace_attach(struct js_env *env) {
  unsigned observing = observed_in_javascript();
  if (asked.attach && env->worker == NULL) {
    rota_set_observe_hook(on_observe, NULL);
    js_alive_list(env);
  }
  if (observing == 0 || env->observed)
    return;
  env->observed = true;
  unsetenv("JSC_usePollingTraps");
  count_jobs(env);
  if (env->worker != NULL)
    return; /* stacks are taken of the main thread */
  if (observing & ROTA_OBSERVE_WATCHDOG) {
    env->watched = true;
    watch_drains(env);
    const char *text = getenv(rota__settings[ROTA_SETTING_WATCHDOG].variable);
    unsigned long long watched_ms = threshold_ms(env->options);
    if (watched_ms == 0 && (text == NULL || !rota__setting_read_number(ROTA_SETTING_WATCHDOG, text, &watched_ms)))
      watched_ms = THRESHOLD_MS;
    js_stack_watch(env, watched_ms);
  }
  if (rota_samples_ns() > 0) {
    watch_drains(env);
    js_sample_start(env, rota_samples_ns());
  }
  if (observing & ROTA_OBSERVE_ORIGINS)
    js_alive_attach(env);
}

/* The page is made by another process: this one may be in any state. */
static void make_page(void) {
  char program[4096];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  const char *file = asked.file != NULL ? asked.file : js_env_here->options->settings[ROTA_SETTING_TRACE];
  if (length <= 0)
    return;
  program[length] = 0;
  char *arguments[] = {program, (char *)"timeline", (char *)file, (char *)"-o", (char *)asked.timeline, NULL};
  pid_t child;
  int status = 1;
  if (posix_spawn(&child, program, NULL, NULL, arguments, environ) != 0 || waitpid(child, &status, 0) != child ||
      status != 0)
    fprintf(stderr, "rota: no page was made; the trace is in %s\n", file);
  else if (asked.file != NULL)
    unlink(asked.file);
}

static void write_black_box(int code) {
  char reason[40];
  snprintf(reason, sizeof reason, "exit with status %d", code);
  (void)rota_black_box_write(code != 0 ? reason : NULL); /* if there is one */
}

void js_trace_end(int code) {
  static bool ended;
  if (!ended)
    write_black_box(code);
  if (ended || (observed_in_javascript() == 0 && !asked.stats))
    return;
  ended = true;
  if (js_env_here != NULL)
    js_alive_end(js_env_here);
  rota_watchdog_end();
  if (rota_trace_stop() == 0 && rota_trace_dropped() > 0)
    fprintf(stderr, "rota: the trace lacks %llu events, for which there was no room\n",
            (unsigned long long)rota_trace_dropped());
  if (asked.stats)
    rota_stats_print(stderr);
  unsetenv(rota__settings[ROTA_SETTING_TRACE].variable); /* the child that makes the page is not to be traced */
  unsetenv(rota__settings[ROTA_SETTING_STATS].variable);
  if (asked.timeline != NULL)
    make_page();
}

/* ---- names ---- */

/* Of this thread's engine: places of others may have the same addresses. */
struct name {
  const void *source;
  int start;
  uint32_t name;
  bool own;
};

static _Thread_local void *names_here;

static bool is_own(const char *file) {
  return strncmp(file, "node:", 5) == 0;
}

/* Once for each place, as it asks the function itself. */
static void function_name(JSContextRef context, JSValueRef function, char *text, size_t size) {
  JSValueRef value = js_get(context, (JSObjectRef)function, "name");
  char *name = JSValueIsString(context, value) ? js_to_text(context, value, NULL) : NULL;
  snprintf(text, size, "%s", name != NULL && *name != 0 ? name : "(anonymous)");
  free(name);
}

static void set_name(JSContextRef context, JSValueRef function, const struct js_place *place, struct name *known) {
  char name[128], file[1024];
  function_name(context, function, name, sizeof name);
  struct js_characters text = js_place_file(place);
  file[js_utf8_write(&text, (unsigned char *)file, sizeof file - 1)] = 0;
  *known = (struct name){place->source, place->start, rota_name(name, file, place->line), is_own(file)};
}

static uint32_t native_name(JSContextRef context, JSValueRef function) {
  char name[128];
  if (!JSValueIsObject(context, function))
    return 0;
  function_name(context, function, name, sizeof name);
  return rota_name(name, NULL, 0);
}

uint32_t js_trace_name(JSContextRef context, JSValueRef function, bool *own) {
  struct js_place place;
  bool unused;
  own = own != NULL ? own : &unused;
  *own = false;
  if (!js_place_of(function, &place))
    return native_name(context, function);
  struct name *names = js_thread_memory(&names_here, NAMES * sizeof *names), unkept = {0};
  size_t slot = (((uintptr_t)place.source >> 4) * 31 + (unsigned)place.start) % NAMES;
  struct name *name = names != NULL ? &names[slot] : &unkept;
  if (name->source != place.source || name->start != place.start)
    set_name(context, function, &place, name);
  *own = name->own;
  return name->name;
}

/* ---- calls into JavaScript ---- */

/* If no function of the program was named by the end of the callback, the runtime's own function is; usually one was.
 * The watchdog needs a name at once. */
void js_trace_enter(struct js_env *env, JSObjectRef function) {
  bool own;
  if (env->entered)
    return;
  env->entered = true;
  env->drained = 0;
  js_trace_turn(env);
  env->unnamed = function == env->own_function ? function : NULL;
  env->words[JS_WORD_INSIDE] = 0;
  env->words[JS_WORD_BY] = 0;
  if (env->unnamed != NULL) {
    env->words[JS_WORD_NAMELESS] = 1;
    rota_call_enter(env->loop, 0);
    env->words[JS_WORD_CALL] = rota_call_number(env->loop);
    return;
  }
  rota_call_enter(env->loop, js_trace_name(env->context, function, &own));
  env->words[JS_WORD_CALL] = rota_call_number(env->loop);
  env->words[JS_WORD_NAMELESS] = own;
  env->words[JS_WORD_INSIDE] = !own;
  if (own && !env->watched)
    env->own_function = function;
}

void js_trace_outside(struct js_env *env, const char *name) {
  env->entered = true; /* it has its name */
  env->words[JS_WORD_NAMELESS] = 0;
  js_trace_turn(env);
  rota_call_open(env->loop, rota_name(name, NULL, 0));
  env->words[JS_WORD_CALL] = rota_call_number(env->loop);
}

void js_trace_script(struct js_env *env, const char *worker_file) {
  const struct js_options *options = env->options;
  const char *file = options->code != NULL ? "-e" : options->read_stdin ? "-" : options->argv[options->script_at];
  char path[PATH_MAX];
  uint32_t name = worker_file != NULL ? rota_name("worker script", worker_file, 1)
                                      : rota_name("main script", realpath(file, path) != NULL ? path : file, 1);
  js_trace_turn(env);
  rota_call_next(env->loop, name, 0);
  env->words[JS_WORD_CALL] = rota_call_number(env->loop);
}

void js_trace_turn(struct js_env *env) {
  if (env->watched)
    env->turn_ns = uv_hrtime();
  atomic_store_explicit(&env->turn, atomic_load_explicit(&env->turn, memory_order_relaxed) + 1, memory_order_release);
}

/* The run gets the name of its first tick; the watchdog needs the name of the current one. */
void js_trace_tick(struct js_env *env, JSValueRef function) {
  bool first = !env->in_ticks;
  env->words[JS_WORD_INSIDE] = 1;
  if (first) {
    env->in_ticks = true;
    env->ticks = 0;
    rota_drain_open(env->loop, 0, env->drained);
  }
  env->ticks++;
  if (first || env->watched)
    rota_drain_step(env->loop, js_trace_name(env->context, function, NULL));
}

static void end_ticks(struct js_env *env) {
  if (!env->in_ticks)
    return;
  env->in_ticks = false;
  env->drained += env->ticks;
  rota_drain_close(env->loop, 0, env->ticks);
}

/* The engine counts the microtasks of all threads together: with several threads, the number of this run is not known.
 */
static void drain_uncounted(struct js_env *env) {
  rota_drain_open(env->loop, 1, env->drained);
  js_enter_jobs(env);
  if (js_uses(JS_USE_JOBS))
    env->microtasks_seen = js_jobs_queued();
  rota_drain_close(env->loop, 1, UINT64_MAX);
}

void js_trace_microtasks(struct js_env *env) {
  end_ticks(env);
  env->words[JS_WORD_INSIDE] = 1;
  if (!js_uses(JS_USE_JOBS)) {
    drain_uncounted(env);
    return;
  }
  uint64_t waiting = js_jobs_queued() - env->microtasks_seen - 1;
  env->microtasks_seen += waiting + 1;
  if (waiting == 0) {
    js_enter_jobs(env);
    return;
  }
  if (js_workers_running() > 0) {
    drain_uncounted(env);
    return;
  }
  rota_drain_open(env->loop, 1, env->drained);
  js_enter_jobs(env);
  uint64_t more = js_jobs_queued() - env->microtasks_seen - 1;
  env->microtasks_seen += more + 1;
  env->drained += waiting + more;
  rota_drain_close(env->loop, 1, waiting + more);
}

void js_trace_drained(struct js_env *env) {
  end_ticks(env);
  env->drained = 0;
}

void js_trace_leave(struct js_env *env) {
  js_trace_drained(env);
  if (env->unnamed != NULL && env->words[JS_WORD_NAMELESS] != 0)
    rota_name_call(env->loop, js_trace_name(env->context, env->unnamed, NULL));
  env->unnamed = NULL;
  env->entered = false;
}
