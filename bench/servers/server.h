/* How the load generators use a server under test: they start it, read the port that it prints, and end it afterwards.
 * The generators use plain sockets and epoll, never the library under test: only the server varies.
 *
 * With two processors or more, the server gets the first and the generator another, so that decisions of the scheduler
 * do not show as differences between libraries. */
#ifndef ROTA_BENCH_SERVER_H
#define ROTA_BENCH_SERVER_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

struct bench_server {
  pid_t pid;
  struct sockaddr_in address;
};

/* Moves the caller to the nth of the processors that it may use, if there are so many. */
static inline void bench_pin(int nth) {
  cpu_set_t allowed, one;
  if (getenv("BENCH_NO_PIN") != NULL || sched_getaffinity(0, sizeof(allowed), &allowed) < 0 || CPU_COUNT(&allowed) < 2)
    return;
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET(cpu, &allowed) && nth-- == 0)
      CPU_SET(cpu, &one);
  sched_setaffinity(0, sizeof(one), &one);
}

static inline struct bench_server bench_server_start(char **command) {
  struct bench_server server = {0};
  int output[2];
  bench_must(command[0] != NULL && pipe(output) == 0, "which server?");
  pid_t self = getpid();
  server.pid = fork();
  bench_must(server.pid >= 0, "fork");
  if (server.pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != self)
      _exit(1);
    bench_pin(0);
    dup2(output[1], STDOUT_FILENO);
    close(output[0]);
    close(output[1]);
    execv(command[0], command);
    perror(command[0]);
    _exit(127);
  }
  bench_pin(1);
  close(output[1]);
  FILE *lines = fdopen(output[0], "r");
  unsigned int port = 0;
  bench_must(lines != NULL && fscanf(lines, "%u", &port) == 1, "the server did not tell its port");
  server.address.sin_family = AF_INET;
  server.address.sin_port = htons((uint16_t)port);
  server.address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return server;
}

/* The processor time of the server, all of its threads. */
static inline double bench_used_us(pid_t pid) {
  clockid_t clock;
  bench_must(clock_getcpuclockid(pid, &clock) == 0, "clock_getcpuclockid");
  return (double)bench_clock_ns(clock) / 1e3;
}

static inline void bench_server_end(struct bench_server *server) {
  kill(server->pid, SIGKILL);
  waitpid(server->pid, NULL, 0);
}

#endif
