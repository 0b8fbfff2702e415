#include "tls.h"

#include <openssl/bio.h>
#include <stdlib.h>
#include <string.h>

enum { READ_SIZE = 16384, EMPTY_READ = -1 };

bool rota_tls_append(struct rota_tls_bytes *bytes, const void *data, size_t length) {
  if (bytes->room - bytes->length < length) {
    size_t room = bytes->room * 2 > bytes->length + length ? bytes->room * 2 : bytes->length + length;
    unsigned char *grown = realloc(bytes->data, room);
    if (grown == NULL)
      return false;
    bytes->data = grown;
    bytes->room = room;
  }
  memcpy(bytes->data + bytes->length, data, length);
  bytes->length += length;
  return true;
}

/* The bytes as an ArrayBuffer that owns them; undefined when there are none. */
JSValueRef rota_tls_take(JSContextRef context, struct rota_tls_bytes *bytes) {
  if (bytes->length == 0)
    return rota_undefined(context);
  JSValueRef value = rota_buffer_adopt(context, bytes->data, bytes->length);
  *bytes = (struct rota_tls_bytes){NULL, 0, 0};
  return value;
}

static void release(void *pointer) {
  struct rota_tls *tls = pointer;
  SSL_free(tls->ssl);
  SSL_SESSION_free(tls->stored);
  free(tls->plain.data);
  free(tls->session.data);
  free(tls->keys.data);
  free(tls->protocols.data);
  free(tls->chosen);
  free(tls);
}

struct rota_tls *rota_tls_of(JSContextRef context, const struct rota_frame *frame, int index) {
  return rota_crypto_pointer(context, rota_arg(context, frame, index), release);
}

static bool flag(JSContextRef context, const struct rota_frame *frame, int index) {
  return rota_to_boolean(context, rota_arg(context, frame, index));
}

/* The verdict on the other side's certificate is JavaScript's; here it is only noted. */
static int on_verify(int ok, X509_STORE_CTX *store) {
  (void)ok;
  (void)store;
  return 1;
}

/* create(context, server, asks for a certificate, requires one, asks the program about hellos, and about names) ->
 * object
 */
static JSValueRef create(JSContextRef context, struct rota_frame *frame) {
  SSL_CTX *shared = rota_tls_context_of(context, rota_arg(context, frame, 0));
  struct rota_tls *tls = shared != NULL ? calloc(1, sizeof *tls) : NULL;
  if (tls == NULL)
    return rota_throw_text(context, "no secure context");
  tls->server = flag(context, frame, 1);
  tls->asks = flag(context, frame, 4);
  tls->asks_name = flag(context, frame, 5);
  tls->ssl = SSL_new(shared);
  tls->in = BIO_new(BIO_s_mem());
  tls->out = BIO_new(BIO_s_mem());
  if (tls->ssl == NULL || tls->in == NULL || tls->out == NULL) {
    BIO_free(tls->in);
    BIO_free(tls->out);
    release(tls);
    return rota_crypto_throw(context, "out of memory");
  }
  BIO_set_mem_eof_return(tls->in, EMPTY_READ);
  SSL_set_bio(tls->ssl, tls->in, tls->out);
  SSL_set_app_data(tls->ssl, tls);
  SSL_set_mode(tls->ssl,
               SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
  int verify = SSL_VERIFY_NONE;
  if (!tls->server || flag(context, frame, 2))
    verify = SSL_VERIFY_PEER | (tls->server && flag(context, frame, 3) ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0);
  SSL_set_verify(tls->ssl, verify, on_verify);
  if (tls->server)
    SSL_set_accept_state(tls->ssl);
  else
    SSL_set_connect_state(tls->ssl);
  return rota_crypto_object(context, tls, release);
}

/* setName(tls, server name) */
static JSValueRef set_name(JSContextRef context, struct rota_frame *frame) {
  struct rota_tls *tls = rota_tls_of(context, frame, 0);
  char *name = rota_to_text(context, rota_arg(context, frame, 1), NULL);
  bool set = tls != NULL && name != NULL && SSL_set_tlsext_host_name(tls->ssl, name) == 1;
  free(name);
  return rota_boolean(context, set);
}

/* setProtocols(tls, bytes: each name behind its length): what a client offers, or what a server can do */
static JSValueRef set_protocols(JSContextRef context, struct rota_frame *frame) {
  struct rota_tls *tls = rota_tls_of(context, frame, 0);
  unsigned char *bytes;
  size_t length;
  if (tls == NULL || !rota_borrow_bytes(context, rota_arg(context, frame, 1), &bytes, &length))
    return rota_boolean(context, false);
  tls->protocols.length = 0;
  bool set = rota_tls_append(&tls->protocols, bytes, length);
  if (set && !tls->server)
    set = SSL_set_alpn_protos(tls->ssl, bytes, (unsigned)length) == 0;
  return rota_boolean(context, set);
}

/* setSession(tls, bytes) -> whether they were one */
static JSValueRef set_session(JSContextRef context, struct rota_frame *frame) {
  struct rota_tls *tls = rota_tls_of(context, frame, 0);
  unsigned char *bytes;
  size_t length;
  if (tls == NULL || !rota_borrow_bytes(context, rota_arg(context, frame, 1), &bytes, &length))
    return rota_boolean(context, false);
  const unsigned char *at = bytes;
  SSL_SESSION *session = d2i_SSL_SESSION(NULL, &at, (long)length);
  /* One that was made with another server is of no use with this one. */
  const char *then = session != NULL ? SSL_SESSION_get0_hostname(session) : NULL;
  const char *now = SSL_get_servername(tls->ssl, TLSEXT_NAMETYPE_host_name);
  bool other = then != NULL && now != NULL && strcmp(then, now) != 0;
  bool set = session != NULL && !other && SSL_set_session(tls->ssl, session) == 1;
  SSL_SESSION_free(session);
  ERR_clear_error();
  return rota_boolean(context, set);
}

/* ---- the handshake's questions ---- */

int rota_tls_on_hello(SSL *ssl, int *alert, void *data) {
  (void)alert;
  (void)data;
  struct rota_tls *tls = SSL_get_app_data(ssl);
  if (tls == NULL || !tls->asks || tls->answered)
    return SSL_CLIENT_HELLO_SUCCESS;
  tls->asked = true;
  return SSL_CLIENT_HELLO_RETRY;
}

int rota_tls_on_name(SSL *ssl, void *data) {
  (void)data;
  struct rota_tls *tls = SSL_get_app_data(ssl);
  if (tls == NULL || !tls->asks_name || tls->answered_name)
    return 1;
  tls->asked_name = true;
  return -1;
}

int rota_tls_on_protocols(SSL *ssl, const unsigned char **out, unsigned char *out_length, const unsigned char *in,
                          unsigned in_length, void *data) {
  (void)data;
  struct rota_tls *tls = SSL_get_app_data(ssl);
  if (tls == NULL)
    return SSL_TLSEXT_ERR_NOACK;
  if (tls->chosen != NULL) {
    *out = tls->chosen;
    *out_length = (unsigned char)tls->chosen_length;
    return SSL_TLSEXT_ERR_OK;
  }
  if (tls->refuses_protocol)
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  if (tls->protocols.length == 0)
    return SSL_TLSEXT_ERR_NOACK;
  int result = SSL_select_next_proto((unsigned char **)out, out_length, tls->protocols.data,
                                     (unsigned)tls->protocols.length, in, in_length);
  return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

static JSValueRef hello_name(JSContextRef context, SSL *ssl) {
  const unsigned char *bytes;
  size_t length;
  /* A list (2 bytes of length) of a kind (1 byte, 0 is a host) and a name (2 bytes of length). */
  if (SSL_client_hello_get0_ext(ssl, TLSEXT_TYPE_server_name, &bytes, &length) != 1 || length < 5 || bytes[2] != 0)
    return rota_undefined(context);
  size_t size = (size_t)bytes[3] << 8 | bytes[4];
  return size + 5 <= length ? rota_text(context, (const char *)bytes + 5, size) : rota_undefined(context);
}

/* Says what the client wants: { servername, protocols (bytes), session (bytes) }. It is read inside of the callback's
 * reach: OpenSSL keeps the hello until the handshake goes on. */
static JSValueRef hello(JSContextRef context, struct rota_frame *frame) {
  struct rota_tls *tls = rota_tls_of(context, frame, 0);
  JSObjectRef object = rota_object(context);
  if (tls == NULL || !tls->asked)
    return object;
  const unsigned char *bytes;
  size_t length;
  rota_set(context, object, "servername", hello_name(context, tls->ssl));
  if (SSL_client_hello_get0_ext(tls->ssl, TLSEXT_TYPE_application_layer_protocol_negotiation, &bytes, &length) == 1 &&
      length > 2)
    rota_set(context, object, "protocols", rota_crypto_bytes(context, bytes + 2, length - 2));
  if ((length = SSL_client_hello_get0_session_id(tls->ssl, &bytes)) > 0)
    rota_set(context, object, "session", rota_crypto_bytes(context, bytes, length));
  rota_set(
      context, object, "ticket",
      rota_boolean(context, SSL_client_hello_get0_ext(tls->ssl, TLSEXT_TYPE_session_ticket, &bytes, &length) == 1 &&
                                length > 0));
  return object;
}

/* answerName(tls, context or undefined) */
static JSValueRef answer_name(JSContextRef context, struct rota_frame *frame) {
  struct rota_tls *tls = rota_tls_of(context, frame, 0);
  if (tls == NULL)
    return rota_undefined(context);
  tls->asked_name = false;
  tls->answered_name = true;
  SSL_CTX *other = rota_tls_context_of(context, rota_arg(context, frame, 1));
  if (other != NULL) {
    int verify = SSL_get_verify_mode(tls->ssl);
    SSL_set_SSL_CTX(tls->ssl, other);
    SSL_set_verify(tls->ssl, verify, on_verify);
    SSL_set1_verify_cert_store(tls->ssl, SSL_CTX_get_cert_store(other));
    STACK_OF(X509_NAME) *names = SSL_dup_CA_list(SSL_CTX_get_client_CA_list(other));
    if (names != NULL)
      SSL_set_client_CA_list(tls->ssl, names);
  }
  return rota_undefined(context);
}

/* answer(tls, protocol or undefined or false, session or undefined) */
static JSValueRef answer(JSContextRef context, struct rota_frame *frame) {
  struct rota_tls *tls = rota_tls_of(context, frame, 0);
  if (tls == NULL)
    return rota_undefined(context);
  tls->asked = false;
  tls->answered = true;
  JSValueRef protocol = rota_arg(context, frame, 1);
  if (JSValueIsString(context, protocol))
    tls->chosen = (unsigned char *)rota_to_text(context, protocol, &tls->chosen_length);
  else if (JSValueIsBoolean(context, protocol))
    tls->refuses_protocol = true;
  unsigned char *bytes;
  size_t length;
  if (rota_borrow_bytes(context, rota_arg(context, frame, 2), &bytes, &length)) {
    const unsigned char *at = bytes;
    tls->stored = d2i_SSL_SESSION(NULL, &at, (long)length);
    ERR_clear_error();
  }
  return rota_undefined(context);
}

int rota_tls_on_session(SSL *ssl, SSL_SESSION *session) {
  struct rota_tls *tls = SSL_get_app_data(ssl);
  int size = tls != NULL ? i2d_SSL_SESSION(session, NULL) : 0;
  unsigned char *bytes = size > 0 ? malloc((size_t)size) : NULL;
  if (bytes == NULL)
    return 0;
  unsigned char *at = bytes;
  i2d_SSL_SESSION(session, &at);
  unsigned length;
  const unsigned char *id = SSL_SESSION_get_id(session, &length);
  uint32_t sizes[] = {(uint32_t)size, length};
  if (rota_tls_append(&tls->session, sizes, sizeof sizes) && rota_tls_append(&tls->session, bytes, (size_t)size))
    rota_tls_append(&tls->session, id, length);
  free(bytes);
  return 0;
}

SSL_SESSION *rota_tls_on_lookup(SSL *ssl, const unsigned char *id, int length, int *copy) {
  (void)id;
  (void)length;
  struct rota_tls *tls = SSL_get_app_data(ssl);
  *copy = 0;
  SSL_SESSION *session = tls != NULL ? tls->stored : NULL;
  if (tls != NULL)
    tls->stored = NULL;
  return session;
}

void rota_tls_on_key(const SSL *ssl, const char *line) {
  struct rota_tls *tls = SSL_get_app_data(ssl);
  if (tls != NULL && rota_tls_append(&tls->keys, line, strlen(line)))
    rota_tls_append(&tls->keys, "\n", 1);
}

/* ---- bytes ---- */

static void note_error(struct rota_tls *tls) {
  tls->failed = true;
  tls->error = ERR_peek_error();
  ERR_error_string_n(tls->error, tls->detail, sizeof tls->detail);
  ERR_clear_error();
}

static void read_plain(struct rota_tls *tls) {
  unsigned char piece[READ_SIZE];
  for (;;) {
    int n = SSL_read(tls->ssl, piece, sizeof piece);
    if (n > 0) {
      if (!rota_tls_append(&tls->plain, piece, (size_t)n)) {
        tls->failed = true;
        return;
      }
      continue;
    }
    int why = SSL_get_error(tls->ssl, n);
    if (why == SSL_ERROR_ZERO_RETURN)
      tls->ended = true;
    else if (why == SSL_ERROR_SSL || why == SSL_ERROR_SYSCALL)
      note_error(tls);
    return;
  }
}

static int news(struct rota_tls *tls, int flags) {
  return flags | (tls->plain.length > 0 ? ROTA_TLS_PLAIN : 0) | (BIO_ctrl_pending(tls->out) > 0 ? ROTA_TLS_CIPHER : 0) |
         (tls->ended ? ROTA_TLS_ENDED : 0) | (tls->failed ? ROTA_TLS_FAILED : 0) | (tls->asked ? ROTA_TLS_HELLO : 0) |
         (tls->asked_name ? ROTA_TLS_NAME : 0) | (tls->session.length > 0 ? ROTA_TLS_SESSION : 0) |
         (tls->keys.length > 0 ? ROTA_TLS_KEYS : 0);
}

/* step(tls, bytes or undefined) -> news */
static JSValueRef step(JSContextRef context, struct rota_frame *frame) {
  struct rota_tls *tls = rota_tls_of(context, frame, 0);
  unsigned char *bytes;
  size_t length;
  if (tls == NULL)
    return rota_number(context, ROTA_TLS_FAILED);
  if (rota_borrow_bytes(context, rota_arg(context, frame, 1), &bytes, &length) && length > 0)
    BIO_write(tls->in, bytes, (int)length);
  if (tls->failed || tls->asked || tls->asked_name)
    return rota_number(context, news(tls, 0));
  ERR_clear_error();
  int flags = 0;
  if (!tls->established) {
    int n = SSL_do_handshake(tls->ssl);
    if (n == 1) {
      tls->established = true;
      flags = ROTA_TLS_ESTABLISHED;
    } else {
      int why = SSL_get_error(tls->ssl, n);
      if (why == SSL_ERROR_SSL || why == SSL_ERROR_SYSCALL || why == SSL_ERROR_ZERO_RETURN)
        note_error(tls);
    }
  }
  if (tls->established && !tls->failed)
    read_plain(tls);
  return rota_number(context, news(tls, flags));
}

static JSValueRef take_plain(JSContextRef context, struct rota_frame *frame) {
  struct rota_tls *tls = rota_tls_of(context, frame, 0);
  return tls != NULL ? rota_tls_take(context, &tls->plain) : rota_undefined(context);
}

static JSValueRef take_keys(JSContextRef context, struct rota_frame *frame) {
  struct rota_tls *tls = rota_tls_of(context, frame, 0);
  return tls != NULL ? rota_tls_take(context, &tls->keys) : rota_undefined(context);
}

/* takeSessions(tls) -> for each: its size and that of its name (4 bytes each, as the machine has them), itself, its
 * name
 */
static JSValueRef take_sessions(JSContextRef context, struct rota_frame *frame) {
  struct rota_tls *tls = rota_tls_of(context, frame, 0);
  return tls != NULL ? rota_tls_take(context, &tls->session) : rota_undefined(context);
}

/* takeCipher(tls) -> what is to be sent, or undefined */
static JSValueRef take_cipher(JSContextRef context, struct rota_frame *frame) {
  struct rota_tls *tls = rota_tls_of(context, frame, 0);
  size_t pending = tls != NULL ? BIO_ctrl_pending(tls->out) : 0;
  unsigned char *bytes = pending > 0 ? malloc(pending) : NULL;
  if (bytes == NULL)
    return rota_undefined(context);
  int n = BIO_read(tls->out, bytes, (int)pending);
  return rota_buffer_adopt(context, bytes, n > 0 ? (size_t)n : 0);
}

/* put(tls, bytes) -> news: FAILED, or what there is to send */
static JSValueRef put(JSContextRef context, struct rota_frame *frame) {
  struct rota_tls *tls = rota_tls_of(context, frame, 0);
  unsigned char *bytes;
  size_t length;
  if (tls == NULL || tls->failed || !rota_borrow_bytes(context, rota_arg(context, frame, 1), &bytes, &length))
    return rota_number(context, ROTA_TLS_FAILED);
  ERR_clear_error();
  for (size_t done = 0; done < length;) {
    int n = SSL_write(tls->ssl, bytes + done, (int)(length - done));
    if (n <= 0) {
      note_error(tls);
      break;
    }
    done += (size_t)n;
  }
  return rota_number(context, news(tls, 0));
}

/* end(tls) -> news: we send no more */
static JSValueRef end(JSContextRef context, struct rota_frame *frame) {
  struct rota_tls *tls = rota_tls_of(context, frame, 0);
  if (tls == NULL || tls->failed)
    return rota_number(context, 0);
  if (tls->established)
    SSL_shutdown(tls->ssl);
  ERR_clear_error();
  return rota_number(context, news(tls, 0));
}

/* failure(tls) -> [text, reason, library] */
static JSValueRef failure(JSContextRef context, struct rota_frame *frame) {
  struct rota_tls *tls = rota_tls_of(context, frame, 0);
  if (tls == NULL || !tls->failed)
    return rota_undefined(context);
  const char *reason = ERR_reason_error_string(tls->error), *library = ERR_lib_error_string(tls->error);
  JSValueRef values[] = {rota_string(context, tls->detail), rota_string(context, reason != NULL ? reason : ""),
                         rota_string(context, library != NULL ? library : "")};
  return rota_array(context, 3, values);
}

JSObjectRef rota_binding_tls(struct rota_env *env) {
  static const struct rota_method methods[] = {{"create", create, 6},
                                               {"setName", set_name, 2},
                                               {"setProtocols", set_protocols, 2},
                                               {"setSession", set_session, 2},
                                               {"hello", hello, 1},
                                               {"answer", answer, 3},
                                               {"answerName", answer_name, 2},
                                               {"step", step, 2},
                                               {"takePlain", take_plain, 1},
                                               {"takeKeys", take_keys, 1},
                                               {"takeSessions", take_sessions, 1},
                                               {"takeCipher", take_cipher, 1},
                                               {"put", put, 2},
                                               {"end", end, 1},
                                               {"failure", failure, 1},
                                               {NULL, NULL, 0}};
  JSObjectRef binding = rota_object(env->context);
  rota_set_methods(env->context, binding, methods);
  rota_set_methods(env->context, binding, rota_tls_context_methods);
  rota_set_methods(env->context, binding, rota_tls_inspect_methods);
  return binding;
}
