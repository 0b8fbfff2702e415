/* Loops with something denied: a system call by a policy, descriptors, memory. Everything still works. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "test_net.h"

static int files, ticks;
static uv_tcp_t server, connection, client;
static uv_file file;

static int deny(long number, int err) {
  struct sock_filter filter[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                                 BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned int)number, 0, 1),
                                 BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned int)err),
                                 BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {4, filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0;
}

static void on_tick(uv_timer_t *timer) {
  if (++ticks == 3)
    uv_close((uv_handle_t *)timer, NULL);
}

static void on_file(uv_fs_t *req) {
  CHECK(req->result >= 0);
  files++;
  if (req->fs_type == UV_FS_OPEN)
    file = (uv_file)req->result;
  uv_fs_req_cleanup(req);
}

static void on_read(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  take(stream, nread, buf);
  if (taken_size < 5)
    return;
  uv_close((uv_handle_t *)&connection, NULL);
  uv_close((uv_handle_t *)&client, NULL);
  uv_close((uv_handle_t *)&server, NULL);
}

static void on_connection(uv_stream_t *stream, int status) {
  CHECK_EQ(status, 0);
  CHECK_EQ(uv_tcp_init(stream->loop, &connection), 0);
  CHECK_EQ(uv_accept(stream, stream_of(&connection)), 0);
  CHECK_EQ(uv_read_start(stream_of(&connection), take_alloc, on_read), 0);
}

static void on_connect(uv_connect_t *req, int status) {
  static uv_write_t write_req;
  uv_buf_t buf = text("hello");
  CHECK_EQ(status, 0);
  CHECK_EQ(uv_write(&write_req, req->handle, &buf, 1, NULL), 0);
}

/* A connection with a message, a timer, and files. */
static void live(uv_loop_t *loop) {
  uv_timer_t timer;
  uv_connect_t connect_req;
  uv_fs_t reqs[100];
  static char bytes[100][16];
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, on_tick, 1, 1), 0);
  CHECK_EQ(connect_tcp(loop, &client, &connect_req, listen_tcp(loop, &server, on_connection), on_connect), 0);
  CHECK_EQ(uv_fs_open(loop, &reqs[0], test_program(), UV_FS_O_RDONLY, 0, on_file), 0);
  RUN_UNTIL(loop, files == 1);
  /* More than a queue of a ring may have room for. */
  for (int i = 0; i < 100; i++) {
    uv_buf_t buf = uv_buf_init(bytes[i], sizeof bytes[i]);
    CHECK_EQ(uv_fs_read(loop, &reqs[i], file, &buf, 1, 0, on_file), 0);
  }
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(files, 101);
  CHECK_EQ(ticks, 3);
  CHECK_EQ(taken_size, 5);
  CHECK_EQ(close(file), 0);
}

/* denied_life NUMBER ERRNO EARLY: the call is denied, from the beginning or once the loop is there. */
HELPER(denied_life) {
  uv_loop_t loop;
  long number = atol(argv[1]);
  int err = atoi(argv[2]), early = atoi(argv[3]);
  CHECK_EQ(argc, 4);
  if (early)
    CHECK_EQ(deny(number, err), 0);
  CHECK_EQ(uv_loop_init(&loop), 0);
  if (!early)
    CHECK_EQ(deny(number, err), 0);
  live(&loop);
  CHECK_EQ(uv_loop_close(&loop), 0);
  return 0;
}

static void check_life_without(long number, int err) {
  for (int early = 0; early < 2; early++) {
    char numbers[3][16];
    snprintf(numbers[0], sizeof numbers[0], "%ld", number);
    snprintf(numbers[1], sizeof numbers[1], "%d", err);
    snprintf(numbers[2], sizeof numbers[2], "%d", early);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
      /* A program that asks for a poller by its name gets it, or an error. */
      if (early)
        unsetenv("ROTA_POLLER");
      execl(test_program(), test_program(), "--helper", "denied_life", numbers[0], numbers[1], numbers[2],
            (char *)NULL);
      _exit(127);
    }
    int status;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
  }
}

TEST(denied_making_rings) {
  check_life_without(SYS_io_uring_setup, EPERM);
  check_life_without(SYS_io_uring_setup, ENOMEM);
}

TEST(denied_entering_rings) {
  check_life_without(SYS_io_uring_enter, EPERM);
  check_life_without(SYS_io_uring_enter, EAGAIN);
}

TEST(denied_registering_with_rings) {
  check_life_without(SYS_io_uring_register, EPERM);
}

static void run_elsewhere(void *loop) {
  RUN_UNTIL((uv_loop_t *)loop, taken_size == 3 && ticks == 3);
}

/* A loop that ran on one thread continues on another. */
TEST(denied_descriptors_while_a_loop_moves) {
  uv_loop_t *loop = uv_default_loop();
  uv_timer_t timer;
  uv_thread_t thread;
  int client_fd, all[64], count = 0;
  struct rlimit few;
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  client_fd = connect_bare(listen_tcp(loop, &server, on_connection));
  RUN_UNTIL(loop, uv_is_active((uv_handle_t *)&connection));
  CHECK_EQ(getrlimit(RLIMIT_NOFILE, &few), 0);
  few.rlim_cur = (rlim_t)client_fd + 32;
  CHECK_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  for (int fd; (fd = dup(client_fd)) >= 0;)
    all[count++] = fd;
  CHECK_EQ(uv_timer_start(&timer, on_tick, 1, 1), 0);
  CHECK_EQ(write(client_fd, "hey", 3), 3);
  CHECK_EQ(uv_thread_create(&thread, run_elsewhere, loop), 0);
  CHECK_EQ(uv_thread_join(&thread), 0);
  CHECK_EQ(write(client_fd, "y", 1), 1);
  RUN_UNTIL(loop, taken_size == 4);
  while (count > 0)
    close(all[--count]);
  close(client_fd);
  test_close_default_loop();
}
