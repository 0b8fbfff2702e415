/* The binding `process`: who and where the program is, its clocks, its environment, its end. */
#include "runtime/bind/binding.h"
#include "runtime/engine/engine_time_zone.h"
#include "runtime/see/trace.h"

#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static JSValueRef cwd(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  char path[4096];
  size_t size = sizeof path;
  int err = uv_cwd(path, &size);
  return err == 0 ? rota_text(context, path, size) : rota_number(context, err);
}

static JSValueRef change_directory(JSContextRef context, struct rota_frame *frame) {
  char *path = rota_to_text(context, rota_arg(context, frame, 0), NULL);
  int err = path != NULL ? uv_chdir(path) : UV_ENOMEM;
  free(path);
  return rota_number(context, err);
}

static JSValueRef set_umask(JSContextRef context, struct rota_frame *frame) {
  mode_t before;
  if (rota_argc(frame) == 0 || JSValueIsUndefined(context, frame->arguments[0])) {
    before = umask(0);
    umask(before);
  } else {
    before = umask((mode_t)rota_to_integer(context, frame->arguments[0]));
  }
  return rota_number(context, before);
}

/* The monotonic clock, in nanoseconds as a double: exact for 104 days of uptime. */
static JSValueRef clock_ns(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  return rota_number(context, (double)uv_hrtime());
}

/* hrtime(out: Float64Array(2)): seconds and nanoseconds */
static JSValueRef clock_pair(JSContextRef context, struct rota_frame *frame) {
  uint64_t now_ns = uv_hrtime();
  JSObjectRef out = (JSObjectRef)rota_arg(context, frame, 0);
  double *pair = JSObjectGetTypedArrayBytesPtr(context, out, NULL);
  if (pair != NULL) {
    pair[0] = (double)(now_ns / 1000000000u);
    pair[1] = (double)(now_ns % 1000000000u);
  }
  return rota_undefined(context);
}

static JSValueRef uptime(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  return rota_number(context, (double)(uv_hrtime() - rota_env_here->started_ns) / 1e9);
}

static JSValueRef memory_usage(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  size_t rss = 0;
  uv_resident_set_memory(&rss);
  JSObjectRef statistics = JSGetMemoryUsageStatistics(context);
  JSObjectRef usage = rota_object(context);
  rota_set(context, usage, "rss", rota_number(context, (double)rss));
  rota_set(context, usage, "heapTotal", rota_get(context, statistics, "heapCapacity"));
  rota_set(context, usage, "heapUsed", rota_get(context, statistics, "heapSize"));
  rota_set(context, usage, "external", rota_get(context, statistics, "extraMemorySize"));
  return usage;
}

static JSValueRef rss(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  size_t bytes = 0;
  uv_resident_set_memory(&bytes);
  return rota_number(context, (double)bytes);
}

static JSValueRef resource_usage(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  uv_rusage_t usage;
  int err = uv_getrusage(&usage);
  if (err != 0)
    return rota_number(context, err);
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
  JSObjectRef object = rota_object(context);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    rota_set(context, object, rows[i].name, rota_number(context, rows[i].value));
  return object;
}

static JSValueRef constrained_memory(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  return rota_number(context, (double)uv_get_constrained_memory());
}

static JSValueRef available_memory(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  return rota_number(context, (double)uv_get_free_memory());
}

static JSValueRef send_signal(JSContextRef context, struct rota_frame *frame) {
  return rota_number(context, uv_kill((int)rota_to_integer(context, rota_arg(context, frame, 0)),
                                      (int)rota_to_integer(context, rota_arg(context, frame, 1))));
}

static JSValueRef is_known_option(JSContextRef context, struct rota_frame *frame) {
  char *argument = rota_to_text(context, rota_arg(context, frame, 0), NULL);
  bool known = argument != NULL && rota_option_is_known(argument);
  free(argument);
  return rota_boolean(context, known);
}

static JSValueRef get_title(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  char title[1024] = "";
  uv_get_process_title(title, sizeof title);
  return rota_string(context, title);
}

static JSValueRef set_title(JSContextRef context, struct rota_frame *frame) {
  char *title = rota_to_text(context, rota_arg(context, frame, 0), NULL);
  if (title != NULL)
    uv_set_process_title(title);
  free(title);
  return rota_undefined(context);
}

/* identity(which): 0 pid, 1 ppid, 2 uid, 3 euid, 4 gid, 5 egid */
static JSValueRef identity(JSContextRef context, struct rota_frame *frame) {
  switch (rota_to_integer(context, rota_arg(context, frame, 0))) {
  case 0:
    return rota_number(context, getpid());
  case 1:
    return rota_number(context, getppid());
  case 2:
    return rota_number(context, getuid());
  case 3:
    return rota_number(context, geteuid());
  case 4:
    return rota_number(context, getgid());
  default:
    return rota_number(context, getegid());
  }
}

static JSValueRef groups(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  gid_t list[256];
  int count = getgroups(256, list);
  JSObjectRef array = rota_array(context, 0, NULL);
  for (int i = 0; i < count; i++)
    JSObjectSetPropertyAtIndex(context, array, (unsigned)i, rota_number(context, list[i]), NULL);
  return array;
}

static JSValueRef env_get(JSContextRef context, struct rota_frame *frame) {
  char *name = rota_to_text(context, rota_arg(context, frame, 0), NULL);
  const char *value = name != NULL ? getenv(name) : NULL;
  free(name);
  return value != NULL ? rota_string(context, value) : rota_undefined(context);
}

static JSValueRef env_set(JSContextRef context, struct rota_frame *frame) {
  char *name = rota_to_text(context, rota_arg(context, frame, 0), NULL);
  if (rota_argc(frame) < 2) {
    if (name != NULL)
      uv_os_unsetenv(name);
  } else {
    char *value = rota_to_text(context, frame->arguments[1], NULL);
    if (name != NULL && value != NULL)
      uv_os_setenv(name, value);
    free(value);
  }
  if (name != NULL && strcmp(name, "TZ") == 0)
    rota_time_zone_set(context, getenv(name));
  free(name);
  return rota_undefined(context);
}

static JSValueRef env_names(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  uv_env_item_t *items;
  int count;
  JSObjectRef list = rota_array(context, 0, NULL);
  if (uv_os_environ(&items, &count) != 0)
    return list;
  for (int i = 0; i < count; i++)
    JSObjectSetPropertyAtIndex(context, list, (unsigned)i, rota_string(context, items[i].name), NULL);
  uv_os_free_environ(items, count);
  return list;
}

/* envText() -> all of it as one text, a zero behind each name=value */
static JSValueRef env_text(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  uv_env_item_t *items;
  int count;
  if (uv_os_environ(&items, &count) != 0)
    return rota_string(context, "");
  size_t length = 0;
  for (int i = 0; i < count; i++)
    length += strlen(items[i].name) + strlen(items[i].value) + 2;
  char *text = malloc(length + 1), *at = text;
  for (int i = 0; text != NULL && i < count; i++)
    at += sprintf(at, "%s=%s", items[i].name, items[i].value) + 1;
  JSValueRef value = text != NULL ? rota_text(context, text, length) : rota_string(context, "");
  free(text);
  uv_os_free_environ(items, count);
  return value;
}

static JSValueRef really_exit(JSContextRef context, struct rota_frame *frame) {
  int code = (int)rota_to_integer(context, rota_arg(context, frame, 0));
  fflush(NULL);
  uv_tty_reset_mode();
  rota_trace_end();
  _exit(code);
}

static JSValueRef abort_process(JSContextRef context, struct rota_frame *frame) {
  (void)context;
  (void)frame;
  signal(SIGABRT, SIG_DFL);
  abort();
}

struct walk {
  JSContextRef context;
  JSObjectRef list;
  unsigned count;
  struct rota_env *env;
};

static void visit(uv_handle_t *handle, void *data) {
  struct walk *walk = data;
  struct rota_env *env = walk->env;
  if (!uv_is_active(handle) || !uv_has_ref(handle) || uv_is_closing(handle) || handle == (uv_handle_t *)&env->timer ||
      handle == (uv_handle_t *)&env->idle || handle == (uv_handle_t *)&env->check)
    return;
  JSObjectSetPropertyAtIndex(walk->context, walk->list, walk->count++,
                             rota_string(walk->context, uv_handle_type_name(handle->type)), NULL);
}

/* activeHandles() -> the type of each handle that keeps the loop alive, the runtime's own left out */
static JSValueRef active_handles(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  struct walk walk = {context, rota_array(context, 0, NULL), 0, rota_env_here};
  uv_walk(rota_env_here->loop, visit, &walk);
  return walk.list;
}

static JSValueRef idle_time(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  return rota_number(context, (double)uv_metrics_idle_time(rota_env_here->loop));
}

static JSObjectRef list_of(JSContextRef context, const char *const *texts, int count) {
  JSObjectRef list = rota_array(context, 0, NULL);
  for (int i = 0; i < count; i++)
    JSObjectSetPropertyAtIndex(context, list, (unsigned)i, rota_string(context, texts[i]), NULL);
  return list;
}

static void set_command_line(struct rota_env *env, JSObjectRef binding) {
  JSContextRef context = env->context;
  struct rota_options *options = env->options;
  char path[4096];
  size_t size = sizeof path;
  if (uv_exepath(path, &size) != 0)
    snprintf(path, sizeof path, "%s", options->argv[0]);
  rota_set(context, binding, "execPath", rota_string(context, path));
  rota_set(context, binding, "argv0", rota_string(context, options->argv[0]));
  int at = options->script_at;
  /* `-` is the program's, `--` nobody's. */
  if (at > 1 && options->read_stdin && strcmp(options->argv[at - 1], "-") == 0)
    at--;
  int own = at - 1 - (at > 1 && strcmp(options->argv[at - 1], "--") == 0);
  rota_set(context, binding, "execArgv", list_of(context, (const char *const *)options->argv + 1, own));
  rota_set(context, binding, "arguments",
           list_of(context, (const char *const *)options->argv + at, options->argc - at));
  rota_set(context, binding, "requires", list_of(context, options->requires, options->requires_count));
  rota_set(context, binding, "imports", list_of(context, options->imports, options->imports_count));
  rota_set(context, binding, "code",
           options->code != NULL ? rota_string(context, options->code) : rota_undefined(context));
  rota_set(context, binding, "print", rota_boolean(context, options->print));
  rota_set(context, binding, "checkOnly", rota_boolean(context, options->check_only));
  rota_set(context, binding, "interactive", rota_boolean(context, options->interactive));
  rota_set(context, binding, "readStdin", rota_boolean(context, options->read_stdin));
  rota_set(context, binding, "showVersion", rota_boolean(context, options->version));
  bool is_script = options->code == NULL && !options->read_stdin && !options->version && at < options->argc;
  bool is_plain = is_script && options->requires_count == 0 && options->imports_count == 0 && !options->check_only &&
                  !options->interactive && at == 1;
  rota_set(context, binding, "isPlain", rota_boolean(context, is_plain));
  rota_set(context, binding, "script", is_script ? rota_string(context, options->argv[at]) : rota_undefined(context));
  rota_set(context, binding, "uvVersion", rota_string(context, uv_version_string()));
}

JSObjectRef rota_binding_process(struct rota_env *env) {
  static const struct rota_method methods[] = {
      {"cwd", cwd, 0},
      {"chdir", change_directory, 1},
      {"umask", set_umask, 1},
      {"clock", clock_ns, 0},
      {"hrtime", clock_pair, 1},
      {"uptime", uptime, 0},
      {"memoryUsage", memory_usage, 0},
      {"rss", rss, 0},
      {"resourceUsage", resource_usage, 0},
      {"constrainedMemory", constrained_memory, 0},
      {"availableMemory", available_memory, 0},
      {"kill", send_signal, 2},
      {"getTitle", get_title, 0},
      {"setTitle", set_title, 1},
      {"identity", identity, 1},
      {"groups", groups, 0},
      {"envGet", env_get, 1},
      {"envSet", env_set, 2},
      {"envNames", env_names, 0},
      {"envText", env_text, 0},
      {"reallyExit", really_exit, 1},
      {"abort", abort_process, 0},
      {"activeHandles", active_handles, 0},
      {"idleTime", idle_time, 0},
      {"isKnownOption", is_known_option, 1},
      {NULL, NULL, 0},
  };
  JSObjectRef binding = rota_object(env->context);
  rota_set_methods(env->context, binding, methods);
  set_command_line(env, binding);
  return binding;
}
