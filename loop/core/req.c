#include "loop/core/req.h"

size_t uv_req_size(uv_req_type type) {
  switch (type) {
#define XX(upper, lower)                                                                                               \
  case UV_##upper:                                                                                                     \
    return sizeof(uv_##lower##_t);
    UV_REQ_TYPE_MAP(XX)
#undef XX
  default:
    return (size_t)-1;
  }
}

const char *uv_req_type_name(uv_req_type type) {
  switch (type) {
#define XX(upper, lower)                                                                                               \
  case UV_##upper:                                                                                                     \
    return #lower;
    UV_REQ_TYPE_MAP(XX)
#undef XX
  default:
    return NULL;
  }
}

void *uv_req_get_data(const uv_req_t *req) {
  return req->data;
}

void uv_req_set_data(uv_req_t *req, void *data) {
  req->data = data;
}

uv_req_type uv_req_get_type(const uv_req_t *req) {
  return req->type;
}
