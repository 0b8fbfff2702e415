/* Poll handles on descriptors of the program: called as long as there is something to read. */
#include "model.h"
#include "steps.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { UNREAD_MAX = 8 };

struct poll {
  struct object base;
  int fds[2];
  bool started, ended, loose_progress;
  int sent, got;
};

static bool settled(const struct object *object) {
  const struct poll *poll = (const struct poll *)object;
  return !poll->started || (poll->got == poll->sent && (poll->fds[1] >= 0 || poll->ended));
}

static void gone(struct object *object) {
  struct poll *poll = (struct poll *)object;
  close(poll->fds[0]);
  if (poll->fds[1] >= 0)
    close(poll->fds[1]);
}

static void stop(struct poll *poll) {
  object_note(&poll->base, "stop:%s", error_name(uv_poll_stop((uv_poll_t *)poll->base.handle)));
  poll->started = false;
}

static void closing(struct object *object) {
  if (!world.in_batch || ((struct poll *)object)->loose_progress)
    object_loosen(object);
}

static void act(struct object *object, enum action action, int amount) {
  struct poll *poll = (struct poll *)object;
  (void)amount;
  if (action == DO_CLOSE)
    object_close(object);
  if (action == DO_STOP) {
    stop(poll);
    poll->loose_progress = true;
  }
}

static void print(const struct object *object, struct text *out) {
  const struct poll *poll = (const struct poll *)object;
  text_add(out, " sent %d, got %d%s,", poll->sent, poll->got, poll->ended ? ", end" : "");
}

/* One byte each time: the handle must be called again while there is more. */
static void on_poll(uv_poll_t *handle, int status, int events) {
  struct poll *poll = handle->data;
  char byte;
  callback_enter(&poll->base);
  if (!poll->started || poll->base.closing)
    object_bad(&poll->base, "told while stopped");
  if (status != 0)
    object_bad(&poll->base, "status %s", error_name(status));
  if (events & UV_READABLE) {
    ssize_t n = recv(poll->fds[0], &byte, 1, MSG_DONTWAIT);
    if (n == 1)
      poll->got++;
    else if (n == 0)
      poll->ended = true;
    else
      object_bad(&poll->base, "nothing to read");
  }
  if (poll->ended && poll->started)
    stop(poll);
  object_react(&poll->base, ON_FIRE);
  callback_leave();
}

static void start(struct poll *poll, int number) {
  int events = UV_READABLE | (number % 3 == 0 ? UV_DISCONNECT : 0) | (number % 4 == 0 ? UV_PRIORITIZED : 0);
  object_note(&poll->base, "start:%s", error_name(uv_poll_start((uv_poll_t *)poll->base.handle, events, on_poll)));
  poll->started = true;
  poll->loose_progress = false;
}

static void finish(struct object *object) {
  struct poll *poll = (struct poll *)object;
  if (!poll->started && !poll->ended)
    start(poll, 0);
}

static const struct kind kind = {
    .name = "poll", .settled = settled, .closing = closing, .act = act, .print = print, .finish = finish, .gone = gone};

static bool is_poll(const struct object *object) {
  return object->kind == &kind && !((const struct poll *)object)->ended;
}

static bool can_take(const struct object *object) {
  const struct poll *poll = (const struct poll *)object;
  return is_poll(object) && poll->fds[1] >= 0 && poll->sent - poll->got < UNREAD_MAX;
}

void step_poll(const struct step *step) {
  struct poll *poll = (struct poll *)world_pick(step->a, is_poll);
  if (poll == NULL || step->a % 2 == 0) {
    poll = object_new(sizeof(*poll), &kind, sizeof(uv_poll_t));
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, poll->fds) != 0)
      abort();
    if (uv_poll_init(world.loop, (uv_poll_t *)poll->base.handle, poll->fds[0]) != 0)
      object_bad(&poll->base, "init");
  }
  if (step->b % 4 == 0 && poll->started)
    stop(poll);
  else
    start(poll, step->c);
}

void step_poll_send(const struct step *step) {
  struct poll *poll = (struct poll *)world_pick(step->a, can_take);
  if (poll == NULL)
    return;
  if (step->b % 8 == 0) {
    close(poll->fds[1]);
    poll->fds[1] = -1;
  } else if (send(poll->fds[1], "abc", 1 + (size_t)step->b % 3, MSG_DONTWAIT) > 0) {
    poll->sent += 1 + step->b % 3;
  }
}
