/* rota: a JavaScript runtime on librota and JavaScriptCore. */
#include <rota.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/command.h"
#include "runtime/bind/crypto/crypto.h"
#include "runtime/observe/trace.h"
#include "runtime/options/table.h"
#include "runtime/order/builtin.h"
#include "runtime/order/env.h"
#include "runtime/order/version.h"

/* ---- the licences of what the program is made of: the text that runtime/tools/notice wrote ---- */

#ifndef JS_NOTICE
#define JS_NOTICE "/dev/null" /* for checks of this file alone: the build names the real one */
#endif

__asm__(".section .rodata\n"
        "js_notice_begin:\n"
        ".incbin \"" JS_NOTICE "\"\n"
        "js_notice_end:\n"
        ".previous\n");
extern const char js_notice_begin[], js_notice_end[];

/* The exit code. */
static int print_licenses(void) {
  size_t length = (size_t)(js_notice_end - js_notice_begin);
  return fwrite(js_notice_begin, 1, length, stdout) == length && fflush(stdout) == 0 ? 0 : 1;
}

/* ---- simulating (doc/STEERING.md): virtual time and shuffled schedules ---- */

/* The library reads the settings from the environment when the loop is made. They are removed afterwards, because
 * children must not inherit what was asked for this program alone. */
static const enum rota_setting steering_settings[] = {ROTA_SETTING_VIRTUAL_TIME,     ROTA_SETTING_SCHEDULE_SEED,
                                                      ROTA_SETTING_SCHEDULE_RECORD,  ROTA_SETTING_SCHEDULE_REPLAY,
                                                      ROTA_SETTING_SCHEDULE_WITHOUT, ROTA_SETTING_SCHEDULE_FAULTS,
                                                      ROTA_SETTING_SCHEDULE_HOLD,    ROTA_SETTING_SCHEDULE_PAIRS};

enum { STEERING_SETTINGS = sizeof steering_settings / sizeof *steering_settings };

static void begin_steering(const struct js_options *options) {
  for (int i = 0; i < STEERING_SETTINGS; i++)
    if (options->settings[steering_settings[i]] != NULL)
      setenv(rota__settings[steering_settings[i]].variable, options->settings[steering_settings[i]], 1);
}

/* When the loop is made. -> 0, or the exit code */
static int check_steering(const struct js_options *options) {
  const char *time = options->settings[ROTA_SETTING_VIRTUAL_TIME];
  unsigned wanted = 0;
  for (int i = 0; i < STEERING_SETTINGS; i++)
    if (options->settings[steering_settings[i]] != NULL)
      unsetenv(rota__settings[steering_settings[i]].variable);
  if (time != NULL && (time[0] != '0' || time[1] != 0))
    wanted |= ROTA_STEER_TIME;
  if (options->settings[ROTA_SETTING_SCHEDULE_SEED] != NULL || options->settings[ROTA_SETTING_SCHEDULE_REPLAY] != NULL)
    wanted |= ROTA_STEER_SCHEDULE;
  /* Math.random must be the same in each run, too. The engine reads this when it is made. */
  if (rota_steering() & ROTA_STEER_SCHEDULE) {
    setenv("JSC_forceWeakRandomSeed", "1", 1);
    setenv("JSC_forcedWeakRandomSeed", "2654435769", 1);
  }
  return (rota_steering() & wanted) == wanted ? 0 : 9; /* the error was printed */
}

/* When the engine is made. */
static void end_steering(void) {
  if (rota_steering() & ROTA_STEER_SCHEDULE) {
    unsetenv("JSC_forceWeakRandomSeed");
    unsetenv("JSC_forcedWeakRandomSeed");
  }
}

/* ---- the program ---- */

/* Commands that are no options of Node. False: it is none of them. */
static bool run_command(int argc, char **argv, int *code) {
  if (command_kind(argc, argv) == COMMAND_HERE) {
    *code = command_run(argc, argv);
  } else if (command_help_wants_options(argc, argv)) {
    command_help_print_options();
    *code = 0;
  } else if (argc == 2 && strcmp(argv[1], "--engine") == 0) {
    *code = js_uses_decide();
    if (*code == 0)
      js_uses_print(stdout);
  } else if (argc == 3 && strcmp(argv[1], "--engine-bytecode") == 0) { /* for the build */
    *code = js_builtin_write_bytecode(argv[2]);
  } else if (argc == 2 && strcmp(argv[1], "--licenses") == 0) {
    *code = print_licenses();
  } else {
    return false;
  }
  return true;
}

/* Options that only print a text. */
static bool print_text(struct js_options *options) {
  if (options->version)
    printf("v%d.%d.%d\n", JS_NODE_MAJOR, JS_NODE_MINOR, JS_NODE_PATCH);
  else if (options->engine_help)
    js_help_print_engine();
  else if (js_words_has(&options->words, "completion-bash"))
    js_help_print_completion();
  else if (options->help)
    command_help_print();
  else
    return false;
  return true;
}

/* `rota --timeline app.js` forgets the page, and must not overwrite the script. */
static bool may_write(const struct js_options *options) {
  const char *trace = options->settings[ROTA_SETTING_TRACE];
  return (trace == NULL || command_may_write(NULL, "--trace=FILE", trace)) &&
         (options->timeline == NULL || command_may_write(NULL, "--timeline=FILE", options->timeline));
}

/* `rota --engine-constructors FILE SCRIPT`, for the build: the script is run. */
static void read_build_command(int *argc, char ***argv) {
  enum { WORDS = 2 };
  if (*argc <= WORDS + 1 || strcmp((*argv)[1], "--engine-constructors") != 0)
    return;
  js_builtin_complete_begin((*argv)[WORDS]);
  (*argv)[WORDS] = (*argv)[0];
  *argv += WORDS;
  *argc -= WORDS;
}

int main(int argc, char **argv) {
  if (!command_open_standard(command_kind(argc, argv) != COMMAND_HERE))
    return 1;
  argv = uv_setup_args(argc, argv);
  read_build_command(&argc, &argv);
  if (command_help_is_mistaken(argc, argv))
    return COMMAND_BAD_USAGE;
  command_help_read(&argc, argv);
  int code;
  if (run_command(argc, argv, &code))
    return code;
  struct js_options options;
  code = js_options_parse(&options, argc, argv);
  if (code != 0)
    return code;
  if (print_text(&options))
    return 0;
  if (argc == 2 && strcmp(argv[1], "--engine-check") == 0)
    return js_uses_check() != 0 || js_builtin_check_bytecode() != 0;
  if (!may_write(&options))
    return COMMAND_BAD_USAGE;
  if (js_uses_decide() != 0)
    return 1;
  code = js_crypto_start_by_options(&options.words, argv[0]);
  if (code != 0)
    return code;
  if (js_words_has(&options.words, "jitless"))
    js_engine_without_compilers();
  signal(SIGPIPE, SIG_IGN);
  js_debug_signal_begin(&options);
  begin_steering(&options);
  code = js_trace_begin(&options);
  if (code == 0)
    code = check_steering(&options);
  if (code != 0)
    return code;
  struct js_env env;
  int err = js_env_init(&env, uv_default_loop(), &options);
  if (err != 0) {
    fprintf(stderr, "rota: cannot start: %s\n", uv_strerror(err));
    return 1;
  }
  end_steering();
  code = js_env_run(&env);
  if (code == 0)
    code = js_builtin_complete_bytecode(env.context);
  js_napi_end(&env);
  js_end_process(code);
}
