/* Stacks, of the calling thread and, by a signal, of another one. */
#include "loop/os/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <features.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#if __has_include(<execinfo.h>)
#include <execinfo.h>
#else
#include <unwind.h>
#ifdef ROTA_UNWINDER_IS_THE_PROGRAMS
#pragma weak _Unwind_Backtrace
#pragma weak _Unwind_GetIP
#endif
#endif

#include "loop/os/thread.h"

/* ---- stacks that go through the handler of a signal ---- */

/* Between a handler and what it interrupted stands the frame that the kernel made. An unwinder must know where that
 * frame has the registers. glibc's code that ends a handler has a table of that; musl's has none, and on x86 LLVM's
 * unwinder does not recognize the frame by itself: the stack would end there. So a handler that looks at its own stack
 * gets an end with a table. */
#if !defined(__GLIBC__) && (defined(__x86_64__) || defined(__i386__))

void rota__os_signal_frame_end(void) __attribute__((visibility("hidden")));

/* The end of a handler: rt_sigreturn. The table says where each register lies in the kernel's ucontext. A rule is an
 * expression of DWARF: DW_CFA_expression (0x10), the register's number in DWARF, how many bytes follow, DW_OP_bregN
 * with an offset. The address of the frame itself (DW_CFA_def_cfa_expression, 0x0f) is the stack pointer that was saved
 * (DW_OP_deref, 0x06). Unwinders look for the byte before the address that a function returns to: the table begins one
 * byte earlier. */
#ifdef __x86_64__
/* The stack pointer (DW_OP_breg7, 0x77) is at the ucontext, whose registers begin 40 bytes later. Offsets are signed,
 * in groups of seven bits: from 64 on they take two bytes. */
#define AT_SMALL(reg, offset) ".cfi_escape 0x10, " #reg ", 2, 0x77, " #offset "\n"
#define AT(reg, offset) ".cfi_escape 0x10, " #reg ", 3, 0x77, (" #offset " & 0x7f) | 0x80, " #offset " >> 7\n"
#define SAVED                                                                                                          \
  ".cfi_escape 0x0f, 4, 0x77, (160 & 0x7f) | 0x80, 160 >> 7, 0x06\n" /* rsp */                                         \
      AT_SMALL(8, 40) AT_SMALL(9, 48) AT_SMALL(10, 56)               /* r8, r9, r10 */                                 \
      AT(11, 64) AT(12, 72) AT(13, 80) AT(14, 88) AT(15, 96)         /* r11 to r15 */                                  \
      AT(5, 104) AT(4, 112) AT(6, 120) AT(3, 128)                    /* rdi, rsi, rbp, rbx */                          \
      AT(1, 136) AT(0, 144) AT(2, 152) AT(7, 160) AT(16, 168)        /* rdx, rax, rcx, rsp, rip */
#define RT_SIGRETURN "movq $15, %rax\nsyscall\n"                     /* debuggers know these bytes */
#else
/* The stack pointer (DW_OP_breg4, 0x74) is at the handler's arguments: the third is the ucontext's address, to which an
 * offset is added (DW_OP_plus_uconst, 0x23). */
#define AT(reg, offset) ".cfi_escape 0x10, " #reg ", 5, 0x74, 8, 0x06, 0x23, " #offset "\n"
#define SAVED                                                                                                          \
  ".cfi_escape 0x0f, 6, 0x74, 8, 0x06, 0x23, 48, 0x06\n" /* esp */                                                     \
      AT(7, 36) AT(6, 40) AT(5, 44) AT(4, 48)            /* edi, esi, ebp, esp */                                      \
      AT(3, 52) AT(2, 56) AT(1, 60) AT(0, 64) AT(8, 76)  /* ebx, edx, ecx, eax, eip */
#define RT_SIGRETURN "movl $173, %eax\nint $0x80\n"
#endif

__asm__(".text\n"
        ".hidden rota__os_signal_frame_end\n"
        ".globl rota__os_signal_frame_end\n"
        ".type rota__os_signal_frame_end, @function\n"
        ".cfi_startproc\n"
        ".cfi_signal_frame\n" SAVED "nop\n"
        "rota__os_signal_frame_end:\n" RT_SIGRETURN ".cfi_endproc\n"
        ".size rota__os_signal_frame_end, . - rota__os_signal_frame_end\n");

/* As the kernel knows it, and not the C library. */
struct kernel_action {
  void (*handler)(int);
  unsigned long flags;
  void (*end)(void);
  unsigned char mask[8];
};

/* For a signal whose handler, with SA_SIGINFO, is installed already: the C library has installed it, and only the end
 * is another one. */
static void describe_frame(int signum) {
  struct kernel_action action;
  if (syscall(SYS_rt_sigaction, signum, NULL, &action, sizeof(action.mask)) != 0)
    return;
  action.end = rota__os_signal_frame_end;
  (void)syscall(SYS_rt_sigaction, signum, &action, NULL, sizeof(action.mask));
}

#else
static void describe_frame(int signum) {
  (void)signum;
}
#endif

/* ---- stacks ---- */

/* The first two frames are the handler and what the system put on the stack for it. */
enum { FRAMES_MAX = 64, OF_THE_SIGNAL = 2, TRIES_MAX = 20, RUNNING = -2 };

static struct {
  sem_t answered;
  bool made;
  int signum;         /* 0: none was free */
  _Atomic int wanted; /* the thread that was asked; 0: none */
  _Atomic int count;  /* of frames; written last */
  void *frames[FRAMES_MAX];
} asked;

/* glibc unwinds by itself. Elsewhere the compiler's runtime does it, which is then part of the program anyway. */
#if __has_include(<execinfo.h>)
static int unwind(void **frames, int frames_max) {
  return backtrace(frames, frames_max);
}
#else
struct unwinding {
  void **frames;
  int count;
  int max;
};

static _Unwind_Reason_Code on_frame(struct _Unwind_Context *context, void *data) {
  struct unwinding *state = data;
  if (state->count == state->max)
    return _URC_END_OF_STACK;
  state->frames[state->count++] = (void *)_Unwind_GetIP(context);
  return _URC_NO_REASON;
}

static bool has_unwinder(void) {
#ifdef ROTA_UNWINDER_IS_THE_PROGRAMS
  return _Unwind_Backtrace != NULL && _Unwind_GetIP != NULL;
#else
  return true;
#endif
}

static int unwind(void **frames, int frames_max) {
  if (!has_unwinder())
    return 0;
  struct unwinding state = {.frames = frames, .max = frames_max};
  _Unwind_Backtrace(on_frame, &state);
  return state.count;
}
#endif

void rota__os_backtrace_prepare(void) {
  void *frame;
  unwind(&frame, 1);
}

int rota__os_backtrace(void **frames, int frames_max) {
  void *all[FRAMES_MAX];
  int n = unwind(all, FRAMES_MAX), kept = 0;
  for (int i = 1; i < n && kept < frames_max; i++)
    frames[kept++] = all[i];
  return kept;
}

static void answer(int signum, siginfo_t *info, void *context) {
  int saved = errno;
  int self = (int)syscall(SYS_gettid);
  (void)signum;
  (void)info;
  (void)context;
  /* Only the thread that was asked answers, once: a late answer must not disturb the next question. */
  if (atomic_compare_exchange_strong(&asked.wanted, &self, 0)) {
    int count = unwind(asked.frames, FRAMES_MAX);
    atomic_store_explicit(&asked.count, count, memory_order_release);
    sem_post(&asked.answered);
  }
  errno = saved;
}

/* A real-time signal whose disposition is still the default. The search starts at the highest number, because programs
 * take the lowest. */
static int find_signal(void) {
  struct sigaction action;
  for (int signum = SIGRTMAX - 1; signum > SIGRTMIN; signum--) {
    if (sigaction(signum, NULL, &action) != 0 || action.sa_handler != SIG_DFL)
      continue;
    struct sigaction ours = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    sigemptyset(&ours.sa_mask);
    if (sigaction(signum, &ours, NULL) == 0) {
      describe_frame(signum);
      return signum;
    }
  }
  return 0;
}

/* The system calls that are restarted after a handler with SA_RESTART. */
static bool is_restarted(long call) {
  switch (call) {
  case SYS_read:
  case SYS_write:
  case SYS_readv:
  case SYS_writev:
  case SYS_wait4:
  case SYS_waitid:
  case SYS_flock:
  case SYS_openat:
  case SYS_getrandom:
  case SYS_fsync:
  case SYS_fdatasync:
  case SYS_futex:
    return true;
  default:
    return false;
  }
}

/* RUNNING; -1: cannot be told; else the system call that it sleeps in. */
static long sleeping_in(int thread_id) {
  char path[64], text[64];
  snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", thread_id);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return -1;
  ssize_t n = read(fd, text, sizeof(text) - 1);
  close(fd);
  if (n <= 0)
    return -1;
  text[n] = '\0';
  return text[0] >= '0' && text[0] <= '9' ? strtol(text, NULL, 10) : text[0] == 'r' ? RUNNING : -1;
}

/* Returns the number of frames, which are in asked.frames after those of the signal. */
static int ask(int thread_id, uint64_t timeout_ns, long *call) {
  *call = sleeping_in(thread_id);
  if (*call != RUNNING && !is_restarted(*call))
    return -EBUSY;
  if (!asked.made || asked.signum == 0)
    return -ENOTSUP;
  while (sem_trywait(&asked.answered) == 0)
    continue;
  atomic_store(&asked.wanted, thread_id);
  if (syscall(SYS_tgkill, getpid(), thread_id, asked.signum) != 0) {
    int err = -errno;
    atomic_store(&asked.wanted, 0);
    return err;
  }
  int err = rota__os_sem_wait_for(&asked.answered, timeout_ns);
  if (err < 0) {
    int wanted = thread_id;
    if (atomic_compare_exchange_strong(&asked.wanted, &wanted, 0))
      return err;
    /* The thread is answering: it writes into the table, so we must wait. */
    err = rota__os_sem_wait_for(&asked.answered, timeout_ns + 1000000000u);
    if (err < 0)
      return err;
  }
  int n = atomic_load_explicit(&asked.count, memory_order_acquire) - OF_THE_SIGNAL;
  return n < 0 ? 0 : n;
}

static int keep(void **frames, int frames_max, int n) {
  if (n > frames_max)
    n = frames_max;
  for (int i = 0; i < n; i++)
    frames[i] = asked.frames[i + OF_THE_SIGNAL];
  return n;
}

/* Some code has no tables for unwinding: musl's, and the kernel's that reads the clock on i386. A stack that was taken
 * there ends at once. The thread will be elsewhere soon if it runs, so it is asked again, some milliseconds in all. */
int rota__os_backtrace_of(int thread_id, void **frames, int frames_max, uint64_t timeout_ns, long *call) {
  static const struct timespec pause = {.tv_nsec = 1000000};
  if (!asked.made) {
    asked.made = sem_init(&asked.answered, 0, 0) == 0;
    rota__os_backtrace_prepare();
    asked.signum = find_signal();
  }
  int found = ask(thread_id, timeout_ns, call), n = keep(frames, frames_max, found);
  for (int tries = 1; tries < TRIES_MAX && found >= 0 && found <= 1 && *call == RUNNING; tries++) {
    long call_now;
    nanosleep(&pause, NULL);
    found = ask(thread_id, timeout_ns, &call_now);
    if (found > n)
      n = keep(frames, frames_max, found);
  }
  return n;
}
