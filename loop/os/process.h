/* This process and its children. As everywhere in loop/os: a result >= 0, or a negated errno;
 * interrupted calls are repeated. */
#ifndef ROTA_OS_PROCESS_H
#define ROTA_OS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* ---- this process ---- */

/* The arguments that this process was started with, each with its NUL, and a NUL behind what was cut off. Returns the
 * length. */
ssize_t rota__os_command_line(char *buffer, size_t size);
/* The same of another process, if the system tells it: an ended one has none. */
ssize_t rota__os_command_line_of(int process_id, char *buffer, size_t size);
/* The path of this process's program, without a NUL, cut off where it does not fit. */
ssize_t rota__os_program_path(char *buffer, size_t size);

/* Null if the variable is not set, or if the program was started with more rights than its user has. */
const char *rota__os_trusted_environment(const char *name);
const char *rota__os_program_name(void); /* without its directory */

/* This process's number. */
int rota__os_process_id(void);
/* When this process was made, by the monotonic clock, or up to 10 ms earlier; UINT64_MAX: nobody knows. It may have
 * become another program since then. */
uint64_t rota__os_process_begun_ns(void);

/* A new block from malloc, without a slash at the end but for the root. */
int rota__os_working_directory(char **path);

/* Calls the function when the process ends by exit or by a return from main, while its other threads still run. There
 * is room for a few such functions. */
int rota__os_at_exit(void (*function)(void));

/* The process ends, and the system has ended all other threads already, wherever they were: nobody can wait for them.
 */
bool rota__os_threads_are_gone(void);

/* ---- child processes ---- */

struct rota_os_spawn {
  char *const *files; /* tried one after the other, up to a null; the caller has searched PATH */
  char *const *args;
  char *const *env;   /* null: that of this process, as it is when the program is executed */
  const char *cwd;    /* null: the same as this process */
  int *fds;           /* what each descriptor of the child is a copy of; -1: none. Scratch: left in disorder */
  int fd_count;       /* at least 3: the standard descriptors are never left closed */
  const void *caller; /* code of the library that asks for it, whose handlers for forks must run; null: none */
  bool detached;      /* in a session of its own */
  bool set_uid;
  bool set_gid;
  uid_t uid;
  gid_t gid;
};

/* Whether children have descriptors that become readable when they end (Linux 5.3). */
bool rota__os_has_pidfd(void);

/* Returns 0 if the program runs, else the error. After an error *pid is 0 if no process was made; else the process has
 * ended and is reaped. *pidfd is -1 if the system has none. Signals of the child are as for a program started afresh:
 * none ignored, none blocked. */
int rota__os_spawn(const struct rota_os_spawn *spawn, pid_t *pid, int *pidfd);

/* 1: the child has ended, with *status as from wait(2). 0: it has not. */
int rota__os_child_status(pid_t pid, int *status);
bool rota__os_child_has_ended(pid_t pid); /* does not reap it; true also if somebody else has */
void rota__os_child_kill(pid_t pid);      /* and reaps it */
int rota__os_pidfd_kill(int pidfd, int signum);

/* One of its threads computes, wants to, or waits for a disk. False also if nobody knows. */
bool rota__os_process_is_busy(pid_t pid);

char **rota__os_environment(void);
/* Nothing that is open now is passed on to children. */
void rota__os_cloexec_all(void);

/* ---- within loop/os ----
 *
 * A child between fork and exec: posix/child.c has the steps, and makes them through calls that each system has. On
 * Linux the child shares its parent's memory, and the C library's functions would change the parent, too. Nothing here
 * takes a lock, which another thread of the parent may have held. */

/* In the child: its session, descriptors, directory, groups, user and signals, then the program. Returns the error. */
int rota__os_child_become(const struct rota_os_spawn *spawn);
/* In the parent: waits until the child has ended. Its status, as from wait(2). */
int rota__os_child_reap(pid_t pid);

/* Linux: the code is in a library, not the program, that calls pthread_atfork. */
bool rota__os_has_fork_handlers(const void *code);

int rota__os_child_open_null(int flags); /* /dev/null, closed on exec */
int rota__os_child_duplicate(int fd, int at);
void rota__os_child_close(int fd);
int rota__os_child_set_user(uid_t uid);
int rota__os_child_set_group(gid_t gid);
void rota__os_child_drop_groups(void);
void rota__os_child_reset_signals(void); /* no handler, nothing blocked */
/* In the parent: marks all open descriptors with one call. False if the system has no such call. */
bool rota__os_cloexec_range(void);

#endif
