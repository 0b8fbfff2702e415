/* The flow of bytes through TLS.
 *
 * In: OpenSSL reads from the loop's buffer (`in`), or from `held`: bytes that it could not use earlier because the
 * reader had stopped or a question to the program was open. Out: OpenSSL's output is collected in a buffer that all
 * connections of a thread share, and is written in one piece when OpenSSL is done.
 *
 * Invariant: js_tls_advance is the only place that drives OpenSSL on the way in. JavaScript that it calls may do
 * anything, also close the stream; a nested advance only tells the outer one to run again. */
#include "runtime/bind/tls/tls.h"
#include "runtime/engine/engine.h"

#include <openssl/bio.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { CIPHER_ROOM = 65536, PLAIN_MOST = 16384, HELD_MOST = 65536 };

struct sending {
  uv_write_t request;
  int tell;
  char bytes[];
};

static _Thread_local void *arriving;            /* CIPHER_ROOM */
static _Thread_local struct js_tls_bytes spare; /* an empty buffer for what is to be sent */

/* ---- OpenSSL's side ---- */

static int wire_write(BIO *wire, const char *bytes, int length) {
  struct js_tls *tls = BIO_get_data(wire);
  if (tls->out.data == NULL) {
    tls->out = spare;
    spare = (struct js_tls_bytes){NULL, 0, 0};
  }
  return length > 0 && js_tls_append(&tls->out, bytes, (size_t)length) ? length : -1;
}

static size_t held_length(const struct js_tls *tls) {
  return tls->held.length - tls->held_at;
}

static int wire_read(BIO *wire, char *bytes, int room) {
  struct js_tls *tls = BIO_get_data(wire);
  BIO_clear_retry_flags(wire);
  size_t held = held_length(tls), count = held > 0 ? held : tls->in_length;
  /* A session is reported before the next one replaces it. */
  if (count == 0 || (tls->established && tls->sessions.length > 0)) {
    BIO_set_retry_read(wire);
    return -1;
  }
  if (count > (size_t)room)
    count = (size_t)room;
  if (held == 0) {
    memcpy(bytes, tls->in, count);
    tls->in += count;
    tls->in_length -= count;
    return (int)count;
  }
  memcpy(bytes, tls->held.data + tls->held_at, count);
  tls->held_at += count;
  if (held_length(tls) == 0) {
    free(tls->held.data);
    tls->held = (struct js_tls_bytes){NULL, 0, 0};
    tls->held_at = 0;
  }
  return (int)count;
}

static long wire_control(BIO *wire, int command, long number, void *pointer) {
  (void)wire;
  (void)number;
  (void)pointer;
  return command == BIO_CTRL_FLUSH;
}

static BIO_METHOD *method;

static void make_method(void) {
  method = BIO_meth_new(BIO_TYPE_SOURCE_SINK | BIO_get_new_index(), "rota");
  if (method == NULL)
    return;
  BIO_meth_set_write(method, wire_write);
  BIO_meth_set_read(method, wire_read);
  BIO_meth_set_ctrl(method, wire_control);
}

BIO *js_tls_wire(struct js_tls *tls) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_method);
  BIO *wire = method != NULL ? BIO_new(method) : NULL;
  if (wire != NULL) {
    BIO_set_data(wire, tls);
    BIO_set_init(wire, 1);
  }
  return wire;
}

/* ---- out ---- */

static void tell_written(struct js_socket *stream, int count, int status) {
  JSValueRef argument = js_number(js_env_here->context, status);
  for (int i = 0; i < count; i++)
    js_stream_call(stream, JS_STREAM_CALL_WRITTEN, 1, &argument);
}

static void on_sent(uv_write_t *request, int status) {
  struct sending *sending = (struct sending *)request;
  struct js_socket *stream = (struct js_socket *)request->handle;
  int tell = sending->tell;
  free(sending);
  tell_written(stream, tell, status);
}

static void empty_out(struct js_tls *tls) {
  tls->out.length = 0;
  if (spare.data == NULL && tls->out.room <= CIPHER_ROOM)
    spare = tls->out;
  else
    free(tls->out.data);
  tls->out = (struct js_tls_bytes){NULL, 0, 0};
}

/* -> 0 the system has accepted everything, 1 `tell` callbacks will come, or a negative error */
static int flush(struct js_tls *tls, int tell) {
  struct js_socket *stream = tls->stream;
  size_t length = tls->out.length, done = 0;
  if (length == 0 || stream->closing)
    return 0;
  if (stream->wireless) {
    JSContextRef context = js_env_here->context;
    JSValueRef arguments[] = {js_crypto_bytes(context, tls->out.data, length), js_number(context, tell)};
    empty_out(tls);
    js_tls_tell(tls, JS_TLS_CALL_CIPHER, 2, arguments);
    return tell > 0;
  }
  uv_buf_t buffer = uv_buf_init((char *)tls->out.data, (unsigned)length);
  int n = uv_try_write(&stream->uv.stream, &buffer, 1), err = 0;
  if (n < 0 && n != UV_EAGAIN && n != UV_ENOSYS)
    err = n;
  else if (n > 0)
    done = (size_t)n;
  if (err == 0 && done < length) {
    struct sending *sending = malloc(sizeof *sending + length - done);
    if (sending == NULL) {
      err = UV_ENOMEM;
    } else {
      sending->tell = tell;
      memcpy(sending->bytes, tls->out.data + done, length - done);
      buffer = uv_buf_init(sending->bytes, (unsigned)(length - done));
      err = uv_write(&sending->request, &stream->uv.stream, &buffer, 1, on_sent);
      if (err != 0)
        free(sending);
    }
  }
  empty_out(tls);
  return err != 0 ? err : done < length;
}

/* Data that OpenSSL cannot take now (it has to read first) waits in `early`. */
static bool encrypt(struct js_tls *tls, const unsigned char *bytes, size_t length) {
  ERR_clear_error();
  while (length > 0) {
    size_t n = 0;
    int ok = SSL_write_ex(tls->ssl, bytes, length, &n);
    if (ok != 1) {
      int why = SSL_get_error(tls->ssl, ok);
      if (why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE)
        return js_tls_append(&tls->early, bytes, length);
      return false;
    }
    bytes += n;
    length -= n;
  }
  return true;
}

/* As few records as possible. */
static bool encrypt_many(struct js_tls *tls, const uv_buf_t buffers[], unsigned count) {
  unsigned char together[PLAIN_MOST];
  size_t filled = 0;
  for (unsigned i = 0; i < count; i++) {
    const char *bytes = buffers[i].base;
    for (size_t left = buffers[i].len; left > 0;) {
      size_t n = left < PLAIN_MOST - filled ? left : PLAIN_MOST - filled;
      memcpy(together + filled, bytes, n);
      bytes += n;
      left -= n;
      filled += n;
      if (filled == PLAIN_MOST) {
        if (!encrypt(tls, together, filled))
          return false;
        filled = 0;
      }
    }
  }
  return encrypt(tls, together, filled);
}

static int write_plain(struct js_socket *stream, const uv_buf_t buffers[], unsigned count, bool tell) {
  struct js_tls *tls = stream->layer_data;
  size_t total = 0;
  for (unsigned i = 0; i < count; i++)
    total += buffers[i].len;
  stream->bytes_written += total;
  if (tls->failed)
    return UV_EPIPE;
  if (!tls->established || tls->settling || tls->early.length > 0) {
    for (unsigned i = 0; i < count; i++)
      if (!js_tls_append(&tls->early, buffers[i].base, buffers[i].len))
        return UV_ENOMEM;
    tls->early_tell += tell;
    return 1;
  }
  bool ok = count == 1 ? encrypt(tls, (unsigned char *)buffers->base, buffers->len) : encrypt_many(tls, buffers, count);
  if (!ok)
    return UV_EPROTO;
  if (tls->early.length > 0) {
    tls->early_tell += tell;
    flush(tls, 0);
    return 1;
  }
  return flush(tls, tell);
}

static int shut(struct js_socket *stream) {
  struct js_tls *tls = stream->layer_data;
  if (!tls->failed && (!tls->established || tls->early.length > 0)) {
    tls->shut_late = true;
    return 1;
  }
  if (!tls->failed) {
    SSL_shutdown(tls->ssl);
    ERR_clear_error();
    flush(tls, 0);
  }
  return stream->wireless ? 0 : js_stream_shutdown(stream);
}

/* Data that was written, or an end, before the handshake was done. */
static void send_early(struct js_tls *tls) {
  struct js_socket *stream = tls->stream;
  struct js_tls_bytes early = tls->early;
  int tell = tls->early_tell;
  if (early.length > 0 || tell > 0) {
    tls->early = (struct js_tls_bytes){NULL, 0, 0};
    tls->early_tell = 0;
    bool ok = encrypt(tls, early.data, early.length);
    free(early.data);
    if (ok && tls->early.length > 0) {
      tls->early_tell = tell;
      flush(tls, 0);
    } else {
      int result = ok ? flush(tls, tell) : UV_EPROTO;
      if (result <= 0)
        tell_written(stream, tell, result);
    }
  }
  if (tls->shut_late && tls->early.length == 0 && !stream->closing) {
    tls->shut_late = false;
    int result = shut(stream);
    JSValueRef status = js_number(js_env_here->context, result < 0 ? result : 0);
    if (result <= 0)
      js_stream_call(stream, JS_STREAM_CALL_SHUT, 1, &status);
  }
}

void js_tls_settle(struct js_tls *tls) {
  tls->settling = false;
  send_early(tls);
  flush(tls, 0);
}

/* ---- in ---- */

static void fail(struct js_tls *tls) {
  JSContextRef context = js_env_here->context;
  JSObjectRef error = (JSObjectRef)js_tls_error(context);
  JSValueRef arguments[] = {JSObjectGetPropertyAtIndex(context, error, 0, NULL),
                            JSObjectGetPropertyAtIndex(context, error, 1, NULL),
                            JSObjectGetPropertyAtIndex(context, error, 2, NULL)};
  tls->failed = true;
  flush(tls, 0); /* the alert */
  js_tls_tell(tls, JS_TLS_CALL_FAILED, 3, arguments);
}

/* -> whether to continue */
static bool shake(struct js_tls *tls) {
  ERR_clear_error();
  int n = SSL_do_handshake(tls->ssl);
  int why = n == 1 ? SSL_ERROR_NONE : SSL_get_error(tls->ssl, n);
  if (why == SSL_ERROR_SSL || why == SSL_ERROR_SYSCALL || why == SSL_ERROR_ZERO_RETURN) {
    fail(tls);
    return false;
  }
  js_tls_report(tls);
  if (tls->stream->closing || tls->question == JS_TLS_ABOUT_SESSION)
    return false;
  if (why == SSL_ERROR_NONE) {
    /* The program may refuse the peer before the peer gets the last message, and data that the program writes is sent
     * together with it. */
    tls->established = true;
    tls->settling = tls->server && tls->sessions.length > 0;
    js_tls_tell(tls, JS_TLS_CALL_ESTABLISHED, 0, NULL);
    if (tls->stream->closing || tls->failed)
      return false;
    js_tls_report(tls);
    if (tls->question == JS_TLS_NO_QUESTION)
      js_tls_settle(tls);
    return true;
  }
  flush(tls, 0);
  return (why == SSL_ERROR_WANT_CLIENT_HELLO_CB || why == SSL_ERROR_WANT_X509_LOOKUP) && js_tls_ask(tls);
}

static bool decrypt_into(struct js_tls *tls, const uv_buf_t *buffer) {
  struct js_socket *stream = tls->stream;
  size_t n = 0;
  ERR_clear_error();
  int ok = SSL_read_ex(tls->ssl, buffer->base, buffer->len, &n);
  int why = ok == 1 ? SSL_ERROR_NONE : SSL_get_error(tls->ssl, ok);
  if (tls->began_again) {
    tls->began_again = false;
    js_tls_tell(tls, JS_TLS_CALL_AGAIN, 0, NULL);
    if (stream->closing)
      return false;
  }
  if (tls->ended_again) {
    tls->ended_again = false;
    flush(tls, 0);
    js_tls_tell(tls, JS_TLS_CALL_ESTABLISHED, 0, NULL);
    if (stream->closing)
      return false;
  }
  if (why == SSL_ERROR_NONE) {
    if (tls->out.length > 0)
      flush(tls, 0);
    js_stream_pass(stream, (ssize_t)n, buffer);
  } else if (why == SSL_ERROR_SSL || why == SSL_ERROR_SYSCALL) {
    fail(tls);
    return false;
  } else {
    flush(tls, 0);
  }
  bool had_session = tls->sessions.length > 0;
  js_tls_report(tls);
  if (why == SSL_ERROR_ZERO_RETURN)
    tls->ended = true;
  if (tls->early.length > 0 && !stream->closing && !tls->failed && SSL_is_init_finished(tls->ssl))
    send_early(tls);
  bool more = tls->in_length > 0 || held_length(tls) > 0 || SSL_has_pending(tls->ssl) == 1;
  return more && (why == SSL_ERROR_NONE || had_session);
}

/* Delivers one record to the reader. -> whether to continue */
static bool decrypt(struct js_tls *tls) {
  struct js_socket *stream = tls->stream;
  uv_buf_t buffer;
  unsigned char *lent;
  size_t room;
  if (stream->own_buffer != NULL && js_pin_bytes(js_env_here->context, stream->own_buffer, &lent, &room) && room > 0)
    buffer = uv_buf_init((char *)lent, (unsigned)room);
  else
    js_block_offer(&buffer);
  bool goes_on = decrypt_into(tls, &buffer);
  js_block_end(&buffer);
  return goes_on;
}
static void tell_end(struct js_tls *tls) {
  static const uv_buf_t nothing;
  int status = tls->ended ? UV_EOF : tls->end_status;
  if (!tls->established && !tls->failed) {
    JSValueRef argument = js_number(js_env_here->context, status);
    tls->failed = tls->end_told = true;
    js_tls_tell(tls, JS_TLS_CALL_LOST, 1, &argument);
  } else if (!tls->failed && (tls->wants || status != UV_EOF)) {
    tls->end_told = true;
    js_stream_pass(tls->stream, status, &nothing);
  }
}

/* The wire is read while the reader or the handshake needs data, and not too much is held. */
static void tune(struct js_tls *tls) {
  struct js_socket *stream = tls->stream;
  bool on = !tls->failed && tls->end_status == 0 && (!tls->established || tls->wants) && held_length(tls) <= HELD_MOST;
  if (on == tls->wire_on || stream->closing)
    return;
  tls->wire_on = on;
  if (on)
    js_stream_read_start(stream);
  else
    js_stream_read_stop(stream);
}

void js_tls_advance(struct js_tls *tls) {
  struct js_socket *stream = tls->stream;
  tls->again = true;
  if (tls->busy)
    return;
  tls->busy = true;
  while (tls->again) {
    tls->again = false;
    bool goes_on = true;
    while (goes_on && !tls->failed && !tls->ended && !stream->closing && tls->question == JS_TLS_NO_QUESTION)
      goes_on = !tls->established ? shake(tls) : tls->wants && decrypt(tls);
  }
  if ((tls->ended || tls->end_status != 0) && !tls->end_told && !stream->closing)
    tell_end(tls);
  tls->busy = false;
  if (stream->closing && stream->wireless)
    js_stream_forget(stream);
  else
    tune(tls);
}

/* The unused rest is copied: the loop's buffer will be reused. */
static void keep(struct js_tls *tls) {
  if (tls->in_length > 0)
    js_tls_append(&tls->held, tls->in, tls->in_length);
  tls->in_length = 0;
}

/* Bytes that did not come from the wire: they are held at once, since the program owns their memory. */
void js_tls_feed(struct js_tls *tls, const unsigned char *bytes, size_t length) {
  keep(tls);
  js_tls_append(&tls->held, bytes, length);
  js_tls_advance(tls);
}

static void received(struct js_socket *stream, ssize_t nread, const uv_buf_t *buffer) {
  struct js_tls *tls = stream->layer_data;
  if (nread < 0) {
    tls->end_status = (int)nread;
    tls->wire_on = false;
    js_tls_advance(tls);
    return;
  }
  tls->in = (unsigned char *)buffer->base;
  tls->in_length = (size_t)nread;
  js_tls_advance(tls);
  keep(tls);
}

static void offer(uv_buf_t *buffer) {
  char *room = js_thread_memory(&arriving, CIPHER_ROOM);
  *buffer = uv_buf_init(room, room != NULL ? CIPHER_ROOM : 0);
}

static int read_plain(struct js_socket *stream, bool start) {
  struct js_tls *tls = stream->layer_data;
  tls->wants = start;
  if (tls->busy) {
    tls->again = true;
    return 0;
  }
  tune(tls);
  return start && !tls->failed && tls->established &&
         (held_length(tls) > 0 || SSL_has_pending(tls->ssl) == 1 ||
          ((tls->ended || tls->end_status != 0) && !tls->end_told));
}

/* The callbacks of writes that were never started get an error. */
static void release(struct js_socket *stream) {
  struct js_tls *tls = stream->layer_data;
  tell_written(stream, tls->early_tell, UV_ECANCELED);
  SSL_free(tls->ssl);
  SSL_SESSION_free(tls->stored);
  free(tls->held.data);
  free(tls->out.data);
  free(tls->early.data);
  free(tls->sessions.data);
  free(tls->keys.data);
  free(tls->protocols.data);
  free(tls->staple.data);
  free(tls->chosen);
  free(tls);
}

const struct js_layer js_tls_layer = {offer, received, write_plain, shut, read_plain, release};
