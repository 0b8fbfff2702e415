/* Descriptors over local connections: one handle is passed again and again, and what comes is as many copies of it. */
#include "stream.h"

enum { COPIES = 16 };

static struct sim_handle gift, copies[COPIES];

/* One end of a pipe; nobody has the other one. */
uv_stream_t *gift_handle(void) {
  uv_file fds[2];
  uv_fs_t req;
  if (gift.handle != NULL)
    return gift.is_closing ? NULL : (uv_stream_t *)gift.handle;
  if (sim.calm || sim_refused(uv_pipe(fds, 0, 0), "uv_pipe"))
    return NULL;
  uv_fs_close(NULL, &req, fds[1], NULL);
  uv_fs_req_cleanup(&req);
  uv_pipe_t *pipe = sim_handle_make(&gift, "gift", 0, sizeof *pipe);
  uv_pipe_init(&sim.loop, pipe, 0);
  int err = uv_pipe_open(pipe, fds[0]);
  sim_check(err == 0, "uv_pipe_open: %d", err);
  return (uv_stream_t *)pipe;
}

void gift_close(void) {
  if (sim_handle_is_open(&gift))
    sim_handle_close(&gift);
}

static struct sim_handle *find_free(void) {
  for (int i = 0; i < COPIES; i++)
    if (copies[i].handle == NULL)
      return &copies[i];
  return NULL;
}

static void take_one(struct end *end) {
  struct sim_handle *copy = find_free();
  uv_pipe_t *from = (uv_pipe_t *)end->base.handle;
  if (copy == NULL)
    return;
  uv_handle_type type = uv_pipe_pending_type(from);
  sim_check(type == UV_NAMED_PIPE, "stream %d: a descriptor of type %d", end->number, (int)type);
  uv_pipe_t *pipe = sim_handle_make(copy, "copy", (int)(copy - copies), sizeof *pipe);
  uv_pipe_init(&sim.loop, pipe, 0);
  int err = uv_accept((uv_stream_t *)from, (uv_stream_t *)pipe);
  sim_check(err == 0, "uv_accept of a descriptor: %d", err);
  sim_check(uv_is_readable((uv_stream_t *)pipe), "a copy cannot be read, and the end of a pipe can");
  sim_handle_close(copy);
  end->taken++;
}

void end_take_gifts(struct end *end) {
  int count = uv_pipe_pending_count((uv_pipe_t *)end->base.handle);
  sim_log("stream %d: %d descriptors", end->number, count);
  if (end->peer >= 0 && (unsigned char)ends[end->peer].life == end->header[1])
    sim_check(end->taken + (uint64_t)count <= ends[end->peer].passed, "stream %d: more descriptors than were passed",
              end->number);
  for (; count > 0 && (sim.calm || sim_chance(80)); count--)
    take_one(end);
}
