/* What can be set from outside: variables of the environment, and the options that stand for them. settings.table has
 * all of them; the build makes generated/settings.h of it.
 *
 * Whoever reads a value, of a variable or of an option, asks these functions: ranges and messages are the same
 * everywhere. A message names the setting as the user gave it, and says what its value must be:
 *
 *   rota: ROTA_SAMPLES=soon: must be a number of milliseconds from 1 to 10000
 *   rota trace: --samples=soon: must be a number of milliseconds from 1 to 10000 */
#ifndef ROTA_SETTINGS_SETTING_H
#define ROTA_SETTINGS_SETTING_H

#include <stdbool.h>
#include <stddef.h>

#include "generated/settings.h"
#include "rota.h"

enum rota_value {
  ROTA_VALUE_FLAG,   /* 1 */
  ROTA_VALUE_SWITCH, /* 1 or 0; the option takes on or off */
  ROTA_VALUE_FILE,
  ROTA_VALUE_MILLISECONDS,
  ROTA_VALUE_SECONDS,
  ROTA_VALUE_NUMBER,
  ROTA_VALUE_TIME,     /* of rota_virtual_time_start */
  ROTA_VALUE_CHOICES,  /* words of `choice` in the table, separated by commas */
  ROTA_VALUE_GROUPS,   /* of `group`, or "all" */
  ROTA_VALUE_FORMAT,   /* text or json */
  ROTA_VALUE_RATE,     /* 20/minute */
  ROTA_VALUE_ENDPOINT, /* where metrics are served, "otlp", or both */
  ROTA_VALUE_WORD,
  ROTA_VALUE_INTERNAL /* set by rota for processes that it starts */
};

struct rota_setting_row {
  const char *variable;
  const char *option; /* of rota for scripts; null: none */
  enum rota_value value;
  unsigned long long most; /* that a number may be */
  const char *usual;       /* the value of an option that is given without one; null: it needs one */
};

extern const struct rota_setting_row rota__settings[ROTA_SETTING_COUNT];
extern const char *const rota__choice_names[ROTA_CHOICE_COUNT];

/* How the user gave a value. */
struct rota_given {
  const char *command; /* "rota trace" is "trace"; null: rota itself, or a variable */
  const char *name;    /* of the option or the variable */
  const char *text;    /* null: there is none */
};

/* Prints that the value is wrong, and what it must be. */
void rota__setting_refuse(enum rota_setting setting, struct rota_given given);

/* A number from 1, or from 0 for the kind `number`, to the most that the table says. */
bool rota__setting_read_number(enum rota_setting setting, const char *text, unsigned long long *number);
/* The words of a list as bits, by their places in the table. False: one of them is unknown. */
bool rota__setting_read_words(enum rota_setting setting, const char *text, unsigned int *bits);
/* So many in a second, a minute or an hour: "20/minute". */
struct rota_rate {
  unsigned int count, seconds;
};
bool rota__setting_read_rate(const char *text, struct rota_rate *rate);
/* virtual_time.c: "1", or from=DATE, grace=MS, by-hand. A date: 2026-01-31, 2026-01-31T12:30:00Z, or milliseconds since
 * 1970. 0 or UV_EINVAL. */
int rota__setting_read_time(const char *text, rota_virtual_time_options_t *options);

/* endpoint.c: [HOST:]PORT, "otlp", or both with a comma between; 1 is the usual address. A host is an address in
 * numbers, of IPv6 in brackets, or localhost; without one it is this machine's own, which no other can reach. */
struct rota_endpoint {
  bool listens, pushes;
  char host[48];
  unsigned int port; /* 0: one that is free */
};
bool rota__setting_read_endpoint(const char *text, struct rota_endpoint *endpoint);

/* Whether the value may be given to this setting. If not, rota__setting_refuse has said so. */
bool rota__setting_check(enum rota_setting setting, struct rota_given given);

/* nearest.c: the name that a misspelt word may mean. A word is offered all names, one by one; `best` is null if none is
 * near. */
struct rota_nearest {
  const char *word;
  size_t length; /* of the word, without a value behind = */
  const char *best;
  unsigned int distance;
};

struct rota_nearest rota__nearest_begin(const char *word);
void rota__nearest_offer(struct rota_nearest *nearest, const char *name);

/* environment.c, which is a part of the library: the value of the variable. Null: not set, empty, or 0. Also null in a
 * program with more rights than its user, which must not write files for the user. */
const char *rota__setting_value(enum rota_setting setting);
/* The same, and 0 is a value, too. */
const char *rota__setting_text(enum rota_setting setting);
/* 0: there is none, or it is wrong, which was printed. */
unsigned long long rota__setting_number(enum rota_setting setting);

#endif
