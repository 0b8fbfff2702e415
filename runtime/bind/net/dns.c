/* The binding `dns`: names by the system's resolver (getaddrinfo, getnameinfo) in the loop's pool. Questions to name
 * servers are in dns_query.c. */
#include "runtime/bind/net/dns.h"
#include "runtime/bind/net/stream.h"

#include <netdb.h>
#include <stdlib.h>
#include <string.h>

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

JSObjectRef js_binding_dns(struct js_env *env) {
  static const struct js_method methods[] = {{"addresses", addresses, 4}, {"name", name, 3}, {NULL, NULL, 0}};
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  js_set_methods(env->context, binding, js_dns_query_methods);
  js_set(env->context, binding, "AI_ADDRCONFIG", js_number(env->context, AI_ADDRCONFIG));
  js_set(env->context, binding, "AI_ALL", js_number(env->context, AI_ALL));
  js_set(env->context, binding, "AI_V4MAPPED", js_number(env->context, AI_V4MAPPED));
  return binding;
}
