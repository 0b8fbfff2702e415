/* Memory to read into: blocks that are used for one read, and the bytes of a read as memory of its own.
 *
 * Invariant: a program gets a buffer that contains the bytes of that read and nothing else. A program may read the
 * whole buffer of a chunk, or transfer it; bytes of another peer must not be in it.
 *
 * A read that fills a large part of its block gets the block itself; a smaller one is copied, which costs less than the
 * page faults of new memory. A block that no Buffer needs any more is returned by the collector and reused. The
 * collector may release one on a thread of its own, hence the lock.
 *
 * Reads are nested (a callback of one may make a TLS stream decrypt), each with a block of its own. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/bind/net/stream.h"
#include "runtime/engine/value/text.h"

enum { BLOCK_SIZE = 64 * 1024, WORTH = BLOCK_SIZE / 2, SPARES = 32, NESTED = 16 };

static pthread_mutex_t spares_lock = PTHREAD_MUTEX_INITIALIZER;
static char *spares[SPARES];
static int spare_count;

static _Thread_local char *idle; /* this thread's own spare */
static _Thread_local struct {
  char *bytes;
  bool given; /* a Buffer owns it now */
} lent[NESTED];
static _Thread_local int lent_count;

static void give_back(void *bytes, void *data) {
  (void)data;
  pthread_mutex_lock(&spares_lock);
  bool keep = spare_count < SPARES;
  if (keep)
    spares[spare_count++] = bytes;
  pthread_mutex_unlock(&spares_lock);
  if (!keep)
    free(bytes);
}

static char *get_block(void) {
  char *bytes = idle;
  idle = NULL;
  if (bytes != NULL)
    return bytes;
  pthread_mutex_lock(&spares_lock);
  bytes = spare_count > 0 ? spares[--spare_count] : NULL;
  pthread_mutex_unlock(&spares_lock);
  return bytes != NULL ? bytes : malloc(BLOCK_SIZE);
}

/* An empty buffer makes the loop report ENOBUFS to the reader. */
void js_block_offer(uv_buf_t *buffer) {
  char *bytes = lent_count < NESTED ? get_block() : NULL;
  if (bytes != NULL) {
    lent[lent_count].bytes = bytes;
    lent[lent_count++].given = false;
  }
  *buffer = uv_buf_init(bytes, bytes != NULL ? BLOCK_SIZE : 0);
}

static int find(const uv_buf_t *buffer) {
  int i = lent_count - 1;
  while (i >= 0 && lent[i].bytes != buffer->base)
    i--;
  return i;
}

void js_block_end(const uv_buf_t *buffer) {
  int i = find(buffer);
  if (i < 0 || buffer->base == NULL)
    return;
  if (!lent[i].given && idle == NULL)
    idle = lent[i].bytes;
  else if (!lent[i].given)
    give_back(lent[i].bytes, NULL);
  lent_count--;
  memmove(&lent[i], &lent[i + 1], (size_t)(lent_count - i) * sizeof *lent);
}

JSValueRef js_block_take(JSContextRef context, const uv_buf_t *buffer, size_t count) {
  int i = count >= WORTH ? find(buffer) : -1;
  if (i < 0)
    return js_bytes_alone(context, buffer->base, count);
  lent[i].given = true;
  return JSObjectMakeArrayBufferWithBytesNoCopy(context, buffer->base, count, give_back, NULL, NULL);
}

JSValueRef js_bytes_alone(JSContextRef context, const char *bytes, size_t count) {
  char *copy = malloc(count + (count == 0));
  if (copy == NULL)
    return js_undefined(context);
  memcpy(copy, bytes, count);
  return js_buffer_adopt(context, copy, count);
}

void js_blocks_forget(void) {
  free(idle);
  idle = NULL;
}
