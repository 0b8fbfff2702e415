/* Sockets and pipes of the model, for its files alone. */
#ifndef ROTA_MODEL_SOCKET_H
#define ROTA_MODEL_SOCKET_H

#include <sys/un.h>

#include "loop/os/model/model.h"

enum { ROTA_MODEL_BACKLOG = 16, ROTA_MODEL_DATAGRAMS = 64 };

enum rota_model_state {
  ROTA_MODEL_FRESH, /* or bound */
  ROTA_MODEL_LISTENING,
  ROTA_MODEL_CONNECTING,
  ROTA_MODEL_CONNECTED,
};

struct rota_model_address {
  socklen_t length; /* 0: none */
  union {
    struct sockaddr any;
    struct sockaddr_in in;
    struct sockaddr_in6 in6;
    struct sockaddr_un un;
    char bytes[sizeof(struct sockaddr_un) + 1];
  } u;
};

struct rota_model_datagram {
  uint64_t ns; /* when it arrives */
  struct rota_model_address from;
  size_t length;
  char *bytes;
};

/* Also an end of a pipe, which has one of the channels; its domain is 0. */
struct rota_model_socket {
  struct rota_model_object base;
  int domain, type;
  enum rota_model_state state;
  struct rota_model_address name, peer_name;
  struct rota_model_channel *in, *out; /* the other side's are the same two */
  struct rota_model_socket *peer;      /* null: there is none, or it is closed */
  struct rota_model_socket *waiting[ROTA_MODEL_BACKLOG];
  uint64_t waiting_ns[ROTA_MODEL_BACKLOG]; /* when it is to be seen */
  int waiting_count, backlog;
  uint64_t connected_ns; /* when the connection is made, or refused */
  int connect_error, error;
  uint64_t sent; /* bytes that were taken from the program */
  bool resets;   /* when it is closed */
  bool shares_address, shares_port;
  struct rota_model_datagram datagrams[ROTA_MODEL_DATAGRAMS];
  int datagram_count;
};

struct rota_model_socket *rota__model_socket(int domain, int type);
struct rota_model_socket *rota__model_find_bound(int domain, int type, const struct rota_model_address *address);
int rota__model_bind_any(struct rota_model_socket *self); /* a port that is free */
void rota__model_reset(struct rota_model_socket *self, int error);
unsigned int rota__model_datagrams_ready(struct rota_model_socket *self);
uint64_t rota__model_datagrams_next_ns(struct rota_model_socket *self);
void rota__model_datagrams_drop(struct rota_model_socket *self);
ssize_t rota__model_datagram_send(struct rota_model_socket *self, const struct rota_model_address *to,
                                  const struct iovec *vector, int count);

#endif
