#include "loop/core/handle.h"

#include "loop/base/check.h"
#include "loop/core/internal.h"

void uv_close(uv_handle_t *handle, uv_close_cb close_cb) {
  rota__check(!rota__handle_is_closing(handle));
  handle->flags |= ROTA_HANDLE_CLOSING;
  handle->close_cb = close_cb;
  handle->u.rota.kind->close(handle);
}

void rota__handle_closed(uv_handle_t *handle) {
  rota__check(handle->flags & ROTA_HANDLE_CLOSING);
  rota__check(!(handle->flags & ROTA_HANDLE_CLOSED));
  handle->next_closing = rota__loop(handle->loop)->closing;
  rota__loop(handle->loop)->closing = handle;
}

static void finish(uv_handle_t *handle) {
  uv_loop_t *loop = handle->loop;
  handle->flags |= ROTA_HANDLE_CLOSED;
  if (handle->u.rota.kind->finish != NULL)
    handle->u.rota.kind->finish(handle);
  rota__handle_stop(handle);
  handle->flags &= ~(unsigned int)ROTA_HANDLE_REF;
  rota__list_remove(&handle->handle_queue);
  if (handle->close_cb == NULL)
    return;
  rota__handle_call_begin(loop, handle, (rota_function)handle->close_cb);
  handle->close_cb(handle);
  rota__call_end(loop);
}

/* Last in, first out; handles closed meanwhile wait for the next iteration. */
void rota__closing_run(uv_loop_t *loop) {
  uv_handle_t *handle = rota__loop(loop)->closing;
  rota__loop(loop)->closing = NULL;
  while (handle != NULL) {
    uv_handle_t *next = handle->next_closing;
    finish(handle);
    handle = next;
  }
}

void uv_ref(uv_handle_t *handle) {
  if (handle->flags & ROTA_HANDLE_REF)
    return;
  handle->flags |= ROTA_HANDLE_REF;
  if (handle->flags & ROTA_HANDLE_CLOSING)
    return;
  if (handle->flags & ROTA_HANDLE_ACTIVE)
    handle->loop->active_handles++;
}

void uv_unref(uv_handle_t *handle) {
  if (!(handle->flags & ROTA_HANDLE_REF))
    return;
  handle->flags &= ~(unsigned int)ROTA_HANDLE_REF;
  if (handle->flags & ROTA_HANDLE_CLOSING)
    return;
  if (handle->flags & ROTA_HANDLE_ACTIVE)
    handle->loop->active_handles--;
}

int uv_has_ref(const uv_handle_t *handle) {
  return (handle->flags & ROTA_HANDLE_REF) != 0;
}

int uv_is_active(const uv_handle_t *handle) {
  return rota__handle_is_active(handle);
}

int uv_is_closing(const uv_handle_t *handle) {
  return rota__handle_is_closing(handle);
}

int uv_fileno(const uv_handle_t *handle, uv_os_fd_t *fd) {
  if (handle->u.rota.kind->fd == NULL)
    return UV_EINVAL;
  int found = handle->u.rota.kind->fd(handle);
  if (rota__handle_is_closing(handle) || found < 0)
    return UV_EBADF;
  *fd = (uv_os_fd_t)(intptr_t)found;
  return 0;
}

size_t uv_handle_size(uv_handle_type type) {
  switch (type) {
#define XX(upper, lower)                                                                                               \
  case UV_##upper:                                                                                                     \
    return sizeof(uv_##lower##_t);
    UV_HANDLE_TYPE_MAP(XX)
#undef XX
  default:
    return (size_t)-1;
  }
}

const char *uv_handle_type_name(uv_handle_type type) {
  switch (type) {
#define XX(upper, lower)                                                                                               \
  case UV_##upper:                                                                                                     \
    return #lower;
    UV_HANDLE_TYPE_MAP(XX)
#undef XX
  case UV_FILE:
    return "file";
  default:
    return NULL;
  }
}

uv_handle_type uv_handle_get_type(const uv_handle_t *handle) {
  return handle->type;
}

void *uv_handle_get_data(const uv_handle_t *handle) {
  return handle->data;
}

uv_loop_t *uv_handle_get_loop(const uv_handle_t *handle) {
  return handle->loop;
}

void uv_handle_set_data(uv_handle_t *handle, void *data) {
  handle->data = data;
}

/* ---- all handles of a loop ---- */

void uv_walk(uv_loop_t *loop, uv_walk_cb walk_cb, void *arg) {
  /* The callback may close or add handles. So the list is emptied first, and each handle moves back when it is visited.
   */
  struct rota_link snapshot;
  rota__list_take(&snapshot, &loop->handle_queue);
  while (!rota__list_empty(&snapshot)) {
    struct rota_link *link = rota__list_first(&snapshot);
    uv_handle_t *handle = rota__container_of(link, uv_handle_t, handle_queue);
    rota__list_remove(link);
    rota__list_append(&loop->handle_queue, link);
    if (!(handle->flags & ROTA_HANDLE_INTERNAL))
      walk_cb(handle, arg);
  }
}

static void print_handles(uv_loop_t *loop, bool only_active, FILE *stream) {
  if (loop == NULL)
    loop = uv_default_loop();
  if (loop == NULL)
    return;
  for (struct rota_link *link = loop->handle_queue.next; link != &loop->handle_queue; link = link->next) {
    const uv_handle_t *handle = rota__container_of(link, uv_handle_t, handle_queue);
    if (only_active && !rota__handle_is_active(handle))
      continue;
    const char *name = uv_handle_type_name(handle->type);
    fprintf(stream, "[%c%c%c] %-8s %p\n", handle->flags & ROTA_HANDLE_REF ? 'R' : '-',
            handle->flags & ROTA_HANDLE_ACTIVE ? 'A' : '-', handle->flags & ROTA_HANDLE_INTERNAL ? 'I' : '-',
            name == NULL ? "<unknown>" : name, (const void *)handle);
  }
}

void uv_print_all_handles(uv_loop_t *loop, FILE *stream) {
  print_handles(loop, false, stream);
}

void uv_print_active_handles(uv_loop_t *loop, FILE *stream) {
  print_handles(loop, true, stream);
}

/* ---- requests ---- */

size_t uv_req_size(uv_req_type type) {
  switch (type) {
#define XX(upper, lower)                                                                                               \
  case UV_##upper:                                                                                                     \
    return sizeof(uv_##lower##_t);
    UV_REQ_TYPE_MAP(XX)
#undef XX
  default:
    return (size_t)-1;
  }
}

const char *uv_req_type_name(uv_req_type type) {
  switch (type) {
#define XX(upper, lower)                                                                                               \
  case UV_##upper:                                                                                                     \
    return #lower;
    UV_REQ_TYPE_MAP(XX)
#undef XX
  default:
    return NULL;
  }
}

void *uv_req_get_data(const uv_req_t *req) {
  return req->data;
}

void uv_req_set_data(uv_req_t *req, void *data) {
  req->data = data;
}

uv_req_type uv_req_get_type(const uv_req_t *req) {
  return req->type;
}
