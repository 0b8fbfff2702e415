/* The binding `dns`: names by the system's resolver (getaddrinfo, getnameinfo) in the loop's pool, and questions to
 * name servers. */
#include "runtime/bind/binding.h"

#define CARES_NO_DEPRECATED /* later releases have other functions, which Debian 12 lacks */
#include <ares.h>
#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/bind/net/stream.h"

struct lookup {
  union {
    uv_getaddrinfo_t addresses;
    uv_getnameinfo_t name;
  } request;
  JSObjectRef callback;
};

static void finish(struct lookup *lookup, size_t argc, const JSValueRef argv[]) {
  struct js_env *env = js_env_here;
  JSObjectRef callback = lookup->callback;
  free(lookup);
  js_enter(env, callback, NULL, argc, argv);
  JSValueUnprotect(env->context, callback);
}

/* The callback gets (error, addresses), the addresses in the system's order. */
static void on_addresses(uv_getaddrinfo_t *request, int status, struct addrinfo *found) {
  JSContextRef context = js_env_here->context;
  JSObjectRef list = js_array(context, 0, NULL);
  unsigned count = 0;
  for (struct addrinfo *at = found; status == 0 && at != NULL; at = at->ai_next) {
    char name[INET6_ADDRSTRLEN];
    if (at->ai_family != AF_INET && at->ai_family != AF_INET6)
      continue;
    if (uv_ip_name(at->ai_addr, name, sizeof name) == 0)
      JSObjectSetPropertyAtIndex(context, list, count++, js_string(context, name), NULL);
  }
  uv_freeaddrinfo(found);
  JSValueRef arguments[] = {js_number(context, status), list};
  finish((struct lookup *)request, 2, arguments);
}

/* addresses(callback, host, family, hints) -> 0, or a negative error */
static JSValueRef addresses(JSContextRef context, struct js_frame *frame) {
  if (js_net_refused(context, js_arg(context, frame, 1)))
    return NULL;
  struct lookup *lookup = calloc(1, sizeof *lookup);
  char *host = js_to_text(context, js_arg(context, frame, 1), NULL);
  int err = UV_ENOMEM;
  if (lookup == NULL || host == NULL)
    goto fail;
  int family = (int)js_to_integer(context, js_arg(context, frame, 2));
  struct addrinfo hints;
  memset(&hints, 0, sizeof hints);
  hints.ai_family = family == 4 ? AF_INET : family == 6 ? AF_INET6 : AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = (int)js_to_integer(context, js_arg(context, frame, 3));
  lookup->callback = (JSObjectRef)js_arg(context, frame, 0);
  err = uv_getaddrinfo(js_env_here->loop, &lookup->request.addresses, on_addresses, host, NULL, &hints);
  if (err != 0)
    goto fail;
  JSValueProtect(context, lookup->callback);
  free(host);
  return js_number(context, 0);
fail:
  free(host);
  free(lookup);
  return js_number(context, err);
}

static void on_name(uv_getnameinfo_t *request, int status, const char *host, const char *service) {
  JSContextRef context = js_env_here->context;
  JSValueRef arguments[] = {js_number(context, status), js_string(context, status == 0 ? host : ""),
                            js_string(context, status == 0 ? service : "")};
  finish((struct lookup *)request, 3, arguments);
}

/* name(callback, address, port) -> 0, or a negative error. The callback gets (error, host, service). */
static JSValueRef name(JSContextRef context, struct js_frame *frame) {
  if (js_net_refused(context, js_arg(context, frame, 1)))
    return NULL;
  struct lookup *lookup = calloc(1, sizeof *lookup);
  char *address = js_to_text(context, js_arg(context, frame, 1), NULL);
  int err = UV_ENOMEM;
  if (lookup == NULL || address == NULL)
    goto fail;
  int port = (int)js_to_integer(context, js_arg(context, frame, 2));
  struct sockaddr_storage where;
  err = uv_ip4_addr(address, port, (struct sockaddr_in *)&where);
  if (err != 0)
    err = uv_ip6_addr(address, port, (struct sockaddr_in6 *)&where);
  if (err != 0)
    goto fail;
  lookup->callback = (JSObjectRef)js_arg(context, frame, 0);
  err = uv_getnameinfo(js_env_here->loop, &lookup->request.name, on_name, (struct sockaddr *)&where, NI_NAMEREQD);
  if (err != 0)
    goto fail;
  JSValueProtect(context, lookup->callback);
  free(address);
  return js_number(context, 0);
fail:
  free(address);
  free(lookup);
  return js_number(context, err);
}

/* ---- questions to name servers ---- */

/* Questions to name servers, by c-ares on the loop: its sockets are watched with poll handles, and a timer drives its
 * retries; no thread is used. JavaScript gets the raw answers, and parses them in memory-safe code
 * (runtime/lib/dns).
 *
 * Invariant: while a question is open its callback is protected; c-ares calls back for each question exactly once, at
 * the latest when the channel is destroyed. */

struct watch {
  uv_poll_t poll;
  struct channel *channel;
  ares_socket_t fd;
  struct watch *next;
};

struct channel {
  ares_channel ares;
  uv_timer_t timer;
  struct watch *watches;
  int open; /* questions without an answer */
  int id;
};

struct question {
  struct channel *channel;
  JSObjectRef callback;
};

/* The places of channels that were destroyed are a list: a program may make a resolver for each request. */
struct place {
  struct channel *channel; /* null: it is free */
  int next_free;
};

static _Thread_local struct {
  struct place *places;
  int count;
  int first_free; /* if any_free */
  bool any_free;
} table;

/* What a channel takes, about: the collector does not see it, but only a collection ends those that nobody uses. */
enum { CHANNEL_BYTES = 64 * 1024 };

static void on_closed(uv_handle_t *handle) {
  free(handle->data);
}

static void set_timer(struct channel *channel);

static void on_timer(uv_timer_t *timer) {
  struct channel *channel = timer->data;
  ares_process_fd(channel->ares, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
  set_timer(channel);
}

static void set_timer(struct channel *channel) {
  struct timeval most = {1, 0}, buffer;
  if (channel->open == 0) {
    uv_timer_stop(&channel->timer);
    return;
  }
  struct timeval *next = ares_timeout(channel->ares, &most, &buffer);
  uint64_t due_ms = (uint64_t)next->tv_sec * 1000 + (uint64_t)(next->tv_usec + 999) / 1000;
  uv_timer_start(&channel->timer, on_timer, due_ms > 0 ? due_ms : 1, 0);
}

static void on_ready(uv_poll_t *poll, int status, int events) {
  struct watch *watch = poll->data;
  struct channel *channel = watch->channel;
  ares_socket_t fd = watch->fd;
  if (status < 0)
    events = UV_READABLE | UV_WRITABLE; /* c-ares finds the error itself */
  ares_process_fd(channel->ares, events & UV_READABLE ? fd : ARES_SOCKET_BAD,
                  events & UV_WRITABLE ? fd : ARES_SOCKET_BAD);
  set_timer(channel);
}

/* c-ares wants a socket watched, or not any more: it closes it right after. */
static void on_socket(void *data, ares_socket_t fd, int readable, int writable) {
  struct channel *channel = data;
  struct watch **at = &channel->watches;
  while (*at != NULL && (*at)->fd != fd)
    at = &(*at)->next;
  struct watch *watch = *at;
  if (readable || writable) {
    if (watch == NULL) {
      watch = calloc(1, sizeof *watch);
      if (watch == NULL)
        return; /* the timer repeats the question, and finally fails */
      if (uv_poll_init(js_env_here->loop, &watch->poll, fd) != 0) {
        free(watch);
        return;
      }
      uv_unref((uv_handle_t *)&watch->poll); /* c-ares may keep a socket when all is answered: the timer counts */
      watch->poll.data = watch;
      watch->channel = channel;
      watch->fd = fd;
      *at = watch;
    }
    uv_poll_start(&watch->poll, (readable ? UV_READABLE : 0) | (writable ? UV_WRITABLE : 0), on_ready);
  } else if (watch != NULL) {
    *at = watch->next;
    uv_close((uv_handle_t *)&watch->poll, on_closed);
  }
}

static struct channel *find(JSContextRef context, struct js_frame *frame) {
  int id = (int)js_to_integer(context, js_arg(context, frame, 0));
  return id >= 0 && id < table.count ? table.places[id].channel : NULL;
}

/* The number of a free place, or -1 without memory. */
static int find_place(void) {
  if (table.any_free)
    return table.first_free;
  struct place *places = realloc(table.places, (size_t)(table.count + 1) * sizeof *places);
  if (places == NULL)
    return -1;
  table.places = places;
  places[table.count] = (struct place){NULL, -1};
  table.first_free = table.count;
  table.any_free = true;
  return table.count++;
}

static void take_place(struct channel *channel, int id) {
  table.first_free = table.places[id].next_free;
  table.any_free = table.first_free >= 0;
  table.places[id].channel = channel;
  channel->id = id;
}

static void leave_place(struct channel *channel) {
  table.places[channel->id] = (struct place){NULL, table.any_free ? table.first_free : -1};
  table.first_free = channel->id;
  table.any_free = true;
}

/* channel(timeout in ms or -1, tries) -> number, or a negative status of c-ares */
static JSValueRef create(JSContextRef context, struct js_frame *frame) {
  static bool ready;
  if (!ready && ares_library_init(ARES_LIB_INIT_ALL) == ARES_SUCCESS)
    ready = true;
  struct channel *channel = calloc(1, sizeof *channel);
  int id = find_place();
  if (channel == NULL || id < 0) {
    free(channel);
    return js_number(context, -ARES_ENOMEM);
  }
  struct ares_options options;
  memset(&options, 0, sizeof options);
  options.flags = ARES_FLAG_NOCHECKRESP;
  options.sock_state_cb = on_socket;
  options.sock_state_cb_data = channel;
  int timeout_ms = (int)js_to_integer(context, js_arg(context, frame, 0)),
      mask = ARES_OPT_FLAGS | ARES_OPT_SOCK_STATE_CB | ARES_OPT_TRIES;
#ifdef ARES_OPT_QUERY_CACHE /* c-ares 1.31 and later would answer from what it has asked before; Node always asks */
  options.qcache_max_ttl = 0;
  mask |= ARES_OPT_QUERY_CACHE;
#endif
  if (timeout_ms >= 0) {
    options.timeout = timeout_ms;
    mask |= ARES_OPT_TIMEOUTMS;
  }
  options.tries = (int)js_to_integer(context, js_arg(context, frame, 1));
  int status = ares_init_options(&channel->ares, &options, mask);
  if (status != ARES_SUCCESS) {
    free(channel);
    return js_number(context, -status);
  }
  uv_timer_init(js_env_here->loop, &channel->timer);
  channel->timer.data = channel;
  take_place(channel, id);
  JSReportExtraMemoryCost(context, CHANNEL_BYTES);
  return js_number(context, id);
}

static void end(struct channel *channel) {
  leave_place(channel);
  ares_destroy(channel->ares);
  uv_close((uv_handle_t *)&channel->timer, on_closed);
}

static JSValueRef destroy(JSContextRef context, struct js_frame *frame) {
  struct channel *channel = find(context, frame);
  if (channel != NULL)
    end(channel);
  return js_undefined(context);
}

void js_dns_forget(void) {
  for (int i = 0; i < table.count; i++)
    if (table.places[i].channel != NULL)
      end(table.places[i].channel);
  free(table.places);
  memset(&table, 0, sizeof table);
}

static void answer(struct question *question, size_t argc, const JSValueRef argv[]) {
  struct js_env *env = js_env_here;
  JSObjectRef callback = question->callback;
  question->channel->open--;
  free(question);
  js_enter(env, callback, NULL, argc, argv);
  JSValueUnprotect(env->context, callback);
}

static void free_bytes(void *bytes, void *data) {
  (void)data;
  free(bytes);
}

static void on_answer(void *data, int status, int timeouts, unsigned char *bytes, int length) {
  (void)timeouts;
  JSContextRef context = js_env_here->context;
  JSValueRef arguments[2] = {js_number(context, status), js_undefined(context)};
  if (bytes != NULL && length > 0) {
    void *copy = malloc((size_t)length);
    if (copy != NULL) {
      memcpy(copy, bytes, (size_t)length);
      arguments[1] = JSObjectMakeArrayBufferWithBytesNoCopy(context, copy, (size_t)length, free_bytes, NULL, NULL);
    }
  }
  answer(data, 2, arguments);
}

static struct question *ask(JSContextRef context, struct channel *channel, JSValueRef callback) {
  struct question *question = malloc(sizeof *question);
  if (question == NULL)
    return NULL;
  question->channel = channel;
  question->callback = (JSObjectRef)callback;
  JSValueProtect(context, callback);
  channel->open++;
  return question;
}

/* query(channel, callback, name, type): the callback gets (status, the answer's bytes), perhaps synchronously. */
static JSValueRef query(JSContextRef context, struct js_frame *frame) {
  if (js_net_refused(context, js_arg(context, frame, 2)))
    return NULL;
  struct channel *channel = find(context, frame);
  char *name = js_to_text(context, js_arg(context, frame, 2), NULL);
  struct question *question = channel != NULL && name != NULL ? ask(context, channel, js_arg(context, frame, 1)) : NULL;
  if (question == NULL) {
    free(name);
    return js_number(context, -ARES_ENOMEM);
  }
  ares_query(channel->ares, name, ns_c_in, (int)js_to_integer(context, js_arg(context, frame, 3)), on_answer, question);
  free(name);
  set_timer(channel);
  return js_number(context, 0);
}

static void on_host(void *data, int status, int timeouts, struct hostent *host) {
  (void)timeouts;
  JSContextRef context = js_env_here->context;
  JSObjectRef list = js_array(context, 0, NULL);
  unsigned count = 0;
  if (status == ARES_SUCCESS && host != NULL) {
    if (host->h_name != NULL && (host->h_aliases == NULL || host->h_aliases[0] == NULL))
      JSObjectSetPropertyAtIndex(context, list, count++, js_string(context, host->h_name), NULL);
    for (char **alias = host->h_aliases; alias != NULL && *alias != NULL; alias++)
      JSObjectSetPropertyAtIndex(context, list, count++, js_string(context, *alias), NULL);
  }
  JSValueRef arguments[] = {js_number(context, status), list};
  answer(data, 2, arguments);
}

/* reverse(channel, callback, address): the callback gets (status, names), perhaps synchronously. -> 0, or a negative
 * status */
static JSValueRef reverse(JSContextRef context, struct js_frame *frame) {
  if (js_net_refused(context, js_arg(context, frame, 2)))
    return NULL;
  struct channel *channel = find(context, frame);
  char *text = js_to_text(context, js_arg(context, frame, 2), NULL);
  unsigned char address[16];
  int family = AF_INET, length = 4;
  bool valid = text != NULL && uv_inet_pton(AF_INET, text, address) == 0;
  if (!valid && text != NULL && uv_inet_pton(AF_INET6, text, address) == 0) {
    family = AF_INET6;
    length = 16;
    valid = true;
  }
  free(text);
  if (channel == NULL || !valid)
    return js_number(context, -ARES_ENOTIMP);
  struct question *question = ask(context, channel, js_arg(context, frame, 1));
  if (question == NULL)
    return js_number(context, -ARES_ENOMEM);
  ares_gethostbyaddr(channel->ares, address, length, family, on_host, question);
  set_timer(channel);
  return js_number(context, 0);
}

static JSValueRef cancel(JSContextRef context, struct js_frame *frame) {
  struct channel *channel = find(context, frame);
  if (channel != NULL) {
    ares_cancel(channel->ares);
    set_timer(channel);
  }
  return js_undefined(context);
}

/* servers(channel) -> 'address:port', comma, ... in the order of their use; IPv6 in brackets */
static JSValueRef servers(JSContextRef context, struct js_frame *frame) {
  struct channel *channel = find(context, frame);
  struct ares_addr_port_node *list = NULL;
  JSObjectRef result = js_array(context, 0, NULL);
  if (channel == NULL || ares_get_servers_ports(channel->ares, &list) != ARES_SUCCESS)
    return result;
  unsigned count = 0;
  for (struct ares_addr_port_node *at = list; at != NULL; at = at->next) {
    char name[INET6_ADDRSTRLEN];
    uv_inet_ntop(at->family, &at->addr, name, sizeof name);
    JSValueRef pair[] = {js_string(context, name), js_number(context, at->udp_port)};
    JSObjectSetPropertyAtIndex(context, result, count++, js_array(context, 2, pair), NULL);
  }
  ares_free_data(list);
  return result;
}

/* setServers(channel, addresses, ports, count) -> status of c-ares, or -1 while questions are open */
static JSValueRef set_servers(JSContextRef context, struct js_frame *frame) {
  struct channel *channel = find(context, frame);
  if (channel == NULL)
    return js_number(context, ARES_ENOTINITIALIZED);
  if (channel->open > 0)
    return js_number(context, -1);
  size_t count = (size_t)js_to_integer(context, js_arg(context, frame, 3));
  struct ares_addr_port_node *nodes = calloc(count > 0 ? count : 1, sizeof *nodes);
  if (nodes == NULL)
    return js_number(context, ARES_ENOMEM);
  int status = ARES_SUCCESS;
  for (size_t i = 0; i < count && status == ARES_SUCCESS; i++) {
    char *text = js_to_text(
        context, JSObjectGetPropertyAtIndex(context, (JSObjectRef)js_arg(context, frame, 1), (unsigned)i, NULL), NULL);
    int port = (int)js_to_integer(
        context, JSObjectGetPropertyAtIndex(context, (JSObjectRef)js_arg(context, frame, 2), (unsigned)i, NULL));
    nodes[i].family = text != NULL && strchr(text, ':') != NULL ? AF_INET6 : AF_INET;
    if (text == NULL || uv_inet_pton(nodes[i].family, text, &nodes[i].addr) != 0)
      status = ARES_EBADSTR;
    nodes[i].udp_port = nodes[i].tcp_port = port;
    nodes[i].next = i + 1 < count ? &nodes[i + 1] : NULL;
    free(text);
  }
  if (status == ARES_SUCCESS)
    status = ares_set_servers_ports(channel->ares, count > 0 ? nodes : NULL);
  free(nodes);
  return js_number(context, status);
}

/* localAddress(channel, IPv4 or undefined, IPv6 or undefined): undefined is any address */
static JSValueRef local_address(JSContextRef context, struct js_frame *frame) {
  struct channel *channel = find(context, frame);
  for (int i = 1; i <= 2 && channel != NULL; i++) {
    unsigned char bytes[16] = {0};
    char *text = JSValueIsString(context, js_arg(context, frame, i))
                     ? js_to_text(context, js_arg(context, frame, i), NULL)
                     : NULL;
    if (text != NULL)
      uv_inet_pton(i == 1 ? AF_INET : AF_INET6, text, bytes);
    free(text);
    if (i == 1)
      ares_set_local_ip4(channel->ares,
                         (unsigned)bytes[0] << 24 | (unsigned)bytes[1] << 16 | (unsigned)bytes[2] << 8 | bytes[3]);
    else
      ares_set_local_ip6(channel->ares, bytes);
  }
  return js_undefined(context);
}

static JSValueRef status_text(JSContextRef context, struct js_frame *frame) {
  return js_string(context, ares_strerror((int)js_to_integer(context, js_arg(context, frame, 0))));
}

static const struct js_method query_methods[] = {{"channel", create, 2},
                                                 {"destroy", destroy, 1},
                                                 {"query", query, 4},
                                                 {"reverse", reverse, 3},
                                                 {"cancel", cancel, 1},
                                                 {"servers", servers, 1},
                                                 {"setServers", set_servers, 4},
                                                 {"localAddress", local_address, 3},
                                                 {"statusText", status_text, 1},
                                                 {NULL, NULL, 0}};

JSObjectRef js_binding_dns(struct js_env *env) {
  static const struct js_method methods[] = {{"addresses", addresses, 4}, {"name", name, 3}, {NULL, NULL, 0}};
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  js_set_methods(env->context, binding, query_methods);
  js_set(env->context, binding, "AI_ADDRCONFIG", js_number(env->context, AI_ADDRCONFIG));
  js_set(env->context, binding, "AI_ALL", js_number(env->context, AI_ALL));
  js_set(env->context, binding, "AI_V4MAPPED", js_number(env->context, AI_V4MAPPED));
  return binding;
}
