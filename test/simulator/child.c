/* Children: each ends once, with the status that it must have; what goes into `cat` comes out of it (stream.c). */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "stream.h"

enum { CHILDREN = 6, CODES = 256 };

enum kind { EXIT, SLEEP, CAT };

static struct child {
  struct sim_handle base;
  enum kind kind;
  bool is_running, was_killed;
  int code, signum;
  struct end *in, *out; /* of cat; null: they are not its own any more */
  uint64_t in_life;
} children[CHILDREN];

static uv_process_t *process_of(const struct child *self) {
  return (uv_process_t *)self->base.handle;
}

static void on_exit(uv_process_t *process, int64_t code, int signum) {
  struct child *self = process->data;
  sim_called(SIM_POLL);
  sim_handle_check_open(&self->base, "an exit callback");
  sim_check(self->is_running, "child %d ends twice", self->base.number);
  sim_log("child %d ends: %d, signal %d", self->base.number, (int)code, signum);
  bool as_killed = self->was_killed && signum == self->signum && code == 0;
  bool by_itself = self->kind == EXIT && signum == 0 && code == self->code;
  bool as_cat = self->kind == CAT && ((signum == 0 && (code == 0 || code == 1)) || signum == SIGPIPE);
  sim_check(as_killed || by_itself || as_cat, "child %d ends with %d and signal %d", self->base.number, (int)code,
            signum);
  self->is_running = false;
  sim_steps();
}

/* Bytes on their way through it are lost. */
static void lose_bytes(struct child *self) {
  if (self->kind == CAT && self->in->life == self->in_life)
    self->in->is_broken = self->in->has_lost = true;
}

static void kill_it(struct child *self) {
  static const int signals[] = {SIGTERM, SIGKILL, 0};
  int signum = signals[sim_below(3)];
  int err = uv_process_kill(process_of(self), signum);
  sim_log("child %d: kill %d: %d", self->base.number, signum, err);
  sim_check(err == (self->is_running ? 0 : UV_ESRCH), "uv_process_kill: %d", err);
  if (err != 0 || signum == 0)
    return;
  lose_bytes(self);
  if (!self->was_killed)
    self->signum = signum;
  self->was_killed = true;
}

static bool prepare_cat(struct child *self, uv_stdio_container_t stdio[2]) {
  self->in = end_make(false);
  self->out = self->in == NULL ? NULL : end_make(false);
  if (self->out == NULL) {
    if (self->in != NULL)
      end_close(self->in);
    return false;
  }
  self->in_life = self->in->life;
  stdio[0] = (uv_stdio_container_t){.flags = UV_CREATE_PIPE | UV_READABLE_PIPE, .data.stream = end_stream(self->in)};
  stdio[1] = (uv_stdio_container_t){.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = end_stream(self->out)};
  return true;
}

static void spawn(struct child *self, int number) {
  static char *const files[] = {"/bin/exit", "/bin/sleep", "/bin/cat"};
  char code[16];
  *self = (struct child){.kind = (enum kind)sim_below(3), .code = (int)sim_below(CODES)};
  uv_process_t *process = sim_handle_make(&self->base, "child", number, sizeof *process);
  bool is_missing = sim_chance(10);
  snprintf(code, sizeof code, "%d", self->code);
  char *args[] = {files[self->kind], code, NULL};
  uv_stdio_container_t stdio[2] = {{.flags = UV_IGNORE}, {.flags = UV_IGNORE}};
  if (self->kind == CAT && !prepare_cat(self, stdio))
    self->kind = SLEEP, args[0] = files[SLEEP];
  uv_process_options_t options = {.exit_cb = on_exit,
                                  .file = is_missing ? "/bin/missing" : args[0],
                                  .args = args,
                                  .stdio_count = 2,
                                  .stdio = stdio};
  int err = uv_spawn(&sim.loop, process, &options);
  sim_log("child %d: spawn %s %s: %d", number, options.file, code, err);
  process->data = self;
  sim_check(!is_missing || err == UV_ENOENT || err == UV_EAGAIN || sim_refused(err, "uv_spawn"), "uv_spawn: %d", err);
  sim_check(err == 0 || is_missing || err == UV_EAGAIN || sim_refused(err, "uv_spawn"), "uv_spawn: %d", err);
  self->is_running = err == 0;
  if (self->kind == CAT) {
    self->in->is_connected = self->out->is_connected = err == 0;
    self->in->is_one_way = self->out->is_one_way = true;
    self->out->is_shutting = true; /* nothing is written to it */
    if (err != 0) {
      end_close(self->in);
      end_close(self->out);
    } else {
      end_read(self->out);
    }
  }
  if (err != 0)
    sim_handle_close(&self->base);
}

static void close_it(struct child *self) {
  if (self->is_running) {
    lose_bytes(self);
    rota__model_end_child(process_of(self)->pid);
  }
  self->is_running = false;
  sim_handle_close(&self->base);
}

static void child_step(void) {
  int number = (int)sim_below(CHILDREN);
  struct child *self = &children[number];
  if (self->base.handle == NULL)
    spawn(self, number);
  else if (self->base.is_closing)
    return;
  else if (!self->is_running || sim_chance(10))
    close_it(self);
  else if (sim_chance(40))
    kill_it(self);
}

static bool children_done(void) {
  for (int i = 0; i < CHILDREN; i++)
    if (children[i].is_running && (children[i].kind == EXIT || children[i].was_killed))
      return false;
  return true;
}

static void children_close(void) {
  for (int i = 0; i < CHILDREN; i++)
    if (sim_handle_is_open(&children[i].base))
      close_it(&children[i]);
}

static bool children_alive(void) {
  for (int i = 0; i < CHILDREN; i++)
    if (sim_handle_is_open(&children[i].base) && children[i].is_running)
      return true;
  return false;
}

const struct sim_part sim_children = {.name = "children",
                                      .step = child_step,
                                      .is_done = children_done,
                                      .close = children_close,
                                      .is_alive = children_alive};
