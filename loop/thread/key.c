/* One value for each thread, and one call for all of them. */
#include "loop/base/check.h"
#include "uv.h"

int uv_key_create(uv_key_t *key) {
  return -pthread_key_create(key, NULL);
}

void uv_key_delete(uv_key_t *key) {
  rota__check(pthread_key_delete(*key) == 0);
}

void *uv_key_get(uv_key_t *key) {
  return pthread_getspecific(*key);
}

void uv_key_set(uv_key_t *key, void *value) {
  rota__check(pthread_setspecific(*key, value) == 0);
}

void uv_once(uv_once_t *guard, void (*callback)(void)) {
  rota__check(pthread_once(guard, callback) == 0);
}
