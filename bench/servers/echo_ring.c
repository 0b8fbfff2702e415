/* The echo server on a bare io_uring loop, to compare with: one receive or one send of a connection is in progress, and
 * all new operations of a round are submitted with the wait that follows. */
#include <liburing.h>

#include "plain.h"

enum { ENTRIES = 4096, ROOM = 1024, BATCH = 256 };

struct connection {
  int fd;
  bool sending;
  char data[ROOM];
};

static struct io_uring ring;

static struct io_uring_sqe *next_sqe(void) {
  struct io_uring_sqe *sqe = io_uring_get_sqe(&ring);
  if (sqe == NULL) {
    io_uring_submit(&ring);
    sqe = io_uring_get_sqe(&ring);
  }
  bench_must(sqe != NULL, "io_uring_get_sqe");
  return sqe;
}

static void accept_more(int listener) {
  struct io_uring_sqe *sqe = next_sqe();
  io_uring_prep_multishot_accept(sqe, listener, NULL, NULL, SOCK_CLOEXEC);
  io_uring_sqe_set_data(sqe, NULL);
}

static void receive(struct connection *connection) {
  struct io_uring_sqe *sqe = next_sqe();
  io_uring_prep_recv(sqe, connection->fd, connection->data, ROOM, 0);
  io_uring_sqe_set_data(sqe, connection);
  connection->sending = false;
}

static void answer(struct connection *connection, size_t length) {
  struct io_uring_sqe *sqe = next_sqe();
  io_uring_prep_send(sqe, connection->fd, connection->data, length, 0);
  io_uring_sqe_set_data(sqe, connection);
  connection->sending = true;
}

static void on_completion(struct connection *connection, int result) {
  if (connection->sending) {
    receive(connection);
  } else if (result > 0) {
    answer(connection, (size_t)result);
  } else {
    close(connection->fd);
    free(connection);
  }
}

static void on_connection(int fd) {
  bench_must(fd >= 0, "accept");
  int one = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
  struct connection *connection = malloc(sizeof(*connection));
  bench_must(connection != NULL, "malloc");
  connection->fd = fd;
  receive(connection);
}

int main(void) {
  struct io_uring_params params = {.flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN};
  int listener = bench_listen(0);
  bench_must(io_uring_queue_init_params(ENTRIES, &ring, &params) == 0, "io_uring_queue_init_params");
  accept_more(listener);
  for (;;) {
    struct io_uring_cqe *cqes[BATCH];
    io_uring_submit_and_wait(&ring, 1);
    unsigned int n = io_uring_peek_batch_cqe(&ring, cqes, BATCH);
    for (unsigned int i = 0; i < n; i++) {
      struct connection *connection = io_uring_cqe_get_data(cqes[i]);
      if (connection != NULL) {
        on_completion(connection, cqes[i]->res);
        continue;
      }
      on_connection(cqes[i]->res);
      if (!(cqes[i]->flags & IORING_CQE_F_MORE))
        accept_more(listener);
    }
    io_uring_cq_advance(&ring, n);
  }
}
