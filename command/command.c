#include "command/command.h"

#include <stdio.h>
#include <string.h>

#include "command/internal.h"

#define BIT(option) (1u << COMMAND_OPTION_##option)

enum {
  ALL =
      BIT(VIRTUAL_TIME) | BIT(ATTACH) | BIT(BLACK_BOX) | BIT(METRICS), /* options that the help of each command shows */
  MORE = BIT(SAMPLES) | BIT(AS)
};

static int run_program(const struct command *command, int argc, char **argv);

static const struct command commands[] = {
    {.name = "diagnose",
     .run = command_timeline,
     .options = BIT(VIRTUAL_TIME) | BIT(OUTPUT) | BIT(NAMES) | BIT(SAMPLES) | BIT(VERDICT) | BIT(OPEN),
     .more_options = MORE | BIT(ATTACH) | BIT(BLACK_BOX),
     .own = COMMAND_OPTION_SAMPLES,
     .value = "10",
     .sets = ROTA_SETTING_WHY,
     .is_set = true,
     .takes_census = true,
     .is_tool_too = true},
    {.name = "timeline",
     .run = command_timeline,
     .options = ALL | BIT(OUTPUT) | BIT(NAMES) | BIT(SAMPLES) | BIT(OPEN),
     .more_options = MORE,
     .own = COMMAND_OPTION_OUTPUT,
     .value = "timeline.html",
     .is_tool_too = true},
    {.name = "trace",
     .run = run_program,
     .options = ALL | BIT(OUTPUT) | BIT(LIMIT) | BIT(NAMES) | BIT(SAMPLES),
     .more_options = MORE,
     .own = COMMAND_OPTION_OUTPUT,
     .value = "trace.json",
     .help = "Writes what the loop of a program does into a file that Perfetto and\n"
             "`rota timeline` open.",
     .examples = "  rota trace -- node server.js                  writes trace.json\n"
                 "  rota trace -o build.json -- npx vite build    also a tool that npm starts\n"
                 "  rota trace --limit=64 -- node server.js       the newest 64 MiB: trace.rota\n"
                 "  rota timeline trace.json -o page.html         the page of it\n"},
    {.name = "stats",
     .run = run_program,
     .options = ALL,
     .more_options = MORE,
     .sets = ROTA_SETTING_STATS,
     .is_set = true,
     .help = "Prints histograms of a program's loop and thread pool when it ends, and on\n"
             "SIGUSR2.",
     .examples = "  rota stats -- node server.js\n"
                 "  kill -USR2 PID                                prints them at once\n"},
    {.name = "watch",
     .run = run_program,
     .options = ALL | BIT(THRESHOLD) | BIT(FORMAT) | BIT(AT_MOST) | BIT(NATIVE_FRAMES) | BIT(EXEC) | BIT(POST) |
                BIT(POST_HOST) | BIT(NAMES),
     .more_options = MORE,
     .own = COMMAND_OPTION_THRESHOLD,
     .value = "50",
     .help = "Names what blocks a program's loop for longer than the threshold, while it does;\n"
             "and tells how long it took in all when it has ended.",
     .examples = "  rota watch -- node server.js\n"
                 "  rota watch --format=json --at-most=10/minute -- node server.js\n"
                 "  rota watch --post=http://127.0.0.1:9093/blocks -- node server.js\n"
                 "  rota watch --threshold 200 -- npm start\n"},
    {.name = "why",
     .run = run_program,
     .options = ALL | BIT(AFTER) | BIT(NAMES),
     .more_options = MORE,
     .own = COMMAND_OPTION_AFTER,
     .value = "1000",
     .sets = ROTA_SETTING_WHY,
     .is_set = true,
     .runs_scripts = true,
     .help = "Prints what keeps a program's loop alive: after the given time, and on SIGUSR2.",
     .examples = "  rota why -- node script.js                    after a second\n"
                 "  rota why --after 5000 -- npm test\n"},
    {.name = "explain", .runs_scripts = true},
    {.name = "export"},
    {.name = "fuzz", .runs_scripts = true},
    {.name = "attach", .run = command_attach},
    {.name = "detach", .run = command_detach},
    {.name = "run",
     .run = run_program,
     .options = ALL,
     .more_options = MORE,
     .help = "Runs a program on librota.",
     .examples = "  rota run -- node app.js\n"
                 "  rota run --virtual-time -- npm test\n"},
    {.name = "doctor",
     .run = run_program,
     .options = ALL,
     .more_options = MORE,
     .only_tells = true,
     .help = "Tells how a program would be run on librota, or why it cannot be.",
     .examples = "  rota doctor -- node\n"
                 "  rota doctor -- npx vitest\n"},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

const struct command *command_at(size_t index) {
  return index < COMMANDS ? &commands[index] : NULL;
}

const struct command *command_find(const char *name) {
  for (size_t i = 0; i < COMMANDS; i++)
    if (strcmp(name, commands[i].name) == 0)
      return &commands[i];
  return NULL;
}

enum command_kind command_kind(int argc, char **argv) {
  const struct command *command = argc > 1 ? command_find(argv[1]) : NULL;
  if (command == NULL)
    return COMMAND_NONE;
  if (command->run == NULL)
    return COMMAND_TOOL;
  if (!command->runs_scripts && !command->is_tool_too)
    return COMMAND_HERE;
  int end = command_options_end(argc, argv, command);
  bool has_dashes = end < argc && strcmp(argv[end], "--") == 0, wants_help = command_wants_help(argc, argv, end);
  if (command->is_tool_too)
    return has_dashes && !wants_help ? COMMAND_HERE : COMMAND_TOOL;
  return has_dashes || wants_help ? COMMAND_HERE : COMMAND_NONE;
}

int command_run(int argc, char **argv) {
  const struct command *command = command_find(argv[1]);
  return command->run(command, argc, argv);
}

/* ---- running a program ---- */

int command_lacks_program(const char *name) {
  fprintf(stderr, "rota %s: missing program. Usage: rota %s -- node app.js; rota help %s explains\n", name, name, name);
  return COMMAND_BAD_USAGE;
}

static int run_program(const struct command *command, int argc, char **argv) {
  struct command_values values;
  int end = command_options_end(argc, argv, command);
  if (command_wants_help(argc, argv, end))
    return command_print_usage(command);
  if (!command_options_read(command, argc, argv, end, &values))
    return COMMAND_BAD_USAGE;
  char **arguments = argv + end + (end < argc && strcmp(argv[end], "--") == 0);
  if (arguments[0] == NULL)
    return command_lacks_program(values.name);
  if (!command_alerts_start(&values))
    return COMMAND_BAD_USAGE;
  return command_start(command, &values, arguments);
}
