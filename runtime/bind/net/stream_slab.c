/* Memory to read into: large pieces, cut as they are filled.
 *
 * A read is offered the rest of the current slab and takes only what arrived; the next read continues behind it. So a
 * small message costs no allocation of its own, and nothing is copied: the Buffer that the program sees lies in the
 * slab. A slab that no Buffer needs any more comes back from the collector and is used again, its pages already there.
 * The collector may let go of one on a thread of its own, hence the lock. */
#include "runtime/bind/net/stream.h"

#include <pthread.h>
#include <stdlib.h>

enum { SLAB_SIZE = 256 * 1024, SLAB_ROOM = 64 * 1024, SLAB_SPARES = 8 };

static pthread_mutex_t spares_lock = PTHREAD_MUTEX_INITIALIZER;
static char *spares[SLAB_SPARES];
static int spare_count;

static _Thread_local struct {
  char *bytes;
  size_t used;
  JSObjectRef memory; /* the ArrayBuffer over `bytes`, made with the first cut */
} slab;

static void give_back(void *bytes, void *data) {
  (void)data;
  pthread_mutex_lock(&spares_lock);
  bool keep = spare_count < SLAB_SPARES;
  if (keep)
    spares[spare_count++] = bytes;
  pthread_mutex_unlock(&spares_lock);
  if (!keep)
    free(bytes);
}

static char *take_spare(void) {
  pthread_mutex_lock(&spares_lock);
  char *bytes = spare_count > 0 ? spares[--spare_count] : NULL;
  pthread_mutex_unlock(&spares_lock);
  return bytes != NULL ? bytes : malloc(SLAB_SIZE);
}

static bool renew(void) {
  if (slab.memory != NULL)
    JSValueUnprotect(js_env_here->context, slab.memory);
  else if (slab.bytes != NULL)
    give_back(slab.bytes, NULL);
  slab.memory = NULL;
  slab.used = 0;
  slab.bytes = take_spare();
  return slab.bytes != NULL;
}

/* An empty buffer makes the loop report ENOBUFS to the reader. */
void js_slab_offer(uv_buf_t *buffer) {
  if ((slab.bytes == NULL || SLAB_SIZE - slab.used < SLAB_ROOM) && !renew()) {
    *buffer = uv_buf_init(NULL, 0);
    return;
  }
  *buffer = uv_buf_init(slab.bytes + slab.used, SLAB_ROOM);
}

JSObjectRef js_slab_take(JSContextRef context, const uv_buf_t *buffer, size_t count, size_t *offset) {
  if (slab.memory == NULL) {
    slab.memory = JSObjectMakeArrayBufferWithBytesNoCopy(context, slab.bytes, SLAB_SIZE, give_back, NULL, NULL);
    JSValueProtect(context, slab.memory);
  }
  *offset = (size_t)(buffer->base - slab.bytes);
  slab.used = (*offset + count + 7) & ~(size_t)7;
  return slab.memory;
}
