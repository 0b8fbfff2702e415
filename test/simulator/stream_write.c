/* Bytes out: writes call back once, in their order; what waits is counted exactly. */
#include <stdlib.h>
#include <string.h>

#include "stream.h"

bool sim_lives_with_gaps[256];

char sim_byte(const struct end *end, uint64_t place) {
  if (place == 0)
    return (char)end->number;
  if (place == 1)
    return (char)end->life;
  return (char)(place * 31 + (place >> 8) * 7 + (uint64_t)end->number * 13 + end->life);
}

/* What the program offered and the system has not taken. */
void end_check_queue(const struct end *end) {
  uv_os_fd_t fd;
  size_t size = uv_stream_get_write_queue_size(end_stream(end));
  if (end->has_lost || uv_fileno(end->base.handle, &fd) != 0)
    return;
  sim_check(size == end->offered - rota__model_sent(fd), "stream %d: %zu bytes are said to wait, and %llu do",
            end->number, size, (unsigned long long)(end->offered - rota__model_sent(fd)));
  sim_check(end_stream(end)->write_queue_size == size, "stream %d: two sizes of the queue", end->number);
}

static struct write *write_at(struct end *end, int index) {
  return &end->writes[(end->write_first + index) % WRITES];
}

static void on_write(uv_write_t *req, int status) {
  struct end *end = req->data;
  struct write *first = write_at(end, 0);
  sim_called(SIM_POLL);
  sim_check(end->write_count > 0 && first->req == req, "stream %d: writes call back in another order, or twice",
            end->number);
  sim_log("stream %d: wrote %zu bytes from %llu: %d", end->number, first->length, (unsigned long long)first->from,
          status);
  sim_check(!first->is_cancelled || first->was_whole || status == UV_ECANCELED,
            "stream %d: a cancelled write has status %d", end->number, status);
  sim_check(status != UV_ECANCELED || first->is_cancelled || end->base.is_closing || !end->is_connected ||
                end->is_broken,
            "stream %d: a write is cancelled by nobody", end->number);
  sim_check(status == 0 || status == UV_ECANCELED || status == UV_EPIPE || status == UV_ECONNRESET ||
                status == UV_ENOMEM || status == UV_ENOTCONN || status == UV_ECONNREFUSED,
            "stream %d: a write has status %d", end->number, status);
  if (status == 0 && !end->has_lost)
    end->confirmed = first->from + first->length;
  if (status != 0)
    end->has_lost = true;
  if (status != 0 && status != UV_ECANCELED)
    end->is_broken = true;
  memset(req, 0xdb, sizeof *req);
  free(req);
  free(first->bytes);
  first->req = NULL;
  end->write_first = (end->write_first + 1) % WRITES;
  end->write_count--;
  sim_requests--;
  if (sim_handle_is_open(&end->base)) {
    end_check_queue(end);
    sim_check(end->write_count > 0 || uv_stream_get_write_queue_size(end_stream(end)) == 0,
              "stream %d: bytes wait, and no write does", end->number);
  }
  sim_steps();
}

static size_t some_length(void) {
  return sim_chance(20) ? 1 + sim_below(40000) : 1 + sim_below(300);
}

static char *fill(const struct end *end, size_t length) {
  char *bytes = malloc(length);
  if (bytes == NULL)
    abort();
  for (size_t i = 0; i < length; i++)
    bytes[i] = sim_byte(end, end->offered + i);
  return bytes;
}

/* In some pieces. */
static unsigned int split(char *bytes, size_t length, uv_buf_t bufs[6]) {
  unsigned int count = 0;
  for (size_t at = 0; at < length || count == 0;) {
    size_t n = count == 5 ? length - at : 1 + sim_below((unsigned int)(length - at));
    if (sim_chance(50))
      n = length - at;
    bufs[count++] = uv_buf_init(bytes + at, (unsigned int)n);
    at += n;
  }
  return count;
}

static bool may_write(const struct end *end) {
  return sim_handle_is_open(&end->base) && !end->is_shutting && !end->has_lost && !end->is_broken &&
         (end->is_connected || end->connect != NULL);
}

void end_write(struct end *end) {
  uv_buf_t bufs[6];
  if (!may_write(end) || end->write_count == WRITES)
    return;
  size_t length = some_length();
  struct write *write = write_at(end, end->write_count++);
  *write = (struct write){.req = malloc(sizeof *write->req), .from = end->offered, .length = length};
  write->bytes = fill(end, length);
  if (write->req == NULL)
    abort();
  write->req->data = end;
  sim_requests++;
  end->offered += length;
  unsigned int count = split(write->bytes, length, bufs);
  uv_stream_t *gift = end->is_ipc && sim_chance(30) ? gift_handle() : NULL;
  end->passed += gift != NULL;
  int err = uv_write2(write->req, end_stream(end), bufs, count, gift, on_write);
  sim_log("stream %d: write %zu bytes in %u pieces: %d", end->number, length, count, err);
  if (err == 0) {
    end_check_queue(end);
    return;
  }
  /* A socket could not be made, or was refused at once: connecting will say so. */
  bool has_no_socket = (err == UV_EBADF || err == UV_EPIPE) && end->connect != NULL;
  sim_check(has_no_socket || (err == UV_ENOMEM && sim.no_memory > 0), "stream %d: uv_write: %d", end->number, err);
  end->offered -= length;
  end->write_count--;
  sim_requests--;
  free(write->bytes);
  free(write->req);
  write->req = NULL;
  /* Some of it may be written already. */
  uv_os_fd_t fd;
  if (uv_fileno(end->base.handle, &fd) == 0 && rota__model_sent(fd) > end->offered)
    end->offered = rota__model_sent(fd);
}

void end_try_write(struct end *end) {
  if (!may_write(end))
    return;
  size_t length = some_length();
  char *bytes = fill(end, length);
  uv_buf_t buf = uv_buf_init(bytes, (unsigned int)length);
  size_t waiting = uv_stream_get_write_queue_size(end_stream(end));
  int n = uv_try_write(end_stream(end), &buf, 1);
  sim_log("stream %d: try to write %zu bytes: %d", end->number, length, n);
  free(bytes);
  sim_check(n <= (int)length, "stream %d: uv_try_write: %d of %zu", end->number, n, length);
  sim_check(n < 0 || (waiting == 0 && end->connect == NULL), "stream %d: uv_try_write overtakes", end->number);
  sim_check(n >= 0 || n == UV_EAGAIN || n == UV_EPIPE || n == UV_ECONNRESET || n == UV_ENOTCONN || n == UV_EBADF ||
                n == UV_ECONNREFUSED,
            "stream %d: uv_try_write: %d", end->number, n);
  if (n > 0)
    end->offered += (uint64_t)n;
  if (n > 0 && end->write_count == 0)
    end->confirmed = end->offered;
  if (n < 0 && n != UV_EAGAIN)
    end->is_broken = true;
  else
    end_check_queue(end);
}

void end_cancel_write(struct end *end) {
  if (!sim_handle_is_open(&end->base) || end->write_count == 0)
    return;
  /* The oldest: a later one that is cancelled calls back before those that still wait. */
  struct write *write = write_at(end, 0);
  int err = uv_cancel((uv_req_t *)write->req);
  sim_log("stream %d: cancel the write from %llu: %d", end->number, (unsigned long long)write->from, err);
  /* One that was written whole before is not cancelled, and that is no error. */
  uv_os_fd_t fd;
  if (err == 0 && !write->is_cancelled) {
    write->was_whole =
        end->has_lost || (uv_fileno(end->base.handle, &fd) == 0 && rota__model_sent(fd) >= write->from + write->length);
    write->is_cancelled = true;
    end->has_lost = true;
    sim_lives_with_gaps[end->life] = true;
  }
  sim_check(err == 0 || err == UV_EBUSY || write->is_cancelled, "uv_cancel of a write: %d", err);
}

static void on_shutdown(uv_shutdown_t *req, int status) {
  struct end *end = req->data;
  sim_called(SIM_POLL);
  sim_check(end->shutdown == req, "stream %d: a second callback of uv_shutdown", end->number);
  sim_log("stream %d: is shut: %d", end->number, status);
  sim_check(end->write_count == 0, "stream %d: is shut before its writes have called back", end->number);
  sim_check(status != UV_ECANCELED || end->base.is_closing || !end->is_connected || end->is_broken,
            "stream %d: a shutdown is cancelled by nobody", end->number);
  memset(req, 0xdb, sizeof *req);
  free(req);
  end->shutdown = NULL;
  end->is_shut = status == 0;
  sim_requests--;
  sim_steps();
}

void end_shutdown(struct end *end) {
  if (!sim_handle_is_open(&end->base) || end->is_shutting || !end->is_connected)
    return;
  uv_shutdown_t *req = malloc(sizeof *req);
  if (req == NULL)
    abort();
  req->data = end;
  int err = uv_shutdown(req, end_stream(end), on_shutdown);
  sim_log("stream %d: shut down: %d", end->number, err);
  sim_check(err == 0 || (err == UV_ENOTCONN && (end->is_broken || end->has_ended || !end->is_connected)),
            "uv_shutdown: %d", err);
  if (err != 0) {
    free(req);
    return;
  }
  end->shutdown = req;
  end->is_shutting = true;
  sim_requests++;
}
