/* rota without the runtime: the commands for other programs, in a program that needs the C library alone. `make npm`
 * packs it, so that they work where the engine is missing.
 *
 * Those commands that are JavaScript (fuzz, timeline) are run by the Node in PATH. Scripts are run by the runtime, if
 * it stands beside this program and the system has its engine. Node and the runtime take the place of this process
 * (exec), so that signals, descriptors and exit codes are theirs. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include "command/internal.h"
#include "runtime/order/version.h"

enum { OWN_ARGUMENTS = 5, REASON_SIZE = 512 };

/* A package manager tells those that it starts what it is. Yarn 2 and later may keep packages where npx does not look.
 */
static const char *own_name(void) {
  const char *manager = getenv("npm_config_user_agent");
  if (manager == NULL)
    return "rota";
  return strncmp(manager, "yarn/", 5) == 0 && strncmp(manager, "yarn/1.", 7) != 0 ? "yarn rota-loop" : "npx rota-loop";
}

/* ---- scripts: the runtime beside this program ---- */

/* False: this system's glibc cannot run it. A program that is linked with musl does not know which glibc there is. */
static bool has_its_glibc(const char *path, char reason[REASON_SIZE]) {
  struct program_elf elf = {0};
  if (!program_elf_read_file(&elf, path))
    return true;
#ifdef __GLIBC__
  const char *version = gnu_get_libc_version(), *point = strchr(version, '.');
  unsigned int own_minor = point != NULL ? (unsigned int)strtoul(point + 1, NULL, 10) : 0;
  if (elf.glibc_minor <= own_minor)
    return true;
  snprintf(reason, REASON_SIZE, "needs glibc 2.%u, and this system has 2.%u", elf.glibc_minor, own_minor);
#else
  if (access(elf.loader, X_OK) == 0)
    return true;
  snprintf(reason, REASON_SIZE, "needs glibc 2.%u, which this system lacks", elf.glibc_minor);
#endif
  return false;
}

static const char engine[] = "libjavascriptcoregtk-4.1.so.0";

/* Loading it to see whether it is there would take as long as starting the runtime. */
static bool has_engine(void) {
  static const char *const places[] = {
#ifdef __x86_64__
      "/usr/lib/x86_64-linux-gnu",
#elif defined(__aarch64__)
      "/usr/lib/aarch64-linux-gnu",
#endif
      "/usr/lib64", "/usr/lib"};
  char file[128];
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    snprintf(file, sizeof file, "%s/%s", places[i], engine);
    if (access(file, R_OK) == 0)
      return true;
  }
  void *loaded = dlopen(engine, RTLD_LAZY | RTLD_LOCAL);
  if (loaded != NULL)
    dlclose(loaded);
  return loaded != NULL;
}

static bool is_program(char path[PATH_MAX], const char *directory, const char *file) {
  return snprintf(path, PATH_MAX, "%s/%s", directory, file) < PATH_MAX && access(path, X_OK) == 0;
}

/* Beside this program; or the package rota-runtime, where Node would look for it. */
static bool locate_runtime(char path[PATH_MAX]) {
  char directory[PATH_MAX];
  if (!program_own_directory(directory))
    return false;
  if (is_program(path, directory, "rota"))
    return true;
  for (char *slash; (slash = strrchr(directory, '/')) != NULL; *slash = 0)
    if (is_program(path, directory, "node_modules/rota-runtime/bin/rota"))
      return true;
  return false;
}

/* Whether the runtime can be started, and its path; if not, the reason, which follows the words "the runtime of rota".
 */
static bool find_runtime(char path[PATH_MAX], char reason[REASON_SIZE]) {
  if (!locate_runtime(path)) {
    snprintf(
        reason, REASON_SIZE,
        "is not here: it is the package rota-runtime, to be installed beside rota-loop; or `make runtime` builds it, "
        "from the sources");
    return false;
  }
  if (!has_its_glibc(path, reason))
    return false;
  if (!has_engine()) {
    snprintf(reason, REASON_SIZE, "needs %s, which this system lacks: apt-get install libjavascriptcoregtk-4.1-0",
             engine);
    return false;
  }
  return true;
}

/* The script among the arguments, if there is such a file; else null. */
static const char *script_of(int argc, char **argv) {
  int i = command_find(argv[1]) != NULL ? 2 : 1;
  while (i < argc && (argv[i][0] == '-' || access(argv[i], F_OK) != 0))
    i++;
  return i < argc ? argv[i] : NULL;
}

static int refuse(int argc, char **argv, const char *reason) {
  const char *script = script_of(argc, argv), *name = own_name();
  const struct command *command = command_find(argv[1]);
  if (command == NULL && argv[1][0] != '-' && script != argv[1]) {
    fprintf(stderr, "rota: no command and no script %s; %s help lists the commands\n", argv[1], name);
    return COMMAND_NOT_REACHED;
  }
  fprintf(stderr, "rota: %s: the runtime of rota %s\n", script != NULL ? script : argv[1], reason);
  fprintf(stderr, "The commands for your own Node work without it: %s %s -- node %s; %s help lists them.\n", name,
          command != NULL ? command->name : "timeline", script != NULL ? script : "app.js", name);
  return COMMAND_NOT_REACHED;
}

/* Runs a script with the runtime. Returns the exit code if it could not be started. */
static int run_script(int argc, char **argv) {
  char runtime[PATH_MAX], reason[REASON_SIZE];
  if (!find_runtime(runtime, reason))
    return refuse(argc, argv, reason);
  argv[0] = runtime;
  execv(runtime, argv);
  fprintf(stderr, "rota: %s: %s\n", runtime, strerror(errno));
  return COMMAND_NOT_STARTED;
}

/* ---- tools in JavaScript: the Node in PATH ---- */

static bool find_start(char path[PATH_MAX]) {
  char own[PATH_MAX], guess[PATH_MAX + 64];
  if (!program_own_directory(own))
    return false;
  snprintf(guess, sizeof guess, "%s/../lib/rota-tools/start.js", own);
  return realpath(guess, path) != NULL;
}

/* What the user has set for the Node of the program is not for the one that runs the tool: it gets it under another
 * name, and sets it again for what it starts (command/node/start.js). */
static void put_aside(const char *variable) {
  char aside[64];
  const char *value = getenv(variable);
  if (value == NULL)
    return;
  snprintf(aside, sizeof aside, "ROTA_ASIDE_%s", variable);
  setenv(aside, value, 1);
  unsetenv(variable);
}

/* A script of `rota fuzz`; what is behind -- needs no runtime, nor does a text. */
static bool may_name_script(int argc, char **argv) {
  bool may = command_find(argv[1])->runs_scripts;
  for (int i = 2; i < argc && may; i++)
    may = strcmp(argv[i], "--") != 0 && strcmp(argv[i], "--help") != 0;
  return may;
}

static int lacks_node(const char *command) {
  fprintf(stderr,
          "rota: %s is a program in JavaScript, and there is no node in PATH that could run it: install Node 18 or "
          "later, or put its directory into PATH\n",
          command);
  return COMMAND_NOT_REACHED;
}

bool command_may_run_tool(const char *name) {
  char path[PATH_MAX], reason[REASON_SIZE];
  return program_find("node", path) || find_runtime(path, reason) || (lacks_node(name), false);
}

/* Runs a command that is JavaScript. Returns the exit code if it could not be started. */
static int run_tool(int argc, char **argv) {
  char node[PATH_MAX], start[PATH_MAX], own[PATH_MAX], runtime[PATH_MAX], reason[REASON_SIZE] = "";
  bool has_node = program_find("node", node);
  if (!has_node && !find_runtime(runtime, reason))
    return lacks_node(argv[1]);
  if (!has_node)
    return run_script(argc, argv);
  if (!find_start(start) || realpath("/proc/self/exe", own) == NULL) {
    fputs("rota: rota-tools/start.js is not in ../lib, as seen from rota: install rota again\n", stderr);
    return COMMAND_NOT_REACHED;
  }
  if (may_name_script(argc, argv)) /* if there is a runtime, the reason stays empty */
    find_runtime(runtime, reason);
  put_aside("NODE_OPTIONS");
  put_aside("NODE_DEBUG");
  put_aside("NODE_V8_COVERAGE");
  char **arguments = calloc((size_t)argc + OWN_ARGUMENTS + 1, sizeof *arguments);
  if (arguments == NULL)
    return COMMAND_NOT_STARTED;
  char *const first[OWN_ARGUMENTS] = {node, start, own, (char *)own_name(), reason};
  memcpy(arguments, first, sizeof first);
  memcpy(arguments + OWN_ARGUMENTS, argv + 1, (size_t)argc * sizeof *argv); /* the null at the end is one of them */
  execv(node, arguments);
  fprintf(stderr, "rota: %s: %s\n", node, strerror(errno));
  free(arguments);
  return COMMAND_NOT_STARTED;
}

/* ---- what the user typed ---- */

/* Who types nothing else has just found this program. */
static int print_beginning(void) {
  static const char *const rows[][2] = {
      {"diagnose -- node app.js", "what is wrong with its loop"},
      {"timeline -- node app.js", "a page of every callback of the loop"},
      {"explain  script.js", "the order of its callbacks, and why"},
      {"trace    -- node app.js", "the same as a file, for Perfetto, too"},
      {"watch    -- node server.js", "names what blocks the loop"},
      {"stats    -- npm test", "how long phases, callbacks, jobs took"},
      {"why      -- node script.js", "what keeps the process alive"},
      {"fuzz     -- node --test", "finds a schedule under which it fails"},
      {"doctor   -- node", "how it would be run, or why it cannot"},
  };
  const char *name = own_name();
  puts("rota shows what the event loop of your own Node does, and steers it. The program\n"
       "stays as it is; one of these stands before the command that starts it:\n");
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    printf("  %s %-27s%s\n", name, rows[i][0], rows[i][1]);
  printf("\n%s help lists all commands, %s help trace\nexplains one, with examples.\n", name, name);
  printf("%s script.js is run by rota's own runtime; -i is its REPL.\n", name);
  return 0;
}

static bool is_either(const char *argument, const char *name, const char *other) {
  return strcmp(argument, name) == 0 || strcmp(argument, other) == 0;
}

/* The package's own start is a program of Node, which this one replaces. Node ignores SIGPIPE, and programs would
 * inherit that. */
static void restore_signals(const char *started_as) {
  if (strcmp(started_as, "rota-loop") == 0)
    signal(SIGPIPE, SIG_DFL);
}

int main(int argc, char **argv) {
  if (argc > 0)
    restore_signals(argv[0]);
  if (!command_open_standard(false)) /* Node and the runtime open their own */
    return COMMAND_NOT_STARTED;
  if (argc < 2)
    return print_beginning();
  if (command_help_is_mistaken(argc, argv))
    return COMMAND_BAD_USAGE;
  command_help_read(&argc, argv);
  enum command_kind kind = command_kind(argc, argv);
  if (kind == COMMAND_HERE)
    return command_run(argc, argv);
  if (kind == COMMAND_TOOL)
    return run_tool(argc, argv);
  if (command_help_wants_options(argc, argv))
    command_help_print_options();
  else if (is_either(argv[1], "--help", "-h"))
    command_help_print();
  else if (is_either(argv[1], "--version", "-v"))
    printf("v%d.%d.%d\n", JS_NODE_MAJOR, JS_NODE_MINOR, JS_NODE_PATCH);
  else
    return run_script(argc, argv);
  return 0;
}
