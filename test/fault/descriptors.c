/* Out of descriptors: a listening server survives, does not spin, and serves again when some are free. It is a separate
 * program: it lowers its limit, lets children connect, and checks the result. */
#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <uv.h>

enum { CROWD = 40, SPARE = 8, STARVING_MS = 500, PATIENT_MS = 30000 };

static uv_loop_t loop;
static uv_tcp_t server;
static uv_timer_t timer;
static uv_process_t crowd_process;
static uv_tcp_t clients[CROWD * 4];
static int client_count, served, connection_errors;

static void require(int condition, const char *what) {
  if (condition)
    return;
  printf("  FAILED: out of descriptors: %s\n0 passed, 1 failed, 0 skipped\n", what);
  fflush(stdout);
  _exit(1);
}

static void allocate(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
  static char memory[64];
  (void)handle;
  (void)suggested;
  *buffer = uv_buf_init(memory, sizeof memory);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
  uv_buf_t echo;
  if (count < 0) {
    uv_close((uv_handle_t *)stream, NULL);
    return;
  }
  echo = uv_buf_init(buffer->base, (unsigned int)count);
  if (uv_try_write(stream, &echo, 1) == count)
    served++;
}

static void on_connection(uv_stream_t *listener, int status) {
  uv_tcp_t *client;
  if (status < 0) {
    connection_errors++;
    return;
  }
  require(client_count < CROWD * 4, "more connections than clients");
  client = &clients[client_count];
  require(uv_tcp_init(&loop, client) == 0, "uv_tcp_init");
  if (uv_accept(listener, (uv_stream_t *)client) < 0) {
    uv_close((uv_handle_t *)client, NULL);
    return;
  }
  client_count++;
  require(uv_read_start((uv_stream_t *)client, allocate, on_read) == 0, "uv_read_start");
}

static void on_timer(uv_timer_t *handle) {
  uv_stop(handle->loop);
}

static void run_for(unsigned int duration_ms) {
  require(uv_timer_start(&timer, on_timer, duration_ms, 0) == 0, "uv_timer_start");
  uv_run(&loop, UV_RUN_DEFAULT);
}

/* The clients are another process: `count` connections at once; each writes a byte and waits for it, or for the end, up
 * to a time limit. */
static int be_crowd(int port, int count, int patience_ms) {
  struct sockaddr_in address;
  struct pollfd fds[CROWD];
  int i, answered = 0;
  char byte = 'x';
  signal(SIGPIPE, SIG_IGN);
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons((uint16_t)port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  for (i = 0; i < count; i++) {
    fds[i].fd = socket(AF_INET, SOCK_STREAM, 0);
    fds[i].events = POLLIN;
    if (fds[i].fd < 0 || connect(fds[i].fd, (struct sockaddr *)&address, sizeof address) != 0)
      return 100;
    if (write(fds[i].fd, &byte, 1) != 1)
      continue;
  }
  for (i = 0; i < count; i++)
    if (poll(&fds[i], 1, patience_ms) == 1 && read(fds[i].fd, &byte, 1) == 1)
      answered++;
  return answered;
}

static int64_t answered_of_crowd;

static void on_crowd_gone(uv_process_t *handle, int64_t status, int signal_number) {
  (void)signal_number;
  answered_of_crowd = status;
  uv_close((uv_handle_t *)handle, NULL);
}

static void start_crowd(const char *program, int port, int count, int patience_ms) {
  char port_text[16], count_text[16], patience_text[16];
  char *arguments[] = {(char *)program, (char *)"crowd", port_text, count_text, patience_text, NULL};
  uv_process_options_t options;
  memset(&options, 0, sizeof options);
  snprintf(port_text, sizeof port_text, "%d", port);
  snprintf(count_text, sizeof count_text, "%d", count);
  snprintf(patience_text, sizeof patience_text, "%d", patience_ms);
  options.file = program;
  options.args = arguments;
  options.exit_cb = on_crowd_gone;
  answered_of_crowd = -1;
  require(uv_spawn(&loop, &crowd_process, &options) == 0, "uv_spawn");
}

/* The lowest number that is not in use: a limit counts numbers, not descriptors. */
static void set_limit(int spare) {
  struct rlimit limit;
  int lowest = dup(0);
  close(lowest);
  require(getrlimit(RLIMIT_NOFILE, &limit) == 0, "getrlimit");
  limit.rlim_cur = spare < 0 ? limit.rlim_max : (rlim_t)(lowest + spare);
  require(setrlimit(RLIMIT_NOFILE, &limit) == 0, "setrlimit");
}

static double processor_s(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

int main(int argc, char **argv) {
  struct sockaddr_in address;
  int length = sizeof address, i, port, served_hungry;
  double before_s;
  if (argc == 5 && strcmp(argv[1], "crowd") == 0)
    return be_crowd(atoi(argv[2]), atoi(argv[3]), atoi(argv[4]));

  require(uv_loop_init(&loop) == 0, "uv_loop_init");
  require(uv_timer_init(&loop, &timer) == 0, "uv_timer_init");
  require(uv_ip4_addr("127.0.0.1", 0, &address) == 0, "uv_ip4_addr");
  require(uv_tcp_init(&loop, &server) == 0, "uv_tcp_init");
  require(uv_tcp_bind(&server, (struct sockaddr *)&address, 0) == 0, "uv_tcp_bind");
  require(uv_listen((uv_stream_t *)&server, 128, on_connection) == 0, "uv_listen");
  require(uv_tcp_getsockname(&server, (struct sockaddr *)&address, &length) == 0, "uv_tcp_getsockname");
  port = ntohs(address.sin_port);

  start_crowd(argv[0], port, CROWD, STARVING_MS);
  set_limit(SPARE);
  for (i = 0; i < 1200 && client_count < SPARE / 2; i++)
    run_for(50); /* the clients arrive at some time */
  before_s = processor_s();
  run_for(2 * STARVING_MS);
  require(client_count >= SPARE / 2, "hardly anybody was served within the limit");
  require(client_count < CROWD, "the limit was not reached: the test is wrong");
  require(processor_s() - before_s < 0.5 * 2 * STARVING_MS / 1000.0, "the processor was kept busy");
  served_hungry = served;

  set_limit(-1);
  for (i = 0; i < client_count; i++)
    if (!uv_is_closing((uv_handle_t *)&clients[i]))
      uv_close((uv_handle_t *)&clients[i], NULL);
  for (i = 0; i < 1200 && answered_of_crowd < 0; i++)
    run_for(50); /* the clients give up, or are served */
  require(answered_of_crowd >= 0 && answered_of_crowd <= CROWD, "the clients could not connect");

  client_count = 0;
  served = 0;
  start_crowd(argv[0], port, 10, PATIENT_MS);
  for (i = 0; i < 1200 && answered_of_crowd < 0; i++)
    run_for(50);
  require(answered_of_crowd == 10, "not all were served after descriptors were free again");
  printf("out of descriptors: %d served within the limit, %d errors reported; then 10 of 10\n", served_hungry,
         connection_errors);
  printf("1 passed, 0 failed, 0 skipped\n");
  return 0;
}
