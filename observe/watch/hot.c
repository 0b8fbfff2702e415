#include "observe/watch/hot.h"

#include <string.h>

#include "observe/name/describe.h"

/* Names tell lines inside of a function, too: places in one function are one. Functions without a name are told apart
 * by their lines. */
static bool is_same_function(uint32_t a, uint32_t b) {
  const struct rota_name_entry *one = rota__name_find(a), *other = rota__name_find(b);
  if (a == b || one == NULL || other == NULL)
    return a == b;
  bool is_named = one->function[0] != '\0' && one->function[0] != '(';
  return is_named && strcmp(one->function, other->function) == 0 && strcmp(one->file, other->file) == 0;
}

/* 0: there is no room. */
static unsigned int child_of(struct rota_hot *hot, unsigned int parent, uint32_t name) {
  for (unsigned int i = 1; i < hot->count; i++)
    if (hot->nodes[i].parent == parent && is_same_function(hot->nodes[i].name, name))
      return i;
  if (hot->count == ROTA_HOT_NODES)
    return 0;
  hot->nodes[hot->count] = (struct rota_hot_node){.name = name, .parent = (uint16_t)parent};
  return hot->count++;
}

/* A majority of the time keeps its place. */
static void vote(struct rota_hot_node *node, uint32_t name, uint64_t took_ns) {
  if (node->name == name) {
    node->name_ns += took_ns;
  } else if (node->name_ns >= took_ns) {
    node->name_ns -= took_ns;
  } else {
    node->name = name;
    node->name_ns = took_ns - node->name_ns;
  }
}

void rota__hot_add(struct rota_hot *hot, const uint32_t *names, unsigned int count, uint64_t took_ns) {
  unsigned int at = 0;
  if (hot->count == 0)
    hot->count = 1;
  for (unsigned int i = 0; i < count; i++) {
    at = child_of(hot, at, names[i]);
    if (at == 0)
      return;
    hot->nodes[at].took_ns += took_ns;
    vote(&hot->nodes[at], names[i], took_ns);
  }
}

struct rota_hot_function rota__hot_find(const struct rota_hot *hot, uint64_t whole_ns) {
  struct rota_hot_function found = {0};
  for (unsigned int at = 0, next;; at = next) {
    next = 0;
    for (unsigned int i = 1; i < hot->count; i++)
      if (hot->nodes[i].parent == at && (next == 0 || hot->nodes[i].took_ns > hot->nodes[next].took_ns))
        next = i;
    if (next == 0 || hot->nodes[next].took_ns <= whole_ns / 2)
      return found;
    found = (struct rota_hot_function){
        .name = hot->nodes[next].name, .caller = found.name, .took_ns = hot->nodes[next].took_ns};
  }
}
