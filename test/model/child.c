/* Children: their end is reported once, and uv_spawn returns the error if one cannot be started. */
#include "model.h"
#include "steps.h"

#include <signal.h>

struct child {
  struct object base;
  bool started, ended;
};

static bool settled(const struct object *object) {
  return !((const struct child *)object)->started || ((const struct child *)object)->ended;
}

static void act(struct object *object, enum action action, int amount) {
  (void)amount;
  if (action == DO_CLOSE)
    object_close(object);
}

static void forked(struct object *object) {
  object_close(object);
}

static const struct kind kind = {.name = "child", .settled = settled, .act = act, .forked = forked};

static void on_child_exit(uv_process_t *process, int64_t status, int signal) {
  struct child *child = process->data;
  callback_enter(&child->base);
  if (child->ended || child->base.closing)
    object_bad(&child->base, "ended twice, or closed");
  child->ended = true;
  object_note(&child->base, "exit %d signal %d", (int)status, signal);
  object_react(&child->base, ON_FIRE);
  callback_leave();
}

void step_child(const struct step *step) {
  static const char *const commands[] = {"exit 0",        "exit 3",         "kill -TERM $$",
                                         "kill -KILL $$", "exec sleep 100", "exit 255"};
  enum { SLEEPS = 4, NOT_THERE = 6, NOT_A_PROGRAM = 7, NO_DIRECTORY = 8, VARIANTS = 9 };
  struct child *child = object_new(sizeof(*child), &kind, sizeof(uv_process_t));
  int variant = step->a % VARIANTS;
  char *arguments[] = {"sh", "-c", (char *)commands[variant < NOT_THERE ? variant : 0], NULL};
  uv_stdio_container_t stdio[3] = {{.flags = UV_IGNORE}, {.flags = UV_INHERIT_FD, .data.fd = 2}, {.flags = UV_IGNORE}};
  uv_process_options_t options = {.file = "/bin/sh", .args = arguments, .exit_cb = on_child_exit};
  if (step->b % 2 == 0) {
    options.stdio = stdio;
    options.stdio_count = 3;
  }
  if (step->b % 5 == 0)
    options.flags = UV_PROCESS_DETACHED;
  if (variant == NOT_THERE)
    options.file = "no-such-program";
  if (variant == NOT_A_PROGRAM)
    options.file = "/etc/passwd";
  if (variant == NO_DIRECTORY)
    options.cwd = "/no-such-directory";
  uv_process_t *process = (uv_process_t *)child->base.handle;
  int err = uv_spawn(world.loop, process, &options);
  object_note(&child->base, "spawn:%s active %d", error_name(err), uv_is_active(child->base.handle));
  child->started = err == 0;
  if (variant == SLEEPS && err == 0)
    object_note(&child->base, "kill:%s", error_name(uv_process_kill(process, step->c % 2 ? SIGTERM : SIGKILL)));
}
