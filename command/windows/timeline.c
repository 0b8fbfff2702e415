/* rota timeline -- program and rota diagnose -- program, on Windows: runs the program traced, and lets command/tools
 * make a page of each trace when it has ended, or a verdict. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/internal.h"
#include "command/windows/tool.h"
#include "uv.h"

enum { SCRATCH_SIZE = 4 * PATH_MAX };

/* Below the user's own folder for temporary files. */
static bool make_scratch(char path[SCRATCH_SIZE], const char *command) {
  uv_fs_t request;
  char folder[SCRATCH_SIZE - 32];
  size_t size = sizeof folder;
  int err = uv_os_tmpdir(folder, &size);
  if (err == 0) {
    snprintf(path, SCRATCH_SIZE, "%s\\rota-timeline-XXXXXX", folder);
    err = uv_fs_mkdtemp(NULL, &request, path, NULL);
    if (err == 0)
      snprintf(path, SCRATCH_SIZE, "%s", request.path);
    uv_fs_req_cleanup(&request);
  }
  if (err < 0)
    fprintf(stderr, "rota %s: %s; the program runs without a trace, of which nothing can be told\n", command,
            uv_strerror(err));
  return err == 0;
}

static void make_pages(const char *scratch, const struct command_values *values, int code) {
  char traces[SCRATCH_SIZE + 16], ended[32], format[32];
  const char *page = values->of[COMMAND_OPTION_OUTPUT], *form = values->of[COMMAND_OPTION_VERDICT];
  char *arguments[12] = {"rota", (char *)values->name, traces, ended, "--scheduled="};
  int count = 5;
  snprintf(traces, sizeof traces, "--finish=%s", scratch);
  snprintf(ended, sizeof ended, "--ended=%d", code);
  if (page != NULL) {
    arguments[count++] = "-o";
    arguments[count++] = (char *)page;
  }
  if (form != NULL) {
    snprintf(format, sizeof format, "--format=%s", form);
    arguments[count++] = format;
  }
  if (values->of[COMMAND_OPTION_OPEN] != NULL)
    arguments[count++] = "--open";
  if (command_tool_run(count, arguments) != 0)
    fprintf(stderr, "rota %s: nothing was made of the trace, which is kept: rota timeline %s\\trace -o page.html\n",
            values->name, scratch);
}

int command_timeline(const struct command *command, int argc, char **argv) {
  struct command_values values, traced;
  char scratch[SCRATCH_SIZE], trace[SCRATCH_SIZE + 16];
  uv_fs_t request;
  int end = command_options_end(argc, argv, command);
  if (!command_options_read(command, argc, argv, end, &values))
    return COMMAND_BAD_USAGE;
  char **arguments = argv + end + 1; /* behind -- */
  if (arguments[0] == NULL)
    return command_lacks_program(command->name);
  if (!command_may_run_tool(command->name))
    return COMMAND_NOT_REACHED;
  traced = values;
  traced.of[COMMAND_OPTION_OUTPUT] = NULL;
  if (!make_scratch(scratch, values.name))
    return command_start(command, &traced, arguments);
  snprintf(trace, sizeof trace, "%s\\trace", scratch);
  traced.of[COMMAND_OPTION_OUTPUT] = trace;
  if (command->takes_census)
    setenv(rota__settings[ROTA_SETTING_TRACE_CENSUS].variable, "1", 1);
  int code = command_start(command, &traced, arguments);
  bool is_empty = uv_fs_rmdir(NULL, &request, scratch, NULL) == 0; /* nothing has written a trace */
  uv_fs_req_cleanup(&request);
  if (!is_empty)
    make_pages(scratch, &values, code);
  else if (command->takes_census && code != COMMAND_NOT_REACHED)
    fprintf(stderr, "rota %s: the program has run no event loop: there is nothing to tell\n", values.name);
  return code;
}
