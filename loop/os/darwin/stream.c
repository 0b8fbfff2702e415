/* FSEvents, loaded when a directory is first watched: a program that watches none must not have two frameworks in its
 * memory. The declarations are our own, from Apple's documentation of CoreFoundation and of the File System Events API.
 *
 * A stream calls back on a serial dispatch queue of its own. The callback puts the changes into the tree, and triggers
 * a user event in the notifier's kqueue. Invariant: a stream is ended on its queue, so no callback runs or comes when
 * its memory is freed.
 *
 * CoreFoundation refuses to work in the child of a fork. There, directories are watched by kqueue alone, and what the
 * parent had is left as it is: its threads are not there, and its lock may be held for ever. */
#include "loop/os/darwin/fsevents.h"

#include <dispatch/dispatch.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/param.h>

#include "loop/base/alloc.h"
#include "loop/os/bsd/kqueue.h"
#include "loop/os/process.h"

/* ---- what is loaded ---- */

#define FRAMEWORK(name) "/System/Library/Frameworks/" name ".framework/Versions/A/" name

typedef const void *cf_ref;
typedef struct event_stream *event_stream_ref;
typedef void (*event_callback)(const struct event_stream *stream, void *info, size_t count, void *paths,
                               const uint32_t *flags, const uint64_t *ids);

struct event_context {
  long version;
  void *info;
  const void *(*retain)(const void *info);
  void (*release)(const void *info);
  cf_ref (*describe)(const void *info);
};

enum { CREATE_NO_DEFER = 0x2, CREATE_FILE_EVENTS = 0x10 };
#define SINCE_NOW UINT64_MAX
#define LATENCY_S 0.02 /* what comes within this time comes together */

static struct {
  bool is_there;
  int process; /* that loaded it */
  cf_ref (*string_create)(cf_ref allocator, const char *path);
  cf_ref (*array_create)(cf_ref allocator, const void **values, long count, const void *callbacks);
  const void *array_callbacks;
  void (*release)(cf_ref object);
  event_stream_ref (*stream_create)(cf_ref allocator, event_callback callback, struct event_context *context,
                                    cf_ref paths, uint64_t since, double latency, uint32_t flags);
  void (*stream_set_queue)(event_stream_ref stream, dispatch_queue_t queue);
  unsigned char (*stream_start)(event_stream_ref stream);
  void (*stream_stop)(event_stream_ref stream);
  void (*stream_invalidate)(event_stream_ref stream);
  void (*stream_release)(event_stream_ref stream);
} api;

static bool find(void *library, const char *name, void *place) {
  void *symbol = library == NULL ? NULL : dlsym(library, name);
  memcpy(place, (const void *)&symbol, sizeof(symbol));
  return symbol != NULL;
}

static void load(void) {
  void *foundation = dlopen(FRAMEWORK("CoreFoundation"), RTLD_LAZY | RTLD_LOCAL);
  void *services = dlopen(FRAMEWORK("CoreServices"), RTLD_LAZY | RTLD_LOCAL);
  api.process = rota__os_process_id();
  api.is_there = find(foundation, "CFStringCreateWithFileSystemRepresentation", (void *)&api.string_create) &&
                 find(foundation, "CFArrayCreate", (void *)&api.array_create) &&
                 find(foundation, "kCFTypeArrayCallBacks", (void *)&api.array_callbacks) &&
                 find(foundation, "CFRelease", (void *)&api.release) &&
                 find(services, "FSEventStreamCreate", (void *)&api.stream_create) &&
                 find(services, "FSEventStreamSetDispatchQueue", (void *)&api.stream_set_queue) &&
                 find(services, "FSEventStreamStart", (void *)&api.stream_start) &&
                 find(services, "FSEventStreamStop", (void *)&api.stream_stop) &&
                 find(services, "FSEventStreamInvalidate", (void *)&api.stream_invalidate) &&
                 find(services, "FSEventStreamRelease", (void *)&api.stream_release);
}

static bool can_be_used(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return api.is_there && api.process == rota__os_process_id();
}

/* ---- streams ---- */

struct rota_os_fsevents {
  struct rota_os_tree *tree;
  event_stream_ref events;
  dispatch_queue_t queue;
  int kqueue_fd;
  struct rota_os_file *directory;
  int process;
};

/* The descriptor of the directory is the number of the event: each watch has its own. */
static int change_event(const struct rota_os_fsevents *self, int flags, unsigned int notes) {
  struct kevent event;
  EV_SET(&event, (uintptr_t)self->directory->fd, EVFILT_USER, (uint16_t)flags, notes, 0, (void *)self->directory);
  return rota__os_kqueue_change(self->kqueue_fd, &event, 1);
}

static void on_events(const struct event_stream *events, void *info, size_t count, void *paths, const uint32_t *flags,
                      const uint64_t *ids) {
  const struct rota_os_fsevents *self = info;
  char **names = paths;
  bool waits = false;
  (void)events, (void)ids;
  for (size_t i = 0; i < count; i++)
    waits |= rota__os_tree_tell(self->tree, names[i], flags[i]);
  if (waits)
    change_event(self, 0, NOTE_TRIGGER);
}

static event_stream_ref make_events(struct rota_os_fsevents *self, const char *path) {
  struct event_context context = {.info = self};
  event_stream_ref events = NULL;
  cf_ref string = api.string_create(NULL, path);
  cf_ref paths = string == NULL ? NULL : api.array_create(NULL, &string, 1, api.array_callbacks);
  if (paths != NULL)
    events =
        api.stream_create(NULL, on_events, &context, paths, SINCE_NOW, LATENCY_S, CREATE_NO_DEFER | CREATE_FILE_EVENTS);
  if (paths != NULL)
    api.release(paths);
  if (string != NULL)
    api.release(string);
  return events;
}

static void end(void *context) {
  struct rota_os_fsevents *self = context;
  api.stream_stop(self->events);
  api.stream_invalidate(self->events);
}

static void stream_free(struct rota_os_fsevents *self) {
  if (self->events != NULL)
    api.stream_release(self->events);
  if (self->queue != NULL)
    dispatch_release(self->queue);
  if (self->tree != NULL)
    rota__os_tree_free(self->tree);
  rota__free(self);
}

/* A stream that does not start must be invalidated all the same, once it has its queue. */
static bool start(struct rota_os_fsevents *self, const char *path) {
  self->tree = rota__os_tree_make(path, self->directory->is_recursive);
  self->queue = self->tree == NULL ? NULL : dispatch_queue_create("rota.files", NULL);
  self->events = self->queue == NULL ? NULL : make_events(self, path);
  if (self->events == NULL || change_event(self, EV_ADD | EV_CLEAR, 0) < 0)
    return false;
  api.stream_set_queue(self->events, self->queue);
  if (api.stream_start(self->events))
    return true;
  api.stream_invalidate(self->events);
  change_event(self, EV_DELETE, 0);
  return false;
}

struct rota_os_fsevents *rota__os_fsevents_start(const struct rota_os_notifier *notifier,
                                                 struct rota_os_file *directory) {
  char path[MAXPATHLEN];
  /* The path as the system calls it: so it stands in the events. */
  if (!can_be_used() || fcntl(directory->fd, F_GETPATH, path) < 0)
    return NULL;
  struct rota_os_fsevents *self = rota__calloc(1, sizeof(*self));
  if (self == NULL)
    return NULL;
  self->kqueue_fd = notifier->fd;
  self->directory = directory;
  self->process = notifier->process;
  if (start(self, path))
    return self;
  stream_free(self);
  return NULL;
}

void rota__os_fsevents_stop(struct rota_os_fsevents *stream) {
  if (stream->process != rota__os_process_id())
    return;
  dispatch_sync_f(stream->queue, stream, end);
  change_event(stream, EV_DELETE, 0);
  stream_free(stream);
}

void rota__os_fsevents_read(struct rota_os_fsevents *stream, int watch, struct rota_os_changes *changes) {
  struct rota_os_change change;
  while (rota__os_tree_first(stream->tree, &change)) {
    change.watch = watch;
    if (!rota__os_files_put(changes, &change)) {
      change_event(stream, 0, NOTE_TRIGGER);
      return;
    }
    rota__os_tree_drop(stream->tree);
  }
}
