#include "command/alone/alone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "command/help.h"
#include "runtime/order/version.h"

enum { BAD_USAGE = 9 };

static bool is_either(const char *argument, const char *name, const char *other) {
  return strcmp(argument, name) == 0 || strcmp(argument, other) == 0;
}

/* A package manager tells those that it starts what it is. Yarn 2 and later may keep packages where npx does not look.
 */
const char *alone_name(void) {
  const char *manager = getenv("npm_config_user_agent");
  if (manager == NULL)
    return "rota";
  return strncmp(manager, "yarn/", 5) == 0 && strncmp(manager, "yarn/1.", 7) != 0 ? "yarn rota-loop" : "npx rota-loop";
}

/* Who types nothing else has just found this program. */
static int print_beginning(void) {
  static const char *const rows[][2] = {
      {"timeline -- node app.js", "a page of every callback of the loop"},
      {"trace    -- node app.js", "the same as a file, for Perfetto, too"},
      {"watch    -- node server.js", "names what blocks the loop"},
      {"stats    -- npm test", "how long phases, callbacks, jobs took"},
      {"why      -- node script.js", "what keeps the process alive"},
      {"fuzz     -- node --test", "finds a schedule under which it fails"},
      {"doctor   -- node", "how it would be run, or why it cannot"},
  };
  const char *name = alone_name();
  puts("rota shows what the event loop of your own Node does, and steers it. The program\n"
       "stays as it is; one of these stands before the command that starts it:\n");
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    printf("  %s %-27s%s\n", name, rows[i][0], rows[i][1]);
  printf("\n%s help lists all commands, %s help trace\nexplains one, with examples.\n", name, name);
  printf("%s script.js is run by rota's own runtime; -i is its REPL.\n", name);
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 2)
    return print_beginning();
  if (graft_help_is_mistaken(argc, argv))
    return BAD_USAGE;
  graft_help_read_command(&argc, argv);
  if (graft_is_command(argc, argv))
    return graft_command(argc, argv);
  if (is_either(argv[1], "timeline", "fuzz"))
    return alone_run_tool(argc, argv);
  if (graft_help_wants_options(argc, argv))
    graft_help_print_options();
  else if (is_either(argv[1], "--help", "-h"))
    graft_help_print();
  else if (is_either(argv[1], "--version", "-v"))
    printf("v%d.%d.%d\n", JS_NODE_MAJOR, JS_NODE_MINOR, JS_NODE_PATCH);
  else
    return alone_run_script(argc, argv);
  return 0;
}
