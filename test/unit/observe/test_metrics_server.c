/* The endpoint of metrics: what it answers, hostile clients, blocked loops, forks, and what is left when it ends. */
#include <arpa/inet.h>
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace_file.h"

static char answer[524288];

/* Nobody may listen for a moment, when another process is about to take the place of the first. */
static int connected(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  while (true) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(fd, (const struct sockaddr *)&address, sizeof(address)) == 0)
      return fd;
    close(fd);
    usleep(2000);
  }
}

static void read_answer(int fd) {
  size_t length = 0;
  ssize_t n;
  while ((n = read(fd, answer + length, sizeof(answer) - 1 - length)) > 0)
    length += (size_t)n;
  answer[length] = '\0';
  close(fd);
}

static const char *asked(int port, const char *request) {
  int fd = connected(port);
  (void)send(fd, request, strlen(request), MSG_NOSIGNAL); /* whoever listened may be gone */
  read_answer(fd);
  return answer;
}

static const char *scraped(int port) {
  return asked(port, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
}

static unsigned int entries_in(const char *directory) {
  unsigned int count = 0;
  DIR *entries = opendir(directory);
  while (readdir(entries) != NULL)
    count++;
  closedir(entries);
  return count;
}

static bool begins(const char *text, const char *part) {
  return strncmp(text, part, strlen(part)) == 0;
}

TEST(metrics_endpoint_answers_and_leaves_nothing) {
  unsigned int files = entries_in("/proc/self/fd"), threads = entries_in("/proc/self/task");
  (void)threads;
  for (int round = 0; round < 3; round++) {
    CHECK_EQ(rota_metrics_start("127.0.0.1:0"), 0);
    int port = rota_metrics_port();
    CHECK(port > 0);
#ifndef __SANITIZE_THREAD__ /* it has a thread of its own, from the first one on */
    CHECK_EQ(entries_in("/proc/self/task"), threads + 1);
#endif
    CHECK(begins(scraped(port), "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4"));
    CHECK(strstr(answer, "\nrota_info{") != NULL);
    CHECK(begins(asked(port, "HEAD /metrics HTTP/1.1\r\n\r\n"), "HTTP/1.1 200 OK"));
    CHECK(strstr(answer, "rota_info") == NULL && strstr(answer, "Content-Length: 0") == NULL);
    CHECK(begins(asked(port, "GET /secret HTTP/1.1\r\n\r\n"), "HTTP/1.1 404"));
    CHECK(begins(asked(port, "PUT /metrics HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody"), "HTTP/1.1 405"));
    CHECK(begins(asked(port, "nonsense\r\n\r\n"), "HTTP/1.1 400"));
    CHECK(begins(asked(port, "GET / HTTP/1.1\r\nAccept: application/openmetrics-text\r\n\r\n"), "HTTP/1.1 200 OK"));
    CHECK(strcmp(answer + strlen(answer) - 6, "# EOF\n") == 0);
    CHECK_EQ(rota_metrics_stop(), 0);
    CHECK_EQ(rota_metrics_port(), 0);
    CHECK_EQ(entries_in("/proc/self/fd"), files);
#ifndef __SANITIZE_THREAD__
    CHECK_EQ(entries_in("/proc/self/task"), threads);
#endif
  }
}

/* More than it takes at a time; they are ended, and somebody who asks is answered. */
TEST(metrics_endpoint_survives_clients_that_say_nothing) {
  enum { SILENT = 20 };
  int fds[SILENT];
  static char large[65536];
  CHECK_EQ(rota_metrics_start("0"), 0);
  int port = rota_metrics_port();
  for (int i = 0; i < SILENT; i++) {
    fds[i] = connected(port);
    if (i % 2 == 0)
      (void)send(fds[i], "GET /metr", 9, MSG_NOSIGNAL);
  }
  memset(large, 'a', sizeof(large));
  (void)send(fds[0], large, sizeof(large), MSG_NOSIGNAL);
  CHECK(strstr(scraped(port), "\nrota_info{") != NULL);
  for (int i = 0; i < SILENT; i++)
    close(fds[i]);
  CHECK(strstr(scraped(port), "\nrota_info{") != NULL);
  CHECK_EQ(rota_metrics_stop(), 0);
}

static pthread_t scraper;
static int scraped_port;
static bool saw_block;

static void *scrape_blocked(void *unused) {
  const char *line = strstr(scraped(scraped_port), "\nnodejs_eventloop_lag_seconds{");
  saw_block = line != NULL && atof(strstr(line, "} ") + 2) > 0;
  return unused;
}

/* The callback ends when the answer is there: a loop that had to answer itself would wait for ever. */
static void on_block(uv_timer_t *timer) {
  CHECK_EQ(pthread_create(&scraper, NULL, scrape_blocked, NULL), 0);
  CHECK_EQ(pthread_join(scraper, NULL), 0);
  uv_close((uv_handle_t *)timer, NULL);
}

TEST(metrics_endpoint_answers_while_the_loop_is_blocked) {
  uv_timer_t timer;
  CHECK_EQ(rota_metrics_start("127.0.0.1:0"), 0);
  scraped_port = rota_metrics_port();
  uv_timer_init(uv_default_loop(), &timer);
  uv_timer_start(&timer, on_block, 0, 0);
  uv_run(uv_default_loop(), UV_RUN_DEFAULT);
  CHECK(saw_block);
  CHECK_EQ(rota_metrics_stop(), 0);
  test_close_default_loop();
}

TEST(metrics_port_that_is_taken_is_an_error) {
  char where[32];
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t length = sizeof(address);
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  CHECK_EQ(bind(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
  CHECK_EQ(listen(fd, 1), 0);
  CHECK_EQ(getsockname(fd, (struct sockaddr *)&address, &length), 0);
  snprintf(where, sizeof(where), "127.0.0.1:%d", ntohs(address.sin_port));
  CHECK_EQ(rota_metrics_start(where), UV_EADDRINUSE);
  CHECK_EQ(rota_metrics_start("192.0.2.1:9464"), UV_EADDRNOTAVAIL);
  CHECK_EQ(rota_metrics_start("[fe80:::1]:9464"), UV_EINVAL);
  close(fd);
  CHECK_EQ(rota_metrics_start(where), 0);
  CHECK_EQ(rota_metrics_stop(), 0);
}

/* As daemons do. The numbers are somebody else's then, and stay open. */
TEST(metrics_endpoint_ends_when_the_program_closes_all_descriptors) {
  CHECK_EQ(rota_metrics_start("127.0.0.1:0"), 0);
  long most = sysconf(_SC_OPEN_MAX);
  for (int fd = 3; fd < most && fd < 1 << 20; fd++)
    close(fd);
  int others[64];
  for (int i = 0; i < 64; i++)
    CHECK((others[i] = dup(STDERR_FILENO)) >= 0);
  CHECK_EQ(rota_metrics_stop(), 0);
  for (int i = 0; i < 64; i++)
    CHECK_EQ(close(others[i]), 0);
}

#ifndef __SANITIZE_THREAD__ /* it allows no threads in a child of a program that has some */
static bool has_process(const char *text, int process_id) {
  char label[48];
  snprintf(label, sizeof(label), "rota_info{pid=\"%d\"", process_id);
  return strstr(text, label) != NULL;
}

/* Asks until it is so, as another process joins or goes at its own time. */
static void await_process(int port, int process_id, bool wanted) {
  while (strstr(scraped(port), "\nrota_info{") == NULL || has_process(answer, process_id) != wanted)
    usleep(2000);
}

/* The child is found at its first loop, and forgotten when it ends; when the first process stops, the child goes on. */
TEST(metrics_of_a_forked_child_are_served_by_its_parent) {
  int ends[2];
  char byte;
  CHECK_EQ(pipe(ends), 0);
  CHECK_EQ(rota_metrics_start("127.0.0.1:0"), 0);
  int port = rota_metrics_port();
  pid_t child = fork();
  if (child == 0) {
    close(ends[1]);
    uv_loop_t loop;
    if (uv_loop_init(&loop) == 0 && read(ends[0], &byte, 1) == 1)
      (void)read(ends[0], &byte, 1);
    _exit(0);
  }
  close(ends[0]);
  await_process(port, child, true);
  CHECK(has_process(answer, getpid()));
  CHECK_EQ(rota_metrics_stop(), 0);
  CHECK_EQ(write(ends[1], "x", 1), 1);
  char where[32];
  snprintf(where, sizeof(where), "127.0.0.1:%d", port);
  while (rota_metrics_start(where) != 0) /* the child may be about to take the place */
    usleep(2000);
  await_process(port, child, true);
  CHECK(has_process(answer, child));
  kill(child, SIGKILL);
  CHECK_EQ(waitpid(child, NULL, 0), child);
  await_process(port, child, false);
  CHECK(has_process(answer, getpid()));
  CHECK_EQ(rota_metrics_stop(), 0);
}

/* A process that does not answer, here because it is stopped, is left out. */
TEST(metrics_of_a_stopped_child_are_left_out) {
  CHECK_EQ(rota_metrics_start("127.0.0.1:0"), 0);
  int port = rota_metrics_port();
  pid_t child = fork();
  if (child == 0) {
    uv_loop_t loop;
    if (uv_loop_init(&loop) == 0)
      while (true)
        pause();
    _exit(0);
  }
  await_process(port, child, true);
  kill(child, SIGSTOP);
  int status;
  CHECK_EQ(waitpid(child, &status, WUNTRACED), child);
  CHECK(!has_process(scraped(port), child));
  CHECK(has_process(answer, getpid()));
  kill(child, SIGCONT);
  await_process(port, child, true);
  kill(child, SIGKILL);
  CHECK_EQ(waitpid(child, NULL, 0), child);
  CHECK_EQ(rota_metrics_stop(), 0);
}
#endif
