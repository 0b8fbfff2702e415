/* The binding `tls`: adds the layer to a stream, and sets options before the handshake. */
#include "runtime/bind/tls/tls.h"

#include <stdlib.h>
#include <string.h>

enum {
  FLAG_SERVER = 1,
  FLAG_ASKS_CERTIFICATE = 2,
  FLAG_NEEDS_CERTIFICATE = 4,
  FLAG_ASKS_HELLO = 8,
  FLAG_ASKS_NAME = 16,
  FLAG_ASKS_PROTOCOL = 32,
  FLAG_SHARED_KEYS = 64,
  FLAG_WANTS_STAPLE = 128
};

static _Thread_local JSObjectRef callbacks[JS_TLS_CALL_COUNT];

bool js_tls_append(struct js_tls_bytes *bytes, const void *data, size_t length) {
  if (length == 0)
    return true; /* there may be no memory so far */
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

struct js_tls *js_tls_of(JSContextRef context, const struct js_frame *frame, int index) {
  struct js_socket *stream = js_stream_argument(context, frame, index);
  return stream != NULL && stream->layer == &js_tls_layer ? stream->layer_data : NULL;
}

JSValueRef js_tls_tell(struct js_tls *tls, enum js_tls_call call, size_t argc, const JSValueRef argv[]) {
  if (tls->stream->object == NULL || callbacks[call] == NULL)
    return NULL;
  return js_enter(js_env_here, callbacks[call], tls->stream->object, argc, argv);
}

static int collect(const char *line, size_t length, void *text) {
  return js_tls_append(text, line, length);
}

/* OpenSSL's errors, and forgets them: [all of them, a line each, the oldest's reason, its library, itself in short] */
JSValueRef js_tls_error(JSContextRef context) {
  unsigned long error = ERR_peek_error();
  struct js_tls_bytes lines = {NULL, 0, 0};
  char text[200];
  ERR_error_string_n(error, text, sizeof text);
  const char *reason = ERR_reason_error_string(error), *library = ERR_lib_error_string(error);
  ERR_print_errors_cb(collect, &lines);
  JSValueRef values[] = {js_text(context, (const char *)lines.data, lines.length),
                         js_string(context, reason != NULL ? reason : ""),
                         js_string(context, library != NULL ? library : ""), js_string(context, text)};
  free(lines.data);
  ERR_clear_error();
  return js_array(context, 4, values);
}

/* JavaScript judges the peer's certificate; here the result is only recorded. */
int js_tls_verify(int ok, X509_STORE_CTX *store) {
  (void)ok;
  (void)store;
  return 1;
}

static bool set_up(struct js_tls *tls, SSL_CTX *shared, int flags) {
  tls->server = (flags & FLAG_SERVER) != 0;
  tls->asks_hello = (flags & FLAG_ASKS_HELLO) != 0;
  tls->asks_name = (flags & FLAG_ASKS_NAME) != 0;
  tls->asks_protocol = (flags & FLAG_ASKS_PROTOCOL) != 0;
  tls->ssl = SSL_new(shared);
  BIO *wire = tls->ssl != NULL ? js_tls_wire(tls) : NULL;
  if (wire == NULL)
    return false;
  SSL_set_bio(tls->ssl, wire, wire);
  SSL_set_app_data(tls->ssl, tls);
  SSL_set_mode(tls->ssl,
               SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
  int verify = SSL_VERIFY_NONE;
  if (!tls->server || (flags & FLAG_ASKS_CERTIFICATE) != 0)
    verify =
        SSL_VERIFY_PEER | (tls->server && (flags & FLAG_NEEDS_CERTIFICATE) != 0 ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0);
  SSL_set_verify(tls->ssl, verify, js_tls_verify);
  if ((flags & FLAG_SHARED_KEYS) != 0)
    js_tls_use_shared_keys(tls);
  if (!tls->server && (flags & FLAG_WANTS_STAPLE) != 0)
    SSL_set_tlsext_status_type(tls->ssl, TLSEXT_STATUSTYPE_ocsp);
  if (tls->server)
    SSL_set_accept_state(tls->ssl);
  else
    SSL_set_connect_state(tls->ssl);
  return true;
}

/* secure(number of a stream, or -1 and an object for one without a wire; secure context; flags) -> number, or a
 * negative error */
static JSValueRef secure(JSContextRef context, struct js_frame *frame) {
  int id = js_int(context, frame, 0);
  SSL_CTX *shared = js_tls_context_of(context, js_arg(context, frame, 2));
  struct js_socket *stream = id >= 0 ? js_stream_argument(context, frame, 0) : js_stream_create();
  struct js_tls *tls = stream != NULL && shared != NULL && stream->layer == NULL ? calloc(1, sizeof *tls) : NULL;
  if (tls == NULL || !set_up(tls, shared, js_int(context, frame, 3))) {
    if (tls != NULL)
      SSL_free(tls->ssl);
    free(tls);
    if (id < 0 && stream != NULL)
      js_stream_forget(stream);
    return js_number(context, UV_EINVAL);
  }
  tls->stream = stream;
  stream->layer = &js_tls_layer;
  stream->layer_data = tls;
  stream->bytes_read = stream->bytes_written = 0; /* from now on of plain text */
  if (id >= 0)
    uv_read_stop(&stream->uv.stream);
  if (id < 0) {
    stream->wireless = true;
    js_stream_adopt(stream, (JSObjectRef)js_arg(context, frame, 1));
  }
  return js_number(context, stream->id);
}

/* begin(number): starts the handshake, with the bytes that the wire has brought */
static JSValueRef begin(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  if (tls == NULL)
    return js_number(context, UV_EBADF);
  js_tls_advance(tls);
  return js_number(context, 0);
}

/* feed(number, bytes): bytes that came in another way; without bytes, held bytes are processed again */
static JSValueRef feed(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  unsigned char *bytes;
  size_t length;
  if (tls == NULL)
    return js_undefined(context);
  if (js_borrow_bytes(context, js_arg(context, frame, 1), &bytes, &length) && length > 0)
    js_tls_feed(tls, bytes, length);
  else
    js_tls_advance(tls);
  return js_undefined(context);
}

/* feedEnd(number, status): the wire of a stream that has none has ended */
static JSValueRef feed_end(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  if (tls != NULL)
    js_tls_layer.received(tls->stream, js_int(context, frame, 1), NULL);
  return js_undefined(context);
}

/* writeRaw(number, bytes), shutRaw(number): like `write` and `shutdown`, but without encryption */
static JSValueRef write_raw(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  unsigned char *bytes;
  size_t length;
  if (tls == NULL || tls->stream->wireless || !js_borrow_bytes(context, js_arg(context, frame, 1), &bytes, &length))
    return js_number(context, UV_EBADF);
  uint64_t plain = tls->stream->bytes_written;
  tls->stream->layer = NULL;
  int result = js_stream_write_bytes(tls->stream, (const char *)bytes, length);
  tls->stream->layer = &js_tls_layer;
  tls->stream->bytes_written = plain;
  return js_number(context, result);
}

static JSValueRef shut_raw(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  return js_number(context, tls != NULL && !tls->stream->wireless ? js_stream_shutdown(tls->stream) : UV_EBADF);
}

/* forget(number): the end of a stream without a wire */
static JSValueRef forget(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  if (tls == NULL || !tls->stream->wireless)
    return js_undefined(context);
  tls->stream->closing = true;
  if (!tls->busy)
    js_stream_forget(tls->stream);
  return js_undefined(context);
}

/* setName(number, server name) */
static JSValueRef set_name(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  char *name = js_to_text(context, js_arg(context, frame, 1), NULL);
  bool set = tls != NULL && name != NULL && SSL_set_tlsext_host_name(tls->ssl, name) == 1;
  free(name);
  return js_boolean(context, set);
}

/* setProtocols(number, bytes: each name after its length): the protocols that a client offers, or a server supports */
static JSValueRef set_protocols(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  unsigned char *bytes;
  size_t length;
  if (tls == NULL || !js_borrow_bytes(context, js_arg(context, frame, 1), &bytes, &length))
    return js_boolean(context, false);
  tls->protocols.length = 0;
  bool set = js_tls_append(&tls->protocols, bytes, length);
  if (set && !tls->server)
    set = SSL_set_alpn_protos(tls->ssl, bytes, (unsigned)length) == 0;
  return js_boolean(context, set);
}

/* setSession(number, bytes) -> whether they are a valid session */
static JSValueRef set_session(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  unsigned char *bytes;
  size_t length;
  if (tls == NULL || !js_borrow_bytes(context, js_arg(context, frame, 1), &bytes, &length))
    return js_boolean(context, false);
  const unsigned char *at = bytes;
  SSL_SESSION *session = d2i_SSL_SESSION(NULL, &at, (long)length);
  /* A session with another server cannot be used for this one. */
  const char *then = session != NULL ? SSL_SESSION_get0_hostname(session) : NULL;
  const char *now = SSL_get_servername(tls->ssl, TLSEXT_NAMETYPE_host_name);
  bool other = then != NULL && now != NULL && strcmp(then, now) != 0;
  bool set = session != NULL && !other && SSL_set_session(tls->ssl, session) == 1;
  SSL_SESSION_free(session);
  ERR_clear_error();
  return js_boolean(context, set);
}

/* setHint(number, text) -> whether it fits: the hint of a server about the shared key that it needs */
static JSValueRef set_hint(JSContextRef context, struct js_frame *frame) {
  struct js_tls *tls = js_tls_of(context, frame, 0);
  char *hint = js_to_text(context, js_arg(context, frame, 1), NULL);
  bool set = tls != NULL && hint != NULL && SSL_use_psk_identity_hint(tls->ssl, hint) == 1;
  ERR_clear_error();
  free(hint);
  return js_boolean(context, set);
}

/* setCallbacks({name: function}): by the names of tls_call in runtime/shared.table */
static JSValueRef set_callbacks(JSContextRef context, struct js_frame *frame) {
  static const char *const names[] = JS_TLS_CALL_NAMES;
  js_set_callbacks(context, js_arg(context, frame, 0), JS_TLS_CALL_COUNT, names, callbacks);
  return js_undefined(context);
}

JSObjectRef js_binding_tls(struct js_env *env) {
  static const struct js_method methods[] = {{"secure", secure, 4},
                                             {"begin", begin, 1},
                                             {"feed", feed, 2},
                                             {"feedEnd", feed_end, 2},
                                             {"forget", forget, 1},
                                             {"writeRaw", write_raw, 2},
                                             {"shutRaw", shut_raw, 1},
                                             {"setName", set_name, 2},
                                             {"setProtocols", set_protocols, 2},
                                             {"setSession", set_session, 2},
                                             {"setHint", set_hint, 2},
                                             {"setCallbacks", set_callbacks, 1},
                                             {NULL, NULL, 0}};
  js_crypto_start(&env->options->words);
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  js_set_methods(env->context, binding, js_tls_handshake_methods);
  js_set_methods(env->context, binding, js_tls_context_methods);
  js_set_methods(env->context, binding, js_tls_inspect_methods);
  return binding;
}
