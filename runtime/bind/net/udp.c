/* The binding `udp`: datagrams. The handles are numbers of the same table as streams' (stream.c), their memory the same
 * blocks.
 *
 * A datagram is tried at once; only when the kernel has no room does a request keep its memory and report later. */
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/bind/net/stream.h"
#include "runtime/engine/value/text.h"

enum { SMALL_COUNT = 8, PENDING = -1000000 };

struct send_request {
  uv_udp_send_t request;
  double key;
  size_t kept_count;
  JSValueRef kept[];
};

/* The peer of the last datagram: most come from the same one, and making its text is half of the work. */
static _Thread_local struct {
  struct sockaddr_storage address;
  JSValueRef text;
} last;

static JSValueRef peer_text(JSContextRef context, const struct sockaddr *address) {
  size_t size = address->sa_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
  if (last.text != NULL && memcmp(&last.address, address, size) == 0)
    return last.text;
  JSObjectRef out = js_object(context);
  js_address_write(context, address, out);
  if (last.text != NULL)
    JSValueUnprotect(context, last.text);
  last.text = js_get(context, out, "address");
  JSValueProtect(context, last.text);
  memset(&last.address, 0, sizeof last.address);
  memcpy(&last.address, address, size);
  return last.text;
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
  (void)handle;
  (void)suggested;
  js_block_offer(buffer);
}

static void on_message(uv_udp_t *udp, ssize_t nread, const uv_buf_t *buffer, const struct sockaddr *address,
                       unsigned flags) {
  (void)flags;
  if (nread == 0 && address == NULL) {
    js_block_end(buffer);
    return;
  }
  JSContextRef context = js_env_here->context;
  struct js_socket *socket = (struct js_socket *)udp;
  JSValueRef arguments[6] = {js_number(context, (double)nread)};
  size_t argc = 1;
  if (nread >= 0) {
    bool six = address->sa_family == AF_INET6;
    arguments[1] = js_number(context, 0);
    arguments[2] = js_block_take(context, buffer, (size_t)nread);
    arguments[3] = peer_text(context, address);
    arguments[4] = js_number(context, ntohs(six ? ((const struct sockaddr_in6 *)address)->sin6_port
                                                : ((const struct sockaddr_in *)address)->sin_port));
    arguments[5] = js_number(context, six ? 6 : 4);
    argc = 6;
  }
  js_stream_call(socket, JS_STREAM_CALL_MESSAGE, argc, arguments);
  js_block_end(buffer);
}

static JSValueRef receive_start(JSContextRef context, struct js_frame *frame) {
  struct js_socket *socket = js_stream_argument(context, frame, 0);
  int err = socket != NULL ? uv_udp_recv_start(&socket->uv.udp, on_alloc, on_message) : UV_EBADF;
  return js_number(context, err == UV_EALREADY ? 0 : err);
}

static JSValueRef receive_stop(JSContextRef context, struct js_frame *frame) {
  struct js_socket *socket = js_stream_argument(context, frame, 0);
  return js_number(context, socket != NULL ? uv_udp_recv_stop(&socket->uv.udp) : UV_EBADF);
}

static JSValueRef udp_bind(JSContextRef context, struct js_frame *frame) {
  struct js_socket *socket = js_stream_argument(context, frame, 0);
  if (js_net_refused(context, js_arg(context, frame, 1)))
    return NULL;
  struct sockaddr_storage address;
  int err = socket != NULL ? js_address_read(context, js_arg(context, frame, 1), js_arg(context, frame, 2),
                                             js_arg(context, frame, 3), &address)
                           : UV_EBADF;
  if (err == 0)
    err = uv_udp_bind(&socket->uv.udp, (struct sockaddr *)&address, (unsigned)js_int(context, frame, 4));
  return js_number(context, err);
}

/* connect(id, address, port, family), or connect(id) to disconnect */
static JSValueRef udp_connect(JSContextRef context, struct js_frame *frame) {
  struct js_socket *socket = js_stream_argument(context, frame, 0);
  if (socket == NULL)
    return js_number(context, UV_EBADF);
  if (js_argc(frame) == 1)
    return js_number(context, uv_udp_connect(&socket->uv.udp, NULL));
  if (js_net_refused(context, js_arg(context, frame, 1)))
    return NULL;
  struct sockaddr_storage address;
  int err = js_address_read(context, js_arg(context, frame, 1), js_arg(context, frame, 2), js_arg(context, frame, 3),
                            &address);
  if (err == 0)
    err = uv_udp_connect(&socket->uv.udp, (struct sockaddr *)&address);
  return js_number(context, err);
}

static JSValueRef udp_open(JSContextRef context, struct js_frame *frame) {
  struct js_socket *socket = js_stream_argument(context, frame, 0);
  return js_number(context, socket != NULL ? uv_udp_open(&socket->uv.udp, js_int(context, frame, 1)) : UV_EBADF);
}

/* name(id, peer, out) -> 0, or a negative error */
static JSValueRef udp_name(JSContextRef context, struct js_frame *frame) {
  struct js_socket *socket = js_stream_argument(context, frame, 0);
  if (socket == NULL)
    return js_number(context, UV_EBADF);
  struct sockaddr_storage address;
  int length = sizeof address;
  int err = js_to_boolean(context, js_arg(context, frame, 1))
                ? uv_udp_getpeername(&socket->uv.udp, (struct sockaddr *)&address, &length)
                : uv_udp_getsockname(&socket->uv.udp, (struct sockaddr *)&address, &length);
  if (err == 0)
    js_address_write(context, (struct sockaddr *)&address, (JSObjectRef)js_arg(context, frame, 2));
  return js_number(context, err);
}

static void on_sent(uv_udp_send_t *request, int status) {
  JSContextRef context = js_env_here->context;
  struct send_request *own = (struct send_request *)request;
  struct js_socket *socket = (struct js_socket *)request->handle;
  JSValueRef arguments[] = {js_number(context, status), js_number(context, own->key)};
  for (size_t i = 0; i < own->kept_count; i++)
    JSValueUnprotect(context, own->kept[i]);
  free(own);
  js_stream_call(socket, JS_STREAM_CALL_SENT, 2, arguments);
}

static int send_later(struct js_socket *socket, uv_buf_t *buffers, unsigned count, const struct sockaddr *address,
                      double key, const JSValueRef values[]) {
  struct send_request *own = malloc(sizeof *own + count * sizeof *own->kept);
  if (own == NULL)
    return UV_ENOMEM;
  /* The bytes must not move from now on; this call may move them once. */
  for (unsigned i = 0; i < count; i++) {
    unsigned char *bytes;
    size_t length;
    if (js_pin_bytes(js_env_here->context, values[i], &bytes, &length) && length > 0)
      buffers[i].base = (char *)bytes;
  }
  own->key = key;
  own->kept_count = 0;
  int err = uv_udp_send(&own->request, &socket->uv.udp, buffers, count, address, on_sent);
  if (err != 0) {
    free(own);
    return err;
  }
  for (unsigned i = 0; i < count; i++) {
    JSValueProtect(js_env_here->context, values[i]);
    own->kept[own->kept_count++] = values[i];
  }
  return PENDING;
}

/* send(id, buffers, count, key[, address, port, family]) -> bytes sent, PENDING (a callback will come), or an error */
static JSValueRef udp_send(JSContextRef context, struct js_frame *frame) {
  struct js_socket *socket = js_stream_argument(context, frame, 0);
  if (socket == NULL)
    return js_number(context, UV_EBADF);
  if (js_net_refused(context, js_argc(frame) > 4 ? js_arg(context, frame, 4) : js_string(context, "")))
    return NULL;
  JSObjectRef list = (JSObjectRef)js_arg(context, frame, 1);
  unsigned count = (unsigned)js_int(context, frame, 2);
  struct sockaddr_storage storage;
  struct sockaddr *address = NULL;
  if (js_argc(frame) > 4) {
    int err = js_address_read(context, js_arg(context, frame, 4), js_arg(context, frame, 5), js_arg(context, frame, 6),
                              &storage);
    if (err != 0)
      return js_number(context, err);
    address = (struct sockaddr *)&storage;
  }
  uv_buf_t small_buffers[SMALL_COUNT],
      *buffers = count <= SMALL_COUNT ? small_buffers : malloc(count * sizeof *buffers);
  JSValueRef small_values[SMALL_COUNT], *values = count <= SMALL_COUNT ? small_values : malloc(count * sizeof *values);
  int result = buffers != NULL && values != NULL ? 0 : UV_ENOMEM;
  for (unsigned i = 0; i < count && result == 0; i++) {
    static char nothing;
    unsigned char *bytes;
    size_t length;
    values[i] = JSObjectGetPropertyAtIndex(context, list, i, NULL);
    if (!js_borrow_bytes(context, values[i], &bytes, &length))
      result = UV_EINVAL;
    else
      buffers[i] = uv_buf_init(bytes != NULL ? (char *)bytes : &nothing, (unsigned)length);
  }
  if (result == 0) {
    result = uv_udp_try_send(&socket->uv.udp, buffers, count, address);
    if (result == UV_EAGAIN || result == UV_ENOSYS)
      result = send_later(socket, buffers, count, address, js_to_number(context, js_arg(context, frame, 3)), values);
  }
  if (buffers != small_buffers)
    free(buffers);
  if (values != small_values)
    free(values);
  return js_number(context, result);
}

/* set(id, which, value): 0 broadcast, 1 TTL, 2 multicast TTL, 3 multicast loopback */
static JSValueRef udp_set(JSContextRef context, struct js_frame *frame) {
  struct js_socket *socket = js_stream_argument(context, frame, 0);
  if (socket == NULL)
    return js_number(context, UV_EBADF);
  int value = js_int(context, frame, 2);
  uv_udp_t *udp = &socket->uv.udp;
  switch (js_int(context, frame, 1)) {
  case 0:
    return js_number(context, uv_udp_set_broadcast(udp, value));
  case 1:
    return js_number(context, uv_udp_set_ttl(udp, value));
  case 2:
    return js_number(context, uv_udp_set_multicast_ttl(udp, value));
  default:
    return js_number(context, uv_udp_set_multicast_loop(udp, value));
  }
}

static char *optional_text(JSContextRef context, struct js_frame *frame, int index) {
  JSValueRef value = js_arg(context, frame, index);
  return JSValueIsString(context, value) ? js_to_text(context, value, NULL) : NULL;
}

static JSValueRef udp_interface(JSContextRef context, struct js_frame *frame) {
  struct js_socket *socket = js_stream_argument(context, frame, 0);
  if (socket == NULL)
    return js_number(context, UV_EBADF);
  char *name = optional_text(context, frame, 1);
  int err = uv_udp_set_multicast_interface(&socket->uv.udp, name);
  free(name);
  return js_number(context, err);
}

/* membership(id, join, group, interface or undefined[, source]) -> 0, or a negative error */
static JSValueRef udp_membership(JSContextRef context, struct js_frame *frame) {
  struct js_socket *socket = js_stream_argument(context, frame, 0);
  if (socket == NULL)
    return js_number(context, UV_EBADF);
  uv_membership how = js_to_boolean(context, js_arg(context, frame, 1)) ? UV_JOIN_GROUP : UV_LEAVE_GROUP;
  char *group = optional_text(context, frame, 2), *through = optional_text(context, frame, 3),
       *source = optional_text(context, frame, 4);
  int err = group == NULL    ? UV_EINVAL
            : source == NULL ? uv_udp_set_membership(&socket->uv.udp, group, through, how)
                             : uv_udp_set_source_membership(&socket->uv.udp, group, through, source, how);
  free(group);
  free(through);
  free(source);
  return js_number(context, err);
}

/* bufferSize(id, sending, size or 0 to ask) -> the size, or a negative error */
static JSValueRef udp_buffer_size(JSContextRef context, struct js_frame *frame) {
  struct js_socket *socket = js_stream_argument(context, frame, 0);
  if (socket == NULL)
    return js_number(context, UV_EBADF);
  int size = js_int(context, frame, 2);
  int err = js_to_boolean(context, js_arg(context, frame, 1)) ? uv_send_buffer_size(&socket->uv.handle, &size)
                                                              : uv_recv_buffer_size(&socket->uv.handle, &size);
  return js_number(context, err != 0 ? err : size);
}

/* queue(id, what): 0 bytes, 1 datagrams in the queue */
static JSValueRef udp_queue(JSContextRef context, struct js_frame *frame) {
  struct js_socket *socket = js_stream_argument(context, frame, 0);
  if (socket == NULL)
    return js_number(context, 0);
  return js_number(context, js_int(context, frame, 1) == 0 ? (double)uv_udp_get_send_queue_size(&socket->uv.udp)
                                                           : (double)uv_udp_get_send_queue_count(&socket->uv.udp));
}

JSObjectRef js_binding_udp(struct js_env *env) {
  static const struct js_method methods[] = {{"receiveStart", receive_start, 1},
                                             {"receiveStop", receive_stop, 1},
                                             {"bind", udp_bind, 5},
                                             {"connect", udp_connect, 4},
                                             {"open", udp_open, 2},
                                             {"name", udp_name, 3},
                                             {"send", udp_send, 7},
                                             {"set", udp_set, 3},
                                             {"multicastInterface", udp_interface, 2},
                                             {"membership", udp_membership, 5},
                                             {"bufferSize", udp_buffer_size, 3},
                                             {"queue", udp_queue, 2},
                                             {NULL, NULL, 0}};
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  js_set(env->context, binding, "pending", js_number(env->context, PENDING));
  return binding;
}
