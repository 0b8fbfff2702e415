/* Named pipes: init, open, bind, connect, names.
 *
 * A pipe has two ends, of which one is the server's. Both carry bytes in both directions, unless they were opened for
 * one. */
#include "loop/net/windows/pipe.h"

#include <aclapi.h>
#include <io.h>
#include <string.h>
#include <winternl.h>

#include "loop/base/alloc.h"
#include "loop/os/windows/convert.h"

enum { INSTANCES_DEFAULT = 4, CONNECT_TRIES_MS = 30000, LAST_TRIES_MS = 2000 };

static bool is_open(const uv_pipe_t *pipe) {
  return pipe->handle != INVALID_HANDLE_VALUE;
}

void rota__pipe_close_handle(uv_pipe_t *pipe) {
  if (!is_open(pipe))
    return;
  rota__pipe_shut_end(pipe);
  rota__pipe_reader_end(pipe);
  rota__pipe_writer_end(pipe);
  CancelIoEx(pipe->handle, NULL);
  CloseHandle(pipe->handle);
  pipe->handle = INVALID_HANDLE_VALUE;
}

static void give_up(uv_connect_t *req);

static void pipe_release(uv_stream_t *stream) {
  uv_pipe_t *pipe = (uv_pipe_t *)stream;
  if (pipe->server != NULL)
    rota__pipe_server_close(pipe);
  if (pipe->io.connect_req != NULL)
    give_up(pipe->io.connect_req);
  rota__pipe_close_handle(pipe);
  rota__pipe_channel_close(pipe);
}

static void pipe_free(uv_stream_t *stream) {
  uv_pipe_t *pipe = (uv_pipe_t *)stream;
  rota__pipe_server_free(pipe);
  rota__pipe_shut_free(pipe);
  rota__free(pipe->name);
  pipe->name = NULL;
  if (pipe->event != NULL)
    CloseHandle(pipe->event);
  pipe->event = NULL;
}

static int pipe_fd(const uv_handle_t *handle) {
  const uv_pipe_t *pipe = (const uv_pipe_t *)handle;
  return (int)(intptr_t)(pipe->server != NULL ? rota__pipe_server_handle(pipe) : pipe->handle);
}

const struct rota_stream_kind rota__pipe_kind = {
    .handle = {.type = UV_NAMED_PIPE,
               .close = rota__stream_class_close,
               .finish = rota__stream_class_finish,
               .fd = pipe_fd,
               .cancel_write = rota__stream_cancel_write},
    .wait = rota__pipe_wait,
    .receive = rota__pipe_receive,
    .send = rota__pipe_send,
    .try_send = rota__pipe_try_send,
    .sent = rota__pipe_sent,
    .shut = rota__pipe_shut,
    .shut_told = rota__pipe_shut_told,
    .wants = rota__pipe_wants,
    .release = pipe_release,
    .free = pipe_free,
};

int uv_pipe_init(uv_loop_t *loop, uv_pipe_t *pipe, int ipc) {
  rota__stream_init(loop, (uv_stream_t *)pipe, &rota__pipe_kind);
  pipe->handle = INVALID_HANDLE_VALUE;
  pipe->name = NULL;
  pipe->server = NULL;
  pipe->channel = NULL;
  pipe->reader = NULL;
  pipe->event = NULL;
  pipe->instances = INSTANCES_DEFAULT;
  pipe->is_synchronous = false;
  pipe->shut = NULL;
  pipe->ipc = ipc;
  return 0;
}

/* ---- handles ---- */

/* Whether the system waits for each operation on this handle. */
static bool is_synchronous(HANDLE handle) {
  IO_STATUS_BLOCK status;
  ULONG mode = 0;
  enum { FILE_MODE = 16, SYNCHRONOUS = 0x10 | 0x20 };
  return NtQueryInformationFile(handle, &status, &mode, sizeof(mode), (FILE_INFORMATION_CLASS)FILE_MODE) != 0 ||
         (mode & SYNCHRONOUS) != 0;
}

static unsigned int directions(HANDLE handle) {
  IO_STATUS_BLOCK status;
  ACCESS_MASK access = 0;
  enum { FILE_ACCESS = 8 };
  if (NtQueryInformationFile(handle, &status, &access, sizeof(access), (FILE_INFORMATION_CLASS)FILE_ACCESS) != 0)
    return ROTA_STREAM_READABLE | ROTA_STREAM_WRITABLE;
  return (access & FILE_READ_DATA ? ROTA_STREAM_READABLE : 0u) | (access & FILE_WRITE_DATA ? ROTA_STREAM_WRITABLE : 0u);
}

int rota__pipe_take(uv_pipe_t *pipe, HANDLE handle, unsigned int flags) {
  if (is_open(pipe))
    return UV_EBUSY;
  pipe->is_synchronous = is_synchronous(handle);
  if (!pipe->is_synchronous) {
    int err = rota__stream_attach((uv_stream_t *)pipe, handle, true);
    if (err < 0)
      return err;
  }
  if (pipe->ipc) {
    int err = rota__pipe_channel_open(pipe);
    if (err < 0)
      return err;
  }
  pipe->handle = handle;
  pipe->flags |= flags;
  return 0;
}

int uv_pipe_open(uv_pipe_t *pipe, uv_file file) {
  HANDLE own, given;
  int err = rota__os_handle_of(file, &given);
  if (err < 0)
    return err;
  if (rota__handle_is_closing((uv_handle_t *)pipe))
    return UV_EINVAL;
  if (is_open(pipe))
    return UV_EBUSY;
  if (GetFileType(given) != FILE_TYPE_PIPE)
    return UV_EINVAL;
  if (!DuplicateHandle(GetCurrentProcess(), given, GetCurrentProcess(), &own, 0, FALSE, DUPLICATE_SAME_ACCESS))
    return rota__os_last_error();
  err = rota__pipe_take(pipe, own, directions(own));
  if (err < 0) {
    CloseHandle(own);
    return err;
  }
  if (pipe->ipc && pipe->channel->peer == 0)
    GetNamedPipeServerProcessId(own, &pipe->channel->peer);
  /* The descriptor is the pipe's now. The standard ones stay open: others print there. */
  if (file > 2)
    _close(file);
  return 0;
}

/* ---- names ---- */

/* A copy of the name in UTF-16. With UV_PIPE_NO_TRUNCATE, the name must fit; else it is as long as it is. */
static int wide_name(const char *name, size_t length, unsigned int flags, WCHAR **wide) {
  if (flags & ~(unsigned int)UV_PIPE_NO_TRUNCATE)
    return UV_EINVAL;
  if (name == NULL || length == 0 || name[0] == '\0')
    return UV_EINVAL; /* the system has no pipes without a name */
  if ((flags & UV_PIPE_NO_TRUNCATE) && length > MAX_PIPENAME_LEN)
    return UV_EINVAL;
  if (memchr(name, '\0', length) != NULL)
    return UV_EINVAL;
  char *copy = rota__malloc(length + 1);
  if (copy == NULL)
    return UV_ENOMEM;
  memcpy(copy, name, length);
  copy[length] = '\0';
  int err = rota__os_wide(copy, wide);
  rota__free(copy);
  return err;
}

int uv_pipe_bind2(uv_pipe_t *pipe, const char *name, size_t namelen, unsigned int flags) {
  if (rota__handle_is_closing((uv_handle_t *)pipe) || (pipe->flags & ROTA_STREAM_BOUND))
    return UV_EINVAL;
  if (is_open(pipe))
    return UV_EINVAL;
  int err = wide_name(name, namelen, flags, &pipe->name);
  if (err < 0)
    return err;
  err = rota__pipe_bind(pipe);
  if (err < 0) {
    rota__free(pipe->name);
    pipe->name = NULL;
    return err;
  }
  pipe->flags |= ROTA_STREAM_BOUND;
  return 0;
}

int uv_pipe_bind(uv_pipe_t *pipe, const char *name) {
  return uv_pipe_bind2(pipe, name, strlen(name), 0);
}

static int give_name(const uv_pipe_t *pipe, bool is_there, char *buffer, size_t *size) {
  if (buffer == NULL || size == NULL || *size == 0)
    return UV_EINVAL;
  bool is_made = is_open(pipe) || pipe->server != NULL;
  if (!is_made || !is_there || pipe->name == NULL) {
    buffer[0] = '\0';
    *size = 0;
    return is_made ? 0 : UV_EBADF;
  }
  return rota__os_narrow_give(pipe->name, -1, buffer, size);
}

int uv_pipe_getsockname(const uv_pipe_t *pipe, char *buffer, size_t *size) {
  return give_name(pipe, (pipe->flags & ROTA_STREAM_BOUND) != 0, buffer, size);
}

int uv_pipe_getpeername(const uv_pipe_t *pipe, char *buffer, size_t *size) {
  int err = give_name(pipe, pipe->server == NULL && !(pipe->flags & ROTA_STREAM_BOUND), buffer, size);
  return err == 0 && pipe->server != NULL ? UV_ENOTCONN : err;
}

void uv_pipe_pending_instances(uv_pipe_t *pipe, int count) {
  if (!(pipe->flags & ROTA_STREAM_BOUND) && count > 0)
    pipe->instances = count;
}

/* ---- rights ---- */

/* Everybody gets the access that is asked for; what others were given stays. A reader may change the mode of its end, a
 * writer may ask for it. */
static int give_access(HANDLE handle, DWORD access) {
  SID_IDENTIFIER_AUTHORITY world = {SECURITY_WORLD_SID_AUTHORITY};
  PSECURITY_DESCRIPTOR descriptor = NULL;
  PACL before = NULL, after = NULL;
  PSID everybody = NULL;
  DWORD error = 0;
  if (!AllocateAndInitializeSid(&world, 1, SECURITY_WORLD_RID, 0, 0, 0, 0, 0, 0, 0, &everybody))
    return rota__os_last_error();
  EXPLICIT_ACCESSW entry = {.grfAccessPermissions = access, .grfAccessMode = SET_ACCESS};
  entry.Trustee.TrusteeForm = TRUSTEE_IS_SID;
  entry.Trustee.TrusteeType = TRUSTEE_IS_WELL_KNOWN_GROUP;
  entry.Trustee.ptstrName = everybody;
  error = GetSecurityInfo(handle, SE_KERNEL_OBJECT, DACL_SECURITY_INFORMATION, NULL, NULL, &before, NULL, &descriptor);
  if (error == 0)
    error = SetEntriesInAclW(1, &entry, before, &after);
  if (error == 0)
    error = SetSecurityInfo(handle, SE_KERNEL_OBJECT, DACL_SECURITY_INFORMATION, NULL, NULL, after, NULL);
  LocalFree(after);
  LocalFree(descriptor);
  FreeSid(everybody);
  return error == 0 ? 0 : rota__os_translate((int)error);
}

int uv_pipe_chmod(uv_pipe_t *pipe, int mode) {
  DWORD access = SYNCHRONIZE;
  if (pipe == NULL || (pipe->server == NULL && !is_open(pipe)))
    return UV_EBADF;
  if (mode != UV_READABLE && mode != UV_WRITABLE && mode != (UV_READABLE | UV_WRITABLE))
    return UV_EINVAL;
  if (mode & UV_READABLE)
    access |= GENERIC_READ | FILE_WRITE_ATTRIBUTES;
  if (mode & UV_WRITABLE)
    access |= GENERIC_WRITE | FILE_READ_ATTRIBUTES;
  return give_access(pipe->server != NULL ? rota__pipe_server_handle(pipe) : pipe->handle, access);
}

/* ---- connections out ---- */

static HANDLE open_client(const WCHAR *name, unsigned int *flags) {
  HANDLE handle = CreateFileW(name, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING, FILE_FLAG_OVERLAPPED, NULL);
  *flags = ROTA_STREAM_READABLE | ROTA_STREAM_WRITABLE;
  if (handle != INVALID_HANDLE_VALUE || GetLastError() != ERROR_ACCESS_DENIED)
    return handle;
  handle = CreateFileW(name, GENERIC_READ | FILE_WRITE_ATTRIBUTES, 0, NULL, OPEN_EXISTING, FILE_FLAG_OVERLAPPED, NULL);
  *flags = ROTA_STREAM_READABLE;
  if (handle != INVALID_HANDLE_VALUE || GetLastError() != ERROR_ACCESS_DENIED)
    return handle;
  *flags = ROTA_STREAM_WRITABLE;
  return CreateFileW(name, GENERIC_WRITE | FILE_READ_ATTRIBUTES, 0, NULL, OPEN_EXISTING, FILE_FLAG_OVERLAPPED, NULL);
}

/* A connection that is being made. All instances of the server may be busy: then a thread of the system waits for one.
 */
struct attempt {
  WCHAR *name;
  HANDLE handle;
  unsigned int flags;
  DWORD error;
  bool is_tried; /* the pipe was given the handle, or refused */
  int result;    /* of that */
  volatile LONG is_given_up;
  void *port;
  uv_connect_t *req;
};

/* A server sees the connection also if the pipe is closed meanwhile, as on other systems, where a connection is made at
 * once: so the tries go on for a moment. */
static DWORD CALLBACK wait_for_instance(void *argument) {
  struct attempt *attempt = argument;
  ULONGLONG until_ms = GetTickCount64() + CONNECT_TRIES_MS;
  do {
    ULONGLONG last_ms = GetTickCount64() + LAST_TRIES_MS;
    if (InterlockedExchange(&attempt->is_given_up, 0) && last_ms < until_ms)
      until_ms = last_ms;
    WaitNamedPipeW(attempt->name, 100);
    attempt->handle = open_client(attempt->name, &attempt->flags);
    attempt->error = attempt->handle == INVALID_HANDLE_VALUE ? GetLastError() : 0;
  } while (attempt->error == ERROR_PIPE_BUSY && GetTickCount64() < until_ms);
  rota__iocp_post(attempt->port, &attempt->req->io, 0, 0);
  return 0;
}

/* The pipe is closed: the thread ends soon. */
static void give_up(uv_connect_t *req) {
  struct attempt *attempt = req->io.overlapped.Pointer;
  if (attempt != NULL)
    InterlockedExchange(&attempt->is_given_up, 1);
}

static int take_connection(uv_pipe_t *pipe, struct attempt *attempt) {
  if (attempt->error != 0) {
    int err = rota__os_translate((int)attempt->error);
    return err == UV_EINVAL ? UV_ENOENT : err; /* no name of a pipe */
  }
  int err = 0;
  DWORD mode = PIPE_READMODE_BYTE | PIPE_WAIT;
  if (rota__handle_is_closing((uv_handle_t *)pipe))
    err = UV_ECANCELED;
  else if (!SetNamedPipeHandleState(attempt->handle, &mode, NULL, NULL) &&
           GetFileType(attempt->handle) != FILE_TYPE_PIPE)
    err = UV_ENOTSOCK; /* a file of this name */
  else
    err = rota__pipe_take(pipe, attempt->handle, attempt->flags);
  if (err < 0) {
    CloseHandle(attempt->handle);
    return err;
  }
  pipe->name = attempt->name;
  attempt->name = NULL;
  if (pipe->ipc)
    GetNamedPipeServerProcessId(pipe->handle, &pipe->channel->peer);
  return 0;
}

static void connected(struct rota_op *op, int32_t result, uint32_t bytes) {
  uv_connect_t *req = rota__container_of(rota__io_of(op), uv_connect_t, io);
  uv_pipe_t *pipe = (uv_pipe_t *)req->handle;
  struct attempt *attempt = req->io.overlapped.Pointer;
  (void)bytes;
  if (result == 0 && attempt != NULL)
    result = attempt->is_tried ? attempt->result : take_connection(pipe, attempt);
  if (rota__handle_is_closing((uv_handle_t *)pipe))
    result = UV_ECANCELED;
  if (attempt != NULL) {
    rota__free(attempt->name);
    rota__free(attempt);
  }
  if (pipe->io.connect_req == req)
    pipe->io.connect_req = NULL;
  rota__req_end(pipe->loop);
  if (req->cb != NULL) {
    rota__req_call_begin(pipe->loop, req, (rota_function)req->cb);
    req->cb(req, result);
    rota__call_end(pipe->loop);
  }
  rota__stream_end((uv_stream_t *)pipe);
}

static void begin_connect(uv_connect_t *req, uv_pipe_t *pipe, struct attempt *attempt, DWORD error) {
  rota__req_begin(pipe->loop, (uv_req_t *)req, UV_CONNECT);
  rota__stream_begin((uv_stream_t *)pipe, &req->io, connected);
  req->io.overlapped.Pointer = attempt;
  if (pipe->io.connect_req == NULL) /* else it is refused */
    pipe->io.connect_req = req;
  if (attempt != NULL && attempt->error == ERROR_PIPE_BUSY &&
      QueueUserWorkItem(wait_for_instance, attempt, WT_EXECUTELONGFUNCTION))
    return;
  rota__iocp_set_result(&req->io, error, 0);
  rota__op_defer(pipe->loop, &req->io.op);
}

int uv_pipe_connect2(uv_connect_t *req, uv_pipe_t *pipe, const char *name, size_t namelen, unsigned int flags,
                     uv_connect_cb cb) {
  WCHAR *wide;
  if (rota__handle_is_closing((uv_handle_t *)pipe))
    return UV_EINVAL;
  int err = wide_name(name, namelen, flags, &wide);
  if (err < 0)
    return err;
  struct attempt *attempt = rota__calloc(1, sizeof(*attempt));
  if (attempt == NULL) {
    rota__free(wide);
    return UV_ENOMEM;
  }
  req->handle = (uv_stream_t *)pipe;
  req->cb = cb;
  attempt->name = wide;
  attempt->port = rota__stream_port((uv_stream_t *)pipe);
  attempt->req = req;
  if (pipe->server != NULL) { /* a name to listen on is no end of a connection */
    attempt->is_tried = true;
    attempt->result = UV_EINVAL;
  } else if (is_open(pipe) || pipe->io.connect_req != NULL) {
    attempt->error = is_open(pipe) ? ERROR_PIPE_CONNECTED : ERROR_BUSY;
  } else {
    attempt->handle = open_client(wide, &attempt->flags);
    attempt->error = attempt->handle == INVALID_HANDLE_VALUE ? GetLastError() : 0;
    attempt->is_tried = attempt->error == 0;
    if (attempt->is_tried)
      attempt->result = take_connection(pipe, attempt);
  }
  begin_connect(req, pipe, attempt, 0);
  return 0;
}

void uv_pipe_connect(uv_connect_t *req, uv_pipe_t *pipe, const char *name, uv_connect_cb cb) {
  int err = uv_pipe_connect2(req, pipe, name, strlen(name), 0, cb);
  if (err == 0)
    return;
  req->handle = (uv_stream_t *)pipe;
  req->cb = cb;
  begin_connect(req, pipe, NULL, err == UV_ENOMEM ? ERROR_NOT_ENOUGH_MEMORY : ERROR_INVALID_PARAMETER);
}
