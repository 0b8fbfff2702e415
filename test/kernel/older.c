/* Loaded before the C library (LD_PRELOAD): io_uring as in an older kernel, or under a policy. KERNEL_LACKS lists what
 * is missing, with commas between:
 *
 *   setup:NUMBER        flags of io_uring_setup (a hexadecimal mask): EINVAL with any of them
 *   feature:NUMBER      features of a ring (a mask): not reported
 *   op:NUMBER           an operation of a ring: completes with EINVAL, as an unknown one, and a probe does not find it
 *   op:NUMBER=ERROR     completes with this error (a number), although a probe finds it
 *
 * Submissions are inspected in io_uring_enter, in memory that the program shares with the kernel: entries of a denied
 * operation are changed into ones that complete with the error and do nothing (IORING_NOP_INJECT_RESULT, of Linux 6.10;
 * older kernels give EINVAL instead). */
#include <dlfcn.h>
#include <errno.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define NEXT(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

enum { RINGS_MAX = 256, OPERATIONS = 128, INJECT_RESULT = 1 };

/* By descriptor; the memory of one that was closed is overwritten when its number is used again. */
struct seen_ring {
  struct io_uring_params params;
  char *queue;
  struct io_uring_sqe *entries;
};

static struct seen_ring rings[RINGS_MAX];
static uint32_t lacking_setup, lacking_features;
static int denied[OPERATIONS]; /* 0: it is there */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void read_lacks(void) {
  const char *at = getenv("KERNEL_LACKS");
  while (at != NULL && *at != '\0') {
    char *end = (char *)at;
    if (strncmp(at, "setup:", 6) == 0)
      lacking_setup |= (uint32_t)strtoul(at + 6, &end, 16);
    else if (strncmp(at, "feature:", 8) == 0)
      lacking_features |= (uint32_t)strtoul(at + 8, &end, 16);
    else if (strncmp(at, "op:", 3) == 0) {
      unsigned long op = strtoul(at + 3, &end, 10);
      denied[op % OPERATIONS] = *end == '=' ? (int)strtoul(end + 1, &end, 10) : -1;
    }
    if (end == at || (*end != ',' && *end != '\0'))
      abort();
    at = *end == ',' ? end + 1 : end;
  }
}

/* A call without parameters only asks whether io_uring is available. */
static long setup(long entries, struct io_uring_params *params) {
  if (params == NULL)
    return NEXT(syscall)(SYS_io_uring_setup, entries, params);
  if (params->flags & lacking_setup) {
    errno = EINVAL;
    return -1;
  }
  long fd = NEXT(syscall)(SYS_io_uring_setup, entries, params);
  if (fd < 0)
    return fd;
  params->features &= ~lacking_features;
  if (fd < RINGS_MAX)
    rings[fd] = (struct seen_ring){.params = *params};
  return fd;
}

static void deny(struct io_uring_sqe *sqe) {
  int err = denied[sqe->opcode % OPERATIONS];
  if (err == 0)
    return;
  uint64_t user_data = sqe->user_data;
  uint8_t flags = sqe->flags & (IOSQE_IO_LINK | IOSQE_IO_HARDLINK);
  memset(sqe, 0, sizeof(*sqe));
  sqe->opcode = IORING_OP_NOP;
  sqe->flags = flags;
  sqe->rw_flags = INJECT_RESULT;
  sqe->len = (uint32_t) - (err < 0 ? EINVAL : err);
  sqe->user_data = user_data;
}

static void look_at_queue(const struct seen_ring *ring) {
  const struct io_sqring_offsets *offsets = &ring->params.sq_off;
  if (ring->queue == NULL || ring->entries == NULL)
    return;
  uint32_t head = __atomic_load_n((uint32_t *)(ring->queue + offsets->head), __ATOMIC_ACQUIRE);
  uint32_t tail = __atomic_load_n((uint32_t *)(ring->queue + offsets->tail), __ATOMIC_ACQUIRE);
  const uint32_t *array = (const uint32_t *)(ring->queue + offsets->array);
  for (; head != tail; head++)
    deny(&ring->entries[array[head & (ring->params.sq_entries - 1)]]);
}

static void hide_from_probe(struct io_uring_probe *probe) {
  for (int i = 0; i < probe->ops_len && i < OPERATIONS; i++)
    if (denied[probe->ops[i].op % OPERATIONS] < 0)
      probe->ops[i].flags &= (uint16_t)~IO_URING_OP_SUPPORTED;
}

EXPORT void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
  void *memory = NEXT(mmap)(address, length, protection, flags, fd, offset);
  if (memory == MAP_FAILED || fd < 0 || fd >= RINGS_MAX || rings[fd].params.sq_entries == 0)
    return memory;
  if (offset == IORING_OFF_SQ_RING)
    rings[fd].queue = memory;
  else if (offset == IORING_OFF_SQES)
    rings[fd].entries = memory;
  return memory;
}

EXPORT long syscall(long number, ...) {
  long a[6];
  va_list arguments;
  va_start(arguments, number);
  for (int i = 0; i < 6; i++)
    a[i] = va_arg(arguments, long);
  va_end(arguments);
  pthread_once(&once, read_lacks);
  if (number == SYS_io_uring_setup)
    return setup(a[0], (struct io_uring_params *)a[1]);
  if (number == SYS_io_uring_enter && a[0] >= 0 && a[0] < RINGS_MAX)
    look_at_queue(&rings[a[0]]);
  long result = NEXT(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (number == SYS_io_uring_register && a[1] == IORING_REGISTER_PROBE && result >= 0)
    hide_from_probe((struct io_uring_probe *)a[2]);
  return result;
}
