/* Checks before anything runs: invalid values of options, options that exclude each other, and variables that cannot be
 * obeyed. The texts are Node's. */
#include "runtime/options/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_BAD_OPTION = 9, EXIT_BAD_MODE = 12 };

static int complain(const char *program, const char *text, const char *more) {
  fprintf(stderr, "%s: %s%s\n", program, text, more);
  return EXIT_BAD_OPTION;
}

/* Values of options, each between blanks. */
static const struct {
  const char *name, *values, *complaint;
} choices[] = {
    {"unhandled-rejections", " strict warn throw warn-with-error-code none ",
     "invalid value for --unhandled-rejections"},
    {"trace-require-module", " all no-node-modules ", "invalid value for --trace-require-module"},
    {"loop", " html node ", "invalid value for --loop; expected 'html' or 'node'"},
    {"use-largepages", " off on silent ", "invalid value for --use-largepages"},
    {"force-fips", " provider strict ", "invalid value for --force-fips; expected 'provider' or 'strict'"},
    {"input-type", " module commonjs module-typescript commonjs-typescript ",
     "--input-type must be \"module\",\"commonjs\", \"module-typescript\" or \"commonjs-typescript\""},
};

static bool is_among(const char *value, const char *values) {
  char word[64];
  int length = snprintf(word, sizeof word, " %s ", value);
  return length < (int)sizeof word && strchr(value, ' ') == NULL && strstr(values, word) != NULL;
}

static const char *const exclusive[][3] = {
    {"tls-min-v1.3", "tls-max-v1.2", "tls-max-v1.3"},
    {"use-openssl-ca", "use-bundled-ca", NULL},
    {"use-openssl-ca", "use-system-ca", NULL},
};

static int check_pairs(const struct js_option_words *words, const char *program) {
  for (size_t i = 0; i < sizeof exclusive / sizeof *exclusive; i++) {
    const char *const *row = exclusive[i];
    if (!js_words_has(words, row[0]) || !js_words_has(words, row[1]) || (row[2] != NULL && js_words_has(words, row[2])))
      continue;
    fprintf(stderr, "%s: either --%s or --%s can be used, not both\n", program, row[0], row[1]);
    return EXIT_BAD_OPTION;
  }
  return 0;
}

static int check_numbers(const struct js_option_words *words, const char *program) {
  static const char *const powers[] = {"secure-heap", "secure-heap-min"};
  for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
    const char *value = js_words_value(words, powers[i]);
    long size = value != NULL ? strtol(value, NULL, 10) : 0;
    if (size < 0 || (size & (size - 1)) != 0) {
      fprintf(stderr, "%s: --%s must be a power of 2\n", program, powers[i]);
      return EXIT_BAD_OPTION;
    }
  }
  const char *share = js_words_value(words, "max-old-space-size-percentage");
  char *end = NULL;
  double percentage = share != NULL ? strtod(share, &end) : 1;
  if (share != NULL && (end == share || (*end != 0 && strcmp(end, "%") != 0) || percentage <= 0 || percentage > 100))
    return complain(program, "--max-old-space-size-percentage must be greater than 0 and up to 100. Got: ", share);
  const char *port = js_words_value(words, "inspect-port");
  if (port == NULL)
    port = js_words_value(words, "debug-port");
  const char *colon = port != NULL ? strrchr(port, ':') : NULL;
  long number = port != NULL ? strtol(colon != NULL ? colon + 1 : port, NULL, 10) : 0;
  if (number != 0 && (number < 1024 || number > 65535))
    return complain(program, "must be 0 or in range 1024 to 65535.", "");
  return 0;
}

int js_options_check(const struct js_option_words *words, const char *program) {
  for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
    const char *value = js_words_value(words, choices[i].name);
    if (value != NULL && !is_among(value, choices[i].values))
      return complain(program, choices[i].complaint, "");
  }
  const char *mode = js_words_value(words, "disable-proto");
  if (mode != NULL && !is_among(mode, " delete throw ")) {
    complain(program, "invalid mode passed to --disable-proto", "");
    return EXIT_BAD_MODE;
  }
  const char *pages = js_words_value(words, "use-largepages");
  if (pages != NULL && strcmp(pages, "on") == 0)
    fprintf(stderr, "%s: --use-largepages is no longer supported.\n", program);
  int code = check_numbers(words, program);
  return code != 0 ? code : check_pairs(words, program);
}

/* ---- Node's variables ---- */

/* Variables of the environment that Node reads and this runtime cannot obey. A variable that is silently ignored would
 * leave a program without what it relies on: the one that stands for a refused option is refused, too, and the others
 * are said to have no effect. */
static const struct {
  const char *name;
  const char *value;  /* that Node obeys; null: any but an empty one */
  const char *option; /* of the table, which says why it is refused; or null */
  const char *why;    /* without an option */
  bool refused;
} variables[] = {
    {"NODE_USE_ENV_PROXY", "1", "use-env-proxy", NULL, true},
    {"NODE_V8_COVERAGE", NULL, NULL, "this runtime does not write V8's coverage", false},
    {"NODE_ICU_DATA", NULL, "icu-data-dir", NULL, false},
    {"NODE_REPL_EXTERNAL_MODULE", NULL, NULL, "the REPL is the runtime's own", false},
};

static bool is_given(const char *name, const char *wanted) {
  const char *value = getenv(name);
  return value != NULL && *value != '\0' && (wanted == NULL || strcmp(value, wanted) == 0);
}

int js_options_check_environment(const char *program) {
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    if (!is_given(variables[i].name, variables[i].value))
      continue;
    const char *option = variables[i].option;
    const char *why = option == NULL ? variables[i].why : js_option_find(option, strlen(option))->refusal;
    if (variables[i].refused) {
      fprintf(stderr, "%s: %s is not supported: %s\n", program, variables[i].name, why);
      return EXIT_BAD_OPTION;
    }
    if (!is_given("NODE_NO_WARNINGS", "1"))
      fprintf(stderr, "%s: %s has no effect: %s\n", program, variables[i].name, why);
  }
  return 0;
}
