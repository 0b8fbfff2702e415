/* What is known of each option (table.c), and reading one argument by it (read.c). */
#ifndef JS_OPTIONS_TABLE_H
#define JS_OPTIONS_TABLE_H

#include <stdbool.h>
#include <stddef.h>

enum js_option_kind {
  JS_OPTION_FLAG,   /* --name, --no-name */
  JS_OPTION_VALUE,  /* --name=value, --name value */
  JS_OPTION_EITHER, /* --name, --no-name, --name=value */
};

enum js_option_effect {
  JS_OPTION_DONE,
  JS_OPTION_IGNORED, /* by Node itself */
  JS_OPTION_HINT,    /* advice to another engine, or about how another one does the same thing */
  JS_OPTION_REFUSED, /* unless it is --no-name */
};

struct js_option {
  const char *name; /* without hyphens in front */
  enum js_option_kind kind;
  bool in_environment; /* NODE_OPTIONS may hold it */
  enum js_option_effect effect;
  const char *refusal; /* why */
};

/* Null when there is none of that name. */
const struct js_option *js_option_find(const char *name, size_t length);
/* All of them, from 0; null behind the last. */
const struct js_option *js_option_at(size_t index);

/* What `rota --v8-options` and `--completion-bash` print; what `--help` prints is in command/help.c. */
void js_help_print_engine(void);
void js_help_print_completion(void);

/* Options as they were read, in one form: --name, --no-name or --name=value, with hyphens. */
struct js_option_words {
  char **texts;
  int count;
};

/* The words of `more` behind those that are there: 0, or the exit code. */
int js_words_append(struct js_option_words *words, const struct js_option_words *more);
void js_words_free(struct js_option_words *words);
/* What holds for a flag: the last of --name and --no-name; null when neither is there. */
const char *js_words_last(const struct js_option_words *words, const char *name);
bool js_words_has(const struct js_option_words *words, const char *name);
/* The value of --name=value, the last of them, or null; and the next one from a place that begins with 0. */
const char *js_words_value(const struct js_option_words *words, const char *name);
const char *js_words_next_value(const struct js_option_words *words, const char *name, int *at);

/* Reads the long option at argv[*at], which moves on to its value if that is the next argument. 0, or the exit code
 * after a complaint; without a program's name, none is made. */
int js_option_read(struct js_option_words *words, const char *program, int argc, char **argv, int *at,
                   bool from_environment);

/* NODE_OPTIONS: its words are read and checked. */
int js_options_read_environment(struct js_option_words *words, const char *program, const char *text);

/* What several options together must not say. */
int js_options_check(const struct js_option_words *words, const char *program);
/* Node's other variables: 0, or the exit code after a complaint about one that cannot be obeyed. */
int js_options_check_environment(const char *program);

#endif
