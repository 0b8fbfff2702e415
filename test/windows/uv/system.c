/* system.h, for Windows. */
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>

static void check_is_int(SOCKET socket) {
  CHECK(socket != INVALID_SOCKET && socket <= INT32_MAX);
}

void close_socket(int fd) {
  CHECK_EQ(closesocket((SOCKET)fd), 0);
}

int copy_socket(int fd) {
  WSAPROTOCOL_INFOW description;
  SOCKET copy;
  CHECK_EQ(WSADuplicateSocketW((SOCKET)fd, GetCurrentProcessId(), &description), 0);
  copy = WSASocketW(FROM_PROTOCOL_INFO, FROM_PROTOCOL_INFO, FROM_PROTOCOL_INFO, &description, 0, WSA_FLAG_OVERLAPPED);
  check_is_int(copy);
  return (int)copy;
}

int listen_bare(int *port) {
  struct sockaddr_in address;
  int length = sizeof address;
  SOCKET fd;
  uv_default_loop(); /* starts the system's sockets */
  fd = socket(AF_INET, SOCK_STREAM, 0);
  check_is_int(fd);
  CHECK_EQ(uv_ip4_addr("127.0.0.1", 0, &address), 0);
  CHECK_EQ(bind(fd, (struct sockaddr *)&address, length), 0);
  CHECK_EQ(listen(fd, 8), 0);
  CHECK_EQ(getsockname(fd, (struct sockaddr *)&address, &length), 0);
  *port = ntohs(address.sin_port);
  return (int)fd;
}

void bare_pair(int fds[2]) {
  uv_os_sock_t pair[2];
  CHECK_EQ(uv_socketpair(SOCK_STREAM, 0, pair, 0, 0), 0);
  check_is_int(pair[0]);
  check_is_int(pair[1]);
  fds[0] = (int)pair[0];
  fds[1] = (int)pair[1];
}

static uv_file descriptor_of(HANDLE handle) {
  uv_file fd;
  CHECK(handle != INVALID_HANDLE_VALUE);
  fd = _open_osfhandle((intptr_t)handle, 0);
  CHECK(fd >= 0);
  return fd;
}

static HANDLE handle_of(uv_file fd) {
  HANDLE handle = (HANDLE)_get_osfhandle(fd);
  CHECK(handle != INVALID_HANDLE_VALUE);
  return handle;
}

/* A named pipe in both directions. */
void local_pair(uv_file fds[2]) {
  static int count;
  char name[64];
  HANDLE server, client;
  snprintf(name, sizeof name, "\\\\.\\pipe\\rota-test-%lu-%d", GetCurrentProcessId(), count++);
  server = CreateNamedPipeA(name, PIPE_ACCESS_DUPLEX | FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE,
                            PIPE_TYPE_BYTE | PIPE_WAIT, 1, 65536, 65536, 0, NULL);
  CHECK(server != INVALID_HANDLE_VALUE);
  client = CreateFileA(name, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING, FILE_FLAG_OVERLAPPED, NULL);
  fds[0] = descriptor_of(server);
  fds[1] = descriptor_of(client);
}

/* Waits for an operation of a handle that is opened for operations that do not wait. */
static ssize_t finish(HANDLE handle, BOOL done, OVERLAPPED *operation) {
  DWORD count = 0;
  if (!done && GetLastError() != ERROR_IO_PENDING)
    return -1;
  return GetOverlappedResult(handle, operation, &count, TRUE) ? (ssize_t)count : -1;
}

ssize_t peer_read(uv_file fd, void *bytes, size_t size) {
  HANDLE handle = handle_of(fd);
  OVERLAPPED operation = {0};
  DWORD available = 0;
  ssize_t count;
  if (!PeekNamedPipe(handle, NULL, 0, NULL, &available, NULL)) {
    CHECK_EQ(GetLastError(), ERROR_BROKEN_PIPE);
    return 0;
  }
  if (available == 0) {
    errno = EAGAIN;
    return -1;
  }
  operation.hEvent = CreateEventA(NULL, TRUE, FALSE, NULL);
  count = finish(handle, ReadFile(handle, bytes, (DWORD)size, NULL, &operation), &operation);
  CloseHandle(operation.hEvent);
  return count;
}

ssize_t peer_write(uv_file fd, const void *bytes, size_t size) {
  HANDLE handle = handle_of(fd);
  OVERLAPPED operation = {0};
  ssize_t count;
  operation.hEvent = CreateEventA(NULL, TRUE, FALSE, NULL);
  count = finish(handle, WriteFile(handle, bytes, (DWORD)size, NULL, &operation), &operation);
  CloseHandle(operation.hEvent);
  return count;
}

void peer_close(uv_file fd) {
  CHECK_EQ(_close(fd), 0);
}

const char *local_name(const char *word) {
  static char names[4][64];
  static int next;
  char *name = names[next++ % 4];
  snprintf(name, sizeof names[0], "\\\\.\\pipe\\rota-test-%lu-%s", GetCurrentProcessId(), word);
  return name;
}

bool descriptor_is_open(uv_file fd) {
  return _get_osfhandle(fd) != -1;
}

void end_at_broken_pipes(bool end) {
  (void)end;
}

/* There is no limit of the process. */
void allow_descriptors(int count) {
  (void)count;
}

void make_pipe(uv_file fds[2]) {
  CHECK_EQ(_pipe(fds, 65536, _O_BINARY | _O_NOINHERIT), 0);
}

void forget_content(uv_file fd) {
  CHECK(FlushFileBuffers(handle_of(fd)));
}

/* One after the other: as many as there are. */
int buffers_of_a_read(void) {
  return INT32_MAX;
}

void make_link(const char *target, const char *path) {
  /* Wine says that it has made one, and has not. */
  if (!CreateSymbolicLinkA(path, target, SYMBOLIC_LINK_FLAG_ALLOW_UNPRIVILEGED_CREATE) ||
      GetFileAttributesA(path) == INVALID_FILE_ATTRIBUTES)
    SKIP("this user, or this system, may not make symbolic links");
}

void set_variable(const char *name, const char *value) {
  CHECK_EQ(_putenv_s(name, value), 0);
}

void unset_variable(const char *name) {
  CHECK_EQ(_putenv_s(name, ""), 0);
}

/* A process exists as long as somebody has a handle of it: that of the library is counted where handles are. */
bool child_is_reaped(int pid) {
  HANDLE process = OpenProcess(SYNCHRONIZE, FALSE, (DWORD)pid);
  bool has_ended = process == NULL || WaitForSingleObject(process, 0) == WAIT_OBJECT_0;
  if (process != NULL)
    CloseHandle(process);
  return has_ended;
}

int status_of_killed(void) {
  return 1;
}
