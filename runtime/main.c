/* rota: a JavaScript runtime on librota and JavaScriptCore. */
#include "command/command.h"
#include "runtime/bind/crypto/crypto.h"
#include "runtime/observe/trace.h"
#include "runtime/options/table.h"
#include "runtime/order/builtin.h"
#include "runtime/order/env.h"
#include "runtime/order/steer.h"
#include "runtime/order/version.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    *code = js_notice_print();
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
  js_steer_begin(&options);
  code = js_trace_begin(&options);
  if (code == 0)
    code = js_steer_begun(&options);
  if (code != 0)
    return code;
  struct js_env env;
  int err = js_env_init(&env, uv_default_loop(), &options);
  if (err != 0) {
    fprintf(stderr, "rota: cannot start: %s\n", uv_strerror(err));
    return 1;
  }
  js_steer_attached();
  code = js_env_run(&env);
  if (code == 0)
    code = js_builtin_complete_bytecode(env.context);
  js_napi_end(&env);
  js_end_process(code);
}
