/* deny WHAT program [arguments]: starts a program with something denied by the kernel: io_uring; exec, which is making
 * memory executable with mprotect, as hardened systems forbid; or text, the same for the executable's own code only. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define UNLESS(value, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip)
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define DENY BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES)

static int install(struct sock_filter *filter, size_t length) {
  struct sock_fprog program = {.len = (unsigned short)length, .filter = filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv) {
  struct sock_filter rings[] = {LOAD(nr), UNLESS(SYS_io_uring_setup, 1), DENY, ALLOW};
  struct sock_filter exec[] = {
      LOAD(nr), UNLESS(SYS_mprotect, 3), LOAD(args[2]), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1), DENY,
      ALLOW,
  };
  /* A program that is not position-independent is at 0x400000; islands are below. */
  struct sock_filter text[] = {
      LOAD(nr),
      UNLESS(SYS_mprotect, 7),
      LOAD(args[2]),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 5),
      LOAD(args[0]),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x400000, 0, 3),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x10000000, 2, 0),
      DENY,
      ALLOW,
      ALLOW,
  };
  int failed = 1;
  if (argc > 2 && strcmp(argv[1], "io_uring") == 0)
    failed = install(rings, sizeof rings / sizeof rings[0]);
  else if (argc > 2 && strcmp(argv[1], "exec") == 0)
    failed = install(exec, sizeof exec / sizeof exec[0]);
  else if (argc > 2 && strcmp(argv[1], "text") == 0)
    failed = install(text, sizeof text / sizeof text[0]);
  if (failed) {
    perror("deny");
    return 99;
  }
  execvp(argv[2], argv + 2);
  return 98;
}
