/* Which function takes the time of a callback: stacks that an embedder has taken while it ran, as a tree with times.
 *
 * The answer is the innermost function inside of which more than half of the whole time was spent, by what was seen.
 * Time that nobody has seen counts against all: rather no function than a wrong one. On the loop's thread only. */
#ifndef ROTA_WATCH_HOT_H
#define ROTA_WATCH_HOT_H

#include <stdbool.h>
#include <stdint.h>

enum { ROTA_HOT_NODES = 192 };

struct rota_hot_node {
  uint32_t name; /* of the place in it where most of the time was */
  uint64_t name_ns;
  uint64_t took_ns;
  uint16_t parent;
};

struct rota_hot {
  uint64_t sequence; /* of the callback, or the part of one, that it is about */
  unsigned int count;
  struct rota_hot_node nodes[ROTA_HOT_NODES]; /* the first is the root */
};

/* So much time in these functions, the outermost first. */
void rota__hot_add(struct rota_hot *hot, const uint32_t *names, unsigned int count, uint64_t took_ns);

struct rota_hot_function {
  uint32_t name; /* 0: there is none */
  uint32_t caller;
  uint64_t took_ns;
};

struct rota_hot_function rota__hot_find(const struct rota_hot *hot, uint64_t whole_ns);

#endif
