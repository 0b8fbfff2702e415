#include "inject/clock/clock.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>

/* Waiting for another thread until a time: Atomics.wait with a timeout, for one. The caller computed the time with the
 * virtual clock, but the kernel waits by its own.
 *
 * If nothing else can happen before that time, time jumps, as it does for a loop that waits. Else the wait is cut into
 * pieces of real time, and virtual time advances with each. A condition may wake up for no reason, so after each piece
 * the caller checks its predicate: a signal between two pieces is not lost. */

enum { PIECE_NS = 5000000 };

static uint64_t distance(uint64_t a, uint64_t b) {
  return a > b ? a - b : b - a;
}

/* The clock of a condition cannot be queried. But the two clocks are decades apart, and the time is near one of them.
 */
static clockid_t clock_of(const struct rota_libc_clock *virtual, uint64_t until_ns) {
  uint64_t from_monotonic = distance(until_ns, virtual->monotonic_ns());
  return from_monotonic <= distance(until_ns, virtual->wall_ns()) ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

struct piece {
  struct timespec until; /* by the real clock */
  uint64_t due_ns;       /* of the whole wait, by the virtual monotonic clock */
  uint64_t duration_ns;
  bool is_last;
};

static void begin_for(struct piece *piece, const struct rota_libc_clock *virtual, uint64_t left_ns) {
  piece->due_ns = virtual->monotonic_ns() + left_ns;
  piece->is_last = virtual->wait_until(piece->due_ns, 0);
  piece->duration_ns = piece->is_last ? 0 : left_ns < PIECE_NS ? left_ns : PIECE_NS;
}

static void begin(struct piece *piece, const struct rota_libc_clock *virtual, clockid_t clock, uint64_t until_ns) {
  uint64_t now_ns = clock == CLOCK_REALTIME ? virtual->wall_ns() : virtual->monotonic_ns();
  struct timespec real;
  begin_for(piece, virtual, until_ns > now_ns ? until_ns - now_ns : 0);
  clock_real()->clock_gettime(clock, &real);
  piece->until = clock_timespec(clock_ns(&real) + piece->duration_ns);
}

static bool is_over(const struct piece *piece, const struct rota_libc_clock *virtual) {
  return piece->is_last || virtual->wait_until(piece->due_ns, piece->duration_ns);
}

CLOCK_EXPORT int pthread_cond_timedwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex,
                                        const struct timespec *restrict until) {
  const struct rota_libc_clock *virtual = CLOCK_FOR_CALLER();
  if (virtual == NULL)
    return clock_real()->pthread_cond_timedwait(cond, mutex, until);
  struct piece piece;
  begin(&piece, virtual, clock_of(virtual, clock_ns(until)), clock_ns(until));
  int error = clock_real()->pthread_cond_timedwait(cond, mutex, &piece.until);
  return error == ETIMEDOUT && !is_over(&piece, virtual) ? 0 : error;
}

/* musl has none, and a program that asks whether there is one must not find ours. */
#ifdef __GLIBC__
CLOCK_EXPORT int pthread_cond_clockwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex, clockid_t clock,
                                        const struct timespec *restrict until) {
  const struct rota_libc_clock *virtual = CLOCK_FOR_CALLER();
  if (virtual == NULL)
    return clock_real()->pthread_cond_clockwait(cond, mutex, clock, until);
  struct piece piece;
  begin(&piece, virtual, clock, clock_ns(until));
  int error = clock_real()->pthread_cond_clockwait(cond, mutex, clock, &piece.until);
  return error == ETIMEDOUT && !is_over(&piece, virtual) ? 0 : error;
}
#endif

/* A semaphore counts: nothing is lost between two pieces. */
static int wait_for_sem(const struct rota_libc_clock *virtual, sem_t *sem, clockid_t clock, uint64_t until_ns) {
  for (;;) {
    struct piece piece;
    begin(&piece, virtual, clock, until_ns);
    if (clock_real()->sem_clockwait(sem, clock, &piece.until) == 0)
      return 0;
    if (errno != ETIMEDOUT)
      return -1;
    if (is_over(&piece, virtual)) {
      errno = ETIMEDOUT;
      return -1;
    }
  }
}

CLOCK_EXPORT int sem_timedwait(sem_t *restrict sem, const struct timespec *restrict until) {
  const struct rota_libc_clock *virtual = CLOCK_FOR_CALLER();
  if (virtual == NULL)
    return clock_real()->sem_timedwait(sem, until);
  return wait_for_sem(virtual, sem, CLOCK_REALTIME, clock_ns(until));
}

#ifdef __GLIBC__
CLOCK_EXPORT int sem_clockwait(sem_t *restrict sem, clockid_t clock, const struct timespec *restrict until) {
  const struct rota_libc_clock *virtual = CLOCK_FOR_CALLER();
  if (virtual == NULL)
    return clock_real()->sem_clockwait(sem, clock, until);
  return wait_for_sem(virtual, sem, clock, clock_ns(until));
}
#endif

/* ---- futexes: libraries that bring their own conditions (Abseil, in V8 since Node 24) ask the kernel ---- */

/* With an absolute time by one of the clocks, or with a duration. */
static long wait_for_futex(const struct rota_libc_clock *virtual, const long a[6]) {
  const struct timespec *time = (const struct timespec *)a[3]; // NOLINT(performance-no-int-to-ptr)
  struct piece piece;
  if ((a[1] & FUTEX_CMD_MASK) == FUTEX_WAIT) {
    begin_for(&piece, virtual, clock_ns(time));
    piece.until = clock_timespec(piece.duration_ns);
  } else {
    begin(&piece, virtual, a[1] & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC, clock_ns(time));
  }
  long result = clock_real()->syscall(SYS_futex, a[0], a[1], a[2], &piece.until, a[4], a[5]);
  if (result < 0 && errno == ETIMEDOUT)
    errno = is_over(&piece, virtual) ? ETIMEDOUT : EINTR;
  return result;
}

/* The number of arguments is not known: six are passed on, as the C library does. */
CLOCK_EXPORT long syscall(long number, ...) {
  long a[6];
  va_list arguments;
  va_start(arguments, number);
  for (int i = 0; i < 6; i++)
    a[i] = va_arg(arguments, long);
  va_end(arguments);
  long operation = a[1] & FUTEX_CMD_MASK;
  bool is_wait = number == SYS_futex && (operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET) && a[3] != 0;
  const struct rota_libc_clock *virtual = is_wait ? CLOCK_FOR_CALLER() : NULL;
  if (virtual != NULL)
    return wait_for_futex(virtual, a);
  return clock_real()->syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
