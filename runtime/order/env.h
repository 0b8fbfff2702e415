/* One runtime: an engine, a loop, and the shared words of memory through which C and JavaScript tell each other what is
 * due. */
#ifndef JS_ENV_H
#define JS_ENV_H

#include "runtime/engine/engine.h"
#include "runtime/options/table.h"
#include "runtime/shared.h" /* made by runtime/tools/share of runtime/shared.table */
#include "settings/setting.h"

#include <uv.h>

struct js_options {
  int argc;
  char **argv;      /* the command line as it came */
  int script_at;    /* index of the script, or of the first argument after the options */
  const char *code; /* -e or -p */
  bool print, check_only, interactive, read_stdin, help, engine_help, version;
  const char **preloads; /* -r */
  int preloads_count;
  const char **imports; /* --import */
  int imports_count;
  const char *timeline; /* --timeline */
  bool why;             /* rota why */
  /* The values of options that stand for a variable; null: not given. They are checked. */
  const char *settings[ROTA_SETTING_COUNT];
  struct js_option_words words; /* all options, those of NODE_OPTIONS first */
  int environment_words;        /* how many these are */
  const char *command;          /* a built-in module that is the program: rota timeline */
};

struct js_env {
  uv_loop_t *loop;
  JSGlobalContextRef context;
  JSContextGroupRef group;
  double *words;
  JSObjectRef callbacks[JS_CALLBACK_COUNT];
  int loading;    /* built-in modules that are being loaded */
  unsigned depth; /* calls of js_enter that have not returned */
  bool threw;     /* one of them threw and did not catch: no drain after the outermost */
  uv_timer_t timer;
  uint64_t clock_base_ms; /* the loop's time at which JavaScript's clock begins, so that its times are small numbers */
  uint64_t timer_due_ms;  /* what the handle is set to, by JavaScript's clock; 0: stopped */
  bool in_timers;         /* its callback runs */
  uv_check_t check;
  uv_idle_t idle;
  uint64_t calls; /* into JavaScript, by the loop */
  /* idle_gc.c's: */
  uv_timer_t idle_gc;
  bool idle_gc_watching;
  uint64_t idle_gc_calls;    /* when the timer last looked */
  double idle_gc_heap_bytes; /* after the last collection while idle */
  struct js_html *html;      /* with --loop=html (runtime/order/html); else null */
  struct js_options *options;
  char *exec_path;
  uint64_t started_ns, engine_began_ns, engine_made_ns, bootstrapped_ns, loop_began_ns, loop_ended_ns; /* 0: not yet */
  uint64_t loop_began_cpu_ns; /* what this thread had spent on a processor by then */
  struct js_worker *worker;   /* this thread's, or null in the main one */
  JSObjectRef drain;          /* a worker's, or while watched, see engine/limit/watch.h; else null */
  struct js_mailbox *mailbox; /* made when first needed */
  bool stopping;              /* no JavaScript runs any more */
  int exit_code;              /* while stopping */
  struct js_napi *napi;       /* native addons, runtime/napi; null before the first */
  /* of trace.c, while the loop is observed: */
  bool observed;
  bool entered;                      /* the callback of the loop has been named */
  JSObjectRef own_function, unnamed; /* see js_trace_enter; may be null */
  bool in_ticks;
  bool watched;             /* by the watchdog */
  uint64_t turn_ns;         /* when it began; while watched */
  _Atomic uint64_t turn;    /* another number: something else runs */
  uint64_t ticks, drained;  /* run by this run of ticks, and before it by this drain */
  JSObjectRef describe;     /* lists what JavaScript has in the loop's timer and idle handles; may be null */
  JSObjectRef attached;     /* is told what rota attach wants; null: it may not attach */
  uint64_t microtasks_seen; /* of those that the engine has queued */
};

/* The runtime of this thread. */
extern _Thread_local struct js_env *js_env_here;

int js_env_init(struct js_env *env, uv_loop_t *loop, struct js_options *options);
/* Permissions, if the options ask for them: before there is any JavaScript. -> 0, or UV_ENOMEM */
int js_env_begin_permission(const struct js_options *options);
struct js_worker;
int js_env_init_thread(struct js_env *env, uv_loop_t *loop, struct js_options *options, struct js_worker *worker);
/* Runs the program to its end and gives the exit code. */
int js_env_run(struct js_env *env);
/* Ends the process. */
_Noreturn void js_end_process(int code);

/* enter.c: the way into JavaScript.
 *
 *   js_enter             calls a function; the outermost call then drains, and brings the loop's handles up to date. An
 *                        inner one (a binding that calls back at once) leaves both to it
 *   js_enter_callback    the same with a function that the bootstrap has set
 *   js_enter_finish      does what the outermost call does after its function: for calls that were made in another way,
 *                        or with `depth` raised
 *   js_enter_report      an error that nothing has caught
 *   js_enter_jobs        runs the microtasks alone
 *   js_enter_open        makes the handles of the loop that enter JavaScript */
JSValueRef js_enter(struct js_env *env, JSObjectRef function, JSObjectRef this_object, size_t argc,
                    const JSValueRef argv[]);
JSValueRef js_enter_callback(struct js_env *env, enum js_callback callback, size_t argc, const JSValueRef argv[]);
void js_enter_finish(struct js_env *env);
void js_enter_report(struct js_env *env, JSValueRef error);
void js_enter_jobs(struct js_env *env);
void js_enter_open(struct js_env *env);

/* idle_gc.c: garbage collection while the loop is idle. */
void js_idle_gc_open(struct js_env *env);
void js_idle_gc_watch(struct js_env *env);

/* After every callback of the loop. */
static inline void js_idle_gc_note_call(struct js_env *env) {
  env->calls++;
  if (!env->idle_gc_watching)
    js_idle_gc_watch(env);
}

/* html/html.c: the event loop of the HTML standard. */
/* When the loop is there, and --loop=html was given: 0, or UV_ENOMEM. */
int js_html_open(struct js_env *env);
/* Whenever JavaScript has returned to the loop: the handles follow the shared words. */
void js_html_sync(struct js_env *env);

/* napi: finalizers of addons, before the immediates; the addons' end; and that of what was kept for them. */
void js_napi_check(struct js_env *runtime);
void js_napi_end(struct js_env *env);
void js_napi_forget(struct js_env *env);

/* builtin.c: the embedded JavaScript. */
JSObjectRef js_builtin_compile(struct js_env *env, const char *id);
bool js_builtin_has(const char *id);
JSValueRef js_builtin_ids(JSContextRef context);

/* binding.c: internalBinding(name); NULL when there is none of that name. */
JSObjectRef js_binding_get(struct js_env *env, const char *name);

/* bind/process/signals.c: SIGUSR1 */
void js_debug_signal_begin(const struct js_options *options);

int js_options_parse(struct js_options *options, int argc, char **argv);
/* Whether an argument that begins with a hyphen is an option. */
bool js_option_is_known(const char *argument);

#endif
