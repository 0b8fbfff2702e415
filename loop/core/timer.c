/* Timers: thresholds in milliseconds of the loop's clock, kept in a wheel (base/wheel.h).
 *
 * Due timers leave the wheel before any callback runs, so a callback that starts a zero timer cannot starve the loop. A
 * timer is active until just before its callback runs. */
#include "loop/core/handle.h"
#include "loop/core/internal.h"

static void timer_close(uv_handle_t *handle) {
  uv_timer_stop((uv_timer_t *)handle);
  rota__handle_closed(handle);
}

static const struct rota_handle_class timer_class = {.type = UV_TIMER, .close = timer_close};

int uv_timer_init(uv_loop_t *loop, uv_timer_t *handle) {
  rota__handle_init(loop, (uv_handle_t *)handle, &timer_class);
  handle->timer.cb = NULL;
  handle->timer.due_ms = 0;
  handle->timer.repeat_ms = 0;
  rota__list_init(&handle->timer.link);
  return 0;
}

int uv_timer_start(uv_timer_t *handle, uv_timer_cb cb, uint64_t timeout, uint64_t repeat) {
  if (rota__handle_is_closing((uv_handle_t *)handle) || cb == NULL)
    return UV_EINVAL;
  struct rota_wheel *wheel = &rota__loop(handle->loop)->timers;
  if (rota__handle_is_active((uv_handle_t *)handle))
    rota__wheel_remove(wheel, &handle->timer);
  uint64_t due_ms = handle->loop->core.now_ms + timeout;
  handle->timer.cb = cb;
  handle->timer.due_ms = due_ms < timeout ? UINT64_MAX : due_ms;
  handle->timer.repeat_ms = repeat;
  rota__wheel_add(wheel, &handle->timer);
  rota__handle_start((uv_handle_t *)handle);
  return 0;
}

int uv_timer_stop(uv_timer_t *handle) {
  if (rota__handle_is_active((uv_handle_t *)handle)) {
    rota__wheel_remove(&rota__loop(handle->loop)->timers, &handle->timer);
    rota__handle_stop((uv_handle_t *)handle);
  }
  return 0;
}

int uv_timer_again(uv_timer_t *handle) {
  if (handle->timer.cb == NULL)
    return UV_EINVAL;
  if (handle->timer.repeat_ms != 0) {
    uv_timer_stop(handle);
    uv_timer_start(handle, handle->timer.cb, handle->timer.repeat_ms, handle->timer.repeat_ms);
  }
  return 0;
}

void uv_timer_set_repeat(uv_timer_t *handle, uint64_t repeat) {
  handle->timer.repeat_ms = repeat;
}

uint64_t uv_timer_get_repeat(const uv_timer_t *handle) {
  return handle->timer.repeat_ms;
}

uint64_t uv_timer_get_due_in(const uv_timer_t *handle) {
  uint64_t now_ms = handle->loop->core.now_ms;
  return handle->timer.due_ms > now_ms ? handle->timer.due_ms - now_ms : 0;
}

/* The needed part of a timer is in two cache lines. A null pointer may be prefetched like any other address; it is
 * converted to an integer because C does not define arithmetic on null pointers. */
static inline void fetch_early(const struct rota_timer *timer) {
  uintptr_t address = (uintptr_t)timer;
  __builtin_prefetch((const void *)(address - offsetof(uv_timer_t, timer) + offsetof(uv_timer_t, flags)));
  __builtin_prefetch((const void *)(address + offsetof(struct rota_timer, repeat_ms)));
}

void rota__timers_run(uv_loop_t *loop) {
  struct rota_link due;
  rota__list_init(&due);
  rota__wheel_advance(&rota__loop(loop)->timers, loop->core.now_ms, &due);
  while (!rota__list_empty(&due)) {
    struct rota_link *link = rota__list_first(&due);
    rota__list_remove(link);
    uv_timer_t *handle = rota__container_of(link, uv_timer_t, timer.link);
    fetch_early(handle->timer.further);
    rota__handle_stop_in(loop, (uv_handle_t *)handle);
    /* Before a repeating timer is started again: observers read its due time. */
    rota__handle_call_begin(loop, handle, (rota_function)handle->timer.cb);
    if (handle->timer.repeat_ms != 0)
      uv_timer_again(handle);
    handle->timer.cb(handle);
    rota__call_end(loop);
  }
}
