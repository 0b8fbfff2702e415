/* One value for each thread, and one call for all of them. */
#include "loop/base/check.h"
#include "loop/os/windows/convert.h"
#include "uv.h"

int uv_key_create(uv_key_t *key) {
  key->tls_index = TlsAlloc();
  return key->tls_index == TLS_OUT_OF_INDEXES ? UV_ENOMEM : 0;
}

void uv_key_delete(uv_key_t *key) {
  rota__check(TlsFree(key->tls_index));
  key->tls_index = TLS_OUT_OF_INDEXES;
}

/* Null is a value, too, so only the error tells whether the key exists. */
void *uv_key_get(uv_key_t *key) {
  void *value = TlsGetValue(key->tls_index);
  rota__check(value != NULL || GetLastError() == ERROR_SUCCESS);
  return value;
}

void uv_key_set(uv_key_t *key, void *value) {
  rota__check(TlsSetValue(key->tls_index, value));
}

static BOOL CALLBACK call(INIT_ONCE *once, void *callback, void **unused) {
  void (**function)(void) = callback;
  (void)once;
  (void)unused;
  (*function)();
  return TRUE;
}

void uv_once(uv_once_t *guard, void (*callback)(void)) {
  rota__check(InitOnceExecuteOnce(&guard->init_once, call, &callback, NULL));
}
