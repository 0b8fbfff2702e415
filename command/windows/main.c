/* rota.exe: the commands for other programs, on Windows. Those that are JavaScript are run by the Node in PATH. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/internal.h"
#include "command/windows/launch.h"
#include "command/windows/tool.h"
#include "loop/base/alloc.h"
#include "loop/os/windows/convert.h"
#include "runtime/order/version.h"

enum { OWN_ARGUMENTS = 5, VALUE_SIZE = 32768 };

/* ---- tools in JavaScript ---- */

bool command_may_run_tool(const char *name) {
  WCHAR path[MAX_PATH];
  if (SearchPathW(NULL, L"node.exe", NULL, MAX_PATH, path, NULL) > 0)
    return true;
  fprintf(stderr,
          "rota: %s is a program in JavaScript, and there is no node in PATH that could run it: install Node 18 or "
          "later, or put its "
          "directory into PATH\n",
          name);
  return false;
}

/* What the user has set for the Node of the program is not for the one that runs the tool (command/alone/main.c). */
static void put_aside(const char *variable) {
  char aside[64], *value = malloc(VALUE_SIZE);
  size_t size = VALUE_SIZE;
  if (value != NULL && uv_os_getenv(variable, value, &size) == 0) {
    snprintf(aside, sizeof aside, "ROTA_ASIDE_%s", variable);
    setenv(aside, value, 1);
    uv_os_unsetenv(variable);
  }
  free(value);
}

static char *own_file(const WCHAR *name) {
  WCHAR *wide = launch_own_file(name);
  char *narrow = NULL;
  if (wide != NULL && rota__os_narrow(wide, -1, &narrow) < 0)
    narrow = NULL;
  free(wide);
  return narrow;
}

int command_tool_run(int argc, char **argv) {
  struct launch launch;
  DWORD code = COMMAND_NOT_STARTED;
  char *start = own_file(L"..\\lib\\rota-tools\\start.js"), *own = own_file(L"rota.exe");
  char **arguments = calloc((size_t)argc + OWN_ARGUMENTS + 1, sizeof *arguments);
  if (start == NULL || own == NULL || arguments == NULL) {
    fputs("rota: rota-tools\\start.js is not in ..\\lib, as seen from rota.exe: install rota again\n", stderr);
    return COMMAND_NOT_REACHED;
  }
  put_aside("NODE_OPTIONS");
  put_aside("NODE_DEBUG");
  put_aside("NODE_V8_COVERAGE");
  char *const first[OWN_ARGUMENTS] = {"node", start, own, "rota", "is not there on Windows"};
  memcpy(arguments, first, sizeof first);
  memcpy(arguments + OWN_ARGUMENTS, argv + 1, (size_t)(argc - 1) * sizeof *argv);
  if (launch_prepare(&launch, argv[1], arguments) && !launch_run(&launch, argv[1], NULL, &code))
    code = COMMAND_NOT_STARTED;
  launch_release(&launch);
  free(arguments);
  rota__free(start);
  rota__free(own);
  return (int)code;
}

/* ---- what the user typed ---- */

static int print_beginning(void) {
  puts("rota shows what the event loop of your own Node does, and steers it:\n\n"
       "  rota timeline -- node app.js     a page of every callback of the loop\n"
       "  rota trace    -- node app.js     the same as a file, for Perfetto, too\n"
       "  rota watch    -- node server.js  names what blocks the loop\n"
       "  rota stats    -- npm test        how long phases, callbacks, jobs took\n"
       "  rota why      -- node script.js  what keeps the process alive\n"
       "  rota fuzz     -- node test.js    finds a schedule under which it fails\n"
       "  rota doctor   -- node            how it would be run, or why it cannot\n\n"
       "rota help lists all commands, rota help trace explains one.");
  return 0;
}

static bool is_either(const char *argument, const char *name, const char *other) {
  return strcmp(argument, name) == 0 || strcmp(argument, other) == 0;
}

static int run(int argc, char **argv) {
  if (argc < 2)
    return print_beginning();
  if (command_help_is_mistaken(argc, argv))
    return COMMAND_BAD_USAGE;
  command_help_read(&argc, argv);
  enum command_kind kind = command_kind(argc, argv);
  if (kind == COMMAND_HERE)
    return command_run(argc, argv);
  if (kind == COMMAND_TOOL)
    return command_may_run_tool(argv[1]) ? command_tool_run(argc, argv) : COMMAND_NOT_REACHED;
  if (command_help_wants_options(argc, argv))
    command_help_print_options();
  else if (is_either(argv[1], "--help", "-h"))
    command_help_print();
  else if (is_either(argv[1], "--version", "-v"))
    printf("v%d.%d.%d\n", JS_NODE_MAJOR, JS_NODE_MINOR, JS_NODE_PATCH);
  else {
    fprintf(stderr,
            "rota: %s: the runtime of rota is not there on Windows; rota timeline -- node script.js runs your Node; "
            "rota help lists the commands\n",
            argv[1]);
    return COMMAND_NOT_REACHED;
  }
  return 0;
}

/* The arguments in UTF-8, as all text inside. */
int wmain(int argc, wchar_t **wide) {
  char **argv = calloc((size_t)argc + 1, sizeof *argv);
  if (argv == NULL)
    return COMMAND_NOT_STARTED;
  for (int i = 0; i < argc; i++)
    if (rota__os_narrow(wide[i], -1, &argv[i]) < 0)
      return COMMAND_NOT_STARTED;
  return run(argc, argv);
}
