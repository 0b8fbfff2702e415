/* What the tests need of the system besides uv.h, by names that are the same on all systems: system.c has them for
 * POSIX, test/windows/uv/system.c for Windows. A test that uses anything else of one system is in a file _unix.c.
 *
 * A bare socket is one without a handle. Its number is an int here, also on Windows, whose handles of sockets fit into
 * one. send, recv, shutdown and setsockopt are the same everywhere. */
#ifndef ROTA_TEST_UV_SYSTEM_H
#define ROTA_TEST_UV_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "test.h"

void close_socket(int fd);
/* Another descriptor of the same socket. */
int copy_socket(int fd);
/* A bare socket that listens on a free port of this machine. */
int listen_bare(int *port);
/* Two connected sockets of TCP or its like; they block. */
void bare_pair(int fds[2]);

/* The socket of a handle, which keeps it. */
static inline int socket_of(const void *handle) {
  uv_os_fd_t fd;
  CHECK_EQ(uv_fileno(handle, &fd), 0);
  return (int)(intptr_t)fd;
}

/* Two ends of a local stream, both for uv_pipe_open: they do not block. */
void local_pair(uv_file fds[2]);
/* An end of such a pair that has no handle. Reading gives 0 at the end of the stream, and -1 with errno EAGAIN if there
 * is nothing yet. */
ssize_t peer_read(uv_file fd, void *bytes, size_t size);
ssize_t peer_write(uv_file fd, const void *bytes, size_t size);
void peer_close(uv_file fd);

/* The name of a local server; each test has names of its own. */
const char *local_name(const char *word);

bool descriptor_is_open(uv_file fd);
/* Whether a write to a stream that nobody reads ends the process, where there is such a rule. */
void end_at_broken_pipes(bool end);
/* Lets this process have so many descriptors, or skips the test. */
void allow_descriptors(int count);
/* A pipe for read and write: nothing about it is a handle's. They block. */
void make_pipe(uv_file fds[2]);
/* Writes a file to its disk, and lets the system forget what is in it, where it can be asked to. */
void forget_content(uv_file fd);
/* How many buffers the system fills in one call. */
int buffers_of_a_read(void);
/* A symbolic link, which ordinary users may not make on every system: then the test is skipped. */
void make_link(const char *target, const char *path);
void set_variable(const char *name, const char *value);
void unset_variable(const char *name);
/* Whether nothing is left of a child that has ended. */
bool child_is_reaped(int pid);
/* The exit status of a process that another one has ended. */
int status_of_killed(void);

#endif
