#include "loop/os/linux/signal_frame.h"

#include <features.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

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

/* The C library has installed it, and has kept its own books: only the end is another one. */
void rota__os_signal_frame_describe(int signum) {
  struct kernel_action action;
  if (syscall(SYS_rt_sigaction, signum, NULL, &action, sizeof(action.mask)) != 0)
    return;
  action.end = rota__os_signal_frame_end;
  (void)syscall(SYS_rt_sigaction, signum, &action, NULL, sizeof(action.mask));
}

#else

void rota__os_signal_frame_describe(int signum) {
  (void)signum;
}

#endif
