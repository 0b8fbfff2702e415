#include "simulate/words.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "loop/base/list.h"
#include "loop/core/handle.h"
#include "loop/core/internal.h"
#include "observe/name/describe.h"

static const uv_handle_t *owner_of(const uv_loop_t *loop, int fd) {
  for (const struct rota_link *link = loop->handle_queue.next; link != &loop->handle_queue; link = link->next) {
    const uv_handle_t *handle = rota__container_of(link, const uv_handle_t, handle_queue);
    const struct rota_handle_class *kind = handle->u.rota.kind;
    if (kind->fd != NULL && kind->fd(handle) == fd)
      return handle;
  }
  return NULL;
}

static const char *state_of(const uv_handle_t *owner, unsigned int events) {
  if (owner != NULL && owner->flags & ROTA_STREAM_LISTENING)
    return "a connection for";
  if (events & POLLIN)
    return events & POLLHUP ? "data or the end of" : "data of";
  return events & POLLOUT ? "room in" : "the end of";
}

const char *rota__words_for_fd(const uv_loop_t *loop, int fd, unsigned int events, char words[ROTA_WORDS_MAX]) {
  const struct rota_watcher *watcher =
      (size_t)fd < rota__loop(loop)->watchers_capacity ? rota__loop(loop)->watchers[fd] : NULL;
  const uv_handle_t *owner = owner_of(loop, fd);
  if (watcher != NULL && watcher == rota__loop(loop)->signal_watcher)
    snprintf(words, ROTA_WORDS_MAX, "a signal");
  else
    snprintf(words, ROTA_WORDS_MAX, "%s %s %d", state_of(owner, events),
             owner == NULL ? "descriptor" : rota__describe_type(owner->type, 0), fd);
  return words;
}

const char *rota__words_for_job(const struct rota_work *work, char words[ROTA_WORDS_MAX]) {
  const uv_req_t *req = work->req;
  if (req->type == UV_FS) {
    const uv_fs_t *fs = (const uv_fs_t *)req;
    const char *operation = rota__describe_file_operation(fs->fs_type);
    size_t length = fs->path == NULL ? 0 : strlen(fs->path);
    if (length > 0)
      snprintf(words, ROTA_WORDS_MAX, "%s %s", operation, length > 80 ? fs->path + length - 80 : fs->path);
    else
      snprintf(words, ROTA_WORDS_MAX, "%s of descriptor %d", operation, (int)fs->file);
  } else if (req->type == UV_GETADDRINFO) {
    snprintf(words, ROTA_WORDS_MAX, "look-up of %.80s", ((const uv_getaddrinfo_t *)req)->hostname);
  } else {
    snprintf(words, ROTA_WORDS_MAX, "%s job %llu", rota__describe_work(req->rota.kind),
             (unsigned long long)req->rota.by.sequence);
  }
  return words;
}
