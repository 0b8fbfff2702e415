/* The part of the binding `stream` for TCP: addresses, connecting, options. */
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "runtime/bind/net/stream.h"
#include "runtime/permission/permission.h"

/* Writes address, port and family ('IPv4' or 'IPv6') of a socket address into an object. */
JSValueRef js_address_write(JSContextRef context, const struct sockaddr *address, JSObjectRef out) {
  char name[INET6_ADDRSTRLEN + 32];
  int port = 0;
  const char *family = NULL;
  if (address->sa_family == AF_INET) {
    const struct sockaddr_in *in = (const struct sockaddr_in *)address;
    uv_ip4_name(in, name, sizeof name);
    port = ntohs(in->sin_port);
    family = "IPv4";
  } else if (address->sa_family == AF_INET6) {
    const struct sockaddr_in6 *in = (const struct sockaddr_in6 *)address;
    uv_ip6_name(in, name, sizeof name);
    port = ntohs(in->sin6_port);
    family = "IPv6";
    /* A link-local address needs its link. */
    if (IN6_IS_ADDR_LINKLOCAL(&in->sin6_addr) && in->sin6_scope_id > 0) {
      size_t length = strlen(name), room = sizeof name - length - 1;
      name[length] = '%';
      if (uv_if_indextoiid(in->sin6_scope_id, name + length + 1, &room) != 0)
        name[length] = 0;
    }
  } else {
    return js_undefined(context);
  }
  js_set(context, out, "address", js_string(context, name));
  js_set(context, out, "family", js_string(context, family));
  js_set(context, out, "port", js_number(context, port));
  return out;
}

bool js_net_refused(JSContextRef context, JSValueRef host) {
  if (js_permission_here == NULL)
    return false;
  char *text = js_to_text(context, host, NULL);
  bool refused = js_refused(context, JS_SCOPE_NET, text);
  free(text);
  return refused;
}

/* family: 4, 6, or 0 to try both */
int js_address_read(JSContextRef context, JSValueRef host, JSValueRef port, JSValueRef family,
                    struct sockaddr_storage *address) {
  char *text = js_to_text(context, host, NULL);
  if (text == NULL)
    return UV_ENOMEM;
  int number = (int)js_to_integer(context, port), version = (int)js_to_integer(context, family);
  int err = UV_EINVAL;
  if (version != 6)
    err = uv_ip4_addr(text, number, (struct sockaddr_in *)address);
  if (err != 0 && version != 4)
    err = uv_ip6_addr(text, number, (struct sockaddr_in6 *)address);
  free(text);
  return err;
}

/* tcpBind(id, address, port, family, flags) -> 0, or a negative error */
static JSValueRef tcp_bind(JSContextRef context, struct js_frame *frame) {
  struct js_socket *stream = js_stream_argument(context, frame, 0);
  if (stream == NULL)
    return js_number(context, UV_EBADF);
  if (js_refused(context, JS_SCOPE_NET, NULL))
    return NULL;
  struct sockaddr_storage address;
  int err = js_address_read(context, js_arg(context, frame, 1), js_arg(context, frame, 2), js_arg(context, frame, 3),
                            &address);
  if (err == 0)
    err = uv_tcp_bind(&stream->uv.tcp, (struct sockaddr *)&address, (unsigned)js_int(context, frame, 4));
  return js_number(context, err);
}

/* tcpConnect(id, address, port, family) -> 0 a callback will come, or a negative error */
static JSValueRef tcp_connect(JSContextRef context, struct js_frame *frame) {
  struct js_socket *stream = js_stream_argument(context, frame, 0);
  if (stream == NULL)
    return js_number(context, UV_EBADF);
  if (js_net_refused(context, js_arg(context, frame, 1)))
    return NULL;
  struct sockaddr_storage address;
  int err = js_address_read(context, js_arg(context, frame, 1), js_arg(context, frame, 2), js_arg(context, frame, 3),
                            &address);
  uv_connect_t *request = err == 0 ? malloc(sizeof *request) : NULL;
  if (err == 0 && request == NULL)
    err = UV_ENOMEM;
  if (err == 0)
    err = uv_tcp_connect(request, &stream->uv.tcp, (struct sockaddr *)&address, js_stream_connected);
  if (err != 0)
    free(request);
  return js_number(context, err);
}

/* tcpName(id, peer, out) -> 0, or a negative error */
static JSValueRef tcp_name(JSContextRef context, struct js_frame *frame) {
  struct js_socket *stream = js_stream_argument(context, frame, 0);
  if (stream == NULL)
    return js_number(context, UV_EBADF);
  struct sockaddr_storage address;
  int length = sizeof address;
  int err = js_to_boolean(context, js_arg(context, frame, 1))
                ? uv_tcp_getpeername(&stream->uv.tcp, (struct sockaddr *)&address, &length)
                : uv_tcp_getsockname(&stream->uv.tcp, (struct sockaddr *)&address, &length);
  if (err == 0)
    js_address_write(context, (struct sockaddr *)&address, (JSObjectRef)js_arg(context, frame, 2));
  return js_number(context, err);
}

static JSValueRef tcp_no_delay(JSContextRef context, struct js_frame *frame) {
  struct js_socket *stream = js_stream_argument(context, frame, 0);
  if (stream == NULL)
    return js_number(context, UV_EBADF);
  return js_number(context, uv_tcp_nodelay(&stream->uv.tcp, js_to_boolean(context, js_arg(context, frame, 1))));
}

/* tcpKeepAlive(id, on, idle, interval, count): times in seconds */
static JSValueRef tcp_keep_alive(JSContextRef context, struct js_frame *frame) {
  struct js_socket *stream = js_stream_argument(context, frame, 0);
  if (stream == NULL)
    return js_number(context, UV_EBADF);
  bool on = js_to_boolean(context, js_arg(context, frame, 1));
  unsigned idle = (unsigned)js_int(context, frame, 2);
  if (!on || idle == 0) {
    /* Without a time, the system's default is used. */
    int fd, value = on;
    int err = uv_fileno(&stream->uv.handle, &fd);
    if (err == 0 && setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &value, sizeof value) != 0)
      err = UV_EINVAL;
    return js_number(context, err);
  }
  unsigned interval = (unsigned)js_int(context, frame, 3), probes = (unsigned)js_int(context, frame, 4);
  return js_number(
      context, uv_tcp_keepalive_ex(&stream->uv.tcp, on, idle, interval > 0 ? interval : 1, probes > 0 ? probes : 10));
}

/* tcpTypeOfService(id[, value]) -> the value or 0, or a negative error */
static JSValueRef tcp_type_of_service(JSContextRef context, struct js_frame *frame) {
  struct js_socket *stream = js_stream_argument(context, frame, 0);
  int fd, value = 0;
  if (stream == NULL || uv_fileno(&stream->uv.handle, &fd) != 0)
    return js_number(context, UV_EBADF);
  struct sockaddr_storage address = {0};
  socklen_t length = sizeof address;
  bool six = getsockname(fd, (struct sockaddr *)&address, &length) == 0 && address.ss_family == AF_INET6;
  int level = six ? IPPROTO_IPV6 : IPPROTO_IP, name = six ? IPV6_TCLASS : IP_TOS;
  if (js_argc(frame) > 1) {
    value = js_int(context, frame, 1);
    return js_number(context, setsockopt(fd, level, name, &value, sizeof value) == 0 ? 0 : UV_EINVAL);
  }
  length = sizeof value;
  return js_number(context, getsockopt(fd, level, name, &value, &length) == 0 ? value : UV_EINVAL);
}

static JSValueRef tcp_open(JSContextRef context, struct js_frame *frame) {
  struct js_socket *stream = js_stream_argument(context, frame, 0);
  return js_number(context, stream != NULL ? uv_tcp_open(&stream->uv.tcp, js_int(context, frame, 1)) : UV_EBADF);
}

/* isIP(text) -> 4, 6 or 0. A scope after a per cent sign is part of an IPv6 address. */
static JSValueRef is_ip(JSContextRef context, struct js_frame *frame) {
  char text[128];
  JSValueRef value = js_arg(context, frame, 0);
  if (!JSValueIsString(context, value))
    return js_number(context, 0);
  JSStringRef string = JSValueToStringCopy(context, value, NULL);
  size_t length = JSStringGetLength(string);
  int version = 0;
  if (length < sizeof text / 3 + 1 && JSStringGetUTF8CString(string, text, sizeof text) == length + 1 &&
      strlen(text) == length) {
    unsigned char bytes[16];
    char *scope = strchr(text, '%');
    if (scope != NULL && scope[1] != 0 &&
        strspn(scope + 1, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_.") == strlen(scope + 1))
      *scope = 0;
    if (scope == NULL && uv_inet_pton(AF_INET, text, bytes) == 0)
      version = 4;
    else if (strchr(text, '%') == NULL && uv_inet_pton(AF_INET6, text, bytes) == 0)
      version = 6;
  }
  JSStringRelease(string);
  return js_number(context, version);
}

/* addressBytes(text, 4 or 6) -> an array of bytes, or undefined */
static JSValueRef address_bytes(JSContextRef context, struct js_frame *frame) {
  char *text = js_to_text(context, js_arg(context, frame, 0), NULL);
  unsigned char bytes[16];
  int version = js_int(context, frame, 1);
  int err = text != NULL ? uv_inet_pton(version == 4 ? AF_INET : AF_INET6, text, bytes) : UV_ENOMEM;
  free(text);
  if (err != 0)
    return js_undefined(context);
  JSValueRef values[16];
  for (int i = 0; i < 16; i++)
    values[i] = js_number(context, bytes[i]);
  return js_array(context, version == 4 ? 4 : 16, values);
}

/* addressText(text, 4 or 6) -> the address in its usual form, or undefined */
static JSValueRef address_text(JSContextRef context, struct js_frame *frame) {
  char *text = js_to_text(context, js_arg(context, frame, 0), NULL);
  unsigned char bytes[16];
  char name[INET6_ADDRSTRLEN];
  int family = js_int(context, frame, 1) == 4 ? AF_INET : AF_INET6;
  int err = text != NULL ? uv_inet_pton(family, text, bytes) : UV_ENOMEM;
  free(text);
  if (err != 0 || uv_inet_ntop(family, bytes, name, sizeof name) != 0)
    return js_undefined(context);
  return js_string(context, name);
}

const struct js_method js_tcp_methods[] = {{"tcpBind", tcp_bind, 5},
                                           {"tcpConnect", tcp_connect, 4},
                                           {"tcpName", tcp_name, 3},
                                           {"tcpNoDelay", tcp_no_delay, 2},
                                           {"tcpKeepAlive", tcp_keep_alive, 5},
                                           {"tcpTypeOfService", tcp_type_of_service, 2},
                                           {"tcpOpen", tcp_open, 2},
                                           {"isIP", is_ip, 1},
                                           {"addressBytes", address_bytes, 2},
                                           {"addressText", address_text, 2},
                                           {NULL, NULL, 0}};
