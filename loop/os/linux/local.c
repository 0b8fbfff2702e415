/* Local sockets with names in the kernel's own table (unix(7), abstract), and who is on their other side. */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/un.h>

#include "loop/os/file.h"
#include "loop/os/socket.h"

int rota__os_local_listen(const char *name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t length = strlen(name);
  if (length + 1 > sizeof(address.sun_path))
    return -ENAMETOOLONG;
  memcpy(address.sun_path + 1, name, length); /* the first byte is 0: no file */
  int fd = rota__os_socket(AF_UNIX, SOCK_SEQPACKET, 0);
  if (fd < 0)
    return fd;
  int err = rota__os_bind(fd, (const struct sockaddr *)&address,
                          (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length));
  if (err >= 0)
    err = rota__os_listen(fd, 4);
  if (err >= 0)
    return fd;
  rota__os_close(fd);
  return err;
}

int rota__os_peer(int fd, pid_t *process, uid_t *user) {
  struct ucred peer;
  socklen_t length = sizeof(peer);
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0)
    return -errno;
  *process = peer.pid;
  *user = peer.uid;
  return 0;
}
