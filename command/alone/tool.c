#include "command/alone/alone.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/place.h"

enum { NOT_REACHED = 1, NOT_STARTED = 126, OWN_ARGUMENTS = 5 };

/* Beside this program; a package for several processors has it once. */
static bool find_start(char path[PATH_MAX]) {
  static const char *const places[] = {"../lib/rota-tools/start.js", "../../lib/rota-tools/start.js"};
  char own[PATH_MAX], guess[PATH_MAX + 64];
  if (!graft_own_directory(own))
    return false;
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    snprintf(guess, sizeof guess, "%s/%s", own, places[i]);
    if (realpath(guess, path) != NULL)
      return true;
  }
  return false;
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
  bool may = strcmp(argv[1], "fuzz") == 0;
  for (int i = 2; i < argc && may; i++)
    may = strcmp(argv[i], "--") != 0 && strcmp(argv[i], "--help") != 0;
  return may;
}

static int lacks_node(const char *command) {
  fprintf(stderr,
          "rota: %s is a program in JavaScript, and there is no node in PATH that could run it: install Node 18 or "
          "later, or put its directory into PATH\n",
          command);
  return NOT_REACHED;
}

int alone_run_tool(int argc, char **argv) {
  char node[PATH_MAX], start[PATH_MAX], own[PATH_MAX], runtime[PATH_MAX], reason[ALONE_REASON_SIZE] = "";
  bool has_node = program_find("node", node);
  if (!has_node && !alone_find_runtime(runtime, reason))
    return lacks_node(argv[1]);
  if (!has_node)
    return alone_run_script(argc, argv);
  if (!find_start(start) || realpath("/proc/self/exe", own) == NULL) {
    fputs("rota: rota-tools/start.js is not in ../lib, as seen from rota: install rota again\n", stderr);
    return NOT_REACHED;
  }
  if (may_name_script(argc, argv)) /* if there is a runtime, the reason stays empty */
    alone_find_runtime(runtime, reason);
  put_aside("NODE_OPTIONS");
  put_aside("NODE_DEBUG");
  put_aside("NODE_V8_COVERAGE");
  char **arguments = calloc((size_t)argc + OWN_ARGUMENTS + 1, sizeof *arguments);
  if (arguments == NULL)
    return NOT_STARTED;
  char *const first[OWN_ARGUMENTS] = {node, start, own, (char *)alone_name(), reason};
  memcpy(arguments, first, sizeof first);
  memcpy(arguments + OWN_ARGUMENTS, argv + 1, (size_t)argc * sizeof *argv); /* the null at the end is one of them */
  execv(node, arguments);
  fprintf(stderr, "rota: %s: %s\n", node, strerror(errno));
  free(arguments);
  return NOT_STARTED;
}
