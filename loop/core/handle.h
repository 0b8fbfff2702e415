/* What all handles share: a class, flags, a place in the loop's list, the active state, closing.
 *
 * A handle keeps its loop alive while it is active and referenced, or closing. A handle is closed in two steps. The
 * class's `close` stops everything at once and closes descriptors. In the closing phase, `finish` calls back the
 * requests that are left, and then the user's close callback runs. */
#ifndef ROTA_LOOP_HANDLE_H
#define ROTA_LOOP_HANDLE_H

#include <stdbool.h>

#include "loop/base/list.h"
#include "loop/core/observe.h"
#include "uv.h"

enum rota_handle_flag {
  /* all handles */
  ROTA_HANDLE_CLOSING = 1u << 0,
  ROTA_HANDLE_CLOSED = 1u << 1,
  ROTA_HANDLE_ACTIVE = 1u << 2,
  ROTA_HANDLE_REF = 1u << 3,
  ROTA_HANDLE_INTERNAL = 1u << 4, /* the loop's own: uv_walk does not show it */
  /* streams */
  ROTA_STREAM_LISTENING = 1u << 6,
  ROTA_STREAM_SHUT = 1u << 9,
  ROTA_STREAM_READ_EOF = 1u << 11,
  ROTA_STREAM_READING = 1u << 12,
  ROTA_STREAM_BOUND = 1u << 13,
  ROTA_STREAM_READABLE = 1u << 14,
  ROTA_STREAM_WRITABLE = 1u << 15,
  ROTA_STREAM_IPV6 = 1u << 17,
  ROTA_STREAM_NOT_SOCKET = 1u << 18,      /* a pipe, a FIFO or a terminal: write(2), not send(2) */
  ROTA_STREAM_STARVED = 1u << 19,         /* a listener that found no free descriptor and waits before it tries again */
  ROTA_STREAM_STEERED = 1u << 21,         /* its writes may be told to fail */
  ROTA_STREAM_BLOCKING_WRITES = 1u << 20, /* libuv's value: programs look at it */
  /* by type, may overlap */
  ROTA_TCP_NODELAY = 1u << 24,
  ROTA_TCP_KEEPALIVE = 1u << 25,
  ROTA_UDP_PROCESSING = 1u << 24,
  ROTA_UDP_CONNECTED = 1u << 25,
  ROTA_UDP_RECVMMSG = 1u << 26,
  ROTA_UDP_STREAM = 1u << 27, /* a descriptor was opened as a stream */
  ROTA_SIGNAL_ONE_SHOT = 1u << 24,
  ROTA_SIGNAL_ONE_SHOT_DISPATCHED = 1u << 25,
  ROTA_FS_EVENT_IS_RECURSIVE = 1u << 24, /* as it was started */
  ROTA_PROCESS_REAPED = 1u << 24,
  ROTA_ASYNC_LEFT_SENT = 1u << 24, /* closed, and still in a list of those that were sent */
};

struct rota_handle_class {
  uv_handle_type type;
  /* Called by uv_close, once. Must end with rota__handle_closed(), now or later. */
  void (*close)(uv_handle_t *handle);
  /* Called in the closing phase, before the user's close callback; may be null. */
  void (*finish)(uv_handle_t *handle);
  /* The descriptor behind the handle, or -1; null: the type has none (uv_fileno: UV_EINVAL). */
  int (*fd)(const uv_handle_t *handle);
  /* uv_cancel of a write; null: the type has no writes. */
  int (*cancel_write)(uv_write_t *req);
};

static inline bool rota__handle_is_active(const uv_handle_t *handle) {
  return (handle->flags & ROTA_HANDLE_ACTIVE) != 0;
}

static inline bool rota__handle_is_closing(const uv_handle_t *handle) {
  return (handle->flags & (ROTA_HANDLE_CLOSING | ROTA_HANDLE_CLOSED)) != 0;
}

/* Where the handle was made, if somebody wanted to know; else 0. Where pointers have 32 bits, it is not known of
 * handles that are closed. */
static inline uint32_t rota__handle_origin(const uv_handle_t *handle) {
#if UINTPTR_MAX > UINT32_MAX
  return handle->u.rota.origin;
#else
  return rota__handle_is_closing(handle) ? 0 : (uint32_t)(uintptr_t)handle->next_closing;
#endif
}

static inline void rota__handle_set_origin(uv_handle_t *handle, uint32_t origin) {
#if UINTPTR_MAX > UINT32_MAX
  handle->u.rota.origin = origin;
#else
  handle->next_closing = (uv_handle_t *)(uintptr_t)origin;
#endif
}

/* A new handle is referenced and not active. */
static inline void rota__handle_init(uv_loop_t *loop, uv_handle_t *handle, const struct rota_handle_class *kind) {
  handle->loop = loop;
  handle->type = kind->type;
  handle->u.rota.kind = kind;
  handle->u.rota.cause = loop->core.call;
  handle->close_cb = NULL;
  handle->next_closing = NULL;
  rota__handle_set_origin(handle, 0);
  handle->flags = ROTA_HANDLE_REF;
  rota__list_append(&loop->handle_queue, &handle->handle_queue);
  if (rota__unlikely(loop->core.observers != NULL))
    rota__observe_handle(loop, handle);
}

static inline void rota__handle_start(uv_handle_t *handle) {
  handle->u.rota.cause = handle->loop->core.call;
  if (handle->flags & ROTA_HANDLE_ACTIVE)
    return;
  handle->flags |= ROTA_HANDLE_ACTIVE;
  if (handle->flags & ROTA_HANDLE_REF)
    handle->loop->active_handles++;
}

/* For callers that know the loop: reading it from the handle would touch another cache line. */
static inline void rota__handle_stop_in(uv_loop_t *loop, uv_handle_t *handle) {
  handle->flags &= ~(unsigned int)ROTA_HANDLE_ACTIVE;
  if (handle->flags & ROTA_HANDLE_REF)
    loop->active_handles--;
}

static inline void rota__handle_stop(uv_handle_t *handle) {
  if (handle->flags & ROTA_HANDLE_ACTIVE)
    rota__handle_stop_in(handle->loop, handle);
}

/* The class's close is done: the close callback may run in the next closing phase. */
void rota__handle_closed(uv_handle_t *handle);

#endif
