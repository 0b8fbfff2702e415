/* What the commands print about themselves, and the words that stand for --help. `rota --help` fits a screen of 24
 * lines with 80 columns; `rota help COMMAND` and `rota help options` tell more. */
#include "command/internal.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { COLUMN = 24 }; /* where the text about an option begins */

static const char help_text[] = "Usage: rota COMMAND [options] -- program [arguments]\n"
                                "       rota [options] [script.js | -e code | -p code | -] [arguments]\n"
                                "\n"
                                "Commands, for any program that uses libuv: node app.js, npm test, nvim\n"
                                "  diagnose        tell what is wrong with its loop, who is guilty, what to do\n"
                                "  timeline        make a page that shows every callback of the loop\n"
                                "  trace, export   write the same into a file; for pprof, speedscope, Perfetto\n"
                                "  explain         tell the order of a script's callbacks, and why it is so\n"
                                "  stats           print histograms of the loop and the thread pool at the end\n"
                                "  watch           name what blocks the loop, while it does\n"
                                "  why             tell what keeps the loop alive, and where it was made\n"
                                "  fuzz            run it under many schedules, and show one that ends otherwise\n"
                                "  attach PID      ask a Node that runs for its stats, stack, blocks, or a trace\n"
                                "  run, doctor     just run it on librota; tell how it would be run, or why not\n"
                                "  help COMMAND    explain a command, with examples\n"
                                "\n"
                                "Options for a script that rota runs itself; rota help options lists all\n"
                                "  -e, -p code            run code; print its value, too\n"
                                "  --timeline=page.html   make a page that shows what the loop did\n"
                                "  --virtual-time         do not wait for timers: the clock jumps to the next\n"
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
                                   "  --metrics[=address]   serve metrics of the loop to Prometheus, at\n"
                                   "                        127.0.0.1:9464 or there; =otlp pushes them\n"
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
                                   "  are off on it). runtime/doc/OPTIONS.md tells which of Node's other options are\n"
                                   "  done, ignored or refused.\n";

void command_help_print(void) {
  fputs(help_text, stdout);
}

void command_help_print_options(void) {
  fputs(options_text, stdout);
}

/* ---- one command ---- */

bool command_wants_help(int argc, char **argv, int end) {
  for (int i = 2; i < end && i < argc; i++)
    if (strcmp(argv[i], "-h") == 0 || strcmp(argv[i], "--help") == 0)
      return true;
  return false;
}

/* The lines about an option, beside its name; below it if the name is too long. */
static void print_option(const struct command_option_row *row) {
  int column = printf("  %s%s", row->name, row->shown);
  if (column >= COLUMN) {
    putchar('\n');
    column = 0;
  }
  for (const char *line = row->help; *line != 0; line = strchr(line, '\n') + 1) {
    printf("%*s%.*s", COLUMN - column, "", (int)(strchr(line, '\n') - line + 1), line);
    column = 0;
  }
}

int command_print_usage(const struct command *command) {
  printf("Usage: rota %s [options] -- program [arguments]\n", command->name);
  if (command->runs_scripts)
    printf("       rota %s [%s%s] script.js [arguments]   (with rota itself)\n", command->name,
           command_options[command->own].name, command_options[command->own].shown);
  printf("\n%s\n\n", command->help);
  for (size_t i = 0; i < COMMAND_OPTION_COUNT; i++)
    if (command->options >> i & 1)
      print_option(&command_options[i]);
  printf("\n"
         "The program is any that uses libuv: Node as it comes from nodejs.org, npm or\n"
         "Debian, a script with such an interpreter (npx, npm), Neovim, a program in C.\n"
         "Its children and workers are included.\n"
         "\nExamples:\n%s",
         command->examples);
  return 0;
}

/* ---- words that mean --help, and misspelt ones ---- */

static const char help_word[] = "help", options_word[] = "options";

static bool is_word(int argc, char **argv, int at, const char *word) {
  return at < argc && strcmp(argv[at], word) == 0;
}

void command_print_nearest(const struct rota_nearest *nearest) {
  if (nearest->best != NULL)
    fprintf(stderr, " (did you mean %s?)", nearest->best);
}

static struct rota_nearest nearest_command(const char *name) {
  struct rota_nearest nearest = rota__nearest_begin(name);
  const struct command *command;
  for (size_t i = 0; (command = command_at(i)) != NULL; i++)
    rota__nearest_offer(&nearest, command->name);
  rota__nearest_offer(&nearest, help_word);
  return nearest;
}

static void refuse_command(const char *what, const char *name) {
  struct rota_nearest nearest = nearest_command(name);
  fprintf(stderr, "rota: no command%s %s", what, name);
  command_print_nearest(&nearest);
  fputs("; rota help lists the commands, rota help options the options\n", stderr);
}

/* As Node looks for the main script. */
static bool is_script(const char *name) {
  static const char *const ends[] = {"", ".js", ".json", ".node"};
  char path[PATH_MAX];
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
    if (snprintf(path, sizeof path, "%s%s", name, ends[i]) < (int)sizeof path && access(path, F_OK) == 0)
      return true;
  return false;
}

bool command_help_is_mistaken(int argc, char **argv) {
  if (argc < 2 || argv[1][0] == '-' || argv[1][0] == 0 || strpbrk(argv[1], "./") != NULL)
    return false;
  bool is_help = is_word(argc, argv, 1, help_word);
  const char *name = is_help && argc > 2 ? argv[2] : argv[1];
  if (command_find(name) != NULL || strcmp(name, help_word) == 0 || command_help_wants_options(argc, argv) ||
      is_script(argv[1]))
    return false;
  for (int i = 2; i < argc && !is_help; i++)
    is_help = strcmp(argv[i], "--") == 0;
  if (is_help)
    refuse_command("", name);
  else if (nearest_command(name).best != NULL)
    refuse_command(" and no script", name);
  else
    return false;
  return true;
}

bool command_help_wants_options(int argc, char **argv) {
  return argc == 3 && is_word(argc, argv, 1, help_word) && is_word(argc, argv, 2, options_word);
}

void command_help_read(int *argc, char **argv) {
  static char help[] = "--help";
  if (*argc > 3 || !is_word(*argc, argv, 1, help_word) || command_help_wants_options(*argc, argv))
    return;
  if (*argc == 3 && !is_word(*argc, argv, 2, help_word))
    argv[1] = argv[2];
  else
    *argc = 2;
  argv[*argc - 1] = help;
}
