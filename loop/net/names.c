/* Names and addresses: the system's resolver, on the thread pool, or at once if there is no callback.
 *
 * Names and hints are copied into one block that the request owns until it is done. */
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/list.h"
#include "loop/base/text.h"
#include "loop/core/pool/work.h"
#include "loop/core/req.h"
#include "loop/os/socket.h"
#include "uv.h"

/* The longest name that DNS knows has 253 characters. */
enum {
  NAME_SIZE = 256,
};

/* ---- from a name to addresses ---- */

static void lookup_run(struct rota_work *work) {
  uv_getaddrinfo_t *req = rota__container_of(work, uv_getaddrinfo_t, work);
  req->status = rota__os_getaddrinfo(req->hostname, req->service, req->hints, &req->addrinfo);
}

static void lookup_free(uv_getaddrinfo_t *req) {
  void *block = req->hints; /* the parts that are given come in this order */
  if (block == NULL)
    block = req->service;
  if (block == NULL)
    block = req->hostname;
  rota__free(block);
  req->hints = NULL;
  req->service = NULL;
  req->hostname = NULL;
}

static void lookup_done(struct rota_work *work, int status) {
  uv_getaddrinfo_t *req = rota__container_of(work, uv_getaddrinfo_t, work);
  uv_loop_t *loop = req->loop;
  rota__req_end(loop);
  lookup_free(req);
  if (status == UV_ECANCELED)
    req->status = UV_EAI_CANCELED;
  rota__req_call_begin(loop, req, (rota_function)req->cb);
  req->cb(req, req->status, req->addrinfo);
  rota__call_end(loop);
}

int uv_getaddrinfo(uv_loop_t *loop, uv_getaddrinfo_t *req, uv_getaddrinfo_cb cb, const char *node, const char *service,
                   const struct addrinfo *hints) {
  char ascii[NAME_SIZE];
  if (req == NULL || (node == NULL && service == NULL))
    return UV_EINVAL;
  size_t node_size = 0;
  if (node != NULL) {
    ssize_t n = rota__idna_to_ascii(node, node + strlen(node), ascii, ascii + sizeof ascii);
    if (n < 0)
      return (int)n;
    node_size = (size_t)n;
  }
  size_t service_size = service == NULL ? 0 : strlen(service) + 1;
  size_t hints_size = hints == NULL ? 0 : sizeof *hints;
  char *block = rota__malloc(hints_size + service_size + node_size);
  if (block == NULL)
    return UV_ENOMEM;

  req->type = UV_GETADDRINFO;
  req->loop = loop;
  req->cb = cb;
  req->addrinfo = NULL;
  req->status = 0;
  req->hints = hints == NULL ? NULL : memcpy(block, hints, hints_size);
  req->service = service == NULL ? NULL : memcpy(block + hints_size, service, service_size);
  req->hostname = node == NULL ? NULL : memcpy(block + hints_size + service_size, ascii, node_size);

  if (cb == NULL) {
    lookup_run(&req->work);
    lookup_free(req);
    return req->status;
  }
  rota__req_begin(loop, (uv_req_t *)req, UV_GETADDRINFO);
  rota__work_submit(loop, (uv_req_t *)req, &req->work, ROTA_WORK_NAME, lookup_run, lookup_done);
  return 0;
}

void uv_freeaddrinfo(struct addrinfo *list) {
  rota__os_freeaddrinfo(list);
}

/* ---- from an address to a name ---- */

static void reverse_run(struct rota_work *work) {
  uv_getnameinfo_t *req = rota__container_of(work, uv_getnameinfo_t, work);
  socklen_t length = req->storage.ss_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
  req->status = rota__os_getnameinfo((struct sockaddr *)&req->storage, length, req->host, sizeof req->host,
                                     req->service, sizeof req->service, req->flags);
}

static void reverse_done(struct rota_work *work, int status) {
  uv_getnameinfo_t *req = rota__container_of(work, uv_getnameinfo_t, work);
  uv_loop_t *loop = req->loop;
  rota__req_end(loop);
  if (status == UV_ECANCELED)
    req->status = UV_EAI_CANCELED;
  bool found = req->status == 0;
  rota__req_call_begin(loop, req, (rota_function)req->getnameinfo_cb);
  req->getnameinfo_cb(req, req->status, found ? req->host : NULL, found ? req->service : NULL);
  rota__call_end(loop);
}

int uv_getnameinfo(uv_loop_t *loop, uv_getnameinfo_t *req, uv_getnameinfo_cb cb, const struct sockaddr *address,
                   int flags) {
  if (req == NULL || address == NULL)
    return UV_EINVAL;
  memset(&req->storage, 0, sizeof req->storage);
  if (address->sa_family == AF_INET)
    memcpy(&req->storage, address, sizeof(struct sockaddr_in));
  else if (address->sa_family == AF_INET6)
    memcpy(&req->storage, address, sizeof(struct sockaddr_in6));
  else
    return UV_EINVAL;

  req->type = UV_GETNAMEINFO;
  req->loop = loop;
  req->getnameinfo_cb = cb;
  req->flags = flags;
  req->status = 0;
  req->host[0] = '\0';
  req->service[0] = '\0';
  if (cb == NULL) {
    reverse_run(&req->work);
    return req->status;
  }
  rota__req_begin(loop, (uv_req_t *)req, UV_GETNAMEINFO);
  rota__work_submit(loop, (uv_req_t *)req, &req->work, ROTA_WORK_NAME, reverse_run, reverse_done);
  return 0;
}
