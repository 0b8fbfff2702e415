#include "command/live/live.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { NAME_SIZE = 96, LISTENING = 0x0a, DESCRIPTORS_MAX = 1 << 20 };
enum { ACCEPTS = 0x10000 }; /* of the flags in /proc/net/unix: it waits for connections */

static FILE *open_file(pid_t process, const char *name) {
  char path[NAME_SIZE];
  snprintf(path, sizeof path, "/proc/%d/%s", (int)process, name);
  return fopen(path, "re");
}

ssize_t live_read_file(pid_t process, const char *name, char *text, size_t size) {
  FILE *file = open_file(process, name);
  if (file == NULL)
    return -1;
  size_t length = fread(text, 1, size - 1, file);
  bool failed = ferror(file) != 0;
  fclose(file);
  text[length] = 0;
  return failed ? -1 : (ssize_t)length;
}

/* ---- its state ---- */

static bool read_status(pid_t process, const char *name, struct live_status *status) {
  FILE *file = open_file(process, name);
  char line[512];
  *status = (struct live_status){.inner_process = (int)process};
  if (file == NULL)
    return false;
  while (fgets(line, sizeof line, file) != NULL) {
    char *value = strchr(line, ':');
    if (value == NULL)
      continue;
    *value++ = 0;
    if (strcmp(line, "State") == 0)
      status->state = value[strspn(value, " \t")];
    else if (strcmp(line, "Uid") == 0)
      status->user = (uid_t)strtoul(value, NULL, 10);
    else if (strcmp(line, "Tgid") == 0)
      status->group = atoi(value);
    else if (strcmp(line, "PPid") == 0)
      status->parent = atoi(value);
    else if (strcmp(line, "NSpid") == 0 && strrchr(value, '\t') != NULL)
      status->inner_process = atoi(strrchr(value, '\t'));
    else if (strcmp(line, "SigBlk") == 0)
      status->blocked = strtoull(value, NULL, 16);
    else if (strcmp(line, "SigIgn") == 0)
      status->ignored = strtoull(value, NULL, 16);
    else if (strcmp(line, "SigCgt") == 0)
      status->caught = strtoull(value, NULL, 16);
  }
  fclose(file);
  return status->state != 0;
}

bool live_status_read(pid_t process, struct live_status *status) {
  return read_status(process, "status", status);
}

bool live_blocks_everywhere(pid_t process, int signum) {
  char path[NAME_SIZE];
  bool is_blocked = true;
  snprintf(path, sizeof path, "/proc/%d/task", (int)process);
  DIR *tasks = opendir(path);
  for (struct dirent *entry = tasks != NULL ? readdir(tasks) : NULL; entry != NULL && is_blocked;
       entry = readdir(tasks)) {
    struct live_status status;
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "task/%.20s/status", entry->d_name);
    if (entry->d_name[0] != '.' && read_status(process, name, &status))
      is_blocked = (status.blocked >> (signum - 1) & 1) != 0;
  }
  if (tasks != NULL)
    closedir(tasks);
  return is_blocked;
}

bool live_shares_namespace(pid_t process, const char *name) {
  char path[NAME_SIZE];
  struct stat its, ours;
  snprintf(path, sizeof path, "/proc/%d/ns/%s", (int)process, name);
  bool is_known = stat(path, &its) == 0;
  snprintf(path, sizeof path, "/proc/self/ns/%s", name);
  return !is_known || stat(path, &ours) != 0 || (its.st_ino == ours.st_ino && its.st_dev == ours.st_dev);
}

void live_describe_thread(pid_t process, char *text, size_t size) {
  char name[NAME_SIZE], where[64] = "";
  struct live_status status;
  if (!live_status_read(process, &status) || status.state == 'Z') {
    snprintf(text, size, "it has ended");
    return;
  }
  snprintf(name, sizeof name, "task/%d/wchan", (int)process);
  live_read_file(process, name, where, sizeof where);
  if (status.state == 'T' || status.state == 't')
    snprintf(text, size, "it is stopped, by a signal or a debugger (SIGCONT continues it)");
  else if (status.state == 'R')
    snprintf(text, size, "it computes");
  else
    snprintf(text, size, "it waits in the kernel%s%s%s", where[0] > '0' ? " (" : "", where[0] > '0' ? where : "",
             where[0] > '0' ? ")" : "");
}

/* ---- its sockets ---- */

/* The kernel prints the address as words in its own byte order. */
static bool read_address(const char *text, bool is_six, unsigned int port, struct live_listener *listener) {
  uint32_t words[4] = {0};
  char digits[9] = {0}, *end;
  size_t count = is_six ? 4 : 1;
  for (size_t i = 0; i < count; i++, text += 8) {
    memcpy(digits, text, 8);
    words[i] = (uint32_t)strtoul(digits, &end, 16);
    if (end != digits + 8)
      return false;
  }
  unsigned int its_port = text[0] == ':' ? (unsigned int)strtoul(text + 1, NULL, 16) : 0;
  if (its_port == 0 || (port != 0 && port != its_port))
    return false;
  if (is_six) {
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)&listener->address;
    *six = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)its_port)};
    memcpy(&six->sin6_addr, words, sizeof words);
    if (IN6_IS_ADDR_UNSPECIFIED(&six->sin6_addr))
      six->sin6_addr = in6addr_loopback;
    listener->length = sizeof *six;
  } else {
    struct sockaddr_in *four = (struct sockaddr_in *)&listener->address;
    *four = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)its_port)};
    four->sin_addr.s_addr = words[0] != 0 ? words[0] : htonl(INADDR_LOOPBACK);
    listener->length = sizeof *four;
  }
  return true;
}

static size_t read_table(pid_t process, bool is_six, unsigned int port, struct live_listener *listeners, size_t most) {
  FILE *file = open_file(process, is_six ? "net/tcp6" : "net/tcp");
  char line[512], local[80];
  size_t count = 0;
  while (file != NULL && count < most && fgets(line, sizeof line, file) != NULL) {
    unsigned int state;
    uint64_t inode;
    if (sscanf(line, " %*d: %79s %*s %x %*s %*s %*s %*s %*s %" SCNu64, local, &state, &inode) == 3 &&
        state == LISTENING && strlen(local) == (is_six ? 37u : 13u) &&
        read_address(local, is_six, port, &listeners[count]))
      listeners[count++].inode = inode;
  }
  if (file != NULL)
    fclose(file);
  return count;
}

size_t live_listeners(pid_t process, unsigned int port, struct live_listener *listeners, size_t most) {
  size_t count = read_table(process, false, port, listeners, most);
  return count + read_table(process, true, port, listeners + count, most - count);
}

bool live_owns_socket(pid_t process, uint64_t inode) {
  char path[NAME_SIZE], wanted[40], found[64];
  bool owns = false;
  snprintf(path, sizeof path, "/proc/%d/fd", (int)process);
  snprintf(wanted, sizeof wanted, "socket:[%" PRIu64 "]", inode);
  DIR *folder = opendir(path);
  int seen = 0;
  for (struct dirent *entry = folder != NULL ? readdir(folder) : NULL; entry != NULL && !owns && seen < DESCRIPTORS_MAX;
       entry = readdir(folder), seen++) {
    ssize_t length = readlinkat(dirfd(folder), entry->d_name, found, sizeof found - 1);
    found[length > 0 ? length : 0] = 0;
    owns = strcmp(found, wanted) == 0;
  }
  if (folder != NULL)
    closedir(folder);
  return owns;
}

pid_t live_find_owner(uint64_t inode) {
  pid_t owner = 0;
  DIR *all = opendir("/proc");
  for (struct dirent *entry = all != NULL ? readdir(all) : NULL; entry != NULL && owner == 0; entry = readdir(all)) {
    pid_t process = (pid_t)strtol(entry->d_name, NULL, 10);
    if (process > 0 && live_owns_socket(process, inode))
      owner = process;
  }
  if (all != NULL)
    closedir(all);
  return owner;
}

/* ---- the socket of a process that was started for attaching ---- */

static int connect_to_name(const char *name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int length = snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "%s", name);
  int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (fd >= 0 && connect(fd, (const struct sockaddr *)&address,
                         (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length)) == 0)
    return fd;
  if (fd >= 0)
    close(fd);
  return -1;
}

/* The process may have given its socket away since, or have ended. */
static bool is_the_process(int fd, pid_t process) {
  struct ucred peer;
  socklen_t length = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.pid == process &&
         (peer.uid == geteuid() || geteuid() == 0);
}

/* Others may have taken names like it: only a socket that is among those of the process is looked at. */
int live_connect(pid_t process) {
  FILE *file = open_file(process, "net/unix");
  char line[512], name[sizeof((struct sockaddr_un *)0)->sun_path];
  int fd = -1;
  while (file != NULL && fd < 0 && fgets(line, sizeof line, file) != NULL) {
    unsigned int flags, type;
    uint64_t inode;
    if (sscanf(line, "%*s %*s %*s %x %x %*x %" SCNu64 " @%79[!-~]", &flags, &type, &inode, name) != 4 ||
        (flags & ACCEPTS) == 0 || type != SOCK_SEQPACKET || strncmp(name, "rota-attach.", 12) != 0 ||
        !live_owns_socket(process, inode))
      continue;
    fd = connect_to_name(name);
    if (fd >= 0 && !is_the_process(fd, process)) {
      close(fd);
      fd = -1;
    }
  }
  if (file != NULL)
    fclose(file);
  return fd;
}
