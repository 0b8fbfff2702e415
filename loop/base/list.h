/* Circular, doubly linked lists threaded through their members.
 * Invariant: a link is in exactly one list, or points at itself. */
#ifndef ROTA_BASE_LIST_H
#define ROTA_BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "uv.h"

#define rota__container_of(pointer, type, member) ((type *)((char *)(pointer)-offsetof(type, member)))

static inline void rota__list_init(struct rota_link *list) {
  list->next = list;
  list->prev = list;
}

static inline bool rota__list_empty(const struct rota_link *list) {
  return list->next == list;
}

/* The same for a member: whether it is in no list. */
static inline bool rota__link_is_linked(const struct rota_link *link) {
  return link->next != link;
}

static inline struct rota_link *rota__list_first(const struct rota_link *list) {
  return list->next;
}

static inline void rota__list_append(struct rota_link *list, struct rota_link *link) {
  link->next = list;
  link->prev = list->prev;
  list->prev->next = link;
  list->prev = link;
}

static inline void rota__list_prepend(struct rota_link *list, struct rota_link *link) {
  rota__list_append(list->next, link);
}

/* Leaves the link pointing at itself, so that removing twice is harmless. */
static inline void rota__list_remove(struct rota_link *link) {
  link->prev->next = link->next;
  link->next->prev = link->prev;
  rota__list_init(link);
}

/* Moves all members of `from` to the end of `to`. */
static inline void rota__list_splice(struct rota_link *to, struct rota_link *from) {
  if (rota__list_empty(from))
    return;
  from->next->prev = to->prev;
  to->prev->next = from->next;
  from->prev->next = to;
  to->prev = from->prev;
  rota__list_init(from);
}

/* Empties `from` into the uninitialised `to`: a snapshot that later additions to `from` do not join. */
static inline void rota__list_take(struct rota_link *to, struct rota_link *from) {
  rota__list_init(to);
  rota__list_splice(to, from);
}

#endif
