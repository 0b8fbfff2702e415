/* The binding `process`: ids and directories of the program, its clocks, its end. */
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/bind/binding.h"
#include "runtime/engine/limit/heap.h"
#include "runtime/engine/limit/watch.h"
#include "runtime/observe/trace.h"
#include "runtime/permission/permission.h"

static JSValueRef cwd(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  char path[4096];
  size_t size = sizeof path;
  int err = uv_cwd(path, &size);
  return err == 0 ? js_text(context, path, size) : js_number(context, err);
}

static JSValueRef change_directory(JSContextRef context, struct js_frame *frame) {
  char *path = js_to_text(context, js_arg(context, frame, 0), NULL);
  if (path != NULL && js_refused(context, JS_SCOPE_READ, path)) {
    free(path);
    return NULL;
  }
  int err = path != NULL ? uv_chdir(path) : UV_ENOMEM;
  free(path);
  return js_number(context, err);
}

static JSValueRef set_umask(JSContextRef context, struct js_frame *frame) {
  mode_t before;
  if (js_argc(frame) == 0 || JSValueIsUndefined(context, frame->arguments[0])) {
    before = umask(0);
    umask(before);
  } else {
    before = umask((mode_t)js_to_integer(context, frame->arguments[0]));
  }
  return js_number(context, before);
}

/* The monotonic clock, in nanoseconds as a double: exact for 104 days of uptime. */
static JSValueRef clock_ns(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  return js_number(context, (double)uv_hrtime());
}

/* hrtime(out: Float64Array(2)): seconds and nanoseconds */
static JSValueRef clock_pair(JSContextRef context, struct js_frame *frame) {
  uint64_t now_ns = uv_hrtime();
  JSObjectRef out = (JSObjectRef)js_arg(context, frame, 0);
  double *pair = JSObjectGetTypedArrayBytesPtr(context, out, NULL);
  if (pair != NULL) {
    pair[0] = (double)(now_ns / 1000000000u);
    pair[1] = (double)(now_ns % 1000000000u);
  }
  return js_undefined(context);
}

/* nanoseconds(out: BigUint64Array(1)) */
static JSValueRef clock_whole(JSContextRef context, struct js_frame *frame) {
  uint64_t now_ns = uv_hrtime();
  unsigned char *out;
  size_t length;
  if (js_to_bytes(context, js_arg(context, frame, 0), &out, &length) && length >= sizeof now_ns)
    memcpy(out, &now_ns, sizeof now_ns);
  return js_undefined(context);
}

static JSValueRef uptime(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  return js_number(context, (double)(uv_hrtime() - js_env_here->started_ns) / 1e9);
}

/* memoryUsage(out: Float64Array(4)): rss, heapTotal, heapUsed, external */
static JSValueRef memory_usage(JSContextRef context, struct js_frame *frame) {
  size_t rss = 0;
  uv_resident_set_memory(&rss);
  struct js_heap_figures heap = js_heap_figures(JSContextGetGroup(context));
  const double figures[] = {(double)rss, (double)heap.total, (double)heap.used, (double)heap.extra};
  unsigned char *out;
  size_t length;
  if (js_to_bytes(context, js_arg(context, frame, 0), &out, &length) && length >= sizeof figures)
    memcpy(out, figures, sizeof figures);
  return js_undefined(context);
}

static JSValueRef rss(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  size_t bytes = 0;
  uv_resident_set_memory(&bytes);
  return js_number(context, (double)bytes);
}

static JSValueRef resource_usage(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  uv_rusage_t usage;
  int err = uv_getrusage(&usage);
  if (err != 0)
    return js_number(context, err);
  const struct {
    const char *name;
    double value;
  } rows[] = {
      {"userCPUTime", (double)usage.ru_utime.tv_sec * 1e6 + (double)usage.ru_utime.tv_usec},
      {"systemCPUTime", (double)usage.ru_stime.tv_sec * 1e6 + (double)usage.ru_stime.tv_usec},
      {"maxRSS", (double)usage.ru_maxrss},
      {"sharedMemorySize", (double)usage.ru_ixrss},
      {"unsharedDataSize", (double)usage.ru_idrss},
      {"unsharedStackSize", (double)usage.ru_isrss},
      {"minorPageFault", (double)usage.ru_minflt},
      {"majorPageFault", (double)usage.ru_majflt},
      {"swappedOut", (double)usage.ru_nswap},
      {"fsRead", (double)usage.ru_inblock},
      {"fsWrite", (double)usage.ru_oublock},
      {"ipcSent", (double)usage.ru_msgsnd},
      {"ipcReceived", (double)usage.ru_msgrcv},
      {"signalsCount", (double)usage.ru_nsignals},
      {"voluntaryContextSwitches", (double)usage.ru_nvcsw},
      {"involuntaryContextSwitches", (double)usage.ru_nivcsw},
  };
  JSObjectRef object = js_object(context);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    js_set(context, object, rows[i].name, js_number(context, rows[i].value));
  return object;
}

/* cpuUsage(out: Float64Array(2)): microseconds of the processor's time, in the program and in the system */
static JSValueRef cpu_usage(JSContextRef context, struct js_frame *frame) {
  uv_rusage_t usage;
  unsigned char *out;
  size_t length;
  int err = uv_getrusage(&usage);
  const double times[] = {(double)usage.ru_utime.tv_sec * 1e6 + (double)usage.ru_utime.tv_usec,
                          (double)usage.ru_stime.tv_sec * 1e6 + (double)usage.ru_stime.tv_usec};
  if (err == 0 && js_to_bytes(context, js_arg(context, frame, 0), &out, &length) && length >= sizeof times)
    memcpy(out, times, sizeof times);
  return js_undefined(context);
}

static JSValueRef constrained_memory(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  return js_number(context, (double)uv_get_constrained_memory());
}

static JSValueRef available_memory(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  return js_number(context, (double)uv_get_free_memory());
}

static JSValueRef send_signal(JSContextRef context, struct js_frame *frame) {
  return js_number(context, uv_kill((int)js_to_integer(context, js_arg(context, frame, 0)),
                                    (int)js_to_integer(context, js_arg(context, frame, 1))));
}

static JSValueRef is_known_option(JSContextRef context, struct js_frame *frame) {
  char *argument = js_to_text(context, js_arg(context, frame, 0), NULL);
  bool known = argument != NULL && js_option_is_known(argument);
  free(argument);
  return js_boolean(context, known);
}

/* environmentOptions() -> the options that NODE_OPTIONS may contain: --name, and --no-name for those that can be
 * switched off */
static JSValueRef environment_options(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  JSObjectRef list = js_array(context, 0, NULL);
  const struct js_option *option;
  unsigned count = 0;
  for (size_t i = 0; (option = js_option_at(i)) != NULL; i++) {
    char word[96];
    if (!option->in_environment || option->effect == JS_OPTION_REFUSED)
      continue;
    snprintf(word, sizeof word, "--%s", option->name);
    JSObjectSetPropertyAtIndex(context, list, count++, js_string(context, word), NULL);
    snprintf(word, sizeof word, "--no-%s", option->name);
    if (option->kind == JS_OPTION_FLAG)
      JSObjectSetPropertyAtIndex(context, list, count++, js_string(context, word), NULL);
  }
  return list;
}

static JSObjectRef word_list(JSContextRef context, const struct js_option_words *words) {
  JSObjectRef list = js_array(context, 0, NULL);
  for (int i = 0; i < words->count; i++)
    JSObjectSetPropertyAtIndex(context, list, (unsigned)i, js_string(context, words->texts[i]), NULL);
  return list;
}

/* addEnvironmentOptions(text): NODE_OPTIONS from a file; they come before those of the command line -> all words. An
 * option that is not allowed there ends the process, as it would at its start. */
static JSValueRef add_environment_options(JSContextRef context, struct js_frame *frame) {
  struct js_options *options = js_env_here->options;
  struct js_option_words words = {0};
  char *text = js_to_text(context, js_arg(context, frame, 0), NULL);
  int code = js_options_read_environment(&words, options->argv[0], text);
  free(text);
  int added = words.count;
  if (code == 0)
    code = js_words_append(&words, &options->words);
  if (code == 0)
    code = js_options_check(&words, options->argv[0]);
  if (code == 0 && js_env_begin_permission(&(struct js_options){.argc = options->argc,
                                                                .argv = options->argv,
                                                                .script_at = options->script_at,
                                                                .code = options->code,
                                                                .read_stdin = options->read_stdin,
                                                                .command = options->command,
                                                                .words = words}) != 0)
    code = 1;
  if (code != 0)
    _exit(code);
  options->words = words;
  options->environment_words += added;
  return word_list(context, &words);
}

static JSValueRef get_title(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  char title[1024] = "";
  uv_get_process_title(title, sizeof title);
  return js_string(context, title);
}

static JSValueRef set_title(JSContextRef context, struct js_frame *frame) {
  char *title = js_to_text(context, js_arg(context, frame, 0), NULL);
  if (title != NULL)
    uv_set_process_title(title);
  free(title);
  return js_undefined(context);
}

/* identity(one of `identity`) */
static JSValueRef identity(JSContextRef context, struct js_frame *frame) {
  switch (js_to_integer(context, js_arg(context, frame, 0))) {
  case JS_IDENTITY_PID:
    return js_number(context, getpid());
  case JS_IDENTITY_PPID:
    return js_number(context, getppid());
  case JS_IDENTITY_UID:
    return js_number(context, getuid());
  case JS_IDENTITY_EUID:
    return js_number(context, geteuid());
  case JS_IDENTITY_GID:
    return js_number(context, getgid());
  default:
    return js_number(context, getegid());
  }
}

static JSValueRef groups(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  gid_t list[256];
  int count = getgroups(256, list);
  JSObjectRef array = js_array(context, 0, NULL);
  for (int i = 0; i < count; i++)
    JSObjectSetPropertyAtIndex(context, array, (unsigned)i, js_number(context, list[i]), NULL);
  return array;
}

static JSValueRef really_exit(JSContextRef context, struct js_frame *frame) {
  js_end_process((int)js_to_integer(context, js_arg(context, frame, 0)));
}

static JSValueRef abort_process(JSContextRef context, struct js_frame *frame) {
  (void)context;
  (void)frame;
  js_trace_end(128 + SIGABRT);
  signal(SIGABRT, SIG_DFL);
  abort();
}

struct walk {
  JSContextRef context;
  JSObjectRef list;
  unsigned count;
  struct js_env *env;
};

static void visit(uv_handle_t *handle, void *data) {
  struct walk *walk = data;
  struct js_env *env = walk->env;
  if (!uv_is_active(handle) || !uv_has_ref(handle) || uv_is_closing(handle) || handle == (uv_handle_t *)&env->timer ||
      handle == (uv_handle_t *)&env->idle || handle == (uv_handle_t *)&env->check)
    return;
  JSObjectSetPropertyAtIndex(walk->context, walk->list, walk->count++,
                             js_string(walk->context, uv_handle_type_name(handle->type)), NULL);
}

/* activeHandles() -> the type of each handle that keeps the loop alive, without the runtime's own */
static JSValueRef active_handles(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  struct walk walk = {context, js_array(context, 0, NULL), 0, js_env_here};
  uv_walk(js_env_here->loop, visit, &walk);
  return walk.list;
}

static JSValueRef idle_time(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  return js_number(context, (double)uv_metrics_idle_time(js_env_here->loop));
}

static JSObjectRef list_of(JSContextRef context, const char *const *texts, int count) {
  JSObjectRef list = js_array(context, 0, NULL);
  for (int i = 0; i < count; i++)
    JSObjectSetPropertyAtIndex(context, list, (unsigned)i, js_string(context, texts[i]), NULL);
  return list;
}

/* The processor that the program was built for, as Node calls it. */
static const char *processor_name(void) {
#if defined(__x86_64__)
  return "x64";
#elif defined(__aarch64__)
  return "arm64";
#elif defined(__i386__)
  return "ia32";
#elif defined(__arm__)
  return "arm";
#elif defined(__riscv) && __riscv_xlen == 64
  return "riscv64";
#elif defined(__powerpc64__)
  return "ppc64";
#elif defined(__s390x__)
  return "s390x";
#elif defined(__loongarch64)
  return "loong64";
#else
#error "process.arch has no name for this processor"
#endif
}

static void set_command_line(struct js_env *env, JSObjectRef binding) {
  JSContextRef context = env->context;
  struct js_options *options = env->options;
  char path[4096 + 16];
  js_exec_path(options->argv[0], path, sizeof path);
  js_set(context, binding, "execPath", js_string(context, path));
  js_set(context, binding, "arch", js_string(context, processor_name()));
  js_set(context, binding, "argv0", js_string(context, options->argv[0]));
  int at = options->script_at;
  /* `-` belongs to the program, `--` is dropped. */
  if (at > 1 && options->read_stdin && strcmp(options->argv[at - 1], "-") == 0)
    at--;
  int own = at - 1 - (at > 1 && strcmp(options->argv[at - 1], "--") == 0);
  js_set(context, binding, "execArgv", list_of(context, (const char *const *)options->argv + 1, own));
  js_set(context, binding, "arguments", list_of(context, (const char *const *)options->argv + at, options->argc - at));
  js_set(context, binding, "optionWords", word_list(context, &options->words));
  js_set(context, binding, "environmentWordCount", js_number(context, options->environment_words));
  js_set(context, binding, "requires", list_of(context, options->preloads, options->preloads_count));
  js_set(context, binding, "imports", list_of(context, options->imports, options->imports_count));
  js_set(context, binding, "code", options->code != NULL ? js_string(context, options->code) : js_undefined(context));
  js_set(context, binding, "print", js_boolean(context, options->print));
  js_set(context, binding, "checkOnly", js_boolean(context, options->check_only));
  js_set(context, binding, "interactive", js_boolean(context, options->interactive));
  js_set(context, binding, "readStdin", js_boolean(context, options->read_stdin));
  bool is_script = options->code == NULL && !options->read_stdin && at < options->argc;
  bool is_plain = is_script && options->preloads_count == 0 && options->imports_count == 0 && !options->check_only &&
                  !options->interactive && at == 1;
  js_set(context, binding, "isPlain", js_boolean(context, is_plain));
  js_set(context, binding, "script", is_script ? js_string(context, options->argv[at]) : js_undefined(context));
  js_set(context, binding, "uvVersion", js_string(context, uv_version_string()));
}

JSObjectRef js_binding_process(struct js_env *env) {
  static const struct js_method methods[] = {
      {"libraryVersions", js_library_versions, 0},
      {"loadedVersion", js_loaded_version, 1},
      {"cwd", cwd, 0},
      {"chdir", change_directory, 1},
      {"umask", set_umask, 1},
      {"clock", clock_ns, 0},
      {"hrtime", clock_pair, 1},
      {"nanoseconds", clock_whole, 1},
      {"uptime", uptime, 0},
      {"memoryUsage", memory_usage, 1},
      {"rss", rss, 0},
      {"resourceUsage", resource_usage, 0},
      {"cpuUsage", cpu_usage, 1},
      {"constrainedMemory", constrained_memory, 0},
      {"availableMemory", available_memory, 0},
      {"kill", send_signal, 2},
      {"getTitle", get_title, 0},
      {"setTitle", set_title, 1},
      {"identity", identity, 1},
      {"groups", groups, 0},
      {"reallyExit", really_exit, 1},
      {"abort", abort_process, 0},
      {"activeHandles", active_handles, 0},
      {"idleTime", idle_time, 0},
      {"isKnownOption", is_known_option, 1},
      {"addEnvironmentOptions", add_environment_options, 1},
      {"environmentOptions", environment_options, 0},
      {NULL, NULL, 0},
  };
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  js_set_methods(env->context, binding, js_environment_methods);
  set_command_line(env, binding);
  return binding;
}
