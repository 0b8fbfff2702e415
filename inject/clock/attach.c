#include "inject/clock/clock.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static _Atomic(const struct rota_libc_clock *) outside;
struct code {
  uintptr_t begin, end;
};
static struct code own, measuring; /* they measure in real time; written before `outside` is */

/* ---- the C library ---- */

/* Before 2.30, glibc has no waits by a clock of the caller's choice. Callers that ask whether there are some, as
 * librota does, find ours. */
static int older_sem_clockwait(sem_t *sem, clockid_t clock, const struct timespec *until) {
  struct timespec now, wall;
  clock_real()->clock_gettime(clock, &now);
  clock_real()->clock_gettime(CLOCK_REALTIME, &wall);
  uint64_t until_ns = clock_ns(until), now_ns = clock_ns(&now);
  wall = clock_timespec(clock_ns(&wall) + (until_ns > now_ns ? until_ns - now_ns : 0));
  return clock_real()->sem_timedwait(sem, &wall);
}

/* Which clock a condition goes by is known to that condition alone. */
static int older_pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                                        const struct timespec *until) {
  (void)cond, (void)mutex, (void)clock, (void)until;
  return EINVAL;
}

static struct clock_real real = {
    .pthread_cond_clockwait = older_pthread_cond_clockwait,
    .sem_clockwait = older_sem_clockwait,
};
static _Atomic bool real_known;

/* On x86, glibc has functions for an older layout of conditions; a look-up without a version may find those. musl has
 * no versions, and no function that looks for one. */
#ifdef __x86_64__
#define LAYOUT_VERSION "GLIBC_2.3.2"
#else
#define LAYOUT_VERSION NULL
#endif
extern void *dlvsym(void *restrict handle, const char *restrict name, const char *restrict version)
    __attribute__((weak));

static void *look_up(const char *name, const char *version) {
  void *function = version != NULL && dlvsym != NULL ? dlvsym(RTLD_NEXT, name, version) : NULL;
  return function != NULL ? function : dlsym(RTLD_NEXT, name);
}

/* Several threads may do this at once: they write the same. A look-up that fails allocates its message, and a malloc
 * may read the clock: it finds what was looked up so far. Therefore what may be missing comes last. */
const struct clock_real *clock_real(void) {
  static __thread bool looks __attribute__((tls_model("initial-exec")));
  if (looks || atomic_load_explicit(&real_known, memory_order_acquire))
    return &real;
  looks = true;
  const struct {
    void *place;
    const char *name, *version;
  } functions[] = {
      {&real.clock_gettime, "clock_gettime", NULL},
      {&real.gettimeofday, "gettimeofday", NULL},
      {&real.time, "time", NULL},
      {&real.timespec_get, "timespec_get", NULL},
      {&real.clock_nanosleep, "clock_nanosleep", NULL},
      {&real.nanosleep, "nanosleep", NULL},
      {&real.usleep, "usleep", NULL},
      {&real.sleep, "sleep", NULL},
      {&real.pthread_cond_timedwait, "pthread_cond_timedwait", LAYOUT_VERSION},
      {&real.sem_timedwait, "sem_timedwait", NULL},
      {&real.syscall, "syscall", NULL},
      {&real.pthread_cond_clockwait, "pthread_cond_clockwait", NULL},
      {&real.sem_clockwait, "sem_clockwait", NULL},
  };
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
    void *function = look_up(functions[i].name, functions[i].version);
    if (function != NULL)
      memcpy(functions[i].place, &function, sizeof function);
  }
  looks = false;
  atomic_store_explicit(&real_known, true, memory_order_release);
  return &real;
}

/* ---- librota ---- */

struct search {
  uintptr_t address;
  unsigned int seen;
  bool found, in_program;
};

static int look_at_module(struct dl_phdr_info *module, size_t size, void *opaque) {
  struct search *search = opaque;
  bool is_program = search->seen++ == 0; /* it comes first; by its name, musl does not tell */
  (void)size;
  for (int i = 0; i < module->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &module->dlpi_phdr[i];
    uintptr_t begin = module->dlpi_addr + segment->p_vaddr;
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) || search->address - begin >= segment->p_memsz)
      continue;
    own = (struct code){begin, begin + segment->p_memsz};
    search->found = true;
    search->in_program = is_program;
    return 1;
  }
  return 0;
}

/* A program that is built for librota and linked with it, like rota itself, handles its own clocks. */
static bool is_in_library(uintptr_t address) {
  struct search search = {.address = address};
  dl_iterate_phdr(look_at_module, &search);
  return search.found && !search.in_program;
}

/* Abseil (in V8 since Node 24) measures the processor's frequency by sleeps, of some milliseconds in all, when the
 * first lock is contended. When this happens depends on V8's threads. If these sleeps were virtual, the program's time
 * would jump then, and jobs of the pool would be done without a decision. The code that does it stands beside this
 * function. */
static struct code find_measuring(void) {
  enum { BESIDE = 4096 };
  uintptr_t address = (uintptr_t)dlsym(RTLD_DEFAULT, "_ZN4absl13base_internal19NominalCPUFrequencyEv");
  return address == 0 ? (struct code){0} : (struct code){address - BESIDE, address + BESIDE};
}

CLOCK_EXPORT void rota_clock_attach(const struct rota_libc_clock *clock) {
  uintptr_t address;
  memcpy(&address, &clock->uses_virtual_time, sizeof address);
  if (!is_in_library(address))
    return;
  measuring = find_measuring();
  atomic_store_explicit(&outside, clock, memory_order_release);
}

static bool is_in(const struct code *code, const void *address) {
  return (uintptr_t)address - code->begin < code->end - code->begin;
}

const struct rota_libc_clock *clock_for(const void *caller) {
  const struct rota_libc_clock *clock = atomic_load_explicit(&outside, memory_order_acquire);
  if (clock == NULL || is_in(&own, caller) || is_in(&measuring, caller))
    return NULL;
  return clock->uses_virtual_time() ? clock : NULL;
}

/* A program may read the clock before it makes a loop, and must see the same clock then. librota-graft.so does this for
 * programs that it changes. */
__attribute__((constructor)) static void begin(void) {
  unsigned int (*steering)(void);
  void *function = dlsym(RTLD_DEFAULT, "rota_steering");
  if (function == NULL || !is_in_library((uintptr_t)function))
    return;
  memcpy(&steering, &function, sizeof steering);
  (void)steering();
}
