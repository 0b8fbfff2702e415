/* A path is told by its name relative to the watched directory. Events of the directory itself are left out: kqueue
 * tells them. The system merges events of one path that are near in time, so an event may have many flags: it becomes
 * at most two changes, first the place, then the contents, as if they had come one by one. */
#include "loop/os/darwin/fsevents.h"

#include <string.h>

#include "loop/base/alloc.h"

enum {
  PLACE = ROTA_TREE_MUST_SCAN | ROTA_TREE_MOUNT | ROTA_TREE_UNMOUNT | ROTA_TREE_CREATED | ROTA_TREE_REMOVED |
          ROTA_TREE_RENAMED,
  CONTENTS = ROTA_TREE_INODE_CHANGED | ROTA_TREE_MODIFIED | ROTA_TREE_FINDER_CHANGED | ROTA_TREE_OWNER_CHANGED |
             ROTA_TREE_ATTRIBUTE_CHANGED,
};
enum { IS_PLACE = 'p', IS_CONTENTS = 'c' };
enum { ROOM_FIRST = 1024, ROOM_MOST = 1024 * 1024, NAME_MOST = 3072 /* must fit into rota_os_changes */ };

struct rota_os_tree *rota__os_tree_make(const char *root, bool is_recursive) {
  size_t length = strlen(root);
  while (length > 0 && root[length - 1] == '/')
    length--;
  struct rota_os_tree *tree = rota__calloc(1, sizeof(*tree) + length + 1);
  if (tree == NULL)
    return NULL;
  if (pthread_mutex_init(&tree->lock, NULL) != 0) {
    rota__free(tree);
    return NULL;
  }
  memcpy(tree->root, root, length);
  tree->root_length = length;
  tree->is_recursive = is_recursive;
  return tree;
}

void rota__os_tree_free(struct rota_os_tree *tree) {
  pthread_mutex_destroy(&tree->lock);
  rota__free(tree->pending.bytes);
  rota__free(tree->taken.bytes);
  rota__free(tree);
}

/* ---- the system's thread ---- */

static bool has_room(struct rota_os_tree_queue *queue, size_t size) {
  size_t room = queue->room == 0 ? ROOM_FIRST : queue->room;
  while (room - queue->length < size)
    room *= 2;
  if (room == queue->room)
    return true;
  char *larger = room > ROOM_MOST ? NULL : rota__realloc(queue->bytes, room);
  if (larger == NULL)
    return false;
  queue->bytes = larger;
  queue->room = room;
  return true;
}

/* Without room, the names do not help any more: the directory as a whole has changed. */
static void lose(struct rota_os_tree_queue *queue) {
  queue->length = 0;
  queue->lost = true;
}

static void put(struct rota_os_tree_queue *queue, char kind, const char *name, size_t length) {
  if (queue->lost)
    return;
  if (length > NAME_MOST || !has_room(queue, length + 2)) {
    lose(queue);
    return;
  }
  char *place = queue->bytes + queue->length;
  place[0] = kind;
  memcpy(place + 1, name, length);
  place[1 + length] = '\0';
  queue->length += length + 2;
}

/* Is it the root, or a directory that has it somewhere inside? */
static bool holds_root(const struct rota_os_tree *tree, const char *path, size_t length) {
  return length <= tree->root_length && memcmp(path, tree->root, length) == 0 &&
         (length == tree->root_length || tree->root[length] == '/');
}

static bool is_inside(const struct rota_os_tree *tree, const char *path, size_t length) {
  return length > tree->root_length && memcmp(path, tree->root, tree->root_length) == 0 &&
         path[tree->root_length] == '/';
}

static void put_event(struct rota_os_tree *tree, const char *path, size_t length, uint32_t flags) {
  if (flags & ROTA_TREE_MUST_SCAN && holds_root(tree, path, length)) {
    lose(&tree->pending);
    return;
  }
  if (!is_inside(tree, path, length))
    return;
  const char *name = path + tree->root_length + 1;
  length -= tree->root_length + 1;
  if (!tree->is_recursive && memchr(name, '/', length) != NULL)
    return;
  if (flags & PLACE)
    put(&tree->pending, IS_PLACE, name, length);
  if (flags & CONTENTS && !(flags & ROTA_TREE_REMOVED)) /* of what was removed, the contents do not matter */
    put(&tree->pending, IS_CONTENTS, name, length);
}

bool rota__os_tree_tell(struct rota_os_tree *tree, const char *path, uint32_t flags) {
  size_t length = strlen(path);
  if (flags & ROTA_TREE_HISTORY_DONE)
    return false;
  while (length > 0 && path[length - 1] == '/') /* so it writes directories */
    length--;
  pthread_mutex_lock(&tree->lock);
  put_event(tree, path, length, flags);
  bool waits = tree->pending.lost || tree->pending.length > 0;
  pthread_mutex_unlock(&tree->lock);
  return waits;
}

/* ---- the loop's thread ---- */

/* Takes all that is pending, and leaves the emptied queue with its memory in its place. */
static void take(struct rota_os_tree *tree) {
  struct rota_os_tree_queue empty = tree->taken;
  empty.length = 0;
  empty.lost = false;
  tree->at = 0;
  pthread_mutex_lock(&tree->lock);
  tree->taken = tree->pending;
  tree->pending = empty;
  pthread_mutex_unlock(&tree->lock);
}

bool rota__os_tree_first(struct rota_os_tree *tree, struct rota_os_change *change) {
  if (!tree->taken.lost && tree->at >= tree->taken.length)
    take(tree);
  if (tree->taken.lost) {
    *change = (struct rota_os_change){.place = true};
    return true;
  }
  if (tree->at >= tree->taken.length)
    return false;
  const char *record = tree->taken.bytes + tree->at;
  *change = (struct rota_os_change){
      .contents = record[0] == IS_CONTENTS,
      .place = record[0] == IS_PLACE,
      .name = record + 1,
  };
  return true;
}

/* What is lost stands alone in its queue. */
void rota__os_tree_drop(struct rota_os_tree *tree) {
  if (tree->taken.lost)
    tree->taken.lost = false;
  else
    tree->at += strlen(tree->taken.bytes + tree->at) + 1;
}
