/* Asyncs, sent from the loop's thread and from others. After the last send, the callback runs, and sees what was
 * written before it. The number of calls is not specified. */
#include "model.h"
#include "steps.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS_MAX = 8 };

struct async {
  struct object base;
  atomic_int published;
  int expected, seen; /* of what is published: in the end, and so far */
  pthread_t threads[THREADS_MAX];
  int thread_count;
};

struct sender {
  struct async *async;
  uv_async_t *handle;
  int times;
};

static bool settled(const struct object *object) {
  const struct async *async = (const struct async *)object;
  return async->seen == async->expected;
}

static void join(struct async *async) {
  for (int i = 0; i < async->thread_count; i++)
    pthread_join(async->threads[i], NULL);
  async->thread_count = 0;
}

/* A send to a closing handle has no effect; only its memory must still exist. */
static void closing(struct object *object) {
  if (!world.in_batch || ((struct async *)object)->seen != ((struct async *)object)->expected)
    object_loosen(object);
  if (!program_allows("send_closed"))
    join((struct async *)object);
}

static void gone(struct object *object) {
  join((struct async *)object);
}

static void act(struct object *object, enum action action, int amount) {
  (void)amount;
  if (action == DO_CLOSE)
    object_close(object);
}

static void print(const struct object *object, struct text *out) {
  text_add(out, " seen %d,", ((const struct async *)object)->seen);
}

static const struct kind kind = {
    .name = "async", .settled = settled, .closing = closing, .act = act, .print = print, .gone = gone};

static bool is_async(const struct object *object) {
  return object->kind == &kind && ((const struct async *)object)->thread_count < THREADS_MAX;
}

static void on_async(uv_async_t *handle) {
  struct async *async = handle->data;
  callback_enter(&async->base);
  if (async->base.closing)
    object_bad(&async->base, "called after uv_close");
  async->seen = atomic_load(&async->published);
  if (async->seen == async->expected)
    join(async);
  object_react(&async->base, ON_FIRE);
  callback_leave();
}

void step_async(const struct step *step) {
  (void)step;
  struct async *async = object_new(sizeof(*async), &kind, sizeof(uv_async_t));
  if (uv_async_init(world.loop, (uv_async_t *)async->base.handle, on_async) != 0)
    object_bad(&async->base, "init");
}

static void *send_often(void *data) {
  struct sender *sender = data;
  for (int i = 0; i < sender->times; i++) {
    atomic_fetch_add(&sender->async->published, 1);
    if (uv_async_send(sender->handle) != 0)
      abort();
    if (i % 4 == 3)
      sched_yield();
  }
  free(sender);
  return NULL;
}

void step_async_send(const struct step *step) {
  struct async *async = (struct async *)world_pick(step->a, is_async);
  if (async == NULL)
    return;
  struct sender *sender = calloc(1, sizeof(*sender));
  if (sender == NULL)
    abort();
  sender->async = async;
  sender->handle = (uv_async_t *)async->base.handle;
  sender->times = 1 + step->b % 20;
  async->expected += sender->times;
  if (step->c % 3 == 0)
    send_often(sender);
  else if (pthread_create(&async->threads[async->thread_count++], NULL, send_often, sender) != 0)
    abort();
}
