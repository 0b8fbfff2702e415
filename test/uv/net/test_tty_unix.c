/* Terminals: a pair that the test makes. */
#include <pty.h>
#include <signal.h>
#include <termios.h>

#include "test_net.h"

static int master, slave;

static void open_terminal(void) {
  struct winsize size = {.ws_row = 24, .ws_col = 80};
  if (openpty(&master, &slave, NULL, NULL, &size) != 0)
    SKIP("there are no pseudo-terminals here");
}

static struct termios mode_of(int fd) {
  struct termios mode;
  CHECK_EQ(tcgetattr(fd, &mode), 0);
  return mode;
}

TEST(tty_guess_what_stands_behind_a_descriptor) {
  int fds[2], pair[2];
  open_terminal();
  CHECK_EQ(pipe(fds), 0);
  CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
  CHECK_EQ(uv_guess_handle(-1), UV_UNKNOWN_HANDLE);
  CHECK_EQ(uv_guess_handle(9999), UV_UNKNOWN_HANDLE);
  CHECK_EQ(uv_guess_handle(slave), UV_TTY);
  CHECK_EQ(uv_guess_handle(fds[0]), UV_NAMED_PIPE);
  CHECK_EQ(uv_guess_handle(pair[0]), UV_NAMED_PIPE);
  CHECK_EQ(uv_guess_handle(socket(AF_INET, SOCK_STREAM, 0)), UV_TCP);
  CHECK_EQ(uv_guess_handle(socket(AF_INET, SOCK_DGRAM, 0)), UV_UDP);
  CHECK_EQ(uv_guess_handle(socket(AF_UNIX, SOCK_DGRAM, 0)), UV_UNKNOWN_HANDLE);
  CHECK_EQ(uv_guess_handle(open("/dev/null", O_RDWR)), UV_FILE);
  CHECK_EQ(uv_guess_handle(open("file", O_CREAT | O_RDWR, 0600)), UV_FILE);
  CHECK_EQ(uv_guess_handle(open(".", O_RDONLY)), UV_UNKNOWN_HANDLE);
}

TEST(tty_is_opened_anew_so_that_nonblocking_does_not_leak) {
  uv_loop_t *loop = uv_default_loop();
  uv_tty_t tty;
  uv_os_fd_t fd;
  open_terminal();
  int shared = dup(slave); /* what another process would have */
  CHECK_EQ(uv_tty_init(loop, &tty, slave, 0), 0);
  CHECK_EQ(uv_fileno((uv_handle_t *)&tty, &fd), 0);
  CHECK(fcntl(fd, F_GETFL) & O_NONBLOCK);
  CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
  CHECK(!(fcntl(shared, F_GETFL) & O_NONBLOCK));
  CHECK(uv_is_readable(stream_of(&tty)) && uv_is_writable(stream_of(&tty)));
  CHECK(fcntl(slave, F_GETFD) >= 0);
  uv_close((uv_handle_t *)&tty, NULL);
  CHECK(!uv_is_readable(stream_of(&tty)) && !uv_is_writable(stream_of(&tty)));
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK(fcntl(slave, F_GETFD) >= 0); /* the caller's own */
  test_close_default_loop();
}

TEST(tty_reads_and_writes) {
  uv_loop_t *loop = uv_default_loop();
  uv_tty_t tty;
  uv_buf_t buf = text("to the screen");
  char words[32] = {0};
  open_terminal();
  CHECK_EQ(uv_tty_init(loop, &tty, slave, 1), 0);
  CHECK_EQ(uv_tty_set_mode(&tty, UV_TTY_MODE_RAW), 0);
  CHECK_EQ(uv_read_start(stream_of(&tty), take_alloc, take), 0);
  CHECK_EQ(write(master, "keys", 4), 4);
  RUN_UNTIL(loop, taken_size == 4);
  CHECK_EQ(memcmp(taken, "keys", 4), 0);
  CHECK_EQ(uv_try_write(stream_of(&tty), &buf, 1), (long)buf.len);
  CHECK_EQ(read(master, words, sizeof words), (long)buf.len);
  CHECK_STR(words, "to the screen");
  test_close_default_loop();
}

static void write_much(void *argument) {
  static char bytes[8192];
  (void)argument;
  memset(bytes, 'x', sizeof bytes);
  for (int i = 0; i < 8; i++)
    for (size_t n = 0; n < sizeof bytes;) {
      ssize_t r = write(slave, bytes + n, sizeof bytes - n);
      CHECK(r > 0);
      n += (size_t)r;
    }
  close(slave);
}

static void take_and_close(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  take(stream, nread, buf);
  if (nread < 0)
    uv_close((uv_handle_t *)stream, NULL);
}

/* A terminal gives less than is available: a short read means nothing, even after a hang-up. */
TEST(tty_hangup_loses_nothing) {
  uv_loop_t *loop = uv_default_loop();
  uv_tty_t tty;
  uv_thread_t thread;
  open_terminal();
  CHECK_EQ(uv_tty_init(loop, &tty, master, 1), 0);
  CHECK_EQ(uv_read_start(stream_of(&tty), take_alloc, take_and_close), 0);
  CHECK_EQ(uv_thread_create(&thread, write_much, NULL), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(uv_thread_join(&thread), 0);
  CHECK_EQ(taken_size, 65536);
  CHECK_EQ(taken_ends, 1);
  test_close_default_loop();
}

TEST(tty_master_of_a_pair_is_not_opened_anew) {
  uv_loop_t *loop = uv_default_loop();
  uv_tty_t tty;
  uv_os_fd_t fd;
  open_terminal();
  CHECK_EQ(uv_tty_init(loop, &tty, master, 0), 0);
  CHECK_EQ(uv_fileno((uv_handle_t *)&tty, &fd), 0);
  CHECK_EQ(fd, master);
  CHECK(!(fcntl(master, F_GETFL) & O_NONBLOCK));
  test_close_default_loop();
}

TEST(tty_modes) {
  uv_loop_t *loop = uv_default_loop();
  uv_tty_t tty;
  open_terminal();
  struct termios before = mode_of(slave);
  CHECK(before.c_lflag & ICANON);
  CHECK_EQ(uv_tty_init(loop, &tty, slave, 1), 0);
  CHECK_EQ(uv_tty_set_mode(&tty, UV_TTY_MODE_RAW), 0);
  struct termios raw = mode_of(slave);
  CHECK_EQ(raw.c_lflag & (ICANON | ECHO | ISIG | IEXTEN), 0);
  CHECK_EQ(raw.c_iflag & (ICRNL | IXON | BRKINT | INPCK | ISTRIP), 0);
  CHECK(raw.c_oflag & OPOST); /* line feeds are still translated */
  CHECK(raw.c_oflag & ONLCR);
  CHECK_EQ(raw.c_cc[VMIN], 1);
  CHECK_EQ(raw.c_cc[VTIME], 0);
  CHECK_EQ(uv_tty_set_mode(&tty, UV_TTY_MODE_RAW), 0);
  CHECK_EQ(uv_tty_set_mode(&tty, UV_TTY_MODE_IO), 0);
  CHECK(!(mode_of(slave).c_oflag & OPOST));
  CHECK_EQ(uv_tty_set_mode(&tty, UV_TTY_MODE_NORMAL), 0);
  struct termios after = mode_of(slave);
  CHECK_EQ(after.c_lflag, before.c_lflag);
  CHECK_EQ(after.c_iflag, before.c_iflag);
  CHECK_EQ(after.c_oflag, before.c_oflag);
  test_close_default_loop();
}

TEST(tty_reset_mode_brings_the_first_mode_back) {
  uv_loop_t *loop = uv_default_loop();
  uv_tty_t tty;
  open_terminal();
  struct termios before = mode_of(slave);
  errno = 0;
  CHECK_EQ(uv_tty_reset_mode(), 0); /* nothing to do */
  CHECK_EQ(uv_tty_init(loop, &tty, slave, 1), 0);
  CHECK_EQ(uv_tty_set_mode(&tty, UV_TTY_MODE_RAW), 0);
  CHECK(mode_of(slave).c_lflag != before.c_lflag);
  errno = 0;
  for (int i = 0; i < 3; i++)
    CHECK_EQ(uv_tty_reset_mode(), 0);
  CHECK_EQ(errno, 0);
  CHECK_EQ(mode_of(slave).c_lflag, before.c_lflag);
  test_close_default_loop();
}

TEST(tty_size_and_state) {
  uv_loop_t *loop = uv_default_loop();
  uv_tty_t tty;
  uv_tty_vtermstate_t state;
  int width = 0, height = 0;
  open_terminal();
  CHECK_EQ(uv_tty_init(loop, &tty, slave, 1), 0);
  CHECK_EQ(uv_tty_get_winsize(&tty, &width, &height), 0);
  CHECK_EQ(width, 80);
  CHECK_EQ(height, 24);
  uv_tty_set_vterm_state(UV_TTY_SUPPORTED);
  CHECK_EQ(uv_tty_get_vterm_state(&state), UV_ENOTSUP);
  uv_close((uv_handle_t *)&tty, NULL);
  CHECK_EQ(uv_tty_get_winsize(&tty, &width, &height), UV_EBADF);
  CHECK_EQ(uv_tty_set_mode(&tty, UV_TTY_MODE_RAW), UV_EBADF);
  test_close_default_loop();
}

TEST(tty_of_what_is_none) {
  uv_loop_t *loop = uv_default_loop();
  uv_tty_t tty;
  int fds[2];
  int file = open("file", O_CREAT | O_RDWR, 0600);
  int zero = open("/dev/zero", O_RDONLY);
  CHECK(file >= 0 && zero >= 0);
  CHECK_EQ(uv_tty_init(loop, &tty, file, 1), UV_EINVAL);
  CHECK_EQ(uv_tty_init(loop, &tty, zero, 1), UV_EINVAL);
  CHECK_EQ(uv_tty_init(loop, &tty, -1, 1), UV_EINVAL);
  close(file);
  CHECK_EQ(uv_tty_init(loop, &tty, file, 1), UV_EINVAL);
  CHECK_EQ(pipe(fds), 0);
  CHECK_EQ(uv_tty_init(loop, &tty, fds[0], 1), 0); /* not a terminal, but a stream all the same */
  CHECK(uv_is_readable(stream_of(&tty)) && !uv_is_writable(stream_of(&tty)));
  CHECK(uv_tty_set_mode(&tty, UV_TTY_MODE_RAW) < 0);
  close(fds[1]);
  close(zero);
  test_close_default_loop();
}
