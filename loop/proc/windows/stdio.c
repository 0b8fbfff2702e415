/* The handles that a child begins with, in the block that C libraries of Windows hand on: a count, a byte of flags for
 * each descriptor, and the handles.
 *
 * Invariant: every handle in the block is inheritable and this process's own copy, or invalid. */
#include <io.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/net/windows/stream.h"
#include "loop/os/windows/convert.h"
#include "loop/proc/windows/spawn.h"

enum {
  FLAG_OPEN = 0x01,
  FLAG_PIPE = 0x08,
  FLAG_DEVICE = 0x40,
  COUNT_MAX = 255,
  KINDS = UV_CREATE_PIPE | UV_INHERIT_FD | UV_INHERIT_STREAM,
};

static unsigned char *flags_of(const struct rota_stdio *stdio, int fd) {
  return stdio->block + sizeof(int) + fd;
}

/* The handles follow the flags, wherever that is. */
static unsigned char *place_of(const struct rota_stdio *stdio, int fd) {
  return stdio->block + sizeof(int) + stdio->count + (size_t)fd * sizeof(HANDLE);
}

HANDLE rota__stdio_handle(const struct rota_stdio *stdio, int fd) {
  HANDLE handle;
  memcpy(&handle, place_of(stdio, fd), sizeof(handle));
  return handle;
}

static void set(struct rota_stdio *stdio, int fd, HANDLE handle, int flags) {
  memcpy(place_of(stdio, fd), &handle, sizeof(handle));
  *flags_of(stdio, fd) = (unsigned char)flags;
}

static int flags_of_type(HANDLE handle) {
  switch (GetFileType(handle)) {
  case FILE_TYPE_CHAR:
    return FLAG_OPEN | FLAG_DEVICE;
  case FILE_TYPE_PIPE:
    return FLAG_OPEN | FLAG_PIPE;
  default:
    return FLAG_OPEN;
  }
}

static int inherit(struct rota_stdio *stdio, int fd, HANDLE handle) {
  HANDLE copy, process = GetCurrentProcess();
  if (handle == INVALID_HANDLE_VALUE || handle == NULL || handle == (HANDLE)-2)
    return UV_EBADF;
  if (!DuplicateHandle(process, handle, process, &copy, 0, TRUE, DUPLICATE_SAME_ACCESS))
    return rota__os_last_error();
  set(stdio, fd, copy, flags_of_type(handle));
  return 0;
}

static int open_null(struct rota_stdio *stdio, int fd) {
  SECURITY_ATTRIBUTES inheritable = {.nLength = sizeof(inheritable), .bInheritHandle = TRUE};
  DWORD access = fd == 0 ? FILE_GENERIC_READ : FILE_GENERIC_WRITE | FILE_READ_ATTRIBUTES;
  if (fd > 2)
    return 0;
  HANDLE handle = CreateFileW(L"NUL", access, FILE_SHARE_READ | FILE_SHARE_WRITE, &inheritable, OPEN_EXISTING, 0, NULL);
  if (handle == INVALID_HANDLE_VALUE)
    return rota__os_last_error();
  set(stdio, fd, handle, FLAG_OPEN | FLAG_DEVICE);
  return 0;
}

static int inherit_descriptor(struct rota_stdio *stdio, int fd, int from) {
  HANDLE handle;
  int err = rota__os_handle_of(from, &handle);
  if (err == 0)
    err = inherit(stdio, fd, handle);
  /* A program without a console has no standard descriptors: neither has its child. */
  return err < 0 && from >= 0 && from <= 2 ? open_null(stdio, fd) : err;
}

static int inherit_stream(struct rota_stdio *stdio, int fd, const uv_stream_t *stream) {
  uv_os_fd_t handle;
  int err = uv_fileno((const uv_handle_t *)stream, &handle);
  return err < 0 ? err : inherit(stdio, fd, handle);
}

static int container_open(struct rota_stdio *stdio, int fd, const uv_stdio_container_t *container) {
  HANDLE handle;
  int err;
  switch ((int)container->flags & KINDS) {
  case UV_IGNORE:
    return open_null(stdio, fd);
  case UV_CREATE_PIPE:
    if (container->data.stream == NULL || container->data.stream->type != UV_NAMED_PIPE)
      return UV_EINVAL;
    err = rota__pipe_to_child(container->data.stream, (unsigned int)container->flags, &handle);
    if (err == 0)
      set(stdio, fd, handle, FLAG_OPEN | FLAG_PIPE);
    return err;
  case UV_INHERIT_FD:
    return inherit_descriptor(stdio, fd, container->data.fd);
  case UV_INHERIT_STREAM:
    return inherit_stream(stdio, fd, container->data.stream);
  default:
    return UV_EINVAL;
  }
}

int rota__stdio_open(struct rota_stdio *stdio, const uv_process_options_t *options) {
  int given = options->stdio_count > 0 ? options->stdio_count : 0;
  int err = 0;
  stdio->count = given > 3 ? given : 3;
  if (stdio->count > COUNT_MAX)
    return UV_EINVAL; /* a length of 16 bits counts the block's bytes */
  stdio->block_size = sizeof(int) + (size_t)stdio->count * (1 + sizeof(HANDLE));
  stdio->block = rota__calloc(1, stdio->block_size);
  if (stdio->block == NULL)
    return UV_ENOMEM;
  memcpy(stdio->block, &stdio->count, sizeof(int));
  for (int fd = 0; fd < stdio->count; fd++)
    set(stdio, fd, INVALID_HANDLE_VALUE, 0);
  for (int fd = 0; fd < stdio->count && err == 0; fd++)
    err = fd < given ? container_open(stdio, fd, &options->stdio[fd]) : open_null(stdio, fd);
  if (err < 0)
    rota__stdio_close(stdio);
  return err;
}

void rota__stdio_close(struct rota_stdio *stdio) {
  for (int fd = 0; fd < stdio->count; fd++)
    if (rota__stdio_handle(stdio, fd) != INVALID_HANDLE_VALUE)
      CloseHandle(rota__stdio_handle(stdio, fd));
  rota__free(stdio->block);
}

/* What this process was started with, and its standard handles. */
void uv_disable_stdio_inheritance(void) {
  static const DWORD standard[] = {STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
  STARTUPINFOW info;
  for (int i = 0; i < 3; i++) {
    HANDLE handle = GetStdHandle(standard[i]);
    if (handle != NULL && handle != INVALID_HANDLE_VALUE)
      SetHandleInformation(handle, HANDLE_FLAG_INHERIT, 0);
  }
  GetStartupInfoW(&info);
  struct rota_stdio given = {.block = info.lpReserved2, .block_size = info.cbReserved2};
  if (given.block == NULL || given.block_size < sizeof(int))
    return;
  memcpy(&given.count, given.block, sizeof(int));
  if (given.count < 0 || given.count > COUNT_MAX ||
      given.block_size < sizeof(int) + (size_t)given.count * (1 + sizeof(HANDLE)))
    return;
  for (int fd = 0; fd < given.count; fd++)
    if (rota__stdio_handle(&given, fd) != INVALID_HANDLE_VALUE)
      SetHandleInformation(rota__stdio_handle(&given, fd), HANDLE_FLAG_INHERIT, 0);
}
