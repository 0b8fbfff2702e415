/* Questions and reports of a handshake to the program: sessions, names, protocols, staples, shared keys.
 *
 * OpenSSL's callbacks record what happened. If the program must answer first, they make OpenSSL stop; js_tls_ask asks
 * the program outside of OpenSSL. */
#include "runtime/bind/tls/tls.h"

#include <stdlib.h>
#include <string.h>

static struct js_tls *connection(const SSL *ssl) {
  return SSL_get_app_data(ssl);
}

int js_tls_on_hello(SSL *ssl, int *alert, void *data) {
  (void)alert;
  (void)data;
  struct js_tls *tls = connection(ssl);
  if (tls == NULL || !tls->asks_hello || tls->answered_hello)
    return SSL_CLIENT_HELLO_SUCCESS;
  const unsigned char *bytes;
  size_t length;
  /* A client without a session, or with a ticket, does not need a stored session. */
  bool ticket = SSL_client_hello_get0_ext(ssl, TLSEXT_TYPE_session_ticket, &bytes, &length) == 1 && length > 0;
  if (ticket || SSL_client_hello_get0_session_id(ssl, &bytes) == 0)
    return SSL_CLIENT_HELLO_SUCCESS;
  tls->question = JS_TLS_ABOUT_HELLO;
  return SSL_CLIENT_HELLO_RETRY;
}

int js_tls_on_name(SSL *ssl, void *data) {
  (void)data;
  struct js_tls *tls = connection(ssl);
  if (tls == NULL || !tls->asks_name || tls->answered_name)
    return 1;
  tls->question = JS_TLS_ABOUT_NAME;
  return -1;
}

/* The name becomes part of the session only if it is acknowledged. */
int js_tls_on_server_name(SSL *ssl, int *alert, void *data) {
  (void)alert;
  (void)data;
  return SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name) != NULL ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

void js_tls_on_info(const SSL *ssl, int where, int value) {
  (void)value;
  struct js_tls *tls = connection(ssl);
  /* Messages of TLS 1.3 after the handshake do not count. */
  if (tls == NULL || !tls->established || SSL_version(ssl) >= TLS1_3_VERSION)
    return;
  if ((where & SSL_CB_HANDSHAKE_START) != 0)
    tls->began_again = true;
  if ((where & SSL_CB_HANDSHAKE_DONE) != 0)
    tls->ended_again = true;
}

/* again(number, asks for a certificate, needs one) -> undefined, or the result of js_tls_error: starts another
 * handshake */
static JSValueRef again(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  if (tls == NULL)
    return js_undefined(context);
  bool asks = js_to_boolean(context, js_arg(context, frame, 1));
  bool needs = js_to_boolean(context, js_arg(context, frame, 2));
  if (asks || !tls->server)
    SSL_set_verify(tls->ssl, SSL_VERIFY_PEER | (tls->server && needs ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0),
                   js_tls_verify);
  ERR_clear_error();
  bool ok = SSL_renegotiate(tls->ssl) == 1;
  if (ok) {
    int n = SSL_do_handshake(tls->ssl), why = n == 1 ? SSL_ERROR_NONE : SSL_get_error(tls->ssl, n);
    ok = why != SSL_ERROR_SSL && why != SSL_ERROR_SYSCALL;
  }
  if (!ok)
    return js_tls_error(context);
  tls->began_again = false; /* that was ours */
  js_tls_settle(tls);
  return js_undefined(context);
}

static bool wants_staple(const struct js_tls *tls) {
  return SSL_get_tlsext_status_type(tls->ssl) == TLSEXT_STATUSTYPE_ocsp;
}

/* Asks the program the question that stopped the handshake. -> whether it was answered at once */
bool js_tls_ask(struct js_tls *tls) {
  JSContextRef context = js_env_here->context;
  JSValueRef arguments[2];
  if (tls->question == JS_TLS_ABOUT_HELLO) {
    const unsigned char *id;
    size_t length = SSL_client_hello_get0_session_id(tls->ssl, &id);
    arguments[0] = js_crypto_bytes(context, id, length);
    js_tls_tell(tls, JS_TLS_CALL_HELLO, 1, arguments);
  } else if (tls->question == JS_TLS_ABOUT_NAME) {
    const char *name = SSL_get_servername(tls->ssl, TLSEXT_NAMETYPE_host_name);
    arguments[0] = name != NULL ? js_string(context, name) : js_boolean(context, false);
    arguments[1] = js_boolean(context, wants_staple(tls));
    js_tls_tell(tls, JS_TLS_CALL_NAME, 2, arguments);
  }
  return tls->question == JS_TLS_NO_QUESTION;
}

static void answered(struct js_tls *tls) {
  tls->question = JS_TLS_NO_QUESTION;
  js_tls_advance(tls);
}

/* answerHello(number, session or undefined) */
static JSValueRef answer_hello(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  if (tls == NULL || tls->question != JS_TLS_ABOUT_HELLO)
    return js_undefined(context);
  unsigned char *bytes;
  size_t length;
  if (js_borrow_bytes(context, js_arg(context, frame, 1), &bytes, &length)) {
    const unsigned char *at = bytes;
    tls->stored = d2i_SSL_SESSION(NULL, &at, (long)length);
    ERR_clear_error();
  }
  tls->answered_hello = true;
  answered(tls);
  return js_undefined(context);
}

static void use_context(struct js_tls *tls, SSL_CTX *other) {
  int verify = SSL_get_verify_mode(tls->ssl);
  SSL_set_SSL_CTX(tls->ssl, other);
  SSL_set_verify(tls->ssl, verify, js_tls_verify);
  SSL_set1_verify_cert_store(tls->ssl, SSL_CTX_get_cert_store(other));
  STACK_OF(X509_NAME) *names = SSL_dup_CA_list(SSL_CTX_get_client_CA_list(other));
  if (names != NULL)
    SSL_set_client_CA_list(tls->ssl, names);
}

/* chooseContext(number, secure context): the certificate for the requested name */
static JSValueRef choose_context(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  SSL_CTX *other = js_tls_context_of(context, js_arg(context, frame, 1));
  if (tls != NULL && other != NULL)
    use_context(tls, other);
  return js_undefined(context);
}

/* answerName(number, staple or undefined) */
static JSValueRef answer_name(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  if (tls == NULL || tls->question != JS_TLS_ABOUT_NAME)
    return js_undefined(context);
  unsigned char *bytes;
  size_t length;
  if (js_borrow_bytes(context, js_arg(context, frame, 1), &bytes, &length))
    js_tls_append(&tls->staple, bytes, length);
  tls->answered_name = true;
  answered(tls);
  return js_undefined(context);
}

/* ---- the application protocol ---- */

/* A call from inside OpenSSL: no ticks or microtasks may run after it. */
static JSValueRef ask_inside(struct js_tls *tls, enum js_tls_call call, size_t argc, const JSValueRef argv[]) {
  js_env_here->depth++;
  JSValueRef answer = js_tls_tell(tls, call, argc, argv);
  js_env_here->depth--;
  return answer;
}

int js_tls_on_protocols(SSL *ssl, const unsigned char **out, unsigned char *out_length, const unsigned char *in,
                        unsigned in_length, void *data) {
  (void)data;
  struct js_tls *tls = connection(ssl);
  if (tls == NULL)
    return SSL_TLSEXT_ERR_NOACK;
  if (tls->asks_protocol) {
    JSContextRef context = js_env_here->context;
    JSValueRef offered = js_crypto_bytes(context, in, in_length);
    JSValueRef answer = ask_inside(tls, JS_TLS_CALL_PROTOCOLS, 1, &offered);
    if (answer == NULL || !JSValueIsString(context, answer))
      return SSL_TLSEXT_ERR_ALERT_FATAL;
    free(tls->chosen);
    tls->chosen = (unsigned char *)js_to_text(context, answer, &tls->chosen_length);
    if (tls->chosen == NULL)
      return SSL_TLSEXT_ERR_ALERT_FATAL;
    *out = tls->chosen;
    *out_length = (unsigned char)tls->chosen_length;
    return SSL_TLSEXT_ERR_OK;
  }
  if (tls->protocols.length == 0)
    return SSL_TLSEXT_ERR_NOACK;
  int result = SSL_select_next_proto((unsigned char **)out, out_length, tls->protocols.data,
                                     (unsigned)tls->protocols.length, in, in_length);
  return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

/* ---- shared keys ---- */

/* -> the key's length; 0: none */
static unsigned ask_key(struct js_tls *tls, const char *about, unsigned char *key, unsigned key_room, char *identity,
                        unsigned identity_room) {
  JSContextRef context = js_env_here->context;
  JSValueRef arguments[] = {about != NULL ? js_string(context, about) : js_null(context), js_number(context, key_room),
                            js_number(context, identity_room)};
  JSValueRef answer = ask_inside(tls, JS_TLS_CALL_SHARED_KEY, 3, arguments);
  unsigned char *bytes;
  size_t length;
  if (answer == NULL || !JSValueIsObject(context, answer) ||
      !js_borrow_bytes(context, JSObjectGetPropertyAtIndex(context, (JSObjectRef)answer, 0, NULL), &bytes, &length) ||
      length > key_room)
    return 0;
  memcpy(key, bytes, length);
  if (identity == NULL)
    return (unsigned)length;
  size_t identity_length;
  char *name = js_to_text(context, JSObjectGetPropertyAtIndex(context, (JSObjectRef)answer, 1, NULL), &identity_length);
  bool fits = name != NULL && identity_length < identity_room;
  if (fits)
    memcpy(identity, name, identity_length + 1);
  free(name);
  return fits ? (unsigned)length : 0;
}

static unsigned client_key(SSL *ssl, const char *hint, char *identity, unsigned identity_room, unsigned char *key,
                           unsigned key_room) {
  struct js_tls *tls = connection(ssl);
  return tls != NULL ? ask_key(tls, hint, key, key_room, identity, identity_room) : 0;
}

static unsigned server_key(SSL *ssl, const char *identity, unsigned char *key, unsigned key_room) {
  struct js_tls *tls = connection(ssl);
  return tls != NULL ? ask_key(tls, identity, key, key_room, NULL, 0) : 0;
}

void js_tls_use_shared_keys(struct js_tls *tls) {
  if (tls->server)
    SSL_set_psk_server_callback(tls->ssl, server_key);
  else
    SSL_set_psk_client_callback(tls->ssl, client_key);
}

/* ---- reports ---- */

int js_tls_on_staple(SSL *ssl, void *data) {
  (void)data;
  struct js_tls *tls = connection(ssl);
  if (tls == NULL)
    return SSL_TLSEXT_ERR_NOACK;
  if (!tls->server) {
    const unsigned char *bytes;
    long length = SSL_get_tlsext_status_ocsp_resp(ssl, &bytes);
    if (length > 0)
      js_tls_append(&tls->staple, bytes, (size_t)length);
    tls->staple_told = false;
    tls->staple_came = true;
    return 1;
  }
  unsigned char *copy = tls->staple.length > 0 ? OPENSSL_memdup(tls->staple.data, tls->staple.length) : NULL;
  if (copy == NULL)
    return SSL_TLSEXT_ERR_NOACK;
  SSL_set_tlsext_status_ocsp_resp(ssl, copy, (long)tls->staple.length);
  return SSL_TLSEXT_ERR_OK;
}

int js_tls_on_session(SSL *ssl, SSL_SESSION *session) {
  struct js_tls *tls = connection(ssl);
  int size = tls != NULL ? i2d_SSL_SESSION(session, NULL) : 0;
  unsigned char *bytes = size > 0 ? malloc((size_t)size) : NULL;
  if (bytes == NULL)
    return 0;
  unsigned char *at = bytes;
  i2d_SSL_SESSION(session, &at);
  unsigned length;
  const unsigned char *id = SSL_SESSION_get_id(session, &length);
  uint32_t sizes[] = {(uint32_t)size, length};
  if (js_tls_append(&tls->sessions, sizes, sizeof sizes) && js_tls_append(&tls->sessions, bytes, (size_t)size))
    js_tls_append(&tls->sessions, id, length);
  free(bytes);
  return 0;
}

SSL_SESSION *js_tls_on_lookup(SSL *ssl, const unsigned char *id, int length, int *copy) {
  (void)id;
  (void)length;
  struct js_tls *tls = connection(ssl);
  *copy = 0;
  SSL_SESSION *session = tls != NULL ? tls->stored : NULL;
  if (tls != NULL)
    tls->stored = NULL;
  return session;
}

void js_tls_on_key(const SSL *ssl, const char *line) {
  struct js_tls *tls = connection(ssl);
  if (tls != NULL && js_tls_append(&tls->keys, line, strlen(line)))
    js_tls_append(&tls->keys, "\n", 1);
}

static void report_sessions(struct js_tls *tls) {
  JSContextRef context = js_env_here->context;
  struct js_tls_bytes all = tls->sessions;
  tls->sessions = (struct js_tls_bytes){NULL, 0, 0};
  for (size_t at = 0; at < all.length && !tls->stream->closing;) {
    uint32_t sizes[2];
    memcpy(sizes, all.data + at, sizeof sizes);
    at += sizeof sizes;
    JSValueRef arguments[] = {js_crypto_bytes(context, all.data + at, sizes[0]),
                              js_crypto_bytes(context, all.data + at + sizes[0], sizes[1])};
    at += sizes[0] + sizes[1];
    JSValueRef waits = js_tls_tell(tls, JS_TLS_CALL_SESSION, 2, arguments);
    if (waits != NULL && js_to_boolean(context, waits))
      tls->unkept++;
  }
  free(all.data);
  if (tls->unkept > 0)
    tls->question = JS_TLS_ABOUT_SESSION;
}

static void report_staple(struct js_tls *tls) {
  JSContextRef context = js_env_here->context;
  if (!tls->staple_came || tls->staple_told || tls->stream->closing)
    return;
  tls->staple_told = true;
  JSValueRef staple =
      tls->staple.length > 0 ? js_crypto_bytes(context, tls->staple.data, tls->staple.length) : js_null(context);
  js_tls_tell(tls, JS_TLS_CALL_STAPLE, 1, &staple);
}

/* Reports what has happened since the last time, in the order of a handshake. Until TLS 1.2 a server has the session
 * before the handshake is over; otherwise sessions come after it. */
void js_tls_report(struct js_tls *tls) {
  bool old = SSL_version(tls->ssl) < TLS1_3_VERSION;
  if (old)
    report_staple(tls);
  if (tls->keys.length > 0 && !tls->stream->closing) {
    JSValueRef lines = js_crypto_bytes(js_env_here->context, tls->keys.data, tls->keys.length);
    free(tls->keys.data);
    tls->keys = (struct js_tls_bytes){NULL, 0, 0};
    js_tls_tell(tls, JS_TLS_CALL_KEYS, 1, &lines);
  }
  if (!old)
    report_staple(tls);
  if (tls->sessions.length > 0 && (tls->established || (tls->server && old)))
    report_sessions(tls);
}

/* answerSession(number): the program has stored it */
static JSValueRef answer_session(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  if (tls == NULL || tls->unkept == 0 || --tls->unkept > 0)
    return js_undefined(context);
  tls->question = JS_TLS_NO_QUESTION;
  if (tls->established)
    js_tls_settle(tls);
  js_tls_advance(tls);
  return js_undefined(context);
}

const struct js_method js_tls_handshake_methods[] = {{"answerHello", answer_hello, 2},
                                                     {"chooseContext", choose_context, 2},
                                                     {"answerName", answer_name, 2},
                                                     {"answerSession", answer_session, 1},
                                                     {"again", again, 3},
                                                     {NULL, NULL, 0}};
