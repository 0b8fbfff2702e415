/* uv_fs_event of POSIX.
 *
 * A loop has one notifier (loop/os/watch.h), opened when it is first needed. The kernel may give one watch for each
 * file, whatever its path, so the handles on one file share a watch. Invariant: a started handle is in the list of its
 * watch; a watch is in the table while it has handles, or while one of its events is being reported. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/list.h"
#include "loop/core/handle.h"
#include "loop/core/internal.h"
#include "loop/fs/event.h"
#include "loop/os/watch.h"

enum { READS_MAX = 32 }; /* for one wake-up: other descriptors must have their turn, too */

struct rota_fs_watch {
  struct rota_fs_watch *next; /* of the same bucket */
  struct rota_link handles;
  int descriptor;
  bool telling; /* must not be freed now */
};

struct notifier {
  struct rota_attachment attachment;
  struct rota_os_notifier *system;
  struct rota_watcher watcher; /* of its descriptor; -1: there is none */
  /* The kernel numbers watches in sequence, so their low bits are well distributed. */
  struct rota_fs_watch **buckets;
  size_t bucket_count; /* a power of two */
  size_t watch_count;
};

static const char notifier_key;

static void on_readable(uv_loop_t *loop, struct rota_watcher *watcher, unsigned int events);
static void release_notifier(uv_loop_t *loop, struct rota_attachment *attachment);
static int fork_notifier(uv_loop_t *loop, struct rota_attachment *attachment);

/* ---- the notifier of a loop ---- */

static struct notifier *find_notifier(const uv_loop_t *loop) {
  struct rota_attachment *attachment = rota__loop_attachment(loop, &notifier_key);
  return attachment == NULL ? NULL : rota__container_of(attachment, struct notifier, attachment);
}

static int open_descriptor(uv_loop_t *loop, struct notifier *notifier) {
  rota__watcher_init(&notifier->watcher, on_readable, -1);
  int err = rota__os_watch_open(&notifier->system);
  if (err < 0)
    return err;
  notifier->watcher.fd = rota__os_watch_fd(notifier->system);
  err = rota__watcher_start(loop, &notifier->watcher, POLLIN);
  if (err < 0) {
    notifier->watcher.fd = -1;
    rota__os_watch_close(notifier->system);
  }
  return err;
}

static void close_descriptor(uv_loop_t *loop, struct notifier *notifier) {
  if (notifier->watcher.fd < 0)
    return;
  rota__watcher_close(loop, &notifier->watcher);
  notifier->watcher.fd = -1;
  rota__os_watch_close(notifier->system);
}

static int get_notifier(uv_loop_t *loop, struct notifier **result) {
  struct notifier *notifier = find_notifier(loop);
  int err = UV_ENOMEM;
  if (notifier != NULL) {
    *result = notifier;
    /* After a fork, there is no notifier if the process had no free descriptor. */
    return notifier->watcher.fd < 0 ? open_descriptor(loop, notifier) : 0;
  }
  notifier = rota__calloc(1, sizeof(*notifier));
  if (notifier == NULL)
    return UV_ENOMEM;
  notifier->bucket_count = 16;
  notifier->buckets = rota__calloc(notifier->bucket_count, sizeof(struct rota_fs_watch *));
  if (notifier->buckets == NULL)
    goto fail;
  err = open_descriptor(loop, notifier);
  if (err < 0)
    goto fail;
  notifier->attachment.key = &notifier_key;
  notifier->attachment.release = release_notifier;
  notifier->attachment.fork = fork_notifier;
  rota__loop_attach(loop, &notifier->attachment);
  *result = notifier;
  return 0;

fail:
  rota__free(notifier->buckets);
  rota__free(notifier);
  return err;
}

/* ---- watches ---- */

static struct rota_fs_watch **bucket_of(const struct notifier *notifier, int descriptor) {
  return &notifier->buckets[(unsigned int)descriptor & (notifier->bucket_count - 1)];
}

static struct rota_fs_watch *find_watch(const struct notifier *notifier, int descriptor) {
  struct rota_fs_watch *watch = *bucket_of(notifier, descriptor);
  while (watch != NULL && watch->descriptor != descriptor)
    watch = watch->next;
  return watch;
}

/* A table that cannot grow is slower, but works. */
static void grow_table(struct notifier *notifier) {
  struct rota_fs_watch **old = notifier->buckets;
  size_t old_count = notifier->bucket_count;
  struct rota_fs_watch **larger = rota__calloc(old_count * 4, sizeof(struct rota_fs_watch *));
  if (larger == NULL)
    return;
  notifier->buckets = larger;
  notifier->bucket_count = old_count * 4;
  for (size_t i = 0; i < old_count; i++) {
    while (old[i] != NULL) {
      struct rota_fs_watch *watch = old[i];
      old[i] = watch->next;
      struct rota_fs_watch **bucket = bucket_of(notifier, watch->descriptor);
      watch->next = *bucket;
      *bucket = watch;
    }
  }
  rota__free(old);
}

static int watch_path(struct notifier *notifier, uv_fs_event_t *handle) {
  int descriptor =
      rota__os_watch_add(notifier->system, handle->path, (handle->flags & ROTA_FS_EVENT_IS_RECURSIVE) != 0);
  if (descriptor < 0)
    return descriptor;
  struct rota_fs_watch *watch = find_watch(notifier, descriptor);
  if (watch == NULL) {
    watch = rota__malloc(sizeof(*watch));
    if (watch == NULL) {
      rota__os_watch_remove(notifier->system, descriptor);
      return UV_ENOMEM;
    }
    if (notifier->watch_count >= 2 * notifier->bucket_count)
      grow_table(notifier);
    struct rota_fs_watch **bucket = bucket_of(notifier, descriptor);
    *watch = (struct rota_fs_watch){.next = *bucket, .descriptor = descriptor};
    rota__list_init(&watch->handles);
    *bucket = watch;
    notifier->watch_count++;
  }
  rota__list_append(&watch->handles, &handle->link);
  handle->watch = watch;
  return 0;
}

static void drop_watch(struct notifier *notifier, struct rota_fs_watch *watch) {
  struct rota_fs_watch **place = bucket_of(notifier, watch->descriptor);
  while (*place != watch)
    place = &(*place)->next;
  *place = watch->next;
  notifier->watch_count--;
  rota__free(watch);
}

/* If the file was removed, the kernel's watch is gone too: then removing it fails, which does no harm. */
static void drop_watch_if_unused(struct notifier *notifier, struct rota_fs_watch *watch) {
  if (!rota__list_empty(&watch->handles) || watch->telling)
    return;
  rota__os_watch_remove(notifier->system, watch->descriptor);
  drop_watch(notifier, watch);
}

/* ---- events ---- */

static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

static void tell(uv_loop_t *loop, struct notifier *notifier, const struct rota_os_change *change) {
  struct rota_fs_watch *watch = find_watch(notifier, change->watch);
  if (watch == NULL)
    return; /* stopped since */

  int events = (change->contents ? UV_CHANGE : 0) | (change->place ? UV_RENAME : 0);

  /* Each handle goes back to the list before its callback, which may remove it. A handle added now gets the next event,
   * not this one. */
  struct rota_link untold;
  rota__list_take(&untold, &watch->handles);
  watch->telling = true;
  while (!rota__list_empty(&untold)) {
    struct rota_link *link = rota__list_first(&untold);
    rota__list_remove(link);
    rota__list_append(&watch->handles, link);
    uv_fs_event_t *handle = rota__container_of(link, uv_fs_event_t, link);
    /* An event of an entry in the watched directory has a name; an event of the watched file itself has none. */
    const char *name = change->name != NULL ? change->name : last_part(handle->path);
    rota__handle_call_begin(loop, handle, (rota_function)handle->cb);
    handle->cb(handle, name, events, 0);
    rota__call_end(loop);
  }
  watch->telling = false;
  drop_watch_if_unused(notifier, watch);
}

static void on_readable(uv_loop_t *loop, struct rota_watcher *watcher, unsigned int events) {
  struct notifier *notifier = rota__container_of(watcher, struct notifier, watcher);
  struct rota_os_changes changes;
  struct rota_os_change change;
  (void)events;
  for (int i = 0; i < READS_MAX && rota__os_watch_read(notifier->system, &changes) > 0; i++)
    while (rota__os_watch_next(&changes, &change))
      tell(loop, notifier, &change);
}

/* ---- handles ---- */

/* Of the flags, libuv gives a meaning to one, and most systems to none. */
int rota__fs_event_watch(uv_fs_event_t *handle, unsigned int flags) {
  struct notifier *notifier = NULL;
  int err = get_notifier(handle->loop, &notifier);
  if (err < 0)
    return err;
  rota__list_init(&handle->link);
  handle->flags &= ~(unsigned int)ROTA_FS_EVENT_IS_RECURSIVE;
  if (flags & UV_FS_EVENT_RECURSIVE)
    handle->flags |= ROTA_FS_EVENT_IS_RECURSIVE;
  return watch_path(notifier, handle);
}

void rota__fs_event_unwatch(uv_fs_event_t *handle) {
  rota__list_remove(&handle->link);
  if (handle->watch != NULL)
    drop_watch_if_unused(find_notifier(handle->loop), handle->watch);
}

/* ---- closing a loop, and its copy in a child process ---- */

static void forget_watches(struct notifier *notifier, struct rota_link *handles) {
  rota__list_init(handles);
  for (size_t i = 0; i < notifier->bucket_count; i++) {
    while (notifier->buckets[i] != NULL) {
      struct rota_fs_watch *watch = notifier->buckets[i];
      rota__list_splice(handles, &watch->handles);
      drop_watch(notifier, watch);
    }
  }
}

static void release_notifier(uv_loop_t *loop, struct rota_attachment *attachment) {
  struct notifier *notifier = rota__container_of(attachment, struct notifier, attachment);
  struct rota_link handles;
  close_descriptor(loop, notifier);
  forget_watches(notifier, &handles);
  rota__free(notifier->buckets);
  rota__free(notifier);
}

/* The child must not read the parent's notifier, or the parent would lose events. All files are watched again through a
 * new one. A handle whose file is gone stays started and gets no more events. */
static int fork_notifier(uv_loop_t *loop, struct rota_attachment *attachment) {
  struct notifier *notifier = rota__container_of(attachment, struct notifier, attachment);
  struct rota_link handles;
  close_descriptor(loop, notifier);
  forget_watches(notifier, &handles);
  int result = open_descriptor(loop, notifier);
  while (!rota__list_empty(&handles)) {
    uv_fs_event_t *handle = rota__container_of(rota__list_first(&handles), uv_fs_event_t, link);
    rota__list_remove(&handle->link);
    handle->watch = NULL;
    int err = notifier->watcher.fd < 0 ? 0 : watch_path(notifier, handle);
    if (err < 0 && result == 0)
      result = err;
  }
  return result;
}
