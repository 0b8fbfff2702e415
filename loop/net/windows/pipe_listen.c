/* Connections in: a server has some instances of its pipe, each of which waits for one client.
 *
 * Invariant: an instance waits for its client, or its client waits to be accepted, or it could not be made. The first
 * one is made when the name is bound: it reserves the name. */
#include "loop/net/windows/pipe.h"

#include <string.h>

#include "loop/base/alloc.h"
#include "loop/os/windows/convert.h"

struct instance {
  struct rota_io io;
  uv_pipe_t *pipe;
  HANDLE handle;
  struct instance *next; /* of those that wait to be accepted */
};

struct rota_pipe_server {
  struct instance *accepted; /* oldest first */
  bool is_closed;
  int count;
  struct instance instances[];
};

static HANDLE make_instance(const WCHAR *name, DWORD flags) {
  return CreateNamedPipeW(name, PIPE_ACCESS_DUPLEX | FILE_FLAG_OVERLAPPED | WRITE_DAC | flags,
                          PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT, PIPE_UNLIMITED_INSTANCES, ROTA_PIPE_QUOTA,
                          ROTA_PIPE_QUOTA, 0, NULL);
}

int rota__pipe_bind(uv_pipe_t *pipe) {
  HANDLE first = make_instance(pipe->name, FILE_FLAG_FIRST_PIPE_INSTANCE);
  if (first == INVALID_HANDLE_VALUE) {
    DWORD error = GetLastError();
    if (error == ERROR_ACCESS_DENIED || error == ERROR_PIPE_BUSY)
      return UV_EADDRINUSE;
    if (error == ERROR_PATH_NOT_FOUND || error == ERROR_INVALID_NAME || error == ERROR_BAD_PATHNAME)
      return UV_EACCES; /* no name of a pipe */
    return rota__os_translate((int)error);
  }
  struct rota_pipe_server *server =
      rota__calloc(1, sizeof(*server) + (size_t)pipe->instances * sizeof(server->instances[0]));
  int err = server == NULL ? UV_ENOMEM : rota__stream_attach((uv_stream_t *)pipe, first, true);
  if (err < 0) {
    CloseHandle(first);
    rota__free(server);
    return err;
  }
  server->count = pipe->instances;
  for (int i = 0; i < server->count; i++) {
    server->instances[i].pipe = pipe;
    server->instances[i].handle = i == 0 ? first : INVALID_HANDLE_VALUE;
  }
  pipe->server = server;
  return 0;
}

static void on_client(struct rota_op *op, int32_t result, uint32_t bytes);

static void wait_for_client(struct instance *instance) {
  uv_pipe_t *pipe = instance->pipe;
  DWORD error = 0;
  OVERLAPPED *overlapped = rota__stream_begin((uv_stream_t *)pipe, &instance->io, on_client);
  if (instance->handle == INVALID_HANDLE_VALUE) {
    instance->handle = make_instance(pipe->name, 0);
    if (instance->handle == INVALID_HANDLE_VALUE ||
        rota__stream_attach((uv_stream_t *)pipe, instance->handle, true) < 0)
      error = instance->handle == INVALID_HANDLE_VALUE ? GetLastError() : ERROR_NOT_ENOUGH_MEMORY;
  }
  if (error == 0 && !ConnectNamedPipe(instance->handle, overlapped))
    error = GetLastError();
  if (error == ERROR_PIPE_CONNECTED) /* the client was quicker; the port does not tell */
    rota__op_defer(pipe->loop, &instance->io.op);
  else
    rota__stream_begun((uv_stream_t *)pipe, &instance->io, error);
}

static void drop(struct instance *instance) {
  if (instance->handle == INVALID_HANDLE_VALUE)
    return;
  CancelIoEx(instance->handle, NULL);
  CloseHandle(instance->handle);
  instance->handle = INVALID_HANDLE_VALUE;
}

static void on_client(struct rota_op *op, int32_t result, uint32_t bytes) {
  struct instance *instance = rota__container_of(rota__io_of(op), struct instance, io);
  uv_pipe_t *pipe = instance->pipe;
  (void)bytes;
  if (rota__handle_is_closing((uv_handle_t *)pipe)) {
    drop(instance);
  } else if (result < 0) {
    drop(instance);
    if (result == UV_EOF)
      wait_for_client(instance); /* its client has gone already */
  } else {
    struct instance **end = &pipe->server->accepted;
    while (*end != NULL)
      end = &(*end)->next;
    instance->next = NULL;
    *end = instance;
    uv_loop_t *loop = pipe->loop;
    rota__handle_call_begin(loop, pipe, (rota_function)pipe->io.connection_cb);
    pipe->io.connection_cb((uv_stream_t *)pipe, 0);
    rota__call_end(loop);
  }
  rota__stream_end((uv_stream_t *)pipe);
}

int rota__pipe_listen(uv_pipe_t *pipe, int backlog, uv_connection_cb cb) {
  uv_stream_t *stream = (uv_stream_t *)pipe;
  (void)backlog;
  if (pipe->server == NULL)
    return UV_EINVAL;
  if (stream->flags & ROTA_STREAM_READING)
    return UV_EISCONN;
  stream->io.connection_cb = cb;
  if (stream->flags & ROTA_STREAM_LISTENING)
    return 0;
  if (pipe->ipc)
    return UV_EINVAL;
  stream->flags |= ROTA_STREAM_LISTENING;
  rota__handle_start((uv_handle_t *)stream);
  for (int i = 0; i < pipe->server->count; i++)
    wait_for_client(&pipe->server->instances[i]);
  return 0;
}

static int take_instance(uv_pipe_t *server, struct instance *instance, uv_pipe_t *client) {
  size_t size = (wcslen(server->name) + 1) * sizeof(WCHAR);
  WCHAR *name = rota__malloc(size);
  if (name == NULL)
    return UV_ENOMEM;
  memcpy(name, server->name, size);
  if (client->ipc && rota__pipe_channel_open(client) < 0) {
    rota__free(name);
    return UV_ENOMEM;
  }
  /* It reports to the loop's port already. */
  client->name = name;
  client->handle = instance->handle;
  client->is_synchronous = false;
  client->io.state |= server->io.state & ROTA_STATE_SKIPS;
  client->flags |= ROTA_STREAM_BOUND | ROTA_STREAM_READABLE | ROTA_STREAM_WRITABLE;
  if (client->ipc)
    GetNamedPipeClientProcessId(client->handle, &client->channel->peer);
  return 0;
}

int rota__pipe_accept(uv_pipe_t *pipe, uv_stream_t *client) {
  if (pipe->ipc)
    return rota__pipe_accept_passed(pipe, client);
  if (client->type != UV_NAMED_PIPE || pipe->server == NULL)
    return UV_EINVAL;
  struct instance *instance = pipe->server->accepted;
  if (instance == NULL)
    return UV_EAGAIN;
  if (((uv_pipe_t *)client)->handle != INVALID_HANDLE_VALUE || ((uv_pipe_t *)client)->server != NULL)
    return UV_EBUSY;
  int err = take_instance(pipe, instance, (uv_pipe_t *)client);
  if (err < 0)
    return err;
  pipe->server->accepted = instance->next;
  instance->handle = INVALID_HANDLE_VALUE;
  if (!rota__handle_is_closing((uv_handle_t *)pipe))
    wait_for_client(instance);
  return 0;
}

HANDLE rota__pipe_server_handle(const uv_pipe_t *pipe) {
  return pipe->server->instances[0].handle;
}

void rota__pipe_server_close(uv_pipe_t *pipe) {
  for (int i = 0; i < pipe->server->count; i++)
    drop(&pipe->server->instances[i]);
  pipe->server->accepted = NULL;
}

void rota__pipe_server_free(uv_pipe_t *pipe) {
  rota__free(pipe->server);
  pipe->server = NULL;
}
