/* The command line: options before the script are ours, everything from the script on is the program's. */
#include "env.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is(const char *argument, const char *short_name, const char *long_name) {
  return (short_name != NULL && strcmp(argument, short_name) == 0) || strcmp(argument, long_name) == 0;
}

/* `--name value` and `--name=value` alike; NULL when this is another option or its value is missing. */
static const char *value_of(const char *short_name, const char *long_name, int argc, char **argv, int *at) {
  size_t length = strlen(long_name);
  if (strncmp(argv[*at], long_name, length) == 0 && argv[*at][length] == '=')
    return argv[*at] + length + 1;
  if (!is(argv[*at], short_name, long_name) || *at + 1 >= argc)
    return NULL;
  return argv[++*at];
}

int rota_options_parse(struct rota_options *options, int argc, char **argv) {
  memset(options, 0, sizeof *options);
  options->argc = argc;
  options->argv = argv;
  options->requires = calloc((size_t)argc, sizeof *options->requires);
  options->imports = calloc((size_t)argc, sizeof *options->imports);
  if (options->requires == NULL || options->imports == NULL)
    return 1;
  int i = 1;
  for (; i < argc && argv[i][0] == '-' && argv[i][1] != 0; i++) {
    const char *value;
    if (strcmp(argv[i], "--") == 0) {
      i++;
      break;
    } else if (is(argv[i], "-h", "--help")) {
      options->help = true;
    } else if (is(argv[i], "-v", "--version")) {
      options->version = true;
    } else if (is(argv[i], "-c", "--check")) {
      options->check_only = true;
    } else if (is(argv[i], "-i", "--interactive")) {
      options->interactive = true;
    } else if ((value = value_of("-r", "--require", argc, argv, &i)) != NULL) {
      options->requires[options->requires_count++] = value;
    } else if ((value = value_of(NULL, "--import", argc, argv, &i)) != NULL) {
      options->imports[options->imports_count++] = value;
    } else if (is(argv[i], "-p", "--print") || is(argv[i], "-pe", "-pe") || is(argv[i], "-e", "--eval")) {
      options->print |= argv[i][1] == 'p' || strcmp(argv[i], "--print") == 0;
      if (i + 1 < argc && (!options->print || options->code == NULL))
        options->code = argv[++i];
      if (options->code == NULL) {
        fprintf(stderr, "%s: %s requires an argument\n", argv[0], argv[i]);
        return 9;
      }
    } else if ((value = value_of(NULL, "--eval", argc, argv, &i)) != NULL) {
      options->code = value;
    } else if ((value = value_of(NULL, "--print", argc, argv, &i)) != NULL) {
      options->code = value;
      options->print = true;
    } else if (is(argv[i], "-r", "--require") || is(argv[i], NULL, "--import") ) {
      fprintf(stderr, "%s: %s requires an argument\n", argv[0], argv[i]);
      return 9;
    } else if ((value = value_of("-C", "--conditions", argc, argv, &i)) != NULL) {
      continue; /* JavaScript reads it from execArgv */
    } else if (strncmp(argv[i], "--", 2) != 0) {
      fprintf(stderr, "%s: bad option: %s\n", argv[0], argv[i]);
      return 9;
    }
    /* Other long options are read from process.execArgv by whom they concern. */
  }
  if (i < argc && strcmp(argv[i], "-") == 0) {
    options->read_stdin = true;
    i++;
    options->script_at = i;
    return 0;
  }
  options->script_at = i;
  options->read_stdin = i >= argc && options->code == NULL;
  return 0;
}
