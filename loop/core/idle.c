/* Idle, prepare and check handles: a list for each, called once in every iteration.
 *
 * A run works on a snapshot of its list: handles started meanwhile wait for the next iteration, handles stopped
 * meanwhile are not called. The handle started last is called first, as with libuv. */
#include "loop/core/handle.h"
#include "loop/core/internal.h"

/* The three types have the same layout; this is the part that their list uses. */
typedef uv_idle_t listed_t;
_Static_assert(offsetof(uv_idle_t, idle_cb) == offsetof(uv_prepare_t, prepare_cb), "idle and prepare differ");
_Static_assert(offsetof(uv_idle_t, idle_cb) == offsetof(uv_check_t, check_cb), "idle and check differ");
_Static_assert(offsetof(uv_idle_t, link) == offsetof(uv_prepare_t, link), "idle and prepare differ");
_Static_assert(offsetof(uv_idle_t, link) == offsetof(uv_check_t, link), "idle and check differ");

static void listed_init(uv_loop_t *loop, listed_t *handle, const struct rota_handle_class *kind) {
  rota__handle_init(loop, (uv_handle_t *)handle, kind);
  handle->idle_cb = NULL;
  rota__list_init(&handle->link);
}

static int listed_start(struct rota_link *list, listed_t *handle, uv_idle_cb cb) {
  if (rota__handle_is_active((uv_handle_t *)handle))
    return 0;
  if (cb == NULL)
    return UV_EINVAL;
  handle->idle_cb = cb;
  rota__list_prepend(list, &handle->link);
  rota__handle_start((uv_handle_t *)handle);
  return 0;
}

/* Also of a handle that is all zero: programs stop what they never initialized. */
static int listed_stop(listed_t *handle) {
  if (!uv_is_active((uv_handle_t *)handle))
    return 0;
  rota__list_remove(&handle->link);
  rota__handle_stop((uv_handle_t *)handle);
  return 0;
}

static void listed_close(uv_handle_t *handle) {
  listed_stop((listed_t *)handle);
  rota__handle_closed(handle);
}

static inline void listed_call(uv_loop_t *loop, listed_t *handle) {
  rota__handle_call_begin(loop, handle, (rota_function)handle->idle_cb);
  handle->idle_cb(handle);
  rota__call_end(loop);
}

static inline void listed_run(uv_loop_t *loop, struct rota_link *list) {
  if (rota__list_first(list) == list->prev) { /* a single handle needs no snapshot */
    listed_call(loop, rota__container_of(rota__list_first(list), listed_t, link));
    return;
  }
  struct rota_link snapshot;
  rota__list_take(&snapshot, list);
  while (!rota__list_empty(&snapshot)) {
    struct rota_link *link = rota__list_first(&snapshot);
    listed_t *handle = rota__container_of(link, listed_t, link);
    rota__list_remove(link);
    rota__list_append(list, link);
    listed_call(loop, handle);
  }
}

static const struct rota_handle_class idle_class = {.type = UV_IDLE, .close = listed_close};
static const struct rota_handle_class prepare_class = {.type = UV_PREPARE, .close = listed_close};
static const struct rota_handle_class check_class = {.type = UV_CHECK, .close = listed_close};

int uv_idle_init(uv_loop_t *loop, uv_idle_t *idle) {
  listed_init(loop, idle, &idle_class);
  return 0;
}

int uv_idle_start(uv_idle_t *idle, uv_idle_cb cb) {
  return listed_start(&rota__loop(idle->loop)->idle, idle, cb);
}

int uv_idle_stop(uv_idle_t *idle) {
  return listed_stop(idle);
}

void rota__idle_run(uv_loop_t *loop) {
  listed_run(loop, &rota__loop(loop)->idle);
}

int uv_prepare_init(uv_loop_t *loop, uv_prepare_t *prepare) {
  listed_init(loop, (listed_t *)prepare, &prepare_class);
  return 0;
}

int uv_prepare_start(uv_prepare_t *prepare, uv_prepare_cb cb) {
  return listed_start(&rota__loop(prepare->loop)->prepare, (listed_t *)prepare, (uv_idle_cb)cb);
}

int uv_prepare_stop(uv_prepare_t *prepare) {
  return listed_stop((listed_t *)prepare);
}

void rota__prepare_run(uv_loop_t *loop) {
  listed_run(loop, &rota__loop(loop)->prepare);
}

int uv_check_init(uv_loop_t *loop, uv_check_t *check) {
  listed_init(loop, (listed_t *)check, &check_class);
  return 0;
}

int uv_check_start(uv_check_t *check, uv_check_cb cb) {
  return listed_start(&rota__loop(check->loop)->check, (listed_t *)check, (uv_idle_cb)cb);
}

int uv_check_stop(uv_check_t *check) {
  return listed_stop((listed_t *)check);
}

void rota__check_run(uv_loop_t *loop) {
  listed_run(loop, &rota__loop(loop)->check);
}
