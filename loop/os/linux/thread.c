#include "loop/os/thread.h"

#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int rota__os_sem_init(uv_sem_t *sem, unsigned int value) {
  return sem_init(sem, 0, value) < 0 ? -errno : 0;
}

int rota__os_sem_destroy(uv_sem_t *sem) {
  return sem_destroy(sem) < 0 ? -errno : 0;
}

int rota__os_sem_post(uv_sem_t *sem) {
  return sem_post(sem) < 0 ? -errno : 0;
}

int rota__os_sem_wait(uv_sem_t *sem) {
  int result;
  do
    result = sem_wait(sem);
  while (result < 0 && errno == EINTR);
  return result < 0 ? -errno : 0;
}

int rota__os_sem_trywait(uv_sem_t *sem) {
  int result;
  do
    result = sem_trywait(sem);
  while (result < 0 && errno == EINTR);
  return result < 0 ? -errno : 0;
}

void rota__os_brief_lock_init(pthread_mutex_t *lock) {
#ifdef __GLIBC__
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ADAPTIVE_NP);
  pthread_mutex_init(lock, &kind);
  pthread_mutexattr_destroy(&kind);
#else
  pthread_mutex_init(lock, NULL); /* musl's locks spin a little by themselves */
#endif
}

size_t rota__os_page_size(void) {
  return (size_t)sysconf(_SC_PAGESIZE);
}

size_t rota__os_stack_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY)
    return 0;
  return (size_t)limit.rlim_cur;
}

size_t rota__os_stack_smallest(void) {
  /* Asked at run time: it grows with the registers of the processor and with the program's thread-local variables. */
  long smallest = sysconf(_SC_THREAD_STACK_MIN);
  return smallest > 0 ? (size_t)smallest : 16384;
}

int rota__os_current_cpu(void) {
  int cpu = sched_getcpu();
  return cpu < 0 ? -errno : cpu;
}

int rota__os_allowed_cpus(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof(set), &set) < 0 ? -errno : CPU_COUNT(&set);
}

int rota__os_online_cpus(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count < 1 ? 1 : (int)count;
}

int rota__os_cpu_mask_size(void) {
  return CPU_SETSIZE;
}

int rota__os_affinity(pthread_t thread, char *mask) {
  cpu_set_t set;
  CPU_ZERO(&set);
  int err = -pthread_getaffinity_np(thread, sizeof(set), &set);
  if (err != 0)
    return err;
  for (size_t i = 0; i < CPU_SETSIZE; i++)
    mask[i] = CPU_ISSET(i, &set) != 0;
  return 0;
}

int rota__os_set_affinity(pthread_t thread, const char *mask) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (size_t i = 0; i < CPU_SETSIZE; i++)
    if (mask[i])
      CPU_SET(i, &set);
  return -pthread_setaffinity_np(thread, sizeof(set), &set);
}

bool rota__os_has_cpus(void) {
  static _Atomic int count;
  int known = atomic_load_explicit(&count, memory_order_relaxed);
  if (known == 0) {
    known = rota__os_online_cpus();
    atomic_store_explicit(&count, known, memory_order_relaxed);
  }
  return known > 1;
}

static id_t thread_id(void) {
  return (id_t)syscall(SYS_gettid);
}

int rota__os_thread_nice(int *nice) {
  errno = 0; /* -1 is a niceness, too */
  *nice = getpriority(PRIO_PROCESS, thread_id());
  return -errno;
}

int rota__os_thread_set_nice(int nice) {
  return setpriority(PRIO_PROCESS, thread_id(), nice) < 0 ? -errno : 0;
}

int rota__os_thread_set_name(const char *name) {
  return prctl(PR_SET_NAME, name) < 0 ? -errno : 0;
}

int rota__os_thread_name_of(pthread_t thread, char *name, size_t size) {
  return -pthread_getname_np(thread, name, size);
}

int rota__os_thread_id(void) {
  static _Thread_local int id;
  if (id == 0)
    id = (int)syscall(SYS_gettid);
  return id;
}

int rota__os_thread_number(void) {
  return (int)thread_id();
}

/* musl waits by the wall clock only: when somebody sets that clock, a wait is too long or too short. */
#ifdef __GLIBC__
enum { SEM_CLOCK = CLOCK_MONOTONIC };
static int wait_until(uv_sem_t *sem, const struct timespec *until) {
  return sem_clockwait(sem, SEM_CLOCK, until);
}
#else
enum { SEM_CLOCK = CLOCK_REALTIME };
static int wait_until(uv_sem_t *sem, const struct timespec *until) {
  return sem_timedwait(sem, until);
}
#endif

int rota__os_sem_wait_for(uv_sem_t *sem, uint64_t timeout_ns) {
  struct timespec until;
  int result;
  clock_gettime(SEM_CLOCK, &until);
  until.tv_sec += (time_t)(timeout_ns / 1000000000u);
  until.tv_nsec += (long)(timeout_ns % 1000000000u);
  if (until.tv_nsec >= 1000000000) {
    until.tv_nsec -= 1000000000;
    until.tv_sec++;
  }
  do
    result = wait_until(sem, &until);
  while (result < 0 && errno == EINTR);
  return result < 0 ? -errno : 0;
}

void rota__os_stay_loaded(void) {
  Dl_info library;
  /* The handle is not closed. This has no effect if the library is linked into the program. */
  if (dladdr(__extension__(void *) rota__os_stay_loaded, &library) != 0 && library.dli_fname != NULL)
    (void)dlopen(library.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}
