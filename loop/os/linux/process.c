/* Starting a program without copying its parent.
 *
 * The child is a clone that shares our memory and has a stack of its own. This thread is suspended until the child has
 * executed another program or ended. So the cost does not grow with our memory, and the child reports an error by
 * writing it to memory (and to a pipe, until it is known that the memory is shared). In return, the child may only make
 * system calls: it shares the data of our other threads, and the C library takes it for this thread. So does
 * ThreadSanitizer, which would take a descriptor that the child closes, or a handler that it resets, for one of ours.
 * Therefore the child calls the kernel directly. All signals are blocked around it, and it resets every handler before
 * it unblocks any, so that no handler of ours can run in it.
 *
 * A fork takes its place for a library that has handlers for forks (fork_handlers.c): they run in forks only. */
#include "loop/os/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "loop/base/units.h"
#include "loop/os/clock.h"
#include "loop/os/elf.h"
#include "loop/os/file.h"
#include "loop/os/memory.h"
#include "loop/os/outcome.h"
#include "loop/os/signal.h"

enum { STACK_SIZE = 64 * 1024 };

struct attempt {
  const struct rota_os_spawn *spawn;
  volatile bool began; /* written by the child: the memory is shared indeed */
  volatile int error;
  int pipe; /* to write the error to, if it is not; -1: none */
};

/* ---- in the child ---- */

/* The C library's functions would change the user of all threads of the parent, too. */
int rota__os_child_set_user(uid_t uid) {
#ifdef SYS_setuid32
  return (int)rota__os_outcome(syscall(SYS_setuid32, uid));
#else
  return (int)rota__os_outcome(syscall(SYS_setuid, uid));
#endif
}

int rota__os_child_set_group(gid_t gid) {
#ifdef SYS_setgid32
  return (int)rota__os_outcome(syscall(SYS_setgid32, gid));
#else
  return (int)rota__os_outcome(syscall(SYS_setgid, gid));
#endif
}

void rota__os_child_drop_groups(void) {
#ifdef SYS_setgroups32
  syscall(SYS_setgroups32, 0, NULL);
#else
  syscall(SYS_setgroups, 0, NULL);
#endif
}

int rota__os_child_open_null(int flags) {
  int fd;
  do
    fd = (int)syscall(SYS_openat, AT_FDCWD, "/dev/null", flags | O_CLOEXEC);
  while (rota__os_interrupted(fd));
  return (int)rota__os_outcome(fd);
}

int rota__os_child_duplicate(int fd, int at) {
  return (int)rota__os_outcome(syscall(SYS_dup3, fd, at, 0));
}

void rota__os_child_close(int fd) {
  syscall(SYS_close, fd);
}

void rota__os_child_reset_signals(void) {
  static const char nothing[64]; /* the kernel's struct sigaction with the default handler, and an empty set */
  for (int signum = 1; signum <= ROTA_OS_SIGNAL_MAX; signum++)
    syscall(SYS_rt_sigaction, signum, nothing, NULL,
            ROTA_OS_SIGNAL_MAX / 8); /* a few signals cannot be changed, which does no harm */
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, nothing, NULL, ROTA_OS_SIGNAL_MAX / 8);
}

static int child_main(void *argument) {
  struct attempt *attempt = argument;
  attempt->began = true;
  int err = rota__os_child_become(attempt->spawn);
  attempt->error = err;
  if (attempt->pipe >= 0)
    syscall(SYS_write, attempt->pipe, &err, sizeof(err));
  _exit(127);
}

/* ---- in the parent ---- */

/* glibc's clone under its other name. ThreadSanitizer replaces the first with its own, which takes every child for a
 * fork, and the parent would take itself for the child. Other C libraries keep the other name to themselves. */
#ifdef __GLIBC__
int __clone(int (*function)(void *), void *stack, int flags, void *argument, ...);
#else
#define __clone clone
#endif

bool rota__os_has_pidfd(void) {
#ifdef ROTA_WITHOUT_PIDFD /* a test build, for pollers that wait for children themselves */
  static _Atomic signed char answer = -1;
#else
  static _Atomic signed char answer; /* 0: not asked yet */
#endif
  int fd;
  if (answer == 0) {
    fd = (int)syscall(SYS_pidfd_open, getpid(), 0);
    if (fd < 0 && (errno == EMFILE || errno == ENFILE))
      return true; /* the kernel knows the call, and refused only the argument */
    if (fd >= 0)
      rota__os_close(fd);
    answer = fd >= 0 ? 1 : -1;
  }
  return answer > 0;
}

/* One stack is kept for the next child: mapping, zeroing and unmapping one each time takes a tenth of the time of a
 * spawn. Children that other threads start at the same time get stacks of their own. */
static _Atomic(char *) kept_stack;

static char *take_stack(void) {
  char *stack = atomic_exchange(&kept_stack, NULL);
  if (stack != NULL)
    return stack;
  stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  return stack == MAP_FAILED ? NULL : stack;
}

static void give_stack_back(char *stack) {
  stack = atomic_exchange(&kept_stack, stack);
  if (stack != NULL)
    munmap(stack, STACK_SIZE);
}

__attribute__((destructor)) static void release_stack(void) {
  char *stack = atomic_exchange(&kept_stack, NULL);
  if (stack != NULL)
    munmap(stack, STACK_SIZE);
}

/* Emulators (qemu-user) make a fork of such a clone: the child has a copy of our memory, and we are not suspended.
 * There its error comes through a pipe, which ends when the program runs. Which of the two it is, the first child
 * shows. */
static _Atomic bool memory_is_shared;

static int outcome_of(const struct attempt *attempt, int fds[2]) {
  int err = 0;
  if (attempt->began) {
    memory_is_shared = true;
    return attempt->error;
  }
  if (fds[1] < 0)
    return 0;
  rota__os_close(fds[1]);
  fds[1] = -1;
  return rota__os_read(fds[0], &err, sizeof(err)) == (ssize_t)sizeof(err) ? err : 0;
}

static void close_pipe(const int fds[2]) {
  for (int i = 0; i < 2; i++)
    if (fds[i] >= 0)
      rota__os_close(fds[i]);
}

/* Returns the child's number, or a negative number, and errno. */
static pid_t make_clone(struct attempt *attempt, char *stack, int *pidfd) {
  const int flags = CLONE_VM | CLONE_VFORK | SIGCHLD;
  pid_t pid = __clone(child_main, stack + STACK_SIZE, flags | (rota__os_has_pidfd() ? CLONE_PIDFD : 0), attempt, pidfd);
  if (pid < 0 && errno == EINVAL) /* some sandboxes allow only one of the two */
    pid = __clone(child_main, stack + STACK_SIZE, flags, attempt);
  return pid;
}

static pid_t make_fork(struct attempt *attempt, int *pidfd) {
  pid_t pid = fork();
  if (pid == 0)
    child_main(attempt);
  if (pid > 0 && rota__os_has_pidfd())
    *pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
  return pid;
}

int rota__os_spawn(const struct rota_os_spawn *spawn, pid_t *pid, int *pidfd) {
  const bool copied = rota__os_has_fork_handlers(spawn->caller);
  struct attempt attempt = {.spawn = spawn};
  int fds[2] = {-1, -1};
  int saved_errno = errno;
  int cancel_state, err;
  sigset_t saved_mask;
  char *stack = NULL;
  *pid = 0;
  *pidfd = -1;
  if (copied || !memory_is_shared) {
    err = rota__os_pipe_above(fds, spawn->fd_count);
    if (err < 0 && copied)
      return err;
    if (err < 0)
      fds[0] = fds[1] = -1;
  }
  if (!copied && (stack = take_stack()) == NULL) {
    close_pipe(fds);
    return -ENOMEM;
  }
  attempt.pipe = fds[1];
  /* The child would act on a cancellation of this thread. */
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
  rota__os_signals_block(&saved_mask);
  *pid = copied ? make_fork(&attempt, pidfd) : make_clone(&attempt, stack, pidfd);
  err = *pid < 0 ? -errno : 0;
  rota__os_signals_restore(&saved_mask);
  if (*pid > 0)
    err = outcome_of(&attempt, fds);
  close_pipe(fds);
  pthread_setcancelstate(cancel_state, NULL);
  if (stack != NULL)
    give_stack_back(stack);
  if (*pid < 0) {
    *pid = 0;
  } else if (err < 0) {
    rota__os_child_reap(*pid);
    if (*pidfd >= 0)
      rota__os_close(*pidfd);
    *pidfd = -1;
  }
  errno = saved_errno;
  return err;
}

int rota__os_pidfd_kill(int pidfd, int signum) {
  return syscall(SYS_pidfd_send_signal, pidfd, signum, NULL, 0) == 0 ? 0 : -errno;
}

char **rota__os_environment(void) {
  return environ;
}

bool rota__os_cloexec_range(void) {
#ifdef SYS_close_range
  enum { RANGE_CLOEXEC = 1 << 2 };
  return syscall(SYS_close_range, 0u, ~0u, RANGE_CLOEXEC) == 0;
#else
  return false;
#endif
}

/* ---- what a process does ----
 *
 * What a process does at the moment, and since when there is one, as the kernel tells it (proc(5), stat). */

/* "7 (name) S ...": the name may contain anything, a closing parenthesis, too. */
static char state_of(pid_t pid, const char *thread) {
  char path[64], text[128];
  snprintf(path, sizeof(path), "/proc/%d/task/%.20s/stat", (int)pid, thread);
  if (rota__os_read_text(path, text, sizeof(text)) <= 0)
    return 0;
  const char *end = strrchr(text, ')');
  return end != NULL && end[1] == ' ' ? end[2] : 0;
}

bool rota__os_process_is_busy(pid_t pid) {
  char path[32];
  snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
  DIR *threads = opendir(path);
  if (threads == NULL)
    return false;
  bool busy = false;
  for (const struct dirent *entry; !busy && (entry = readdir(threads)) != NULL;) {
    char state = entry->d_name[0] == '.' ? 0 : state_of(pid, entry->d_name);
    busy = state == 'R' || state == 'D';
  }
  closedir(threads);
  return busy;
}

/* The time is the 20th word behind the name, in ticks since the system was started. Times of sleep of the system count,
 * which the monotonic clock does not have. */
uint64_t rota__os_process_begun_ns(void) {
  char text[512];
  struct timespec since_boot;
  if (rota__os_read_text("/proc/self/stat", text, sizeof(text)) <= 0 ||
      rota__os_clock_read(CLOCK_BOOTTIME, &since_boot) < 0)
    return UINT64_MAX;
  const char *word = strrchr(text, ')');
  for (int i = 0; i < 20 && word != NULL; i++)
    word = strchr(word + 1, ' ');
  if (word == NULL)
    return UINT64_MAX;
  uint64_t ticks = strtoull(word + 1, NULL, 10), in_second = (uint64_t)sysconf(_SC_CLK_TCK);
  uint64_t begun_ns = ticks / in_second * NS_PER_SECOND + ticks % in_second * (NS_PER_SECOND / in_second);
  uint64_t now_ns = (uint64_t)since_boot.tv_sec * NS_PER_SECOND + (uint64_t)since_boot.tv_nsec;
  uint64_t age_ns = now_ns > begun_ns ? now_ns - begun_ns : 0, monotonic_ns = rota__os_clock_ns();
  return monotonic_ns > age_ns ? monotonic_ns - age_ns : 0;
}

/* ---- libraries with handlers for forks ----
 *
 * Whether a library has handlers for forks of its own, which it expects to run in the children that it starts: uvloop
 * runs a Python program's `preexec_fn` in one. A library that calls pthread_atfork has a relocation with that name.
 *
 * Only libraries are asked. A program has that relocation also for what is linked into it (OpenSSL in Node), and would
 * lose the spawn that does not copy its memory. */

struct search {
  uintptr_t base;
  bool found;
};

/* The symbols and relocations of one file. */
struct file {
  uintptr_t base;
  const ElfW(Sym) * symbols;
  const char *names;
  uintptr_t tables[3]; /* of relocations */
  size_t sizes[3];
  size_t steps[3]; /* the size of one of them */
};

/* glibc has made addresses of most entries; other C libraries leave what is in the file. */
static uintptr_t address_of(const struct file *file, const ElfW(Dyn) * entry) {
  uintptr_t value = (uintptr_t)entry->d_un.d_ptr;
  return value < file->base ? file->base + value : value;
}

static void read_entry(struct file *file, const ElfW(Dyn) * entry) {
  enum { RELA, REL, PLT };
  switch (entry->d_tag) {
  case DT_SYMTAB:
    file->symbols = (const void *)address_of(file, entry);
    break;
  case DT_STRTAB:
    file->names = (const void *)address_of(file, entry);
    break;
  case DT_RELA:
    file->tables[RELA] = address_of(file, entry);
    break;
  case DT_RELASZ:
    file->sizes[RELA] = entry->d_un.d_val;
    break;
  case DT_REL:
    file->tables[REL] = address_of(file, entry);
    break;
  case DT_RELSZ:
    file->sizes[REL] = entry->d_un.d_val;
    break;
  case DT_JMPREL:
    file->tables[PLT] = address_of(file, entry);
    break;
  case DT_PLTRELSZ:
    file->sizes[PLT] = entry->d_un.d_val;
    break;
  case DT_PLTREL:
    file->steps[PLT] = entry->d_un.d_val == DT_RELA ? sizeof(ElfW(Rela)) : sizeof(ElfW(Rel));
    break;
  default:
    break;
  }
}

static bool is_handler(const char *name) {
  return strcmp(name, "pthread_atfork") == 0 || strcmp(name, "__register_atfork") == 0;
}

static bool refers_to_handlers(const struct file *file) {
  if (file->symbols == NULL || file->names == NULL)
    return false;
  for (int i = 0; i < 3; i++) {
    if (file->tables[i] == 0 || file->steps[i] == 0)
      continue;
    for (size_t at = 0; at < file->sizes[i]; at += file->steps[i]) {
      const ElfW(Rel) *relocation = (const void *)(file->tables[i] + at); /* ElfW(Rela) begins as it does */
      size_t symbol = sizeof(void *) == 8 ? ELF64_R_SYM(relocation->r_info) : ELF32_R_SYM(relocation->r_info);
      if (symbol != 0 && is_handler(file->names + file->symbols[symbol].st_name))
        return true;
    }
  }
  return false;
}

static int on_file(struct dl_phdr_info *info, size_t size, void *data) {
  struct search *search = data;
  struct file file = {
      .base = (uintptr_t)info->dlpi_addr,
      .steps = {sizeof(ElfW(Rela)), sizeof(ElfW(Rel)), 0},
  };
  (void)size;
  if (file.base != search->base)
    return 0;
  for (size_t i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_DYNAMIC)
      continue;
    const ElfW(Dyn) *entry = (const void *)((uintptr_t)info->dlpi_addr + (uintptr_t)info->dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; entry++)
      read_entry(&file, entry);
  }
  search->found = refers_to_handlers(&file);
  return 1;
}

bool rota__os_has_fork_handlers(const void *code) {
  struct rota_os_module module;
  if (code == NULL || !rota__os_module_of(code, &module) || module.path[0] == '\0')
    return false;
  struct search search = {.base = module.base};
  dl_iterate_phdr(on_file, &search);
  return search.found;
}
