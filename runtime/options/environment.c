/* Variables of the environment that Node reads and this runtime cannot obey. A variable that is silently ignored would
 * leave a program without what it relies on: the one that stands for a refused option is refused, too, and the others
 * are said to have no effect. */
#include "runtime/options/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_BAD_OPTION = 9 };

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
