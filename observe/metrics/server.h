/* The endpoint: a thread that answers Prometheus, and what processes with the same setting do for each other.
 *
 * The thread is not the program's: it answers while a loop is blocked, and says so. It takes few connections at a time,
 * each for one request and for a short time. Its descriptors have high numbers, as programs count and close the low
 * ones; when they are no longer its own, it ends.
 *
 * One process serves all that have the same address (the workers of a cluster, a program and its tool): the first one,
 * which takes a name in the kernel's table of local sockets, and then the port. The others find the name taken, connect
 * to it, and answer what the first asks of them. A process that ends takes its connection with it, and its figures are
 * gone; if it was the first, the others try again, and one of them becomes the first. Names belong to the same network
 * namespace as ports do. Both sides ask the kernel whether the other is of their user; and the first takes only those
 * whose process ids it sees as they do, as values are told apart by them. Packets:
 *
 *   to the first     "h<pid>", once; "+<number><text>", "." <number> the end of an answer
 *   from the first   "t<number>" or "o<number>": the metrics as text or OpenMetrics; "x": it is not taken
 *
 * Why sockets and not memory that is shared: nothing is left behind however a process ends, and a process is asked for
 * its figures only when somebody wants them. */
#ifndef ROTA_METRICS_SERVER_H
#define ROTA_METRICS_SERVER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "loop/os/file.h"
#include "observe/metrics/http.h"
#include "observe/metrics/text.h"

enum { ROTA_METRICS_CONNECTIONS = 16, ROTA_METRICS_MEMBERS = 256, ROTA_METRICS_PACKET = 32768 };

struct rota_metrics_connection {
  int fd; /* -1: none */
  uint64_t deadline_ns;
  size_t read, sent;
  bool is_answered; /* what else comes is dropped until the client closes: else it might not get the answer */
  struct rota_metrics_text answer;
  char head[ROTA_HTTP_HEAD_MAX];
};

struct rota_metrics_member {
  int fd; /* -1: none */
  int process_id;
  bool is_asked;
  struct rota_metrics_text text;
};

struct rota_metrics_server {
  char address[64]; /* as it is shown: "127.0.0.1:9464" */
  struct sockaddr_storage where;
  int port;    /* that is listened to; 0: none, another process has it */
  int wake[2]; /* a pipe: a byte ends the thread */
  struct rota_os_file_identity wake_identity;
  int listener;                   /* -1: not the first */
  int local;                      /* likewise */
  int first;                      /* the connection to the first; -1: none */
  uint64_t retry_ns, patience_ns; /* without a place: when to try again, and for how long */
  unsigned char round;            /* the number of the last question */
  struct rota_metrics_connection connections[ROTA_METRICS_CONNECTIONS];
  struct rota_metrics_member members[ROTA_METRICS_MEMBERS];
};

/* The same descriptor with a high number, if there is one. */
int rota__metrics_raise(int fd);
void rota__metrics_close(int *fd);

/* The text of this process. */
void rota__metrics_own_text(enum rota_metrics_format format, struct rota_metrics_text *text);

/* That there is no endpoint of this process, and why. */
void rota__metrics_say_no_place(const char *address, int err);

/* ---- server.c ---- */

void rota__metrics_server_init(struct rota_metrics_server *server);
int rota__metrics_open_pipe(struct rota_metrics_server *server);
/* Until a byte comes by the pipe. */
void rota__metrics_serve(struct rota_metrics_server *server);
/* Also in the child of a fork: closes what is open. */
void rota__metrics_server_close(struct rota_metrics_server *server);

/* ---- share.c ---- */

/* Becomes the first, or connects to it. UV_EAGAIN: neither is possible at this moment; UV_EADDRINUSE, UV_EEXIST
 * (it is another user's), or another error of listening. */
int rota__metrics_join(struct rota_metrics_server *server);
bool rota__metrics_has_place(const struct rota_metrics_server *server);
/* The first: somebody connects; a member says something, or is gone. */
void rota__metrics_take_member(struct rota_metrics_server *server);
void rota__metrics_hear_member(struct rota_metrics_member *member);
/* The texts of all processes, this one's first. */
void rota__metrics_gather(struct rota_metrics_server *server, enum rota_metrics_format format,
                          struct rota_metrics_text *merged);
/* A member: the first asks, or is gone. False: it does not take us. */
bool rota__metrics_hear_first(struct rota_metrics_server *server);

#endif
