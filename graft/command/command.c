#include "graft/command/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "graft/command/attach.h"
#include "graft/command/doctor.h"
#include "graft/command/program.h"

enum { BAD_USAGE = 9, NOT_REACHED = 1, NOT_STARTED = 126 };

/* A command switches on an instrument, by a variable that the library reads. */
struct command {
  const char *name;
  const char *variable; /* null: none */
  const char *option;   /* that its value comes from; null: none */
  const char *value;    /* the default */
  bool needs_dashes;    /* without -- it is a command of the runtime, for a script */
  bool shows_names;     /* of what runs: in Node, JavaScript's unless --names=off */
  const char *help;
  const char *examples;
};

static const struct command commands[] = {
    {"run", NULL, NULL, NULL, false, false, "Runs a program on librota.",
     "  rota run -- node app.js\n"
     "  rota run --virtual-time -- npm test\n"},
    {"trace", "ROTA_TRACE", "-o", "trace.json", false, true,
     "Writes what the loop of a program does into a file that Perfetto and `rota timeline` open.",
     "  rota trace -- node server.js                     writes trace.json\n"
     "  rota trace -o build.json -- npx vite build       also a tool that npm starts\n"
     "  rota timeline trace.json -o page.html            the page of it\n"},
    {"stats", "ROTA_STATS", NULL, "1", false, false,
     "Prints histograms of a program's loop and thread pool when it ends, and on SIGUSR2.",
     "  rota stats -- node server.js\n"
     "  kill -USR2 PID                                   prints them at once\n"},
    {"watch", "ROTA_WATCHDOG", "--threshold", "50", false, true,
     "Names what blocks a program's loop for longer than the threshold, in milliseconds, while it does.",
     "  rota watch -- node server.js\n"
     "  rota watch --threshold 200 -- npm start\n"},
    {"why", "ROTA_WHY", "--after", "1000", true, true,
     "Prints what keeps a program's loop alive: after the given number of milliseconds, and on SIGUSR2.",
     "  rota why -- node script.js                       after a second\n"
     "  rota why --after 5000 -- npm test\n"},
    {"doctor", NULL, NULL, NULL, false, false, "Tells how a program would be run on librota, or why it cannot be.",
     "  rota doctor -- node\n"
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

static int print_usage(const struct command *command, FILE *stream) {
  fprintf(stream, "Usage: rota %s", command->name);
  if (command->option != NULL)
    fprintf(stream, command->option[1] == '-' ? " [%s=%s]" : " [%s %s]", command->option, command->value);
  if (command->shows_names)
    fputs(" [--names=on|off]", stream);
  fprintf(
      stream,
      " [--attach] [--black-box[=seconds]] [--virtual-time[=settings]] -- program [arguments]\n%s\n%s\n\n"
      "The program is any that uses libuv: Node as it comes from nodejs.org, npm or Debian, a script with such an\n"
      "interpreter (npx, npm), Neovim, a program in C. Its children and workers are included.\n\n"
      "With --attach, `rota attach process-id` can inspect it while it runs. With --black-box, it writes a file of\n"
      "what its loop did in the last seconds (5) when it is blocked (rota watch), crashes, fails, or gets SIGUSR2.\n"
      "With --virtual-time timers are not waited for: its clocks jump to the next one. Settings, separated by commas:\n"
      "from=2030-01-31T12:00:00Z (the time of day to begin with), grace=ms (for clients from outside).\n",
      command->needs_dashes ? "       rota why [--after=ms] script.js [arguments]      (with rota itself)\n" : "",
      command->help);
  if (command->shows_names)
    fputs("\nIn Node, what runs is named by its JavaScript function, file and line; --names=off shows Node's functions "
          "of C++.\n",
          stream);
  fprintf(stream, "\nExamples:\n%s", command->examples);
  return stream == stdout ? 0 : BAD_USAGE;
}

/* ---- our libraries ---- */

static bool find_preloaded(char path[PATH_MAX], const char *directory, const char *name) {
  return snprintf(path, PATH_MAX, "%s/%s", directory, name) < PATH_MAX && access(path, R_OK) == 0;
}

static bool find_libraries_in(struct program_paths *paths, const char *own, const char *below) {
  char guess[PATH_MAX + 32];
  snprintf(guess, sizeof guess, "%s/../%s", own, below);
  if (realpath(guess, paths->library) == NULL)
    return false;
  snprintf(guess, sizeof guess, "%s/libuv.so.1", paths->library);
  return access(guess, R_OK) == 0 && find_preloaded(paths->graft, paths->library, "librota-graft.so") &&
         find_preloaded(paths->clock, paths->library, "librota-clock.so");
}

/* Beside this program. Debian's packages have a directory for what no other program may link with; a build and an
 * installation have them among the other libraries. */
static bool find_libraries(struct program_paths *paths) {
  char own[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
  if (length <= 0)
    return false;
  own[length] = 0;
  *strrchr(own, '/') = 0;
  return find_libraries_in(paths, own, "lib/rota") || find_libraries_in(paths, own, "lib");
}

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

/* A script that is not executable is not a program: which Node should run it? */
static int not_found(const struct command *command, const char *name) {
  bool exists = access(name, F_OK) == 0, is_script = exists && strstr(name, "js") != NULL;
  bool is_path = exists && !is_script && strchr(name, '/') != NULL;
  fprintf(stderr, "rota: %s: %s%s", name,
          is_path ? "the file may not be executed; see chmod(1)" : "there is no such program", is_script ? "" : "\n");
  if (is_script)
    fprintf(stderr, "; to run it with your Node: rota %s -- node %s\n", command->name, name);
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

/* Of every command, as of the runtime. */
static const char time_option[] = "--virtual-time";
enum { TIME_LENGTH = sizeof time_option - 1 };

static bool is_time_option(const char *word) {
  return strncmp(word, time_option, TIME_LENGTH) == 0 && (word[TIME_LENGTH] == 0 || word[TIME_LENGTH] == '=');
}

/* --names=on|off; false: it is another option. */
static bool take_names(const struct command *command, const char *argument) {
  static const char on[] = "--names=on", off[] = "--names=off";
  if (!command->shows_names || (strcmp(argument, on) != 0 && strcmp(argument, off) != 0))
    return false;
  setenv("ROTA_NAMES", strcmp(argument, on) == 0 ? "1" : "0", 1);
  return true;
}

/* --attach, --black-box[=seconds], --samples[=ms]; false: it is another option. */
static bool take_later(const char *argument) {
  static const char box[] = "--black-box";
  enum { LENGTH = sizeof box - 1 };
  if (strncmp(argument, box, LENGTH) == 0 && (argument[LENGTH] == 0 || argument[LENGTH] == '=')) {
    setenv("ROTA_BLACKBOX", argument[LENGTH] == '=' ? argument + LENGTH + 1 : "5", 1);
    setenv("ROTA_NAMES", "1", 0);
    return true;
  }
  static const char samples[] = "--samples";
  enum { SAMPLES_LENGTH = sizeof samples - 1 };
  if (strncmp(argument, samples, SAMPLES_LENGTH) == 0 &&
      (argument[SAMPLES_LENGTH] == 0 || argument[SAMPLES_LENGTH] == '=')) {
    setenv("ROTA_SAMPLES", argument[SAMPLES_LENGTH] == '=' ? argument + SAMPLES_LENGTH + 1 : "5", 1);
    return true;
  }
  if (strcmp(argument, "--attach") != 0)
    return false;
  setenv("ROTA_ATTACH", "1", 1);
  setenv("ROTA_NAMES", "1", 0);
  return true;
}

/* Milliseconds; a file's name may be anything. */
static bool is_value(const struct command *command, const char *value) {
  if (strcmp(command->option, "-o") == 0)
    return *value != 0;
  size_t digits = strspn(value, "0123456789");
  return digits > 0 && digits < 10 && value[digits] == 0 && strtoul(value, NULL, 10) > 0;
}

/* The value of the command's option, or its default; null: an option is wrong, and that was said. */
static const char *option_value(const struct command *command, int argc, char **argv, int end) {
  const char *value = command->value != NULL ? command->value : "";
  for (int i = 2; i < end; i++) {
    size_t length = command->option != NULL ? strlen(command->option) : 0;
    bool is_it = length > 0 && strncmp(argv[i], command->option, length) == 0;
    if (take_names(command, argv[i]) || take_later(argv[i]))
      continue;
    if (is_time_option(argv[i])) {
      setenv("ROTA_VIRTUAL_TIME", argv[i][TIME_LENGTH] == '=' ? argv[i] + TIME_LENGTH + 1 : "1", 1);
    } else if (is_it && argv[i][length] == '=') {
      value = argv[i] + length + 1;
    } else if (is_it && argv[i][length] == 0 && i + 1 < argc) {
      value = argv[++i];
    } else {
      bool lacks_value = is_it && argv[i][length] == 0;
      fprintf(stderr, lacks_value ? "rota: %s: %s needs a value\n" : "rota: %s: bad option: %s\n", command->name,
              argv[i]);
      return NULL;
    }
    if (is_it && !is_value(command, value)) {
      fprintf(stderr, "rota: %s: bad value of %s: %s; expected %s\n", command->name, command->option, value,
              strcmp(command->option, "-o") == 0 ? "the name of a file" : "a number of milliseconds");
      return NULL;
    }
  }
  return value;
}

/* Said before the program is started: it may run for hours, and then have written nothing. */
static bool can_write(const struct command *command, const char *name) {
  char directory[PATH_MAX];
  snprintf(directory, sizeof directory, "%s", name);
  char *slash = strrchr(directory, '/');
  if (command->variable == NULL || strcmp(command->variable, "ROTA_TRACE") != 0 || slash == NULL)
    return true;
  slash[slash == directory] = 0;
  if (access(directory, W_OK) == 0)
    return true;
  fprintf(stderr, "rota: %s: %s: %s; create it, or name another file with -o\n", command->name, directory,
          strerror(errno));
  return false;
}

int graft_command(int argc, char **argv) {
  if (is_attach(argc, argv))
    return graft_attach(argc, argv);
  const struct command *command = command_of(argc, argv);
  int end = options_end(argc, argv, command);
  if (asks_for_help(argv, end))
    return print_usage(command, stdout);
  const char *value = option_value(command, argc, argv, end);
  if (value == NULL || !can_write(command, value))
    return BAD_USAGE;
  char **program_arguments = argv + end + (end < argc && strcmp(argv[end], "--") == 0);
  if (program_arguments[0] == NULL)
    return print_usage(command, stderr);
  static struct program program;
  struct program_paths paths;
  char path[PATH_MAX];
  if (!program_find(program_arguments[0], path))
    return not_found(command, program_arguments[0]);
  if (!find_libraries(&paths)) {
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
  if (strcmp(command->name, "doctor") == 0)
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
