/* Reading options by the table: one argument of the command line, or the words of NODE_OPTIONS. Error messages are
 * Node's. */
#include "runtime/options/table.h"
#include "settings/setting.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_MAX_LENGTH = 64, EXIT_BAD_OPTION = 9 };

__attribute__((format(printf, 2, 3))) static int complain(const char *program, const char *format, ...) {
  if (program == NULL)
    return EXIT_BAD_OPTION;
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s: ", program);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  return EXIT_BAD_OPTION;
}

/* An option in an argument: where its name ends, and whether it was turned round. */
struct given {
  const struct js_option *option;
  const char *argument, *value; /* the part after =, or null */
  char name[NAME_MAX_LENGTH];   /* with hyphens, without --, with no- */
  bool negated;
};

static bool take_name(struct given *given, const char *argument) {
  size_t length = strcspn(argument, "=");
  if (length < 2 || length - 2 >= sizeof given->name)
    return false;
  for (size_t i = 2; i < length; i++)
    given->name[i - 2] = argument[i] == '_' ? '-' : argument[i];
  given->name[length - 2] = 0;
  given->argument = argument;
  given->value = argument[length] == '=' ? argument + length + 1 : NULL;
  given->negated = false;
  given->option = js_option_find(given->name, length - 2);
  if (given->option == NULL && strncmp(given->name, "no-", 3) == 0) {
    given->option = js_option_find(given->name + 3, length - 5);
    given->negated = given->option != NULL;
  }
  return given->option != NULL;
}

static int add_word(struct js_option_words *words, const char *program, const char *name, const char *value) {
  size_t room = strlen(name) + (value != NULL ? strlen(value) : 0) + 4;
  char *word = malloc(room);
  char **texts = realloc(words->texts, ((size_t)words->count + 1) * sizeof *texts);
  if (texts != NULL)
    words->texts = texts;
  if (word == NULL || texts == NULL) {
    free(word);
    return complain(program, "out of memory");
  }
  snprintf(word, room, value != NULL ? "--%s=%s" : "--%s", name, value != NULL ? value : "");
  words->texts[words->count++] = word;
  return 0;
}

/* A word that looks like an option is not taken as a value, unless it begins with a backslash. */
static const char *next_as_value(int argc, char **argv, int *at) {
  if (*at + 1 >= argc || argv[*at + 1][0] == '-' || argv[*at + 1][0] == 0)
    return NULL;
  const char *value = argv[++*at];
  return value[0] == '\\' && value[1] == '-' ? value + 1 : value;
}

static const char *long_form(const char *argument) {
  if (strcmp(argument, "-r") == 0)
    return "--require";
  return strcmp(argument, "-C") == 0 ? "--conditions" : argument;
}

/* The option that a misspelt one may mean, if one is near. */
static void print_nearest(const char *argument) {
  struct rota_nearest nearest = rota__nearest_begin(argument + strspn(argument, "-"));
  const struct js_option *option;
  for (size_t i = 0; (option = js_option_at(i)) != NULL; i++)
    if (option->effect != JS_OPTION_REFUSED)
      rota__nearest_offer(&nearest, option->name);
  if (nearest.best != NULL)
    fprintf(stderr, "Did you mean --%s? ", nearest.best);
  fputs("rota help options lists the options.\n", stderr);
}

int js_option_read(struct js_option_words *words, const char *program, int argc, char **argv, int *at,
                   bool from_environment) {
  struct given given = {0};
  const char *argument = long_form(argv[*at]);
  bool known = strncmp(argument, "--", 2) == 0 && take_name(&given, argument);
  if (from_environment && (!known || !given.option->in_environment))
    return complain(program, "%.*s is not allowed in NODE_OPTIONS",
                    (int)strcspn(argument, "=") + (strchr(argument, '=') != NULL), argument);
  if (!known) {
    int result = complain(program, "bad option: %s", argument);
    if (program != NULL && isatty(STDERR_FILENO)) /* a program may compare the line above with Node's */
      print_nearest(argument);
    return result;
  }
  const struct js_option *option = given.option;
  if (option->kind == JS_OPTION_VALUE) {
    if (given.negated)
      return complain(program, "%s is an invalid negation because it is not a boolean option", argument);
    const char *value = given.value != NULL ? given.value : next_as_value(argc, argv, at);
    if (value == NULL && strcmp(option->name, "run") == 0)
      value = ""; /* the scripts are listed */
    else if (value == NULL || *value == 0)
      return complain(program, "%s%s requires an argument", given.value != NULL ? "" : argv[*at],
                      given.value != NULL ? argument : "");
    given.value = value;
  } else if (option->kind == JS_OPTION_FLAG) {
    given.value = NULL; /* Node, too, takes --flag=anything for --flag */
  }
  if (option->effect == JS_OPTION_REFUSED && !given.negated)
    return complain(program, "--%s is not supported: %s", option->name, option->refusal);
  return add_word(words, program, given.name, given.value);
}

/* The next word of NODE_OPTIONS: words are separated by blanks; double quotes group them, and inside quotes a backslash
 * escapes the next character. -1: a quote is not closed. */
static int next_word(const char **at, char *word) {
  bool quoted = false;
  const char *p = *at;
  size_t length = 0;
  while (*p == ' ')
    p++;
  if (*p == 0)
    return 0;
  for (; *p != 0 && (quoted || *p != ' '); p++) {
    if (*p == '"')
      quoted = !quoted;
    else if (*p == '\\' && quoted && p[1] == 0)
      return -1;
    else
      word[length++] = *p == '\\' && quoted ? *++p : *p;
  }
  word[length] = 0;
  *at = p;
  return quoted ? -1 : 1;
}

static int split(const char *text, char *room, char **list) {
  int count = 0, more;
  const char *at = text;
  while ((more = next_word(&at, room)) > 0) {
    list[count++] = room;
    room += strlen(room) + 1;
  }
  return more < 0 ? -1 : count;
}

/* A word that is no option is passed over, as Node does. */
static int read_list(struct js_option_words *words, const char *program, int count, char **list) {
  for (int i = 0; i < count; i++) {
    if (list[i][0] != '-' || list[i][1] == 0)
      continue;
    int code = js_option_read(words, program, count, list, &i, true);
    if (code != 0)
      return code;
  }
  return 0;
}

int js_options_read_environment(struct js_option_words *words, const char *program, const char *text) {
  size_t length = text != NULL ? strlen(text) : 0;
  if (length == 0)
    return 0;
  char *room = malloc(length + 2);
  char **list = calloc(length / 2 + 2, sizeof *list);
  int count = room != NULL && list != NULL ? split(text, room, list) : 0;
  int code = count < 0 ? complain(program, "invalid value for NODE_OPTIONS (unterminated string)")
                       : read_list(words, program, count, list);
  if (room == NULL || list == NULL)
    code = complain(program, "out of memory");
  free(room);
  free(list);
  return code;
}

int js_words_append(struct js_option_words *words, const struct js_option_words *more) {
  char **texts = realloc(words->texts, (size_t)(words->count + more->count + 1) * sizeof *texts);
  if (texts == NULL)
    return 1;
  words->texts = texts;
  for (int i = 0; i < more->count; i++)
    texts[words->count++] = more->texts[i];
  return 0;
}

void js_words_free(struct js_option_words *words) {
  for (int i = 0; i < words->count; i++)
    free(words->texts[i]);
  free(words->texts);
}

const char *js_words_last(const struct js_option_words *words, const char *name) {
  for (int i = words->count - 1; i >= 0; i--) {
    const char *word = words->texts[i] + 2;
    size_t length = strcspn(word, "=");
    if (strncmp(word, "no-", 3) == 0 && strcmp(word + 3, name) == 0)
      return words->texts[i];
    if (strlen(name) == length && strncmp(word, name, length) == 0)
      return words->texts[i];
  }
  return NULL;
}

bool js_words_has(const struct js_option_words *words, const char *name) {
  const char *last = js_words_last(words, name);
  return last != NULL && strncmp(last + 2, name, strlen(name)) == 0;
}

const char *js_words_next_value(const struct js_option_words *words, const char *name, int *at) {
  size_t length = strlen(name);
  while (*at < words->count) {
    const char *word = words->texts[(*at)++] + 2;
    if (strncmp(word, name, length) == 0 && word[length] == '=')
      return word + length + 1;
  }
  return NULL;
}

const char *js_words_value(const struct js_option_words *words, const char *name) {
  const char *last = NULL;
  int at = 0;
  for (const char *value; (value = js_words_next_value(words, name, &at)) != NULL;)
    last = value;
  return last;
}
