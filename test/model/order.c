/* The order of the phases: some handles whose callbacks start, stop, send to and close each other, in iterations that
 * do not block. Everything here is promised, so the whole sequence is logged. Performed between rounds, on a
 * loop of its own. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

enum { HANDLES = 10, SCRIPT = 3 };
enum type { IDLE, PREPARE, CHECK, ASYNC, TIMER, TYPES };

struct part {
  union uv_any_handle handle;
  enum type type;
  bool closing, closed;
  uint64_t script[SCRIPT]; /* what its callback does, the first times */
  int calls;
};

static struct part parts[HANDLES];
static int part_count;
static struct text sequence;
static uv_loop_t loop; /* of its own: the end of some child may come to the other one at any time */

static void do_something(uint64_t number);

static void called(struct part *part) {
  text_add(&sequence, " %c%d%s", "ipcat"[part->type], (int)(part - parts), part -> closing ? "!" : "");
  if (part->calls < SCRIPT)
    do_something(part->script[part->calls]);
  part->calls++;
}

static void on_idle(uv_idle_t *handle) {
  called(handle->data);
}

static void on_prepare(uv_prepare_t *handle) {
  called(handle->data);
}

static void on_check(uv_check_t *handle) {
  called(handle->data);
}

static void on_async(uv_async_t *handle) {
  called(handle->data);
}

static void on_timer(uv_timer_t *handle) {
  called(handle->data);
}

static void on_part_close(uv_handle_t *handle) {
  struct part *part = handle->data;
  text_add(&sequence, " x%d", (int)(part - parts));
  part->closed = true;
}

static void make(struct part *part) {
  part->handle.handle.data = part;
  if (part->type == IDLE)
    uv_idle_init(&loop, &part->handle.idle);
  else if (part->type == PREPARE)
    uv_prepare_init(&loop, &part->handle.prepare);
  else if (part->type == CHECK)
    uv_check_init(&loop, &part->handle.check);
  else if (part->type == ASYNC)
    uv_async_init(&loop, &part->handle.async, on_async);
  else
    uv_timer_init(&loop, &part->handle.timer);
}

static void start(struct part *part) {
  int err = 0;
  if (part->type == IDLE)
    err = uv_idle_start(&part->handle.idle, on_idle);
  else if (part->type == PREPARE)
    err = uv_prepare_start(&part->handle.prepare, on_prepare);
  else if (part->type == CHECK)
    err = uv_check_start(&part->handle.check, on_check);
  else if (part->type == ASYNC)
    err = uv_async_send(&part->handle.async);
  else
    err = uv_timer_start(&part->handle.timer, on_timer, 0, 0);
  if (err != 0)
    text_add(&sequence, " %s", error_name(err));
}

static void stop(struct part *part) {
  if (part->type == IDLE)
    uv_idle_stop(&part->handle.idle);
  else if (part->type == PREPARE)
    uv_prepare_stop(&part->handle.prepare);
  else if (part->type == CHECK)
    uv_check_stop(&part->handle.check);
  else if (part->type == TIMER)
    uv_timer_stop(&part->handle.timer);
}

static void close_part(struct part *part) {
  part->closing = true;
  uv_close(&part->handle.handle, on_part_close);
}

static void do_something(uint64_t number) {
  struct part *part = &parts[(number >> 8) % (uint64_t)part_count];
  if (part->closing)
    return;
  switch (number % 8) {
  case 0 ... 3:
    start(part);
    break;
  case 4 ... 5:
    stop(part);
    break;
  case 6:
    close_part(part);
    break;
  default:
    if (uv_has_ref(&part->handle.handle))
      uv_unref(&part->handle.handle);
    else
      uv_ref(&part->handle.handle);
    break;
  }
}

void order_run(const struct step *step) {
  uint64_t state = mix((uint64_t)step->a * 1000 + (uint64_t)step->b);
  memset(parts, 0, sizeof(parts));
  part_count = 1 + step->c % HANDLES;
  if (uv_loop_init(&loop) != 0)
    abort();
  text_add(&sequence, "order %d:", step->id);
  for (int i = 0; i < part_count; i++) {
    struct part *part = &parts[i];
    state = mix(state);
    part->type = (enum type)(state % TYPES);
    if (part->type == TIMER && !program_allows("order_of_timers"))
      part->type = CHECK;
    if (part->type == ASYNC && !program_allows("order_of_asyncs"))
      part->type = PREPARE;
    make(part);
    for (int call = 0; call < SCRIPT; call++)
      part->script[call] = state = mix(state);
  }
  for (int i = 0; i < part_count; i++)
    do_something(state = mix(state));
  for (int i = 0; i < 4; i++) {
    int alive = uv_run(&loop, UV_RUN_NOWAIT);
    text_add(&sequence, " |%d%d", alive, uv_loop_alive(&loop));
  }
  for (int i = 0; i < part_count; i++)
    if (!parts[i].closing)
      close_part(&parts[i]);
  bool open = true;
  while (open) {
    uv_run(&loop, UV_RUN_NOWAIT);
    open = false;
    for (int i = 0; i < part_count; i++)
      open = open || !parts[i].closed;
  }
  text_add(&world.log, "%s, loop closed: %s\n", text_of(&sequence), error_name(uv_loop_close(&loop)));
  sequence.length = 0;
}
