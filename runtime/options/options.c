/* The command line: options before the script are for the runtime, the script and what follows are for the program.
 * NODE_OPTIONS comes before all of them. */
#include "runtime/order/env.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is(const char *argument, const char *short_name, const char *long_name) {
  return (short_name != NULL && strcmp(argument, short_name) == 0) || strcmp(argument, long_name) == 0;
}

bool js_option_is_known(const char *argument) {
  static const char letters[] = "eprcihvC";
  struct js_option_words words = {0};
  char *list[] = {(char *)argument, "value", NULL};
  if (strncmp(argument, "--", 2) != 0)
    return argument[0] == '-' && argument[1] != 0 && strchr(letters, argument[1]) != NULL;
  int at = 0;
  bool known = js_option_read(&words, NULL, 2, list, &at, false) == 0;
  js_words_free(&words);
  return known;
}

static int bad(const char *program, const char *option, const char *what) {
  fprintf(stderr, "%s: %s %s\n", program, option, what);
  return 9;
}

/* Commands stand where the script would. Those in JavaScript are modules. */
static const struct {
  const char *name;
  const char *module; /* null: it runs a script */
} commands[] = {
    {"timeline", "internal/cli/timeline"}, {"diagnose", "internal/cli/diagnose"}, {"explain", "internal/cli/explain"},
    {"export", "internal/cli/export"},     {"fuzz", "internal/cli/fuzz"},         {"why", NULL},
};

/* Where the options begin. */
static int read_command(struct js_options *options, int argc, char **argv) {
  for (size_t i = 0; i < sizeof commands / sizeof *commands && argc > 1; i++) {
    if (strcmp(argv[1], commands[i].name) != 0)
      continue;
    options->command = commands[i].module;
    if (options->command != NULL)
      return 1;
    options->why = true;
    options->settings[ROTA_SETTING_WHY_AFTER] = "1000";
    return 2;
  }
  return 1;
}

static bool names_code(const char *argument) {
  return strcmp(argument, "-e") == 0 || strcmp(argument, "--eval") == 0 || strncmp(argument, "--eval=", 7) == 0;
}

/* -e, -p and their long forms. 1: it was one of them; 0: it is something else; else the exit code. */
static int read_code(struct js_options *options, int argc, char **argv, int *at) {
  const char *argument = argv[*at];
  bool prints = is(argument, "-p", "--print") || strcmp(argument, "-pe") == 0;
  if (strncmp(argument, "--eval=", 7) == 0 || strncmp(argument, "--print=", 8) == 0) {
    options->code = strchr(argument, '=') + 1;
    options->print |= argument[2] == 'p';
    return 1;
  }
  if (!prints && !is(argument, "-e", "--eval"))
    return 0;
  options->print |= prints;
  if (*at + 1 < argc && is(argument, "-p", "--print") && names_code(argv[*at + 1]))
    return 1; /* --print --eval CODE */
  if (*at + 1 < argc && (!options->print || options->code == NULL))
    options->code = argv[++*at];
  return options->code != NULL ? 1 : bad(argv[0], argument, "requires an argument");
}

/* What is wanted at once, or instead of running a script. */
static bool read_plain(struct js_options *options, const char *argument) {
  if (is(argument, "-h", "--help"))
    options->help = true;
  else if (is(argument, NULL, "--v8-options"))
    options->engine_help = true;
  else if (is(argument, "-v", "--version"))
    options->version = true;
  else if (is(argument, "-c", "--check"))
    options->check_only = true;
  else if (is(argument, "-i", "--interactive"))
    options->interactive = true;
  else
    return false;
  return true;
}

static bool is_named(const char *word, const char *name) {
  size_t length = strcspn(word, "=");
  return strlen(name) == length && strncmp(word, name, length) == 0;
}

/* An option that stands for a variable. 0, or the exit code. */
static int keep_setting(struct js_options *options, enum rota_setting setting, struct rota_given given) {
  if (given.text == NULL)
    given.text = rota__settings[setting].usual;
  if (rota__settings[setting].value != ROTA_VALUE_FLAG && !rota__setting_check(setting, given))
    return 9;
  options->settings[setting] = given.text;
  return 0;
}

/* Options of our own whose value is kept; the others are looked for in the words. 0, or the exit code. */
static int keep_value(struct js_options *options, const char *word) {
  const char *equals = strchr(word, '='), *value = equals != NULL ? equals + 1 : NULL;
  for (int i = 0; i < ROTA_SETTING_COUNT; i++)
    if (rota__settings[i].option != NULL && is_named(word, rota__settings[i].option))
      return keep_setting(options, (enum rota_setting)i,
                          (struct rota_given){.name = rota__settings[i].option, .text = value});
  if (is_named(word, "--require"))
    options->preloads[options->preloads_count++] = value;
  else if (is_named(word, "--import"))
    options->imports[options->imports_count++] = value;
  else if (is_named(word, "--timeline"))
    options->timeline = value;
  return 0;
}

/* `rota why --after=ms`. 1: it was that; 0: it is something else; else the exit code. */
static int read_after(struct js_options *options, int argc, char **argv, int *at) {
  static const char name[] = "--after";
  if (!options->why || !is_named(argv[*at], name))
    return 0;
  const char *equals = strchr(argv[*at], '=');
  if (equals == NULL && *at + 1 < argc)
    ++*at;
  int code = keep_setting(options, ROTA_SETTING_WHY_AFTER,
                          (struct rota_given){"why", name, equals != NULL ? equals + 1 : argv[*at]});
  return code == 0 ? 1 : code;
}

/* One option, with its value. 0, or the exit code. */
static int read_option(struct js_options *options, int argc, char **argv, int *at) {
  if (read_plain(options, argv[*at]))
    return 0;
  int code = read_code(options, argc, argv, at);
  if (code == 0)
    code = read_after(options, argc, argv, at);
  if (code != 0)
    return code == 1 ? 0 : code;
  code = js_option_read(&options->words, argv[0], argc, argv, at, false);
  return code != 0 ? code : keep_value(options, options->words.texts[options->words.count - 1]);
}

/* Where the options end, or the exit code as a negative number. */
static int read_options(struct js_options *options, int argc, char **argv, int from) {
  int i = from;
  for (; i < argc && (argv[i][0] == 0 || (argv[i][0] == '-' && argv[i][1] != 0)); i++) {
    if (argv[i][0] == 0)
      continue; /* nothing was meant */
    if (strcmp(argv[i], "--") == 0)
      return i + 1;
    int code = read_option(options, argc, argv, &i);
    if (code != 0)
      return -code;
  }
  return i;
}

/* At most one action may be given in place of a script. */
static int check_modes(const struct js_options *options, const char *program) {
  bool test = js_words_has(&options->words, "test");
  const struct {
    bool given;
    const char *text;
  } rows[] = {
      {options->check_only && options->code != NULL, "either --check or --eval can be used, not both"},
      {test && options->check_only, "either --test or --check can be used, not both"},
      {test && options->code != NULL, "either --test or --eval can be used, not both"},
      {test && options->interactive, "either --test or --interactive can be used, not both"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].given) {
      fprintf(stderr, "%s: %s\n", program, rows[i].text);
      return 9;
    }
  return 0;
}

int js_options_parse(struct js_options *options, int argc, char **argv) {
  memset(options, 0, sizeof *options);
  options->argc = argc;
  options->argv = argv;
  options->preloads = calloc((size_t)argc, sizeof *options->preloads);
  options->imports = calloc((size_t)argc, sizeof *options->imports);
  if (options->preloads == NULL || options->imports == NULL)
    return 1;
  int i = read_command(options, argc, argv);
  if (options->command != NULL) {
    options->script_at = i;
    return 0;
  }
  int code = js_options_read_environment(&options->words, argv[0], getenv("NODE_OPTIONS"));
  options->environment_words = options->words.count;
  if (code != 0)
    return code;
  i = read_options(options, argc, argv, i);
  if (i < 0)
    return -i;
  code = js_options_check(&options->words, argv[0]);
  if (code == 0)
    code = js_options_check_environment(argv[0]);
  if (code == 0)
    code = check_modes(options, argv[0]);
  if (code != 0)
    return code;
  if (i < argc && strcmp(argv[i], "-") == 0) {
    options->read_stdin = true;
    i++;
    options->script_at = i;
    return 0;
  }
  if (options->why && i >= argc && options->code == NULL) {
    fprintf(stderr, "rota why: missing script or program. Usage: rota why script.js, or rota why -- node app.js\n");
    return 9;
  }
  if (options->why && i + 1 < argc && strpbrk(argv[i], "./") == NULL && access(argv[i], F_OK) != 0) {
    fprintf(stderr, "rota why: there is no script %s; a program is named behind --: rota why -- %s %s\n", argv[i],
            argv[i], argv[i + 1]);
    return 9;
  }
  options->script_at = i;
  if (js_words_has(&options->words, "test") && options->code == NULL)
    options->command = "internal/cli/test";
  options->read_stdin = i >= argc && options->code == NULL && options->command == NULL;
  return 0;
}
