/* What `rota --help` and its like print. The first fits a screen of 24 lines with 80 columns; `rota help
 * COMMAND` and `rota help options` tell more. */
#include "runtime/options/help.h"

#include "runtime/options/table.h"

#include <stdio.h>

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

static const char help_text[] = "Usage: rota [options] [script.js | -e code | -p code | -] [arguments]\n"
                                "       rota COMMAND [options] -- program [arguments]\n"
                                "\n"
                                "Commands, for any program that uses libuv: node app.js, npm test, nvim\n"
                                "  timeline        make a page that shows every callback of the loop\n"
                                "  trace           write the same into a file, which Perfetto opens, too\n"
                                "  stats           print histograms of the loop and the thread pool at the end\n"
                                "  watch           name what blocks the loop, while it does\n"
                                "  why             tell what keeps the loop alive, and where it was made\n"
                                "  fuzz            run it under many schedules, and show one that ends otherwise\n"
                                "  attach PID      ask a process that runs for stats, why, a trace, a timeline\n"
                                "  run, doctor     just run it on librota; tell how it would be run, or why not\n"
                                "  help COMMAND    explain a command, with examples\n"
                                "\n"
                                "Options for a script that rota runs itself; rota help options lists all\n"
                                "  -e, -p code            run code; print its value, too\n"
                                "  --timeline=page.html   make a page that shows what the loop did\n"
                                "  --watchdog=ms          name what blocks the loop for longer than this\n"
                                "  --virtual-time         do not wait for timers: the clock jumps to the next\n"
                                "  --schedule-seed=n      decide by this number what the loop does not promise\n"
                                "  --loop=html            run by the browser's event loop\n"
                                "  -v, --version          print which Node this behaves as\n"
                                "Without a script there is a REPL.\n";

static const char options_text[] = "Options for a script that rota runs itself\n"
                                   "  -e, --eval=code       run code; -p, --print=code prints its value, too\n"
                                   "  -c, --check           check the script's syntax without running it\n"
                                   "  -i, --interactive     open the REPL even if standard input is not a terminal\n"
                                   "  -r, --require=module  load a CommonJS module before the script;\n"
                                   "                        --import=module loads an ES module\n"
                                   "  --test [pattern...]   run test files (node:test); --test-reporter,\n"
                                   "                        --test-name-pattern, --test-only, ...\n"
                                   "  --permission          allow only what is named: --allow-fs-read=path,\n"
                                   "                        --allow-fs-write=path, --allow-net, ...\n"
                                   "\n"
                                   "To see the loop\n"
                                   "  --timeline=page.html  make a page that shows what the loop did;\n"
                                   "                        --trace=file writes the trace\n"
                                   "  --samples[=ms]        with either: stacks inside of callbacks that take longer\n"
                                   "                        than this (5), each time again\n"
                                   "  --stats               print histograms of the loop and the thread pool at the\n"
                                   "                        end, and on SIGUSR2\n"
                                   "  --watchdog=ms         name what blocks the loop for longer than this, while it\n"
                                   "                        does\n"
                                   "  --attach              let rota attach ask for all this later\n"
                                   "  --black-box[=seconds] keep the last seconds (5) of what the loop did; write\n"
                                   "                        them on a crash, a block, SIGUSR2, exit with an error\n"
                                   "\n"
                                   "To steer the loop\n"
                                   "  --virtual-time[=from=date]\n"
                                   "                        do not wait for timers: the clock jumps to the next one\n"
                                   "  --loop=html           run by the HTML standard's event loop; a seed chooses\n"
                                   "                        among task sources\n"
                                   "  --schedule-seed=n     decide by this number what the loop does not promise:\n"
                                   "                        orders, delays, short reads; --schedule-record=file and\n"
                                   "                        --schedule-replay=file keep and repeat the decisions\n"
                                   "\n"
                                   "Others\n"
                                   "  -v, --version; --licenses; --engine (which engine runs, and which fast ways\n"
                                   "  are off on it). doc/OPTIONS.md tells which of Node's other options are done,\n"
                                   "  ignored or refused.\n";

void js_help_print(void) {
  fputs(help_text, stdout);
}

void js_help_print_options(void) {
  fputs(options_text, stdout);
}

void js_help_print_engine(void) {
  fputs(engine_help_text, stdout);
}

/* What a shell completes: the names of all options that are accepted, and of files. */
void js_help_print_completion(void) {
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
