/* The options of the commands that run programs: one table, by which they are read, checked, applied, and shown in the
 * help. What their values may be, and the variables that they set, are in settings/settings.table. */
#include "command/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BIT(option) (1u << COMMAND_OPTION_##option)

const struct command_option_row command_options[COMMAND_OPTION_COUNT] = {
    [COMMAND_OPTION_OUTPUT] = {.name = "-o",
                               .shown = " file",
                               .setting = ROTA_SETTING_TRACE,
                               .help = "where to write it (trace.json); a name with .rota: in a\n"
                                       "compact form, for rota timeline and rota export\n"},
    [COMMAND_OPTION_LIMIT] = {.name = "--limit",
                              .shown = "=MiB",
                              .setting = ROTA_SETTING_TRACE_LIMIT,
                              .help = "keep the newest of it, in a file of so many MiB, at\n"
                                      "least 4 (trace.rota)\n"},
    [COMMAND_OPTION_THRESHOLD] = {.name = "--threshold",
                                  .shown = "=ms",
                                  .setting = ROTA_SETTING_WATCHDOG,
                                  .help = "how long a callback may take (50)\n"},
    [COMMAND_OPTION_FORMAT] = {.name = "--format",
                               .shown = "=json",
                               .setting = ROTA_SETTING_WATCHDOG_FORMAT,
                               .help = "an object of JSON a line for each block and for its end\n"},
    [COMMAND_OPTION_AT_MOST] = {.name = "--at-most",
                                .shown = "=N/minute",
                                .setting = ROTA_SETTING_WATCHDOG_LIMIT,
                                .help = "tell each block, but no more than that, and how many\n"
                                        "more there were (of JSON: 60/minute)\n"},
    [COMMAND_OPTION_NATIVE_FRAMES] = {.name = "--native-frames",
                                      .shown = "",
                                      .setting = ROTA_SETTING_WATCHDOG_NATIVE,
                                      .help = "frames of C++ below JavaScript's stack, too\n"},
    [COMMAND_OPTION_EXEC] = {.name = "--exec",
                             .shown = "=COMMAND",
                             .setting = ROTA_SETTING_COUNT,
                             .help = "run this when a block has ended (or takes ten times\n"
                                     "as long): without a shell, the JSON on its standard\n"
                                     "input\n"},
    [COMMAND_OPTION_POST] = {.name = "--post",
                             .shown = "=URL",
                             .setting = ROTA_SETTING_COUNT,
                             .help = "post it to http://..., on this machine\n"},
    [COMMAND_OPTION_POST_HOST] = {.name = "--post-host",
                                  .shown = "=HOST",
                                  .setting = ROTA_SETTING_COUNT,
                                  .needs = BIT(POST),
                                  .needs_text = "--post=http://...",
                                  .help = "the URL may be on this other machine\n"},
    [COMMAND_OPTION_AFTER] = {.name = "--after",
                              .shown = "=ms",
                              .setting = ROTA_SETTING_WHY_AFTER,
                              .help = "when to tell it (1000)\n"},
    [COMMAND_OPTION_NAMES] = {.name = "--names",
                              .shown = "=off",
                              .setting = ROTA_SETTING_NAMES,
                              .help = "show Node's functions of C++, rather than JavaScript's\n"
                                      "function, file and line\n"},
    [COMMAND_OPTION_SAMPLES] = {.name = "--samples",
                                .shown = "[=ms]",
                                .setting = ROTA_SETTING_SAMPLES,
                                .needs = BIT(OUTPUT) | BIT(ATTACH) | BIT(BLACK_BOX),
                                .needs_text = "a trace: rota trace, rota timeline, --black-box or --attach",
                                .help = "with stacks of JavaScript inside of callbacks that take\n"
                                        "longer than this (5), repeatedly\n"},
    [COMMAND_OPTION_VIRTUAL_TIME] = {.name = "--virtual-time",
                                     .shown = "[=settings]",
                                     .setting = ROTA_SETTING_VIRTUAL_TIME,
                                     .help = "do not wait for timers: its clocks jump to the next one.\n"
                                             "from=2030-01-31T12:00:00Z is the time of day to begin\n"
                                             "with, grace=ms waits for clients from outside\n"},
    [COMMAND_OPTION_ATTACH] = {.name = "--attach",
                               .shown = "",
                               .setting = ROTA_SETTING_ATTACH,
                               .names = true,
                               .help = "let rota attach PID inspect it while it runs\n"},
    [COMMAND_OPTION_BLACK_BOX] = {.name = "--black-box",
                                  .shown = "[=seconds]",
                                  .setting = ROTA_SETTING_BLACKBOX,
                                  .names = true,
                                  .help = "keep what its loop did in the last seconds (5); write it\n"
                                          "into a file when it is blocked (rota watch), crashes,\n"
                                          "fails, or gets SIGUSR2\n"},
    [COMMAND_OPTION_METRICS] = {.name = "--metrics",
                                .shown = "[=address]",
                                .setting = ROTA_SETTING_METRICS,
                                .help = "serve metrics to Prometheus, at 127.0.0.1:9464 or\n"
                                        "there; =otlp pushes them to OpenTelemetry\n"},
    /* Messages name another command: the one that has started this one. */
    [COMMAND_OPTION_AS] = {.name = "--as", .setting = ROTA_SETTING_COUNT},
    [COMMAND_OPTION_VERDICT] = {.name = "--format",
                                .shown = "=json",
                                .setting = ROTA_SETTING_COUNT,
                                .words = "text json",
                                .help = "print the verdict as JSON\n"},
    [COMMAND_OPTION_OPEN] = {.name = "--open",
                             .shown = "",
                             .setting = ROTA_SETTING_COUNT,
                             .help = "show the page in $BROWSER, or by xdg-open\n"},
};

static bool has(const struct command *command, size_t option) {
  return (command->options | command->more_options) >> option & 1;
}

static enum rota_value kind_of(const struct command_option_row *row) {
  if (row == &command_options[COMMAND_OPTION_OPEN])
    return ROTA_VALUE_FLAG;
  return row->setting == ROTA_SETTING_COUNT ? ROTA_VALUE_INTERNAL : rota__settings[row->setting].value;
}

/* The value of an option that is given without one. Null: it needs one, here or as the next argument. */
static const char *usual_value(const struct command_option_row *row) {
  if (row == &command_options[COMMAND_OPTION_OPEN])
    return "1";
  return row->setting == ROTA_SETTING_COUNT ? NULL : rota__settings[row->setting].usual;
}

/* ---- reading ---- */

int command_options_end(int argc, char **argv, const struct command *command) {
  int i = 2;
  for (; i < argc && argv[i][0] == '-' && strcmp(argv[i], "--") != 0; i++)
    for (size_t option = 0; option < COMMAND_OPTION_COUNT; option++)
      if (has(command, option) && usual_value(&command_options[option]) == NULL &&
          strcmp(argv[i], command_options[option].name) == 0)
        i += i + 1 < argc; /* the last option may lack its value */
  return i;
}

/* The option of an argument NAME or NAME=VALUE. Null: the command has none of this name. */
static const struct command_option_row *find_option(const struct command *command, const char *argument) {
  size_t length = strcspn(argument, "=");
  for (size_t i = 0; i < COMMAND_OPTION_COUNT; i++) {
    const struct command_option_row *row = &command_options[i];
    bool takes_value = kind_of(row) != ROTA_VALUE_FLAG;
    if (has(command, i) && strlen(row->name) == length && strncmp(argument, row->name, length) == 0 &&
        (argument[length] == 0 || takes_value))
      return row;
  }
  return NULL;
}

static void refuse_option(const struct command *command, const char *name, const char *argument) {
  struct rota_nearest nearest = rota__nearest_begin(argument);
  for (size_t i = 0; i < COMMAND_OPTION_COUNT; i++)
    if (has(command, i) && command_options[i].shown != NULL)
      rota__nearest_offer(&nearest, command_options[i].name);
  fprintf(stderr, "rota %s: bad option: %s", name, argument);
  command_print_nearest(&nearest);
  fprintf(stderr, "; rota help %s lists the options\n", name);
}

/* Options that are of use only with others. */
static bool has_what_it_needs(const struct command *command, const struct command_values *values) {
  for (size_t i = 0; i < COMMAND_OPTION_COUNT; i++) {
    const struct command_option_row *row = &command_options[i];
    bool lacks = values->of[i] != NULL && row->needs != 0 && !command->takes_census;
    for (size_t other = 0; other < COMMAND_OPTION_COUNT; other++)
      lacks = lacks && !(row->needs >> other & 1 && values->of[other] != NULL);
    if (lacks) {
      fprintf(stderr, "rota %s: %s: needs %s\n", values->name, row->name, row->needs_text);
      return false;
    }
  }
  return true;
}

/* Whether it is one of the words, which are separated by spaces. */
static bool is_among(const char *words, const char *value) {
  size_t length = strlen(value);
  for (const char *word = words; length > 0; word += strcspn(word, " ") + 1) {
    if (strncmp(word, value, length) == 0 && (word[length] == ' ' || word[length] == 0))
      return true;
    if (word[strcspn(word, " ")] == 0)
      break;
  }
  return false;
}

static bool check(const struct command_option_row *row, const struct command_values *values, const char *value) {
  if (row->words != NULL && !is_among(row->words, value)) {
    fprintf(stderr, "rota %s: %s=%s: must be one of: %s\n", values->name, row->name, value, row->words);
    return false;
  }
  return kind_of(row) == ROTA_VALUE_INTERNAL || kind_of(row) == ROTA_VALUE_FLAG ||
         rota__setting_check(row->setting, (struct rota_given){values->name, row->name, value});
}

/* A ring of the newest is possible in the compact form alone. */
static bool limit_is_right(const struct command *command, struct command_values *values) {
  static const char end[] = ".rota", usual[] = "trace.rota";
  const char *limit = values->of[COMMAND_OPTION_LIMIT];
  const char **output = &values->of[COMMAND_OPTION_OUTPUT];
  if (limit == NULL)
    return true;
  if (*output == command->value)
    *output = usual;
  size_t length = strlen(*output);
  if (length < sizeof end || strcmp(*output + length - (sizeof end - 1), end) != 0) {
    fprintf(stderr, "rota %s: --limit: -o must be a compact trace: a name that ends with .rota\n", values->name);
    return false;
  }
  if (strtoull(limit, NULL, 10) < 4) {
    fprintf(stderr, "rota %s: --limit=%s: must be 4 (MiB) or more\n", values->name, limit);
    return false;
  }
  return true;
}

bool command_options_read(const struct command *command, int argc, char **argv, int end,
                          struct command_values *values) {
  *values = (struct command_values){.name = command->name};
  if (command->value != NULL)
    values->of[command->own] = command->value;
  for (int i = 2; i < end; i++) {
    const struct command_option_row *row = find_option(command, argv[i]);
    if (row == NULL) {
      refuse_option(command, values->name, argv[i]);
      return false;
    }
    const char *value = argv[i][strlen(row->name)] == '=' ? argv[i] + strlen(row->name) + 1 : usual_value(row);
    if (value == NULL && (i + 1 == argc || strcmp(argv[i + 1], "--") == 0)) {
      fprintf(stderr, "rota %s: %s: missing value\n", values->name, row->name);
      return false;
    }
    value = value != NULL ? value : argv[++i];
    if (!check(row, values, value))
      return false;
    values->of[row - command_options] = value;
    if (row == &command_options[COMMAND_OPTION_AS])
      values->name = value;
  }
  if (!limit_is_right(command, values))
    return false;
  const char *output = values->of[COMMAND_OPTION_OUTPUT];
  return has_what_it_needs(command, values) &&
         (output == NULL || command_may_write(values->name, command_options[COMMAND_OPTION_OUTPUT].name, output));
}

/* ---- applying ---- */

static void set(enum rota_setting setting, const char *value, bool replaces) {
  setenv(rota__settings[setting].variable, value, replaces);
}

/* A program may change its directory before it makes a loop. */
static void set_file(enum rota_setting setting, const char *name) {
  char path[PATH_MAX * 2];
  set(setting, command_full_path(name, path, sizeof path) ? path : name, true);
}

void command_options_apply(const struct command *command, const struct command_values *values) {
  bool names = command->options & BIT(NAMES);
  for (size_t i = 0; i < COMMAND_OPTION_COUNT; i++) {
    const struct command_option_row *row = &command_options[i];
    const char *value = values->of[i];
    if (value == NULL || row->setting == ROTA_SETTING_COUNT)
      continue;
    names |= row->names;
    if (kind_of(row) == ROTA_VALUE_FILE)
      set_file(row->setting, value);
    else
      set(row->setting, kind_of(row) != ROTA_VALUE_SWITCH ? value : strcmp(value, "on") == 0 ? "1" : "0", true);
  }
  if (values->of[COMMAND_OPTION_OUTPUT] != NULL)
    command_trace_first();
  if (command->is_set)
    set(command->sets, "1", true);
  if (names)
    set(ROTA_SETTING_NAMES, "1", false);
}
