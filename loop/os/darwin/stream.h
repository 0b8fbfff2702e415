/* Streams of FSEvents: the system tells what changes in a directory, and below it, by name. Other systems have none. */
#ifndef ROTA_OS_DARWIN_STREAM_H
#define ROTA_OS_DARWIN_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "loop/os/files.h"

struct rota_os_stream;

#ifdef __APPLE__

/* When changes wait, the notifier's queue has a user event (EVFILT_USER) with the file. Null: there is no FSEvents
 * here, or it refuses. */
struct rota_os_stream *rota__os_stream_start(const struct rota_os_notifier *notifier, struct rota_os_file *directory);
/* Also in a child process. After it, the queue has no such event any more. */
void rota__os_stream_stop(struct rota_os_stream *stream);
/* What waits, as far as there is room; for the rest there will be another event. */
void rota__os_stream_read(struct rota_os_stream *stream, int watch, struct rota_os_changes *changes);

#else

static inline struct rota_os_stream *rota__os_stream_start(const struct rota_os_notifier *notifier,
                                                           struct rota_os_file *directory) {
  (void)notifier, (void)directory;
  return NULL;
}

static inline void rota__os_stream_stop(struct rota_os_stream *stream) {
  (void)stream;
}

static inline void rota__os_stream_read(struct rota_os_stream *stream, int watch, struct rota_os_changes *changes) {
  (void)stream, (void)watch, (void)changes;
}

#endif
#endif
