/* deny RULE... -- COMMAND...: runs the command with some system calls denied, as by a policy (of a container) or an old
 * kernel. A rule is CALL=ERROR, or CALL/NUMBER=ERROR for those whose second argument is this number.
 *
 * The filter is the kernel's own (seccomp), so it holds for everything that the command starts. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif

struct named {
  const char *name;
  int number;
};

static const struct named calls[] = {
    {"io_uring_setup", SYS_io_uring_setup},
    {"io_uring_enter", SYS_io_uring_enter},
    {"io_uring_register", SYS_io_uring_register},
    {"pidfd_open", SYS_pidfd_open},
    {"pidfd_send_signal", SYS_pidfd_send_signal},
    {"clone3", SYS_clone3},
    {"statx", SYS_statx},
    {"copy_file_range", SYS_copy_file_range},
    {"close_range", SYS_close_range},
    {"openat2", SYS_openat2},
    {"epoll_pwait2", SYS_epoll_pwait2},
    {"preadv2", SYS_preadv2},
    {"getrandom", SYS_getrandom},
    {"recvmmsg", SYS_recvmmsg},
    {"sendmmsg", SYS_sendmmsg},
    {"sendfile", SYS_sendfile},
    {"memfd_create", SYS_memfd_create},
    {"faccessat2", SYS_faccessat2},
};

static const struct named errors[] = {
    {"EPERM", EPERM}, {"ENOSYS", ENOSYS}, {"ENOMEM", ENOMEM}, {"EINVAL", EINVAL}, {"EAGAIN", EAGAIN}, {"EBADF", EBADF},
};

static int number_of(const struct named *table, size_t count, const char *name, size_t length) {
  for (size_t i = 0; i < count; i++)
    if (strlen(table[i].name) == length && memcmp(table[i].name, name, length) == 0)
      return table[i].number;
  fprintf(stderr, "deny: what is %.*s?\n", (int)length, name);
  exit(2);
}

/* One rule is one filter: the kernel asks all of them, and the strictest answer counts. */
static void deny(const char *rule) {
  size_t length = strcspn(rule, "/=");
  const char *error = strchr(rule, '=');
  if (error == NULL) {
    fprintf(stderr, "deny: %s has no error\n", rule);
    exit(2);
  }
  int call = number_of(calls, sizeof(calls) / sizeof(*calls), rule, length);
  int err = number_of(errors, sizeof(errors) / sizeof(*errors), error + 1, strlen(error + 1));
  int has_argument = rule[length] == '/';
  uint32_t argument = has_argument ? (uint32_t)atoi(rule + length + 1) : 0;
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
      BPF_JUMP(BPF_JMP | BPF_JA, (uint32_t)!has_argument, 0, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, argument, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)err),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof(filter) / sizeof(*filter), filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    perror("deny: seccomp");
    exit(2);
  }
}

int main(int argc, char **argv) {
  int i = 1;
  for (; i < argc && strcmp(argv[i], "--") != 0; i++)
    deny(argv[i]);
  if (i + 1 >= argc) {
    fprintf(stderr, "deny RULE... -- COMMAND...\n");
    return 2;
  }
  execvp(argv[i + 1], argv + i + 1);
  perror(argv[i + 1]);
  return 127;
}
