#include "settings/setting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct rota_setting_row rota__settings[ROTA_SETTING_COUNT] = {ROTA_SETTING_ROWS};
const char *const rota__choice_names[ROTA_CHOICE_COUNT] = {ROTA_CHOICE_NAMES};

static const char *const group_names[ROTA_GROUP_COUNT] = {ROTA_GROUP_NAMES};
static const char all[] = "all";

/* ---- reading ---- */

bool rota__setting_read_number(enum rota_setting setting, const char *text, unsigned long long *number) {
  const struct rota_setting_row *row = &rota__settings[setting];
  char *end;
  *number = strtoull(text, &end, 10);
  /* strtoull takes blanks and signs, and turns what is too large into the largest number. */
  bool is_digits = text[0] >= '0' && text[0] <= '9' && *end == '\0';
  bool is_too_long = *number == ~0ull && strcmp(text, "18446744073709551615") != 0;
  unsigned long long least = row->value == ROTA_VALUE_NUMBER ? 0 : 1;
  return is_digits && !is_too_long && *number >= least && *number <= row->most;
}

static const char *const *names_of(enum rota_setting setting, unsigned int *count) {
  bool is_group = rota__settings[setting].value == ROTA_VALUE_GROUPS;
  *count = is_group ? ROTA_GROUP_COUNT : ROTA_CHOICE_COUNT;
  return is_group ? group_names : rota__choice_names;
}

static bool is_word(const char *name, const char *text, size_t length) {
  return strlen(name) == length && strncmp(name, text, length) == 0;
}

bool rota__setting_read_words(enum rota_setting setting, const char *text, unsigned int *bits) {
  unsigned int count;
  const char *const *names = names_of(setting, &count);
  *bits = 0;
  while (*text != '\0') {
    size_t length = strcspn(text, ",");
    unsigned int i = 0;
    while (i < count && !is_word(names[i], text, length))
      i++;
    if (i < count)
      *bits |= 1u << i;
    else if (names == group_names && is_word(all, text, length))
      *bits |= (1u << count) - 1;
    else
      return false;
    text += length + (text[length] == ',');
  }
  return true;
}

bool rota__setting_read_rate(const char *text, struct rota_rate *rate) {
  static const struct {
    const char *name;
    unsigned int seconds;
  } units[] = {{"/second", 1}, {"/minute", 60}, {"/hour", 3600}};
  char *end;
  unsigned long count = strtoul(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || count == 0 || count > 1000000)
    return false;
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
    if (strcmp(end, units[i].name) == 0) {
      *rate = (struct rota_rate){.count = (unsigned int)count, .seconds = units[i].seconds};
      return true;
    }
  return false;
}

bool rota__setting_check(enum rota_setting setting, struct rota_given given) {
  unsigned long long number;
  unsigned int bits;
  rota_virtual_time_options_t time;
  struct rota_rate rate;
  struct rota_endpoint endpoint;
  bool is_right = false;
  switch (rota__settings[setting].value) {
  case ROTA_VALUE_MILLISECONDS:
  case ROTA_VALUE_SECONDS:
  case ROTA_VALUE_NUMBER:
    is_right = rota__setting_read_number(setting, given.text, &number);
    break;
  case ROTA_VALUE_CHOICES:
  case ROTA_VALUE_GROUPS:
    is_right = rota__setting_read_words(setting, given.text, &bits);
    break;
  case ROTA_VALUE_SWITCH:
    is_right = strcmp(given.text, "on") == 0 || strcmp(given.text, "off") == 0;
    break;
  case ROTA_VALUE_FORMAT:
    is_right = strcmp(given.text, "text") == 0 || strcmp(given.text, "json") == 0;
    break;
  case ROTA_VALUE_RATE:
    is_right = rota__setting_read_rate(given.text, &rate);
    break;
  case ROTA_VALUE_TIME:
    is_right =
        given.text[0] != '\0' && (strcmp(given.text, "0") == 0 || rota__setting_read_time(given.text, &time) == 0);
    break;
  case ROTA_VALUE_ENDPOINT:
    is_right = strcmp(given.text, "0") == 0 || rota__setting_read_endpoint(given.text, &endpoint);
    break;
  default:
    is_right = given.text[0] != '\0';
  }
  if (!is_right)
    rota__setting_refuse(setting, given);
  return is_right;
}

/* ---- messages ---- */

static void print_words(enum rota_setting setting) {
  unsigned int count;
  const char *const *names = names_of(setting, &count);
  for (unsigned int i = 0; i < count; i++)
    fprintf(stderr, "%s%s", i == 0 ? "" : names != group_names && i + 1 == count ? " or " : ", ", names[i]);
  fprintf(stderr, "%s%s, separated by commas\n", names == group_names ? " or " : "", names == group_names ? all : "");
}

void rota__setting_refuse(enum rota_setting setting, struct rota_given given) {
  const struct rota_setting_row *row = &rota__settings[setting];
  fprintf(stderr, "rota%s%s: %s", given.command != NULL ? " " : "", given.command != NULL ? given.command : "",
          given.name);
  if (given.text != NULL)
    fprintf(stderr, "=%s", given.text);
  fputs(": must be ", stderr);
  switch (row->value) {
  case ROTA_VALUE_MILLISECONDS:
  case ROTA_VALUE_SECONDS:
    fprintf(stderr, "a number of %s from 1 to %llu\n", row->value == ROTA_VALUE_SECONDS ? "seconds" : "milliseconds",
            row->most);
    break;
  case ROTA_VALUE_NUMBER:
    fprintf(stderr, "a number from 0 to %llu\n", row->most);
    break;
  case ROTA_VALUE_TIME:
    fputs("1, or from=DATE, grace=MS, by-hand, separated by commas\n", stderr);
    break;
  case ROTA_VALUE_CHOICES:
  case ROTA_VALUE_GROUPS:
    print_words(setting);
    break;
  case ROTA_VALUE_ENDPOINT:
    fputs("a port, or an address with a port, such as 127.0.0.1:9464; otlp; or both, separated by a comma\n", stderr);
    break;
  case ROTA_VALUE_SWITCH:
    fputs("on or off\n", stderr);
    break;
  case ROTA_VALUE_FORMAT:
    fputs("text or json\n", stderr);
    break;
  case ROTA_VALUE_RATE:
    fputs("a number from 1 to 1000000 with its time, such as 20/minute (or /second, /hour)\n", stderr);
    break;
  default:
    fputs("the name of a file\n", stderr);
  }
}
