/* What `rota --help` and its like print. The first fits a screen; `rota help COMMAND` tells more. */
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

static const char help_text[] =
    "Usage: rota [options] [script.js | -e code | -p code | -] [arguments]\n"
    "       rota COMMAND [options] -- program [arguments]\n"
    "\n"
    "Commands, for any program that uses libuv: your own Node, its children and workers, npm test, Neovim\n"
    "  timeline              make a page that shows every callback of the loop; also: rota timeline trace.json\n"
    "  trace                 write what the loop does into a file that Perfetto and rota timeline open\n"
    "  stats                 print histograms of the loop and the thread pool at the end\n"
    "  watch                 name what blocks the loop, while it does\n"
    "  why                   tell what keeps the loop alive, and where it was made\n"
    "  fuzz                  run it under many schedules, and show one that makes it end otherwise\n"
    "  attach PID            ask a process that runs for stats, why, a trace or a timeline (no --)\n"
    "  run, doctor           just run it on librota; tell how it would be run, or why it cannot be\n"
    "  help COMMAND          explain a command, with examples. `rota why script.js` and `rota fuzz script.js`\n"
    "                        run a script with rota itself\n"
    "\n"
    "Options for a script that rota runs itself\n"
    "  -e, --eval=code       run code; -p, --print=code prints its value, too\n"
    "  -c, --check           check the script's syntax without running it\n"
    "  -i, --interactive     open the REPL even if standard input is not a terminal\n"
    "  -r, --require=module  load a CommonJS module before the script; --import=module an ES module\n"
    "  --test [pattern...]   run test files (node:test); --test-reporter, --test-name-pattern, --test-only, ...\n"
    "  --permission          allow only what is named: --allow-fs-read=path, --allow-fs-write=path, --allow-net, ...\n"
    "  --timeline=page.html  make a page that shows what the loop did; --trace=file writes the trace\n"
    "  --samples[=ms]        with either: stacks inside of callbacks that take longer than this (5), each time again\n"
    "  --stats               print histograms of the loop and the thread pool at the end, and on SIGUSR2\n"
    "  --attach              let rota attach ask for all this later\n"
    "  --black-box[=seconds] keep the last seconds (5) of what the loop did; write them on a crash, a block, SIGUSR2, "
    "or\n"
    "                        exit with an error\n"
    "  --watchdog=ms         name what blocks the loop for longer than this, while it does\n"
    "  --virtual-time[=from=date]\n"
    "                        do not wait for timers: the clock jumps to the next one\n"
    "  --loop=html           run by the HTML standard's event loop; a seed chooses among task sources\n"
    "  --schedule-seed=n     decide by this number what the loop does not promise: orders, delays, short reads;\n"
    "                        --schedule-record=file and --schedule-replay=file keep and repeat the decisions\n"
    "  -v, --version; --licenses; --engine (which engine runs, and which fast ways are off on it)\n"
    "  Node's other options: doc/OPTIONS.md tells which are done, ignored or refused\n";

void js_help_print(void) {
  fputs(help_text, stdout);
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
