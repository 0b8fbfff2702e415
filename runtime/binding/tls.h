/* TLS over memory: what comes from the network is put in, what is to be sent is taken out, and JavaScript carries it.
 *
 * Nothing here calls JavaScript. A handshake that needs an answer of the program (which certificate, which protocol)
 * stops, says so in the flags of `step`, and goes on when it has the answer. */
#ifndef ROTA_BINDING_TLS_H
#define ROTA_BINDING_TLS_H

#include "crypto.h"

#include <openssl/ssl.h>

/* What `step` tells. */
enum rota_tls_news {
  ROTA_TLS_ESTABLISHED = 1, /* the handshake has just ended */
  ROTA_TLS_PLAIN = 2,       /* there is something to read */
  ROTA_TLS_CIPHER = 4,      /* there is something to send */
  ROTA_TLS_ENDED = 8,       /* the other side has said that it sends no more */
  ROTA_TLS_FAILED = 16,
  ROTA_TLS_HELLO = 32,   /* waits for `answer` */
  ROTA_TLS_SESSION = 64, /* a session that can be resumed later */
  ROTA_TLS_KEYS = 128,   /* lines for a log of keys */
  ROTA_TLS_NAME = 256,   /* waits for `answerName`: which certificate? Not asked when a session is resumed. */
};

struct rota_tls_bytes {
  unsigned char *data;
  size_t length, room;
};

struct rota_tls {
  SSL *ssl;
  BIO *in, *out;
  bool server, established, ended, failed;
  bool asks, asked, answered;                /* about the hello */
  bool asks_name, asked_name, answered_name; /* about the certificate */
  unsigned long error;
  char detail[160];
  struct rota_tls_bytes plain, session, keys, protocols;
  unsigned char *chosen; /* the protocol that the server's program chose */
  size_t chosen_length;
  bool refuses_protocol;
  SSL_SESSION *stored; /* what the server's program kept for the client's session */
};

bool rota_tls_append(struct rota_tls_bytes *bytes, const void *data, size_t length);
JSValueRef rota_tls_take(JSContextRef context, struct rota_tls_bytes *bytes);
struct rota_tls *rota_tls_of(JSContextRef context, const struct rota_frame *frame, int index);

/* tls_context.c */
SSL_CTX *rota_tls_context_of(JSContextRef context, JSValueRef value);
extern const struct rota_method rota_tls_context_methods[];
/* tls.c: what a context calls */
int rota_tls_on_hello(SSL *ssl, int *alert, void *data);
int rota_tls_on_name(SSL *ssl, void *data);
int rota_tls_on_protocols(SSL *ssl, const unsigned char **out, unsigned char *out_length, const unsigned char *in,
                          unsigned in_length, void *data);
int rota_tls_on_session(SSL *ssl, SSL_SESSION *session);
SSL_SESSION *rota_tls_on_lookup(SSL *ssl, const unsigned char *id, int length, int *copy);
void rota_tls_on_key(const SSL *ssl, const char *line);
/* tls_inspect.c */
extern const struct rota_method rota_tls_inspect_methods[];

#endif
