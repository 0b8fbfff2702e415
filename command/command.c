#include "command/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/attach.h"
#include "command/check.h"
#include "command/doctor.h"
#include "command/place.h"
#include "command/program.h"

enum { BAD_USAGE = 9, NOT_REACHED = 1, NOT_STARTED = 126 };

/* A command switches on an instrument, by a variable that the library reads. */
struct command {
  const char *name;
  const char *variable; /* null: none */
  const char *option;   /* that its value comes from; null: none */
  const char *value;    /* the default */
  const char *means;    /* what the option sets; null: there is none */
  bool needs_dashes;    /* without -- it is a command of the runtime, for a script */
  bool shows_names;     /* of what runs: in Node, JavaScript's unless --names=off */
  const char *help;
  const char *examples;
};

static const struct command commands[] = {
    {.name = "run",
     .help = "Runs a program on librota.",
     .examples = "  rota run -- node app.js\n"
                 "  rota run --virtual-time -- npm test\n"},
    {.name = "trace",
     .variable = "ROTA_TRACE",
     .option = "-o",
     .value = "trace.json",
     .means = "where to write it",
     .shows_names = true,
     .help = "Writes what the loop of a program does into a file that Perfetto and\n"
             "`rota timeline` open.",
     .examples = "  rota trace -- node server.js                  writes trace.json\n"
                 "  rota trace -o build.json -- npx vite build    also a tool that npm starts\n"
                 "  rota timeline trace.json -o page.html         the page of it\n"},
    {.name = "stats",
     .variable = "ROTA_STATS",
     .value = "1",
     .help = "Prints histograms of a program's loop and thread pool when it ends, and on\n"
             "SIGUSR2.",
     .examples = "  rota stats -- node server.js\n"
                 "  kill -USR2 PID                                prints them at once\n"},
    {.name = "watch",
     .variable = "ROTA_WATCHDOG",
     .option = "--threshold",
     .value = "50",
     .means = "how long a callback may take",
     .shows_names = true,
     .help = "Names what blocks a program's loop for longer than the threshold, while it does.",
     .examples = "  rota watch -- node server.js\n"
                 "  rota watch --threshold 200 -- npm start\n"},
    {.name = "why",
     .variable = "ROTA_WHY",
     .option = "--after",
     .value = "1000",
     .means = "when to tell it",
     .needs_dashes = true,
     .shows_names = true,
     .help = "Prints what keeps a program's loop alive: after the given time, and on SIGUSR2.",
     .examples = "  rota why -- node script.js                    after a second\n"
                 "  rota why --after 5000 -- npm test\n"},
    {.name = "doctor",
     .help = "Tells how a program would be run on librota, or why it cannot be.",
     .examples = "  rota doctor -- node\n"
                 "  rota doctor -- npx vitest\n"},
};

static const struct command *command_of(int argc, char **argv) {
  for (size_t i = 0; argc > 1 && i < sizeof commands / sizeof commands[0]; i++)
    if (strcmp(argv[1], commands[i].name) == 0)
      return &commands[i];
  return NULL;
}

/* Where the program begins: behind --, or where the options end. */
static int options_end(int argc, char **argv, const struct command *command) {
  int i = 2;
  for (; i < argc && argv[i][0] == '-' && strcmp(argv[i], "--") != 0; i++)
    if (command->option != NULL && strcmp(argv[i], command->option) == 0)
      i++;
  return i < argc ? i : argc; /* the last option may lack its value */
}

static bool asks_for_help(char **argv, int end) {
  for (int i = 2; i < end; i++)
    if (strcmp(argv[i], "-h") == 0 || strcmp(argv[i], "--help") == 0)
      return true;
  return false;
}

static bool is_attach(int argc, char **argv) {
  return argc > 1 && strcmp(argv[1], "attach") == 0;
}

bool graft_has_command(const char *name) {
  static const char *const others[] = {"attach", "fuzz", "help", "timeline"}; /* the last three are JavaScript */
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (strcmp(name, others[i]) == 0)
      return true;
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
    if (strcmp(name, commands[i].name) == 0)
      return true;
  return false;
}

bool graft_is_command(int argc, char **argv) {
  if (is_attach(argc, argv))
    return true;
  const struct command *command = command_of(argc, argv);
  if (command == NULL || !command->needs_dashes)
    return command != NULL;
  int end = options_end(argc, argv, command);
  return asks_for_help(argv, end) || (end < argc && strcmp(argv[end], "--") == 0);
}

static int print_usage(const struct command *command) {
  printf("Usage: rota %s [options] -- program [arguments]\n", command->name);
  if (command->needs_dashes)
    printf("       rota %s [%s=ms] script.js [arguments]   (with rota itself)\n", command->name, command->option);
  printf("\n%s\n\n", command->help);
  if (command->option != NULL)
    printf("  %s%c%-*s %s (%s)\n", command->option, command->option[1] == '-' ? '=' : ' ',
           20 - (int)strlen(command->option), command->option[1] == '-' ? "ms" : "file", command->means,
           command->value);
  if (command->shows_names)
    fputs("  --names=off           show Node's functions of C++, rather than JavaScript's\n"
          "                        function, file and line\n",
          stdout);
  if (command->option != NULL && strcmp(command->option, "-o") == 0)
    fputs("  --samples[=ms]        with stacks of JavaScript inside of callbacks that take\n"
          "                        longer than this (5), repeatedly\n",
          stdout);
  fputs("  --virtual-time[=settings]\n"
        "                        do not wait for timers: its clocks jump to the next one.\n"
        "                        from=2030-01-31T12:00:00Z is the time of day to begin\n"
        "                        with, grace=ms waits for clients from outside\n"
        "  --attach              let rota attach PID inspect it while it runs\n"
        "  --black-box[=seconds] keep what its loop did in the last seconds (5); write it\n"
        "                        into a file when it is blocked (rota watch), crashes,\n"
        "                        fails, or gets SIGUSR2\n"
        "\n"
        "The program is any that uses libuv: Node as it comes from nodejs.org, npm or\n"
        "Debian, a script with such an interpreter (npx, npm), Neovim, a program in C.\n"
        "Its children and workers are included.\n",
        stdout);
  printf("\nExamples:\n%s", command->examples);
  return 0;
}

/* ---- the environment ---- */

/* Prepends to a variable of the loader, unless the entry is there already. */
static void put_in_front(const char *variable, const char *value) {
  const char *before = getenv(variable);
  if (before == NULL || *before == 0) {
    setenv(variable, value, 1);
    return;
  }
  size_t length = strlen(value);
  if (strncmp(before, value, length) == 0 && (before[length] == 0 || before[length] == ':'))
    return;
  char *both = malloc(length + strlen(before) + 2);
  if (both == NULL)
    return;
  sprintf(both, "%s:%s", value, before);
  setenv(variable, both, 1);
  free(both);
}

/* The loader splits LD_PRELOAD at spaces. A library with one in its path goes by its name, and the loader looks for
 * that in LD_LIBRARY_PATH. */
static void preload(const char *path) {
  put_in_front("LD_PRELOAD", strchr(path, ' ') != NULL ? strrchr(path, '/') + 1 : path);
}

static bool is_set(const char *variable) {
  const char *value = getenv(variable);
  return value != NULL && *value != 0;
}

/* As librota sees it: a schedule brings virtual time with it, unless that is refused. */
static bool wants_virtual_time(void) {
  const char *time = getenv("ROTA_VIRTUAL_TIME");
  if (time != NULL && *time != 0)
    return strcmp(time, "0") != 0;
  return is_set("ROTA_SCHEDULE_SEED") || is_set("ROTA_SCHEDULE_REPLAY");
}

/* Sets both variables, because children may need the other one. */
static void set_environment(const struct program_paths *paths) {
  put_in_front("LD_LIBRARY_PATH", paths->library);
  if (wants_virtual_time())
    preload(paths->clock);
  preload(paths->graft);
  setenv("ROTA_GRAFT", "say", 0);
}

static void set_instrument(const struct command *command, const char *value) {
  char path[PATH_MAX * 2], here[PATH_MAX];
  if (command->variable == NULL)
    return;
  if (strcmp(command->option != NULL ? command->option : "", "-o") == 0 && value[0] != '/' &&
      getcwd(here, sizeof here) != NULL) { /* a program may change its directory before it makes a loop */
    snprintf(path, sizeof path, "%s/%s", here, value);
    value = path;
  }
  if (strcmp(command->variable, "ROTA_WHY") == 0) {
    setenv("ROTA_WHY_AFTER", value, 1);
    value = "1";
  } else if (strcmp(command->variable, "ROTA_TRACE") == 0) {
    snprintf(here, sizeof here, "%ld", (long)getpid()); /* exec keeps the number */
    setenv("ROTA_TRACE_FIRST", here, 1);
  }
  setenv(command->variable, value, 1);
}

/* ---- the command ---- */

static int complain(const struct program *program) {
  fprintf(stderr, "rota: %s: %s\n", program_file(program), program->reason);
  return NOT_REACHED;
}

/* A user who asked for an instrument and gets no output should learn why. */
static void warn(const struct command *command, const struct program *program) {
  if (command->variable != NULL && program->way == WAY_LATER)
    fprintf(stderr,
            "rota: %s: it has no libuv; there is output only if it loads libuv.so.1 later, or "
            "starts a program that has libuv\n",
            program_file(program));
}

enum { MOST_MS = 999999999, MOST_SAMPLES_MS = 10000, MOST_BOX_S = 3600 };
enum taken { ANOTHER, TAKEN, WRONG };

/* The value of NAME or NAME=VALUE; null: the argument is another option. */
static const char *value_of(const char *argument, const char *name, const char *usual) {
  size_t length = strlen(name);
  if (strncmp(argument, name, length) != 0 || (argument[length] != 0 && argument[length] != '='))
    return NULL;
  return argument[length] == '=' ? argument + length + 1 : usual;
}

static bool take_time(const struct command *command, const char *settings) {
  setenv("ROTA_VIRTUAL_TIME", settings, 1);
  return graft_check_time(command->name, settings);
}

static bool take_names(const struct command *command, const char *value) {
  bool is_on = strcmp(value, "on") == 0;
  setenv("ROTA_NAMES", is_on ? "1" : "0", 1);
  if (is_on || strcmp(value, "off") == 0)
    return true;
  fprintf(stderr, "rota: %s: bad value of --names: %s; expected on or off\n", command->name, value);
  return false;
}

static bool take_black_box(const struct command *command, const char *value) {
  setenv("ROTA_BLACKBOX", value, 1);
  setenv("ROTA_NAMES", "1", 0);
  return graft_check_number(command->name, "--black-box", value, MOST_BOX_S, "seconds");
}

static bool take_samples(const struct command *command, const char *value) {
  setenv("ROTA_SAMPLES", value, 1);
  return graft_check_number(command->name, "--samples", value, MOST_SAMPLES_MS, "milliseconds");
}

/* Options that all commands have, as the runtime does. */
static enum taken take_shared(const struct command *command, const char *argument) {
  const char *value;
  bool is_right;
  if ((value = value_of(argument, "--virtual-time", "1")) != NULL)
    is_right = take_time(command, value);
  else if (command->shows_names && (value = value_of(argument, "--names", "")) != NULL)
    is_right = take_names(command, value);
  else if ((value = value_of(argument, "--black-box", "5")) != NULL)
    is_right = take_black_box(command, value);
  else if ((value = value_of(argument, "--samples", "5")) != NULL)
    is_right = take_samples(command, value);
  else if (strcmp(argument, "--attach") == 0)
    is_right = setenv("ROTA_ATTACH", "1", 1) == 0 && setenv("ROTA_NAMES", "1", 0) == 0;
  else
    return ANOTHER;
  return is_right ? TAKEN : WRONG;
}

/* -o FILE, --threshold=ms, --after=ms. */
static bool is_value(const struct command *command, const char *value) {
  if (strcmp(command->option, "-o") != 0)
    return graft_check_number(command->name, command->option, value, MOST_MS, "milliseconds");
  if (*value == 0)
    fprintf(stderr, "rota: %s: bad value of -o: %s; expected the name of a file\n", command->name, value);
  return *value != 0;
}

/* An option that is none: what is wrong with it. */
static void refuse_option(const struct command *command, const char *argument, bool lacks_value) {
  if (lacks_value)
    fprintf(stderr, "rota: %s: %s needs a value\n", command->name, argument);
  else
    fprintf(stderr, "rota: %s: bad option: %s; rota help %s lists them\n", command->name, argument, command->name);
}

/* Stacks are events of a trace, of a black box, or of one that rota attach takes later. */
static bool has_use_of_samples(const struct command *command, char **argv, int end) {
  bool has_use = command->variable != NULL && strcmp(command->variable, "ROTA_TRACE") == 0;
  const char *given = NULL;
  for (int i = 2; i < end; i++) {
    has_use = has_use || value_of(argv[i], "--black-box", "") != NULL || strcmp(argv[i], "--attach") == 0;
    if (value_of(argv[i], "--samples", "") != NULL)
      given = argv[i];
  }
  if (given == NULL || has_use)
    return true;
  fprintf(stderr, "rota: %s: %s needs a trace: rota trace, rota timeline, --black-box or --attach\n", command->name,
          given);
  return false;
}

/* The value of the command's option, or its default; null: an option is wrong, and that was said. */
static const char *option_value(const struct command *command, int argc, char **argv, int end) {
  const char *value = command->value != NULL ? command->value : "";
  for (int i = 2; i < end; i++) {
    size_t length = command->option != NULL ? strlen(command->option) : 0;
    bool is_it = length > 0 && strncmp(argv[i], command->option, length) == 0;
    enum taken taken = take_shared(command, argv[i]);
    if (taken == WRONG)
      return NULL;
    if (taken == TAKEN)
      continue;
    if (is_it && argv[i][length] == '=') {
      value = argv[i] + length + 1;
    } else if (is_it && argv[i][length] == 0 && i + 1 < argc && strcmp(argv[i + 1], "--") != 0) {
      value = argv[++i];
    } else {
      refuse_option(command, argv[i], is_it && argv[i][length] == 0);
      return NULL;
    }
    if (!is_value(command, value))
      return NULL;
  }
  return value;
}

/* A program was named with --, or not at all. */
static int lacks_program(const struct command *command) {
  fprintf(stderr, "rota: %s: a program is wanted: rota %s -- node app.js; rota help %s explains\n", command->name,
          command->name, command->name);
  return BAD_USAGE;
}

/* rota timeline starts rota trace, and rota fuzz starts rota doctor: messages name the command that was typed. */
static const struct command *as_typed(const struct command *command) {
  static struct command typed;
  static char name[16];
  const char *given = getenv("ROTA_TYPED");
  if (given == NULL)
    return command;
  snprintf(name, sizeof name, "%s", given);
  unsetenv("ROTA_TYPED");
  typed = *command;
  typed.name = name;
  return &typed;
}

int graft_command(int argc, char **argv) {
  if (is_attach(argc, argv))
    return graft_attach(argc, argv);
  const struct command *command = command_of(argc, argv);
  bool is_doctor = strcmp(command->name, "doctor") == 0;
  int end = options_end(argc, argv, command);
  if (asks_for_help(argv, end))
    return print_usage(command);
  command = as_typed(command);
  const char *value = option_value(command, argc, argv, end);
  if (value == NULL || !has_use_of_samples(command, argv, end))
    return BAD_USAGE;
  if (command->option != NULL && strcmp(command->option, "-o") == 0 && !graft_may_write(command->name, "-o", value))
    return BAD_USAGE;
  char **program_arguments = argv + end + (end < argc && strcmp(argv[end], "--") == 0);
  if (program_arguments[0] == NULL)
    return lacks_program(command);
  static struct program program;
  struct program_paths paths;
  char path[PATH_MAX];
  if (!program_find(program_arguments[0], path)) {
    graft_check_missing(command->name, program_arguments[0]);
    return NOT_REACHED;
  }
  if (!graft_find_libraries(&paths)) {
    fputs("rota: librota-graft.so and libuv.so.1 are not in ../lib, as seen from rota: `make` builds them; `make "
          "install` "
          "and the package rota-graft install them\n",
          stderr);
    return NOT_REACHED;
  }
  if (strpbrk(paths.library, ":;\t") != NULL) {
    fprintf(stderr, "rota: %s: the loader cannot use a directory with : or ; in its name; move rota to another one\n",
            paths.library);
    return NOT_REACHED;
  }
  set_environment(&paths);
  program_look(&program, path, &paths);
  if (is_doctor)
    return graft_doctor(&program, &paths);
  if (program.way == WAY_NOWHERE)
    return complain(&program);
  warn(command, &program);
  set_instrument(command, value);
  if (command->shows_names)
    setenv("ROTA_NAMES", "1", 0);
  execv(path, program_arguments);
  fprintf(stderr, "rota: %s: %s\n", path, strerror(errno));
  return NOT_STARTED;
}
