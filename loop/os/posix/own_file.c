#include "loop/os/own_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 10, OWNERS_ALONE = 0600, OTHERS = 077 };

/* Names of descriptors are symbolic links of the system's. */
static bool is_name_of_descriptor(const char *path) {
  static const char *const names[] = {"/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/self/fd/"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    size_t length = strlen(names[i]);
    if (names[i][length - 1] == '/' ? strncmp(path, names[i], length) == 0 : strcmp(path, names[i]) == 0)
      return true;
  }
  return false;
}

/* Only the system's administrator makes devices. */
static int judge(const struct stat *status) {
  bool is_own = status->st_uid == geteuid();
  if (S_ISLNK(status->st_mode))
    return -ELOOP;
  if (S_ISREG(status->st_mode) && is_own)
    return status->st_nlink > 1 ? -EMLINK : 0;
  return is_own || S_ISCHR(status->st_mode) || S_ISBLK(status->st_mode) ? 0 : -EEXIST;
}

static int open_again(const char *path, int flags) {
  int fd;
  do
    fd = open(path, flags | O_WRONLY | O_NOCTTY | O_CLOEXEC, OWNERS_ALONE);
  while (fd < 0 && errno == EINTR);
  return fd < 0 ? -errno : fd;
}

/* It may have become another file between the two looks. */
static int open_existing(const char *path) {
  struct stat status;
  if (lstat(path, &status) < 0)
    return -errno;
  int err = judge(&status);
  int fd = err < 0 ? err : open_again(path, O_NOFOLLOW);
  if (fd < 0)
    return fd;
  err = fstat(fd, &status) < 0 ? -errno : judge(&status);
  if (err < 0) {
    close(fd);
    return err;
  }
  /* Some file systems have no modes. */
  if (S_ISREG(status.st_mode) && (status.st_mode & OTHERS) != 0)
    (void)!fchmod(fd, OWNERS_ALONE);
  return fd;
}

int rota__os_own_file_open(const char *path) {
  int fd = -ENOENT;
  if (is_name_of_descriptor(path))
    return open_again(path, 0);
  for (int i = 0; i < ATTEMPTS && fd == -ENOENT; i++) { /* what is there may be removed meanwhile */
    fd = open_again(path, O_CREAT | O_EXCL | O_NOFOLLOW);
    if (fd == -ENOENT)
      return fd; /* the directory */
    if (fd == -EEXIST)
      fd = open_existing(path);
  }
  return fd;
}

int rota__os_own_file_check(const char *path) {
  struct stat status;
  if (is_name_of_descriptor(path))
    return 0;
  if (lstat(path, &status) < 0)
    return errno == ENOENT ? 0 : -errno;
  int err = judge(&status);
  return err == 0 && access(path, W_OK) < 0 ? -errno : err;
}

const char *rota__os_own_file_fault(int err) {
  switch (err) {
  case -ELOOP:
    return "this is a symbolic link, which is not followed";
  case -EMLINK:
    return "this file has a second name (a hard link), whose content would be overwritten";
  case -EEXIST:
    return "this belongs to another user";
  default:
    return NULL;
  }
}
