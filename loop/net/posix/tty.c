/* Terminals.
 *
 * A terminal is opened again, by its name: O_NONBLOCK belongs to the open file, which a process shares with its parent
 * and children, and their reads and writes would fail. If that is not possible (the master of a pair, a terminal
 * without a name), the descriptor is used unchanged and writes block. The mode before the first change is kept for the
 * whole process, so that uv_tty_reset_mode can restore the terminal even from a signal handler. */
#include "loop/net/posix/stream.h"

#include <fcntl.h>
#include <stdatomic.h>

#include "loop/os/file.h"
#include "loop/os/socket.h"

/* Guarded by a lock; a signal handler only tries to take it. */
static struct {
  atomic_flag lock;
  int fd; /* -1: no mode has been changed */
  struct termios attributes;
} original = {ATOMIC_FLAG_INIT, -1, {0}};

static bool original_try_lock(void) {
  return !atomic_flag_test_and_set_explicit(&original.lock, memory_order_acquire);
}

static void original_lock(void) {
  while (!original_try_lock())
    ;
}

static void original_unlock(void) {
  atomic_flag_clear_explicit(&original.lock, memory_order_release);
}

static void tty_close(uv_handle_t *handle) {
  int fd = rota__stream_fd((uv_stream_t *)handle);
  original_lock();
  if (fd != -1 && fd == original.fd) {
    rota__os_tty_set(fd, TCSANOW, &original.attributes);
    original.fd = -1;
  }
  original_unlock();
  rota__stream_class_close(handle);
}

static const struct rota_handle_class tty_class = {
    .type = UV_TTY,
    .close = tty_close,
    .finish = rota__stream_class_finish,
    .fd = rota__stream_class_fd,
    .cancel_write = rota__stream_cancel_write,
};

uv_handle_type uv_guess_handle(uv_file file) {
  switch (rota__os_fd_kind(file)) {
  case ROTA_FD_TERMINAL:
    return UV_TTY;
  case ROTA_FD_FILE:
    return UV_FILE;
  case ROTA_FD_PIPE:
    return UV_NAMED_PIPE;
  case ROTA_FD_TCP:
    return UV_TCP;
  case ROTA_FD_UDP:
    return UV_UDP;
  case ROTA_FD_UNKNOWN:
    break;
  }
  return UV_UNKNOWN_HANDLE;
}

int uv_tty_init(uv_loop_t *loop, uv_tty_t *tty, uv_file fd, int unused) {
  unsigned int flags = 0;
  int reopened = -1;
  uv_handle_type type = uv_guess_handle(fd);
  (void)unused;
  if (type == UV_FILE || type == UV_UNKNOWN_HANDLE)
    return UV_EINVAL;
  int mode = rota__os_access_mode(fd);
  if (mode < 0)
    return mode;
  if (type == UV_TTY) {
    reopened = rota__os_tty_reopen(fd, mode);
    if (reopened >= 0)
      fd = reopened;
    else
      flags |= ROTA_STREAM_BLOCKING_WRITES;
    flags |= ROTA_STREAM_NOT_SOCKET;
  }
  if (!(flags & ROTA_STREAM_BLOCKING_WRITES)) {
    int err = rota__os_set_nonblocking(fd, true);
    if (err < 0) {
      if (reopened >= 0)
        rota__os_close(reopened);
      return err;
    }
  }
  if (mode != O_WRONLY)
    flags |= ROTA_STREAM_READABLE;
  if (mode != O_RDONLY)
    flags |= ROTA_STREAM_WRITABLE;
  rota__stream_init(loop, (uv_stream_t *)tty, &tty_class);
  tty->mode = UV_TTY_MODE_NORMAL;
  return rota__stream_open((uv_stream_t *)tty, fd, flags);
}

static void make_raw(struct termios *attributes) {
  attributes->c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | INPCK | ISTRIP | IXON);
  attributes->c_oflag |= ONLCR;
  attributes->c_cflag |= CS8;
  attributes->c_lflag &= ~(tcflag_t)(ECHO | ICANON | IEXTEN | ISIG);
  attributes->c_cc[VMIN] = 1;
  attributes->c_cc[VTIME] = 0;
}

int uv_tty_set_mode(uv_tty_t *tty, uv_tty_mode_t mode) {
  int fd = rota__stream_fd((uv_stream_t *)tty);
  if (mode == UV_TTY_MODE_RAW_VT)
    mode = UV_TTY_MODE_RAW; /* every terminal on this system supports escape sequences */
  if (tty->mode == (int)mode)
    return 0;
  if (tty->mode == UV_TTY_MODE_NORMAL) {
    int err = rota__os_tty_get(fd, &tty->original);
    if (err < 0)
      return err;
    original_lock();
    if (original.fd == -1) {
      original.attributes = tty->original;
      original.fd = fd;
    }
    original_unlock();
  }
  struct termios wanted = tty->original;
  if (mode == UV_TTY_MODE_RAW)
    make_raw(&wanted);
  else if (mode == UV_TTY_MODE_IO)
    cfmakeraw(&wanted);
  int err = rota__os_tty_set(fd, TCSADRAIN, &wanted);
  if (err == 0)
    tty->mode = (int)mode;
  return err;
}

int uv_tty_reset_mode(void) {
  if (!original_try_lock())
    return UV_EBUSY; /* a signal came in the middle of uv_tty_set_mode */
  int err = original.fd == -1 ? 0 : rota__os_tty_set(original.fd, TCSANOW, &original.attributes);
  original_unlock();
  return err;
}

int uv_tty_get_winsize(uv_tty_t *tty, int *width, int *height) {
  return rota__os_tty_size(rota__stream_fd((uv_stream_t *)tty), width, height);
}

void uv_tty_set_vterm_state(uv_tty_vtermstate_t state) {
  (void)state;
}

int uv_tty_get_vterm_state(uv_tty_vtermstate_t *state) {
  (void)state;
  return UV_ENOTSUP;
}
