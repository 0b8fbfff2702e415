#include "settings/setting.h"

#include <string.h>

enum { LENGTH_MAX = 40 };

static unsigned int least(unsigned int a, unsigned int b) {
  return a < b ? a : b;
}

/* How many letters must be added, left out, replaced, or exchanged with their neighbour to make one word of the other.
 */
static unsigned int distance(const char *a, size_t a_length, const char *b, size_t b_length) {
  unsigned int rows[3][LENGTH_MAX + 1]; /* of the prefixes of `a` up to the last three letters */
  for (unsigned int j = 0; j <= b_length; j++)
    rows[0][j] = j;
  for (unsigned int i = 1; i <= a_length; i++) {
    unsigned int *row = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
    row[0] = i;
    for (unsigned int j = 1; j <= b_length; j++) {
      row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = least(row[j], before[j - 2] + 1);
    }
  }
  return rows[a_length % 3][b_length];
}

struct rota_nearest rota__nearest_begin(const char *word) {
  size_t length = strcspn(word, "=");
  /* A third of a word may be wrong. */
  return (struct rota_nearest){.word = word, .length = length, .distance = (unsigned int)(length / 3) + 1};
}

void rota__nearest_offer(struct rota_nearest *nearest, const char *name) {
  size_t length = strlen(name);
  if (nearest->length > LENGTH_MAX || length > LENGTH_MAX)
    return;
  unsigned int found = distance(nearest->word, nearest->length, name, length);
  if (found >= nearest->distance)
    return;
  nearest->distance = found;
  nearest->best = name;
}
