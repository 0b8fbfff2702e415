/* The value of virtual time: words separated by commas, name=value or name alone. */
#include "loop/base/units.h"
#include "settings/setting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_MAX = 64 };

/* Copies the next word; null: there is none, or it is too long, and then *text stays. */
static const char *next_word(const char **text, char word[WORD_MAX]) {
  size_t length = strcspn(*text, ",");
  if (length == 0 || length >= WORD_MAX)
    return NULL;
  memcpy(word, *text, length);
  word[length] = '\0';
  *text += length + ((*text)[length] == ',');
  return word;
}

static const char *value_of(const char *word, const char *name) {
  size_t length = strlen(name);
  return strncmp(word, name, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

static int number(const char *text, unsigned long long max, unsigned long long *value) {
  char *end;
  *value = strtoull(text, &end, 10);
  return text[0] >= '0' && text[0] <= '9' && *end == '\0' && *value <= max ? 0 : UV_EINVAL;
}

struct moment {
  int year;
  unsigned int month, day, hour, minute, second;
  int end; /* where the text behind it begins; -1: it has another shape */
};

/* Shapes: with seconds, with minutes, the day alone. */
static void read_moment(const char *text, const char *shape, size_t which, struct moment *at) {
  if (which <= 1)
    sscanf(text, shape, &at->year, &at->month, &at->day, &at->hour, &at->minute, &at->second, &at->end);
  else if (which == 2)
    sscanf(text, shape, &at->year, &at->month, &at->day, &at->hour, &at->minute, &at->end);
  else
    sscanf(text, shape, &at->year, &at->month, &at->day, &at->end);
}

/* The year begins in March here, so that the day of a leap year is its last. */
static int64_t seconds_since_1970(const struct moment *at) {
  int64_t year = at->year - (at->month <= 2);
  int64_t month = (at->month + 9) % 12;
  int64_t days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + at->day - 1 - 719468;
  return ((days * 24 + at->hour) * 60 + at->minute) * 60 + at->second;
}

static int date(const char *text, int64_t *ns) {
  static const char *const shapes[] = {"%4d-%2u-%2uT%2u:%2u:%2uZ%n", "%4d-%2u-%2uT%2u:%2u:%2u%n",
                                       "%4d-%2u-%2uT%2u:%2uZ%n", "%4d-%2u-%2u%n"};
  for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
    struct moment at = {.end = -1};
    read_moment(text, shapes[i], i, &at);
    if (at.end < 0 || text[at.end] != '\0')
      continue;
    if (at.month - 1 > 11 || at.day - 1 > 30 || at.hour > 23 || at.minute > 59 || at.second > 60)
      return UV_EINVAL;
    *ns = seconds_since_1970(&at) * NS_PER_SECOND;
    return *ns > 0 ? 0 : UV_EINVAL;
  }
  unsigned long long since_ms;
  if (number(text, INT64_MAX / NS_PER_MS, &since_ms) < 0 || since_ms == 0)
    return UV_EINVAL;
  *ns = (int64_t)since_ms * NS_PER_MS;
  return 0;
}

int rota__setting_read_time(const char *text, rota_virtual_time_options_t *options) {
  char word[WORD_MAX];
  unsigned long long grace_ms;
  *options = (rota_virtual_time_options_t){0};
  if (strcmp(text, "1") == 0)
    return 0;
  while (next_word(&text, word) != NULL) {
    const char *value;
    if (strcmp(word, "by-hand") == 0) {
      options->by_hand = 1;
    } else if ((value = value_of(word, "from")) != NULL) {
      if (date(value, &options->day_ns) < 0)
        return UV_EINVAL;
    } else if ((value = value_of(word, "grace")) != NULL) {
      if (number(value, UINT32_MAX, &grace_ms) < 0)
        return UV_EINVAL;
      options->grace_ms = (uint32_t)grace_ms;
    } else {
      return UV_EINVAL;
    }
  }
  return *text == '\0' ? 0 : UV_EINVAL;
}
