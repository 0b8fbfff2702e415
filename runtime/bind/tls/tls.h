/* TLS as a layer of a stream (stream.h): OpenSSL is between the wire and the stream's reader and writer.
 *
 * Bytes from the wire are decrypted into the memory that the reader gets, and written bytes are encrypted into a buffer
 * for the system; they do not pass through JavaScript. A stream without a wire gets its bytes from JavaScript, from any
 * Duplex.
 *
 * JavaScript is called between two steps of OpenSSL, with the handle's object as `this`. A handshake that needs an
 * answer of the program (which certificate, which session) stops, asks, and continues when it has the answer, at once
 * or later. Only if OpenSSL cannot wait (the application protocol, shared keys) is the program called from inside of
 * OpenSSL. */
#ifndef JS_BINDING_TLS_H
#define JS_BINDING_TLS_H

#include "runtime/bind/crypto/crypto.h"
#include "runtime/bind/net/stream.h"

#include <openssl/ssl.h>

struct js_tls_bytes {
  unsigned char *data;
  size_t length, room;
};

/* A question that the program has not answered. */
enum js_tls_question { JS_TLS_NO_QUESTION, JS_TLS_ABOUT_HELLO, JS_TLS_ABOUT_NAME, JS_TLS_ABOUT_SESSION };

struct js_tls {
  SSL *ssl;
  struct js_socket *stream;
  bool server, established, failed, ended, end_told;
  bool asks_hello, answered_hello, asks_name, answered_name, asks_protocol;
  bool staple_came, staple_told;
  bool began_again, ended_again; /* another handshake, on a connection that has had one */
  bool wants;                    /* the stream is being read */
  bool settling;                 /* established, and the program has not stored the session yet */
  bool shut_late;                /* the end waits for the handshake */
  bool again;                    /* something has changed since the start of `busy` */
  bool busy;
  bool wire_on; /* the wire is read */
  enum js_tls_question question;
  int unkept;              /* sessions that the program has not stored yet */
  int end_status;          /* the wire's end, which comes after held bytes; 0: not yet */
  const unsigned char *in; /* the bytes that have just arrived */
  size_t in_length;
  struct js_tls_bytes held; /* earlier bytes that are not used yet, from held_at on */
  size_t held_at;
  struct js_tls_bytes out;   /* what is to be sent */
  struct js_tls_bytes early; /* plain text that waits for the handshake */
  int early_tell;
  struct js_tls_bytes sessions, keys, protocols, staple;
  unsigned char *chosen; /* the protocol that the server's program chose */
  size_t chosen_length;
  SSL_SESSION *stored; /* what the server's program kept for the client's session */
};

/* tls.c */
bool js_tls_append(struct js_tls_bytes *bytes, const void *data, size_t length);
struct js_tls *js_tls_of(JSContextRef context, const struct js_frame *frame, int index);
JSValueRef js_tls_tell(struct js_tls *tls, enum js_tls_call call, size_t argc, const JSValueRef argv[]);
JSValueRef js_tls_error(JSContextRef context);
int js_tls_verify(int ok, X509_STORE_CTX *store);

/* tls_flow.c */
extern const struct js_layer js_tls_layer;
BIO *js_tls_wire(struct js_tls *tls);
void js_tls_advance(struct js_tls *tls);
void js_tls_settle(struct js_tls *tls);
void js_tls_feed(struct js_tls *tls, const unsigned char *bytes, size_t length);

/* tls_context.c */
SSL_CTX *js_tls_context_of(JSContextRef context, JSValueRef value);
extern const struct js_method js_tls_context_methods[];

/* tls_handshake.c: what a context calls, and what JavaScript answers */
int js_tls_on_hello(SSL *ssl, int *alert, void *data);
int js_tls_on_name(SSL *ssl, void *data);
int js_tls_on_protocols(SSL *ssl, const unsigned char **out, unsigned char *out_length, const unsigned char *in,
                        unsigned in_length, void *data);
int js_tls_on_staple(SSL *ssl, void *data);
int js_tls_on_server_name(SSL *ssl, int *alert, void *data);
void js_tls_on_info(const SSL *ssl, int where, int value);
int js_tls_on_session(SSL *ssl, SSL_SESSION *session);
SSL_SESSION *js_tls_on_lookup(SSL *ssl, const unsigned char *id, int length, int *copy);
void js_tls_on_key(const SSL *ssl, const char *line);
bool js_tls_ask(struct js_tls *tls);
void js_tls_report(struct js_tls *tls);
void js_tls_use_shared_keys(struct js_tls *tls);
extern const struct js_method js_tls_handshake_methods[];

/* tls_inspect.c */
extern const struct js_method js_tls_inspect_methods[];

#endif
