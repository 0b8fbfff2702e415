#include "command/help.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command/command.h"

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

static const char options_text[] =
    "Options for a script that rota runs itself\n"
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
    "  are off on it). runtime/doc/OPTIONS.md tells which of Node's other options are done,\n"
    "  ignored or refused.\n";

void graft_help_print(void) {
  fputs(help_text, stdout);
}

void graft_help_print_options(void) {
  fputs(options_text, stdout);
}

bool graft_help_is_mistaken(int argc, char **argv) {
  if (argc < 3 || argv[1][0] == '-' || strpbrk(argv[1], "./") != NULL)
    return false;
  bool is_help = strcmp(argv[1], "help") == 0;
  const char *name = is_help ? argv[2] : argv[1];
  if (graft_has_command(name) || (is_help && strcmp(name, "options") == 0) || access(argv[1], F_OK) == 0)
    return false;
  for (int i = 2; i < argc && !is_help; i++)
    if (strcmp(argv[i], "--") == 0)
      is_help = true;
  if (is_help)
    fprintf(
        stderr,
        "rota: there is no command %s; there are timeline, trace, stats, watch, why, fuzz, attach, run, doctor, and "
        "rota help COMMAND; rota help options lists the options\n",
        name);
  return is_help;
}

bool graft_help_wants_options(int argc, char **argv) {
  return argc == 3 && strcmp(argv[1], "help") == 0 && strcmp(argv[2], "options") == 0;
}

void graft_help_read_command(int *argc, char **argv) {
  static char help[] = "--help";
  if (*argc < 2 || *argc > 3 || strcmp(argv[1], "help") != 0 || graft_help_wants_options(*argc, argv))
    return;
  if (*argc == 3 && strcmp(argv[2], "help") != 0)
    argv[1] = argv[2];
  else
    *argc = 2;
  argv[*argc - 1] = help;
}
