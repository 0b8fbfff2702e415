/* Pipes: local sockets, and pipes and FIFOs that a program opened.
 *
 * A name that begins with a NUL is an abstract one: it lives in the kernel, may hold any bytes, and has no file. Any
 * other name is a path; its file is removed when the handle that made it is closed, before the socket is closed: in the
 * other order, a new server's file could be removed. */
#include "loop/net/posix/stream.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "loop/base/alloc.h"
#include "loop/os/file.h"
#include "loop/os/socket.h"

static void pipe_close(uv_handle_t *handle) {
  uv_pipe_t *pipe = (uv_pipe_t *)handle;
  if (pipe->pipe_fname != NULL) {
    rota__os_socket_unlink(pipe->pipe_fname);
    rota__free(pipe->pipe_fname);
    pipe->pipe_fname = NULL;
  }
  rota__stream_class_close(handle);
}

static const struct rota_handle_class pipe_class = {
    .type = UV_NAMED_PIPE,
    .close = pipe_close,
    .finish = rota__stream_class_finish,
    .fd = rota__stream_class_fd,
    .cancel_write = rota__stream_cancel_write,
};

int uv_pipe_init(uv_loop_t *loop, uv_pipe_t *pipe, int ipc) {
  rota__stream_init(loop, (uv_stream_t *)pipe, &pipe_class);
  pipe->ipc = ipc;
  pipe->pipe_fname = NULL;
  return 0;
}

int uv_pipe_open(uv_pipe_t *pipe, uv_file fd) {
  unsigned int flags = 0;
  if (rota__fd_is_watched(pipe->loop, fd))
    return UV_EEXIST;
  int mode = rota__os_access_mode(fd);
  if (mode < 0)
    return mode;
  int err = rota__os_set_nonblocking(fd, true);
  if (err < 0)
    return err;
  if (mode != O_WRONLY)
    flags |= ROTA_STREAM_READABLE;
  if (mode != O_RDONLY)
    flags |= ROTA_STREAM_WRITABLE;
  return rota__stream_open((uv_stream_t *)pipe, fd, flags);
}

/* ---- names ---- */

/* Turns a name into an address. 0 bytes are a name, too: the kernel then chooses an abstract one (bind only). */
static int make_address(struct sockaddr_un *address, socklen_t *length, const char *name, size_t name_length,
                        unsigned int flags) {
  if (flags & ~(unsigned int)UV_PIPE_NO_TRUNCATE)
    return UV_EINVAL;
  if (name == NULL)
    return UV_EINVAL;
  if (name_length > 0 && name[0] != '\0' && memchr(name, '\0', name_length) != NULL)
    return UV_EINVAL; /* the kernel would take the part before the NUL for the whole path */
  if (name_length > sizeof address->sun_path) {
    if (flags & UV_PIPE_NO_TRUNCATE)
      return UV_EINVAL;
    name_length = sizeof address->sun_path;
  }
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  memcpy(address->sun_path, name, name_length);
  *length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + name_length);
  return 0;
}

int uv_pipe_bind2(uv_pipe_t *pipe, const char *name, size_t namelen, unsigned int flags) {
  struct sockaddr_un address;
  socklen_t length;
  char *path = NULL;
  int fd = -1;
  int err = make_address(&address, &length, name, namelen, flags);
  if (err < 0)
    return err;
  if (rota__stream_fd((uv_stream_t *)pipe) >= 0 || rota__handle_is_closing((uv_handle_t *)pipe))
    return UV_EINVAL;
  if (namelen > 0 && name[0] != '\0') {
    path = rota__strndup(address.sun_path, sizeof address.sun_path);
    if (path == NULL)
      return UV_ENOMEM;
  }
  fd = err = rota__os_socket(AF_UNIX, SOCK_STREAM, 0);
  if (err < 0)
    goto fail;
  err = rota__os_bind(fd, (struct sockaddr *)&address, length);
  if (err == UV_ENOENT)
    err = UV_EACCES; /* the error that Windows gives for a bad name: programs expect it everywhere */
  if (err < 0)
    goto fail;
  pipe->pipe_fname = path;
  pipe->flags |= ROTA_STREAM_BOUND;
  pipe->io.watcher.fd = fd;
  return 0;

fail:
  if (fd >= 0)
    rota__os_close(fd);
  rota__free(path);
  return err;
}

int uv_pipe_bind(uv_pipe_t *pipe, const char *name) {
  return uv_pipe_bind2(pipe, name, strlen(name), 0);
}

static int get_name(const uv_pipe_t *pipe, int (*ask)(int fd, struct sockaddr *address, socklen_t *length),
                    char *buffer, size_t *size) {
  struct sockaddr_un address;
  socklen_t length = sizeof address;
  int fd = rota__stream_fd((const uv_stream_t *)pipe);
  if (buffer == NULL || size == NULL || *size == 0)
    return UV_EINVAL;
  memset(&address, 0, sizeof address);
  int err = fd == -1 ? UV_EBADF : ask(fd, (struct sockaddr *)&address, &length);
  if (err < 0) {
    *size = 0;
    return err;
  }
  size_t room = sizeof address - offsetof(struct sockaddr_un, sun_path);
  size_t known = length > offsetof(struct sockaddr_un, sun_path) ? length - offsetof(struct sockaddr_un, sun_path) : 0;
  if (known > room)
    known = room; /* the kernel counts a NUL behind a path that fills all of it */
  /* A path needs room for a NUL behind it, which is not counted; an abstract name has none. */
  size_t needed = known;
  if (known > 0 && address.sun_path[0] != '\0') {
    known = strnlen(address.sun_path, known);
    needed = known + 1;
  }
  if (needed > *size) {
    *size = needed;
    return UV_ENOBUFS;
  }
  memcpy(buffer, address.sun_path, known);
  if (known < *size)
    buffer[known] = '\0';
  *size = known;
  return 0;
}

int uv_pipe_getsockname(const uv_pipe_t *pipe, char *buffer, size_t *size) {
  return get_name(pipe, rota__os_getsockname, buffer, size);
}

int uv_pipe_getpeername(const uv_pipe_t *pipe, char *buffer, size_t *size) {
  return get_name(pipe, rota__os_getpeername, buffer, size);
}

int uv_pipe_chmod(uv_pipe_t *pipe, int flags) {
  struct sockaddr_un address;
  socklen_t length = sizeof address;
  mode_t added = 0;
  if (pipe == NULL || rota__stream_fd((uv_stream_t *)pipe) == -1)
    return UV_EBADF;
  if (flags != UV_READABLE && flags != UV_WRITABLE && flags != (UV_READABLE | UV_WRITABLE))
    return UV_EINVAL;
  memset(&address, 0, sizeof address);
  int err = rota__os_getsockname(rota__stream_fd((uv_stream_t *)pipe), (struct sockaddr *)&address, &length);
  if (err < 0)
    return err;
  char path[sizeof address.sun_path + 1];
  memcpy(path, address.sun_path, sizeof address.sun_path);
  path[sizeof address.sun_path] = '\0';
  if (flags & UV_READABLE)
    added |= S_IRUSR | S_IRGRP | S_IROTH;
  if (flags & UV_WRITABLE)
    added |= S_IWUSR | S_IWGRP | S_IWOTH;
  return rota__os_socket_chmod(path, added);
}

/* ---- connections ---- */

int rota__pipe_listen(uv_pipe_t *pipe, int backlog, uv_connection_cb cb) {
  int fd = rota__stream_fd((uv_stream_t *)pipe);
  if (fd == -1 || pipe->ipc)
    return UV_EINVAL; /* a listener carries no bytes, and so no descriptors */
  int err = rota__os_listen(fd, backlog);
  return err < 0 ? err : rota__stream_listen_start((uv_stream_t *)pipe, cb);
}

/* Makes the socket if there is none, and connects it. */
static int begin_connection(uv_pipe_t *pipe, const struct sockaddr_un *address, socklen_t length) {
  int fd = rota__stream_fd((uv_stream_t *)pipe);
  bool is_new = fd == -1;
  if (is_new) {
    fd = rota__os_socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0)
      return fd;
  }
  int err = rota__os_connect(fd, (const struct sockaddr *)address, length);
  if (is_new || err >= 0) {
    /* A socket that could not be connected stays in the handle, and is closed with it. */
    unsigned int flags = err >= 0 ? ROTA_STREAM_READABLE | ROTA_STREAM_WRITABLE : 0;
    int open_err = rota__stream_open((uv_stream_t *)pipe, fd, flags);
    if (open_err < 0)
      return open_err;
  }
  return err < 0 ? err : 0;
}

int uv_pipe_connect2(uv_connect_t *req, uv_pipe_t *pipe, const char *name, size_t namelen, unsigned int flags,
                     uv_connect_cb cb) {
  struct sockaddr_un address;
  socklen_t length;
  int err = make_address(&address, &length, name, namelen, flags);
  if (err < 0)
    return err;
  if (namelen == 0 || rota__handle_is_closing((uv_handle_t *)pipe))
    return UV_EINVAL;
  if (pipe->io.connect_req != NULL)
    return UV_EALREADY;
  rota__stream_connect_start((uv_stream_t *)pipe, req, cb, begin_connection(pipe, &address, length));
  return 0;
}

void uv_pipe_connect(uv_connect_t *req, uv_pipe_t *pipe, const char *name, uv_connect_cb cb) {
  int err = uv_pipe_connect2(req, pipe, name, strlen(name), 0, cb);
  /* The function returns nothing, so the callback gets the error. A closing handle cannot call it any more, and a
   * connecting handle has another callback to call. */
  if (err < 0 && !rota__handle_is_closing((uv_handle_t *)pipe) && pipe->io.connect_req == NULL)
    rota__stream_connect_start((uv_stream_t *)pipe, req, cb, err);
}

/* ---- descriptors received ---- */

void uv_pipe_pending_instances(uv_pipe_t *pipe, int count) {
  (void)pipe;
  (void)count;
}

int uv_pipe_pending_count(uv_pipe_t *pipe) {
  return pipe->ipc ? (int)rota__stream_passed_count((uv_stream_t *)pipe) : 0;
}

uv_handle_type uv_pipe_pending_type(uv_pipe_t *pipe) {
  if (!pipe->ipc || pipe->io.accepted_fd == -1)
    return UV_UNKNOWN_HANDLE;
  return uv_guess_handle(pipe->io.accepted_fd);
}
