/* The table of private uses, and how it is decided which of them are on.
 *
 * A build of the engine that this program has been tried with is in a list here, with the answers. Any other one is
 * probed when the program first meets it: each probe in a process of its own, since a layout that is not as expected
 * may crash it, or make it hang. The answers are cached for that build.
 *
 * Invariant: an address in the engine's memory is only read or written, and one of its C++ functions only called, by
 * code that has found its use on. A probe finds its own use on, and those that it needs. */
#include "runtime/engine/uses/uses.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/engine/engine.h"
#include "runtime/engine/uses/build.h"
#include "runtime/engine/uses/probes.h"

uint64_t js_uses_on;

enum { PROBE_SECONDS = 60 };

#define ONE(use) (UINT64_C(1) << (use))
/* The number of the layout is a part of the answers. */
enum { LAYOUT_AT = 56 };
static const struct js_layout layouts[JS_LAYOUTS] = {
    /* 2.50 */
    {.function = 26,
     .buffer = 38,
     .promise_shift = 0,
     .generators = 2,
     .heap_at = 0xc0,
     .allowance_at = 0x158,
     .mark_at = 0x20061,
     .waiter_at = 0x200d0,
     .condition_at = 0x38,
     .table_at = 0xd48,
     .table_queue = 3,
     .table_import = 5,
     .table_rejected = 10,
     .threshold_at = 0x328},
    /* 2.52 */
    {.function = 31,
     .buffer = 43,
     .promise_shift = 0,
     .generators = 2,
     .heap_at = 0xf8,
     .allowance_at = 0x190,
     .mark_at = 0x1f1d1,
     .waiter_at = 0x1f250,
     .condition_at = 0x40,
     .table_at = 0xd90,
     .table_queue = 3,
     .table_import = 5,
     .table_rejected = 10},
    /* 2.54 */
    {.function = 36,
     .buffer = 48,
     .promise_shift = 48,
     .generators = 3,
     .heap_at = 0x108,
     .allowance_at = 0x1a0,
     .mark_at = 0x241e9,
     .waiter_at = 0x24200,
     .condition_at = 0x40,
     .table_at = 0xec0,
     .table_queue = 0,
     .table_import = 4,
     .table_rejected = 9},
};
struct js_layout js_layout;

static const uint64_t facts =
    ONE(JS_ORDER_FOR_AWAIT) | ONE(JS_ORDER_THENABLES) | ONE(JS_ORDER_DELEGATION) | ONE(JS_ORDER_FINALLY);
static const uint64_t all_uses = ONE(JS_ORDER_FOR_AWAIT) - 1;

struct row {
  const char *name;
  const char *without; /* what a program sees when it is off */
  const struct js_symbol *symbols;
  uint64_t needs;
  int (*probe)(JSGlobalContextRef context);
};

static const struct row rows[JS_USE_COUNT] = {
    [JS_USE_VALUES] = {"values", "slower: numbers are made and read by the C API", NULL, 0, js_probe_values},
    [JS_USE_KINDS] = {"kinds", "objects are told apart by their methods; no native addons", NULL, ONE(JS_USE_VALUES),
                      js_probe_kinds},
    [JS_USE_LAYOUT] = {"layout", "calls, views, places, promises and heap are off, too", NULL, ONE(JS_USE_KINDS),
                       js_probe_layout},
    /* Without it, what has ended is only forgotten when the lock is let go: by the slower way to drain. */
    [JS_USE_MARK] = {"mark",
                     "slower promise jobs; a limit of time of vm ends the whole callback that the script runs in", NULL,
                     ONE(JS_USE_LAYOUT), js_probe_mark},
    [JS_USE_NATIVES] = {"natives", "slower: functions of the runtime are callbacks of the C API", js_natives_symbols, 0,
                        js_probe_natives},
    [JS_USE_CALLS] = {"calls", "slower: callbacks enter JavaScript by the C API", js_call_symbols, ONE(JS_USE_LAYOUT),
                      js_probe_calls},
    [JS_USE_DRAIN] = {"drain",
                      "slower: promise jobs run when the engine's lock is let go; "
                      "vm contexts with microtaskMode run them later",
                      js_drain_symbols, ONE(JS_USE_MARK), js_probe_drain},
    [JS_USE_TEXT] = {"text", "slower: strings are copied twice", js_text_symbols, ONE(JS_USE_KINDS), js_probe_text},
    [JS_USE_VIEWS] = {"views", "slower: the bytes of a view are asked for by the C API", NULL, ONE(JS_USE_LAYOUT),
                      js_probe_views},
    [JS_USE_BECOME] = {"become", "slower: small pieces of a stream get their prototype by the C API", NULL,
                       ONE(JS_USE_KINDS), js_probe_become},
    [JS_USE_PROMISES] = {"promises", "util.inspect cannot tell the state of a promise", NULL, ONE(JS_USE_LAYOUT),
                         js_probe_promises},
    [JS_USE_ITERATORS] = {"iterators", "util.inspect shows no entries of map and set iterators", NULL,
                          ONE(JS_USE_KINDS), js_probe_iterators},
    [JS_USE_WEAK] = {"weak", "util.inspect with showHidden shows no entries of weak collections", NULL,
                     ONE(JS_USE_KINDS), js_probe_weak},
    [JS_USE_PROXIES] = {"proxies", "util.inspect with showProxy shows no handler", NULL, ONE(JS_USE_KINDS),
                        js_probe_proxies},
    [JS_USE_PLACES] = {"places", "traces and the watchdog name functions without file and line", js_place_symbols,
                       ONE(JS_USE_LAYOUT), js_probe_places},
    [JS_USE_JOBS] = {"jobs", "traces do not count promise jobs", js_jobs_symbols, ONE(JS_USE_LAYOUT), js_probe_jobs},
    [JS_USE_ENDING] = {"ending", "process.exit() in a worker can be caught by its own code until the next look",
                       js_ending_symbols, ONE(JS_USE_NATIVES), js_probe_ending},
    [JS_USE_WAKING] = {"waking", "a worker in Atomics.wait looks every 50 ms whether it is to end", js_waking_symbols,
                       ONE(JS_USE_MARK), js_probe_waking},
    [JS_USE_HEAP] = {"heap", "a worker's heap is measured by a slower call", js_heap_symbols, ONE(JS_USE_LAYOUT),
                     js_probe_heap},
    [JS_USE_ALLOWANCE] = {"allowance", "the first collection comes earlier", NULL, ONE(JS_USE_HEAP),
                          js_probe_allowance},
    [JS_USE_SHARED] = {"shared", "a SharedArrayBuffer cannot be passed to another thread", js_shared_symbols,
                       ONE(JS_USE_KINDS), js_probe_shared},
    [JS_USE_IMPORT] = {"import", "import() fails in code made by eval and new Function", NULL, ONE(JS_USE_LAYOUT),
                       js_probe_import},
    [JS_USE_REJECTIONS] = {"rejections",
                           "an unhandled rejection is noticed when the promise jobs are done: without its asynchronous "
                           "context, and also at the end of the stack",
                           NULL, ONE(JS_USE_IMPORT) | ONE(JS_USE_PROMISES), js_probe_rejections},
    [JS_USE_AWAIT] = {"await",
                      "asynchronous context is lost in an await that no loader has seen; "
                      "async_hooks hear of no promises",
                      js_await_symbols, ONE(JS_USE_REJECTIONS), js_probe_await},
    [JS_USE_ERRORS] = {"errors", "errors that the engine throws have its own messages in some places", NULL, 0,
                       js_probe_errors},
    [JS_USE_GLOBALS] = {"globals", "vm contexts: symbols and descriptors of the sandbox do not show on globalThis",
                        NULL, 0, js_probe_globals},
    [JS_USE_PROTOTYPES] = {"prototypes", "vm contexts: the global's prototype cannot be set", js_prototypes_symbols, 0,
                           js_probe_prototypes},
    [JS_USE_TIME_ZONE] = {"time zone", "a change of process.env.TZ is heard by the next callback of the loop",
                          js_time_zone_symbols, 0, js_probe_time_zone},
    [JS_USE_ADDONS] = {"addons", "native addons cannot be loaded", js_napi_function_symbols,
                       ONE(JS_USE_KINDS) | ONE(JS_USE_NATIVES) | ONE(JS_USE_TEXT), js_probe_addons},
    [JS_USE_EXTERNAL_TEXT] = {"external text", "addons: external strings are copied", js_napi_text_symbols,
                              ONE(JS_USE_TEXT), js_probe_external_text},
    [JS_USE_REPAIR] = {"repair", "slower: the order of jobs is put right in the program's text, where it is wrong",
                       js_repair_symbols, ONE(JS_USE_NATIVES), js_probe_repair},
    [JS_USE_BYTECODE] = {"bytecode", "slower: modules of the runtime are parsed when they are first used",
                         js_bytecode_symbols, ONE(JS_USE_LAYOUT), js_probe_bytecode},
    [JS_USE_FUNCTIONS] = {"functions", "slower: the engine's own functions are parsed when they are first used",
                          js_functions_symbols, ONE(JS_USE_BYTECODE), js_probe_functions},
    [JS_USE_FRAMES] = {"frames", "stacks do not tell the receiver of a call, nor the functions that wait",
                       js_frames_symbols, ONE(JS_USE_LAYOUT) | ONE(JS_USE_NATIVES), js_probe_frames},
    [JS_USE_SCRIPTS] = {"scripts", "slower: each context of vm that runs a text has a copy of it", js_script_symbols, 0,
                        js_probe_scripts},
    [JS_ORDER_FOR_AWAIT] = {"for await", "for await over rejected promises is rewritten", NULL, 0, js_probe_for_await},
    [JS_ORDER_THENABLES] = {"thenables", "await is rewritten, to wait as long as it should for a thenable", NULL, 0,
                            js_probe_thenables},
    [JS_ORDER_DELEGATION] = {"yield*", "yield* of asynchronous generators is rewritten", NULL, 0, js_probe_delegation},
    [JS_ORDER_FINALLY] = {"finally", "Promise.prototype.finally is a function of the runtime", NULL, 0,
                          js_probe_finally},
};

#define OFF_2_50 (ONE(JS_ORDER_FOR_AWAIT) | ONE(JS_ORDER_THENABLES) | ONE(JS_ORDER_DELEGATION))
#define OFF_2_52 (OFF_2_54 | ONE(JS_ORDER_DELEGATION))
#define OFF_2_54 (ONE(JS_USE_FUNCTIONS) | ONE(JS_ORDER_THENABLES) | ONE(JS_ORDER_FINALLY))

/* Builds of the engine that the probes have been run on, and what they did not find. */
static const struct {
  const char *build;
  uint64_t layout, off;
} known[] = {
    {"9975c76698c1fab53076bf1269d309b3afaca0bb", 0, OFF_2_50}, /* Debian 12: 2.50.6-1~deb12u2 */
    {"74b25d220b78abc0a979d49fd4bc03f5254be9b7", 1, OFF_2_52}, /* Debian 13, first: 2.52.6-1~deb13u1 */
    {"c93d17f617a5862e09eb0e567a7c164c1c60ac9b", 2, OFF_2_54}, /* Debian 13: 2.54.0-1~deb13u3 */
    {"767e6e97cf4d4b5fcef7e5554dae3ff52a3089e9", 2, OFF_2_54}, /* sid: 2.54.2-2 */
};

static enum { IS_KNOWN, IS_REMEMBERED, IS_PROBED } source;

const char *js_use_name(enum js_use use) {
  return rows[use].name;
}

bool js_use_counts(enum js_use use) {
  return use < JS_ORDER_FOR_AWAIT || !js_uses(JS_USE_REPAIR);
}

const char *js_engine_version(void) {
  static char text[40];
  snprintf(text, sizeof text, "%u.%u.%u", jsc_get_major_version(), jsc_get_minor_version(), jsc_get_micro_version());
  return text;
}

/* ---- symbols ---- */

static const struct js_symbol *end_of_way(const struct js_symbol *symbol) {
  while (symbol->place != NULL)
    symbol++;
  return symbol;
}

static bool find_way(const struct js_symbol *symbol, const struct js_symbol *end) {
  bool found_all = true;
  while (symbol < end) {
    void *place = symbol->place, *found = NULL;
    for (; symbol < end && symbol->place == place; symbol++)
      if (found == NULL)
        found = dlsym(js_engine_library(), symbol->name);
    memcpy(place, &found, sizeof found);
    found_all &= found != NULL;
  }
  return found_all;
}

/* The pointers of a way that is not taken are null. */
static bool find_symbols(const struct js_symbol *symbol) {
  while (symbol != NULL) {
    const struct js_symbol *end = end_of_way(symbol);
    if (find_way(symbol, end))
      return true;
    for (void *nothing = NULL; symbol < end; symbol++)
      memcpy(symbol->place, &nothing, sizeof nothing);
    symbol = end->name != NULL ? end + 1 : NULL;
    if (symbol == NULL)
      return false;
  }
  return true;
}

/* What can be on of the answers; the layout is chosen, and symbols are found. */
static uint64_t with_symbols(uint64_t wanted) {
  uint64_t on = 0, layout = wanted >> LAYOUT_AT;
  js_layout = layouts[layout < JS_LAYOUTS ? layout : 0];
  for (int use = 0; use < JS_USE_COUNT; use++)
    if ((wanted & ONE(use)) != 0 && (rows[use].needs & ~on) == 0 && find_symbols(rows[use].symbols))
      on |= ONE(use);
  return on;
}

/* ---- probes ---- */

static void become_silent(void) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  alarm(PROBE_SECONDS);
  if (freopen("/dev/null", "w", stderr) == NULL)
    fclose(stderr);
}

/* In another process: 0 if the probe passed. */
static int probe_apart(int use, uint64_t needed, bool silent) {
  pid_t child = fork();
  if (child == 0) {
    if (silent)
      become_silent();
    js_uses_on = with_symbols(needed | ONE(use));
    JSGlobalContextRef context = js_uses(use) || use >= JS_ORDER_FOR_AWAIT ? js_engine_create() : NULL;
    int code = context != NULL ? rows[use].probe(context) : 255;
    _exit(code);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child)
    return 255;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/* What has passed so far is on while the others are probed, but for the repair: the facts are about the engine as it
 * is. */
static uint64_t probe_all(void (*failed)(int use, int code)) {
  uint64_t on = 0;
  for (int use = 0; use < JS_USE_COUNT; use++) {
    uint64_t others = on & ~ONE(JS_USE_REPAIR);
    int code = (rows[use].needs & ~on) == 0 ? probe_apart(use, others, true) : 254;
    for (uint64_t layout = 1; use == JS_USE_LAYOUT && code != 0 && layout < JS_LAYOUTS; layout++) {
      code = probe_apart(use, others | layout << LAYOUT_AT, true);
      on |= code == 0 ? layout << LAYOUT_AT : 0;
    }
    if (code == 0)
      on |= ONE(use);
    else if (failed != NULL)
      failed(use, code);
  }
  return on;
}

/* ---- the decision ---- */

static bool is_listed(uint64_t *answers) {
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(known[i].build, js_engine_build()) == 0) {
      *answers = ((all_uses | facts) & ~known[i].off) | known[i].layout << LAYOUT_AT;
      return true;
    }
  return false;
}

static void tell_once(uint64_t answers) {
  int count = __builtin_popcountll(all_uses & ~answers);
  if (count != 0)
    fprintf(stderr,
            "rota: JavaScriptCore %s (build %.12s) is new here: %d of %d fast ways are off; `rota --engine` lists "
            "them\n",
            js_engine_version(), js_engine_build(), count, __builtin_popcountll(all_uses));
}

static uint64_t learn(bool listed) {
  uint64_t answers = 0;
  source = IS_KNOWN;
  if (listed && is_listed(&answers))
    return answers;
  source = IS_REMEMBERED;
  if (js_answers_recall(&answers))
    return answers;
  source = IS_PROBED;
  answers = probe_all(NULL);
  tell_once(answers);
  js_answers_remember(answers);
  return answers;
}

/* ROTA_ENGINE is a list: `portable` switches everything off, `unknown` does not believe the list of builds above, and
 * `-name` is without that one. */
static bool is_wished(const char *text, const char *word) {
  size_t length = strlen(word);
  for (; text != NULL; text = strchr(text, ',') != NULL ? strchr(text, ',') + 1 : NULL)
    if (strncmp(text, word, length) == 0 && (text[length] == 0 || text[length] == ','))
      return true;
  return false;
}

static uint64_t named_in(const char *text) {
  uint64_t named = 0;
  size_t length;
  for (; text != NULL && *text != 0; text += length + (text[length] == ',')) {
    length = strcspn(text, ",");
    for (int use = 0; use < JS_USE_COUNT; use++)
      if (text[0] == '-' && strlen(rows[use].name) == length - 1 && memcmp(rows[use].name, text + 1, length - 1) == 0)
        named |= ONE(use);
  }
  return named;
}

/* These have names in C, are in every release that there is, and nothing can be done without them. */
static int look_for_what_must_be_there(void) {
  static const char *const names[] = {"JSLock", "JSUnlock", "JSGlobalContextSetUnhandledRejectionCallback",
                                      "JSContextGroupSetExecutionTimeLimit", "JSConfigureSignalForGC"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (dlsym(js_engine_library(), names[i]) == NULL) {
      fprintf(stderr, "rota: cannot run on JavaScriptCore %s: it has no function %s\n", js_engine_version(), names[i]);
      return 1;
    }
  return 0;
}

int js_uses_decide(void) {
  const char *wish = getenv("ROTA_ENGINE");
  bool listed = !is_wished(wish, "unknown");
  uint64_t answers = 0;
  if (!is_listed(&answers) && look_for_what_must_be_there() != 0)
    return 1;
  answers = learn(listed) & ~named_in(wish);
  if (is_wished(wish, "portable"))
    answers &= facts;
  js_uses_on = with_symbols(answers);
  return 0;
}

static void tell_failure(int use, int code) {
  if (use >= JS_ORDER_FOR_AWAIT)
    return; /* that is a fact, and no failure */
  if (code == 254)
    fprintf(stderr, "rota: %s: off, since it needs a use that is off\n", rows[use].name);
  else if (code > 1000)
    fprintf(stderr, "rota: %s: the probe ended by signal %d\n", rows[use].name, code - 1000);
  else
    fprintf(stderr, "rota: %s: the probe failed (%d)\n", rows[use].name, code);
}

int js_uses_check(void) {
  uint64_t expected = 0, found;
  if (look_for_what_must_be_there() != 0)
    return 1;
  found = probe_all(tell_failure);
  if (is_listed(&expected) && expected != found) {
    fprintf(stderr, "rota: the list in engine/uses/uses.c says that %016llx is on, but it is %016llx\n",
            (unsigned long long)expected, (unsigned long long)found);
    return 1;
  }
  return 0;
}

void js_uses_print(FILE *file) {
  static const char *const sources[] = {"known to this program", "probed before", "probed just now"};
  fprintf(file, "JavaScriptCore %s, build %s: %s\n", js_engine_version(),
          js_engine_build()[0] != 0 ? js_engine_build() : "without an id", sources[source]);
  for (int use = 0; use < JS_USE_COUNT; use++) {
    if (use == JS_ORDER_FOR_AWAIT)
      fprintf(file, "The engine's own order of jobs:\n");
    bool on = js_uses((enum js_use)use);
    const char *word = use >= JS_ORDER_FOR_AWAIT ? (on ? "right" : "wrong") : on ? "on" : "off";
    fprintf(file, on ? "  %-14s %s\n" : "  %-14s %-5s %s\n", rows[use].name, word, rows[use].without);
  }
}
