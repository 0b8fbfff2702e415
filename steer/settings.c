#include "steer/settings.h"
#include "loop/base/units.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

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

static int date(const char *text, int64_t *ns) {
  static const char *const shapes[] = {"%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%MZ", "%Y-%m-%d"};
  for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
    struct tm day = {0};
    const char *end = strptime(text, shapes[i], &day);
    if (end == NULL || *end != '\0')
      continue;
    *ns = (int64_t)timegm(&day) * NS_PER_SECOND;
    return *ns > 0 ? 0 : UV_EINVAL;
  }
  unsigned long long since_ms;
  if (number(text, INT64_MAX / NS_PER_MS, &since_ms) < 0 || since_ms == 0)
    return UV_EINVAL;
  *ns = (int64_t)since_ms * NS_PER_MS;
  return 0;
}

int rota__settings_of_time(const char *text, rota_virtual_time_options_t *options) {
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

int rota__settings_of_seed(const char *text, uint64_t *seed) {
  unsigned long long value;
  if (number(text, UINT64_MAX, &value) < 0)
    return UV_EINVAL;
  *seed = value;
  return 0;
}
