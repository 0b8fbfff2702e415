/* rota: a JavaScript runtime on librota and JavaScriptCore. */
#include "graft/command/command.h"
#include "runtime/bind/crypto/crypto.h"
#include "runtime/order/builtin.h"
#include "runtime/order/env.h"
#include "runtime/order/steer.h"
#include "runtime/see/trace.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In the format of V8's list of options, which programs parse. */
static const char engine_help_text[] =
    "Options of V8 that may be given. The engine is another one: those with an effect say which.\n"
    "\n"
    "Options:\n"
    "  --expose-gc (a global function gc)\n"
    "  --allow-natives-syntax (no effect)\n"
    "  --disallow-code-generation-from-strings (eval and new Function throw)\n"
    "  --interpreted-frames-native-stack (no effect)\n"
    "  --jitless (interpret; no executable memory is made)\n"
    "  --max-old-space-size (the most that the heap may hold, in MB)\n"
    "  --max-semi-space-size (no effect)\n"
    "  --single-threaded (no effect)\n"
    "  --stack-size (no effect)\n"
    "  --stack-trace-limit (frames in an error's stack)\n";

static const char help_text[] =
    "Usage: rota [options] [script.js | -e code | -p code | -] [arguments]\n"
    "       rota run|trace|stats|watch|why|doctor [options] -- program [arguments]\n"
    "       rota timeline trace.json [-o page.html] | [-o page.html] -- program [arguments]\n"
    "       rota why [--after=ms] script.js [arguments]\n"
    "       rota attach process-id [stats|why|trace|timeline] [--time=seconds] [-o file]\n"
    "       rota fuzz [options] script.js [arguments] | -- program [arguments]\n"
    "\n"
    "  -                     read the script from standard input (the default without a terminal)\n"
    "  --                    end of the options\n"
    "  -c, --check           check the script's syntax without running it\n"
    "  -e, --eval=code       run code\n"
    "  --engine              print which engine runs, and which fast ways are off on it\n"
    "  -h, --help            print this text\n"
    "  -i, --interactive     open the REPL even if standard input is not a terminal\n"
    "  --test [pattern...]   run test files (node:test); --test-reporter, --test-name-pattern, --test-only, ...\n"
    "  --import=module       load an ES module before the script\n"
    "  --licenses            print the licences of what the program is made of\n"
    "  -p, --print=code      run code and print its value\n"
    "  -r, --require=module  load a CommonJS module before the script\n"
    "  -v, --version         print the version\n"
    "  --permission, --allow-fs-read=path, --allow-fs-write=path, --allow-net, --allow-child-process, ...\n"
    "                        what the program may do\n"
    "  Node's other options: doc/OPTIONS.md tells which are done, ignored or refused\n"
    "\n"
    "Seeing the loop:\n"
    "  --watchdog=ms         name what blocks the loop for longer than this, while it does\n"
    "  --stats               print histograms of the loop and the thread pool at the end, and on SIGUSR2\n"
    "  --timeline=page.html  make a page that shows what the loop did\n"
    "  --trace=file          write what the loop does into a file that Perfetto opens\n"
    "  --attach              let rota attach ask for all this later\n"
    "  rota attach           asks a process that runs: histograms, what keeps it alive, a trace, a page\n"
    "  rota timeline         the page of a trace\n"
    "  rota why              what keeps the program's loop alive, and where it was made\n"
    "\n"
    "Programs that use libuv, your own Node among them, with their children and workers:\n"
    "  rota run              just runs it on librota\n"
    "  rota trace            writes what its loop does into a file that Perfetto and rota timeline open\n"
    "  rota stats            histograms of its loop and thread pool at the end\n"
    "  rota watch            names what blocks its loop, while it does\n"
    "  rota why              what keeps its loop alive\n"
    "  rota doctor           tells how it would be run, or why it cannot be\n"
    "\n"
    "Steering the loop:\n"
    "  --schedule-seed=n     decide by this number what the loop does not promise: orders, delays, short reads\n"
    "  --schedule-record=file, --schedule-replay=file\n"
    "                        write down what was decided; decide as it was written down\n"
    "  --virtual-time[=from=date]\n"
    "                        do not wait for timers: the clock jumps to the next one\n"
    "  rota fuzz             run a program under many seeds, and show those that make it end otherwise\n";

/* What a shell completes: the names of all options that are accepted, and of files. */
static void print_completion(void) {
  fputs("_rota_complete() {\n  local cur_word options\n  cur_word=\"${COMP_WORDS[COMP_CWORD]}\"\n"
        "  if [[ \"${cur_word}\" == -* ]] ; then\n    COMPREPLY=( $(compgen -W '",
        stdout);
  const struct js_option *option;
  for (size_t i = 0; (option = js_option_at(i)) != NULL; i++)
    if (option->effect != JS_OPTION_REFUSED)
      printf("--%s ", option->name);
  fputs("' -- \"${cur_word}\") )\n    return 0\n  else\n    COMPREPLY=( $(compgen -f \"${cur_word}\") )\n"
        "    return 0\n  fi\n}\ncomplete -o filenames -o nospace -o bashdefault -F _rota_complete rota\n",
        stdout);
}

int main(int argc, char **argv) {
  argv = uv_setup_args(argc, argv);
  if (graft_is_command(argc, argv))
    return graft_command(argc, argv);
  if (argc == 2 && strcmp(argv[1], "--engine") == 0) {
    int refused = js_uses_decide();
    if (refused == 0)
      js_uses_print(stdout);
    return refused;
  }
  if (argc == 3 && strcmp(argv[1], "--engine-bytecode") == 0) /* for the build */
    return js_builtin_write_bytecode(argv[2]);
  if (argc == 2 && strcmp(argv[1], "--licenses") == 0)
    return js_notice_print();
  struct js_options options;
  int code = js_options_parse(&options, argc, argv);
  if (code != 0)
    return code;
  if (options.engine_help) {
    fputs(engine_help_text, stdout);
    return 0;
  }
  if (js_words_has(&options.words, "completion-bash")) {
    print_completion();
    return 0;
  }
  if (options.help) {
    fputs(help_text, stdout);
    return 0;
  }
  if (argc == 2 && strcmp(argv[1], "--engine-check") == 0)
    return js_uses_check() != 0 || js_builtin_check_bytecode() != 0;
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
  js_napi_end(&env);
  fflush(NULL);
  js_trace_end();
  uv_tty_reset_mode(); /* a program may leave a terminal raw */
  _exit(code);         /* destroying the engine would only cost time */
}
