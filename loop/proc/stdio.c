/* Turns the containers of uv_spawn into descriptors.
 *
 * A pipe is a pair of connected sockets: one stream for both directions, which can also carry descriptors. Our end does
 * not block, the child's does. Everything opened here is closed on exec; the child makes copies that are not.
 * Invariant: parent[i] >= 0 exactly while both ends of a new pipe are ours to close. */
#include "loop/proc/stdio.h"

#include "loop/base/alloc.h"
#include "loop/core/handle.h"
#include "loop/net/stream.h"
#include "loop/os/file.h"
#include "loop/os/socket.h"

enum { KINDS = UV_CREATE_PIPE | UV_INHERIT_FD | UV_INHERIT_STREAM };

static int container_open(const uv_stdio_container_t *container, int *child, int *parent) {
  int ends[2];
  int err;
  switch ((int)container->flags & KINDS) {
  case UV_IGNORE:
    return 0;
  case UV_CREATE_PIPE:
    if (container->data.stream == NULL || container->data.stream->type != UV_NAMED_PIPE)
      return UV_EINVAL;
    if (rota__stream_fd(container->data.stream) >= 0)
      return UV_EBUSY;
    err = rota__os_socketpair(SOCK_STREAM, 0, ends);
    if (err < 0)
      return err;
    *parent = ends[0];
    *child = ends[1];
    return 0;
  case UV_INHERIT_FD:
    *child = container->data.fd;
    return *child >= 0 ? 0 : UV_EINVAL;
  case UV_INHERIT_STREAM:
    *child = rota__stream_fd(container->data.stream);
    return *child >= 0 ? 0 : UV_EINVAL;
  default:
    return UV_EINVAL;
  }
}

int rota__stdio_open(struct rota_stdio *stdio, const uv_process_options_t *options) {
  int err = 0;
  stdio->containers = options->stdio;
  stdio->container_count = options->stdio_count > 0 ? options->stdio_count : 0;
  stdio->count = stdio->container_count > 3 ? stdio->container_count : 3;
  stdio->child = rota__malloc((size_t)stdio->count * 3 * sizeof(int));
  if (stdio->child == NULL)
    return UV_ENOMEM;
  stdio->parent = stdio->child + stdio->count;
  stdio->fds = stdio->parent + stdio->count;
  for (int i = 0; i < stdio->count; i++)
    stdio->child[i] = stdio->parent[i] = -1;
  for (int i = 0; i < stdio->container_count && err == 0; i++)
    err = container_open(&stdio->containers[i], &stdio->child[i], &stdio->parent[i]);
  for (int i = 0; i < stdio->count; i++)
    stdio->fds[i] = stdio->child[i];
  if (err < 0)
    rota__stdio_close(stdio);
  return err;
}

static int give(const uv_stdio_container_t *container, int fd) {
  unsigned int flags = 0;
  int err = rota__os_set_nonblocking(fd, true);
  if (err < 0)
    return err;
  /* The parent writes what the child reads. */
  if (container->flags & UV_WRITABLE_PIPE)
    flags |= ROTA_STREAM_READABLE;
  if (container->flags & UV_READABLE_PIPE)
    flags |= ROTA_STREAM_WRITABLE;
  return rota__stream_open(container->data.stream, fd, flags);
}

int rota__stdio_give(struct rota_stdio *stdio) {
  for (int i = 0; i < stdio->container_count; i++) {
    int err;
    if (stdio->parent[i] < 0)
      continue;
    err = give(&stdio->containers[i], stdio->parent[i]);
    if (err < 0)
      return err;
    stdio->parent[i] = -1;
    rota__os_close(stdio->child[i]);
  }
  return 0;
}

void rota__stdio_close(struct rota_stdio *stdio) {
  for (int i = 0; i < stdio->container_count; i++) {
    if (stdio->parent[i] < 0)
      continue;
    rota__os_close(stdio->parent[i]);
    rota__os_close(stdio->child[i]);
  }
  rota__free(stdio->child);
}
