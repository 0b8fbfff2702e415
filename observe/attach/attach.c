#include "observe/attach/attach.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loop/base/units.h"
#include "loop/os/clock.h"
#include "loop/os/file.h"
#include "loop/os/host.h"
#include "loop/os/process.h"
#include "loop/os/signal.h"
#include "loop/os/socket.h"
#include "loop/os/thread.h"
#include "rota.h"

enum {
  PACKET = 32768,
  REQUEST_MS = 2000,         /* how long a client may take to ask */
  ANSWER_MS = 2000,          /* how long it may take to read a packet */
  TIME_MAX_MS = 3600 * 1000, /* of a trace */
};
#define PATIENCE_NS ((uint64_t)1500 * NS_PER_MS) /* for a loop that is busy */
#define END_NS ((uint64_t)50 * NS_PER_MS)
#define RETRY_NS ((uint64_t)100 * NS_PER_MS)

static struct {
  pthread_mutex_t lock;
  bool running;
  bool resume; /* in a child: start again at the first loop */
  int fd;
  struct rota_os_file_identity identity; /* the program may close all descriptors */
} server = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1};

/* ---- answering ---- */

/* False: the client is gone, or does not read. */
static bool send_packet(int fd, char kind, const char *text, size_t length) {
  struct iovec parts[2] = {{&kind, 1}, {(void *)text, length}};
  for (int waited_ms = 0; waited_ms < ANSWER_MS; waited_ms += 10) {
    ssize_t n = rota__os_sendv(fd, parts, 2);
    if (n != UV_EAGAIN)
      return n > 0;
    if (rota__os_wait_readable(fd, 10) > 0)
      return false; /* it has said all that it says: it is gone */
  }
  return false;
}

static bool send_text(int fd, char kind, const char *text, size_t length) {
  bool sent = true;
  for (size_t done = 0; done < length && sent; done += PACKET)
    sent = send_packet(fd, kind, text + done, length - done < PACKET ? length - done : PACKET);
  return sent;
}

static void send_error(int fd, const char *text) {
  send_packet(fd, '-', text, strlen(text));
}

/* Two texts that are filled and then sent: what was asked for, and what is to be said besides. */
struct report {
  FILE *out, *late;
  char *out_text, *late_text;
  size_t out_length, late_length;
};

static bool open_report(struct report *report) {
  *report = (struct report){0};
  report->out = open_memstream(&report->out_text, &report->out_length);
  report->late = open_memstream(&report->late_text, &report->late_length);
  return report->out != NULL && report->late != NULL;
}

static bool close_report(struct report *report, int fd) {
  bool sent = true;
  if (report->out != NULL)
    fclose(report->out);
  if (report->late != NULL)
    fclose(report->late);
  if (report->late_length > 0)
    sent = send_text(fd, '!', report->late_text, report->late_length);
  if (sent && report->out_length > 0)
    sent = send_text(fd, '+', report->out_text, report->out_length);
  free(report->out_text);
  free(report->late_text);
  return sent;
}

/* ---- what is asked for ---- */

/* The loops are observed, or no longer, as rota__observing says by now. */
static bool observe(int fd) {
  struct report report;
  if (open_report(&report))
    rota__loop_call_observe(PATIENCE_NS, report.late);
  return close_report(&report, fd);
}

/* A loop that is blocked by now will end it later. */
static void end_observing(void) {
  rota__loop_call_observe(END_NS, NULL);
}

/* Until the time is over, or the client goes away. */
static bool wait_for_time(int fd, int time_ms) {
  return rota__os_wait_readable(fd, time_ms) == 0;
}

static void answer_stats(int fd, int time_ms) {
  bool was_on = rota_observing() & (ROTA_OBSERVE_STATS | ROTA_OBSERVE_METRICS);
  if (!was_on) {
    rota_stats_reset(NULL);
    rota_stats_start();
    if (observe(fd))
      wait_for_time(fd, time_ms);
  }
  struct report report;
  if (open_report(&report))
    rota_stats_print(report.out);
  bool sent = close_report(&report, fd);
  if (!was_on) {
    rota_stats_stop();
    end_observing();
  }
  if (sent)
    send_packet(fd, '.', "", 0);
}

static void answer_why(int fd) {
  struct report report;
  if (open_report(&report)) {
    rota__loop_call_print_alive(PATIENCE_NS, report.out, report.late);
    if (!(rota_observing() & ROTA_OBSERVE_ORIGINS))
      fputs("rota: to see where each was made, start the program with ROTA_WHY=1\n", report.late);
  }
  if (close_report(&report, fd))
    send_packet(fd, '.', "", 0);
}

static void answer_trace(int fd, int time_ms, int file) {
  int err = file < 0 ? UV_EINVAL : rota_trace_start_fd(file, NULL);
  if (err < 0) {
    send_error(fd, err == UV_EALREADY ? "it writes a trace already" : uv_strerror(err));
    return;
  }
  bool sent = observe(fd);
  if (sent)
    wait_for_time(fd, time_ms);
  uint64_t dropped = rota_trace_dropped();
  err = rota_trace_stop(); /* the program may have stopped it: then the file is whole, too */
  end_observing();
  if (sent && err == 0 && dropped > 0) {
    char text[80];
    snprintf(text, sizeof(text), "rota: the trace lacks %llu events: the queue was full\n",
             (unsigned long long)dropped);
    sent = send_text(fd, '!', text, strlen(text));
  }
  if (sent)
    send_packet(fd, '.', "", 0);
}

/* "word", or "word milliseconds". */
static bool reads_as(const char *request, const char *word, int *time_ms) {
  size_t length = strlen(word);
  if (strncmp(request, word, length) != 0 || (request[length] != '\0' && request[length] != ' '))
    return false;
  long given = request[length] == ' ' ? strtol(request + length + 1, NULL, 10) : 0;
  *time_ms = given < 0 || given > TIME_MAX_MS ? TIME_MAX_MS : (int)given;
  return true;
}

static void answer(int fd, const char *request, int file) {
  int time_ms;
  if (reads_as(request, "stats", &time_ms))
    answer_stats(fd, time_ms);
  else if (reads_as(request, "why", &time_ms))
    answer_why(fd);
  else if (reads_as(request, "trace", &time_ms))
    answer_trace(fd, time_ms, file);
  else
    send_error(fd, "it does not know this request; it runs another version of rota: " ROTA_VERSION_STRING);
}

/* ---- the socket ---- */

static bool is_allowed(int fd) {
  pid_t process;
  uid_t user;
  return rota__os_peer(fd, &process, &user) == 0 && (user == geteuid() || user == 0);
}

static void serve(int fd) {
  char request[64];
  int passed[ROTA_OS_PASSED_MAX];
  size_t count = 0;
  if (!is_allowed(fd)) {
    send_error(fd, "it belongs to another user");
    return;
  }
  if (rota__os_wait_readable(fd, REQUEST_MS) <= 0)
    return;
  ssize_t n = rota__os_recv_descriptors(fd, request, sizeof(request) - 1, passed, &count);
  if (n > 0) {
    request[n] = '\0';
    answer(fd, request, count > 0 ? passed[0] : -1);
  }
  for (size_t i = 0; i < count; i++)
    rota__os_close(passed[i]);
}

static void *thread_main(void *unused) {
  rota__os_thread_set_name("rota-attach");
  while (rota__os_wait_readable(server.fd, -1) > 0 && rota__os_file_is(server.fd, &server.identity)) {
    int fd = rota__os_accept(server.fd);
    if (fd < 0) { /* no descriptor is free: the client waits */
      rota__os_sleep_ns(RETRY_NS);
      continue;
    }
    int high = rota__os_dup_high(fd);
    if (high >= 0) {
      rota__os_close(fd);
      fd = high;
    }
    serve(fd);
    rota__os_close(fd);
  }
  return unused;
}

/* Anybody may take a name in the kernel's table: this one cannot be known before. Who looks for it finds it in that
 * table, among the sockets of this process (command/live/process.c). */
static int open_socket(void) {
  char name[48];
  uint64_t number = 0;
  int err = rota__os_random(&number, sizeof(number));
  if (err < 0)
    return err;
  snprintf(name, sizeof(name), "rota-attach.%d.%016llx", rota__os_process_id(), (unsigned long long)number);
  int fd = rota__os_local_listen(name);
  if (fd < 0)
    return fd;
  int high = rota__os_dup_high(fd); /* programs close and count the low ones */
  if (high < 0)
    return fd;
  rota__os_close(fd);
  return high;
}

/* With the lock held. */
static int start(void) {
  pthread_t thread;
  sigset_t saved;
  if (server.running)
    return 0;
  server.fd = open_socket();
  if (server.fd < 0)
    return server.fd;
  rota__os_file_identify(server.fd, &server.identity);
  rota__os_signals_block(&saved); /* the program's threads handle them */
  int err = -pthread_create(&thread, NULL, thread_main, NULL);
  rota__os_signals_restore(&saved);
  if (err < 0) {
    rota__os_close(server.fd);
    return err;
  }
  pthread_detach(thread);
  rota__os_stay_loaded();
  server.running = true;
  return 0;
}

int rota__attach_start(void) {
  pthread_mutex_lock(&server.lock);
  int err = start();
  pthread_mutex_unlock(&server.lock);
  return err;
}

void rota__attach_before_fork(void) {
  pthread_mutex_lock(&server.lock);
  rota__loop_call_before_fork();
}

void rota__attach_after_fork_in_parent(void) {
  rota__loop_call_after_fork();
  pthread_mutex_unlock(&server.lock);
}

void rota__attach_after_fork_in_child(void) {
  if (server.running) {
    if (rota__os_file_is(server.fd, &server.identity))
      rota__os_close(server.fd);
    server.running = false;
    server.resume = true;
  }
  rota__loop_call_after_fork();
  pthread_mutex_unlock(&server.lock);
}

void rota__attach_resume(void) {
  pthread_mutex_lock(&server.lock);
  if (server.resume && start() == 0)
    server.resume = false;
  pthread_mutex_unlock(&server.lock);
}
