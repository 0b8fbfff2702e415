/* Entries of a directory through the C library: macOS has no other way. The position of the descriptor counts the
 * entries that were given; each call reads the directory anew and skips them. The caller's buffer grows twofold, so a
 * directory is read a few times, not often. */
#include "loop/os/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static size_t put(const struct dirent *from, char *to, size_t room) {
  size_t name_size = strlen(from->d_name) + 1;
  size_t length = (offsetof(struct rota_directory_entry, name) + name_size + 7) & ~(size_t)7;
  struct rota_directory_entry *entry = (struct rota_directory_entry *)(void *)to;
  if (length > room)
    return 0;
  entry->inode = from->d_ino;
  entry->offset = 0;
  entry->length = (uint16_t)length;
  entry->type = from->d_type;
  memcpy(entry->name, from->d_name, name_size);
  return length;
}

ssize_t rota__os_directory_read(int fd, void *buffer, size_t size) {
  off_t given = lseek(fd, 0, SEEK_CUR), at = 0;
  int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *stream = copy < 0 ? NULL : fdopendir(copy);
  const struct dirent *found;
  size_t used = 0, length;
  if (given < 0 || stream == NULL) {
    int err = -errno;
    if (stream != NULL)
      closedir(stream);
    else if (copy >= 0)
      rota__os_close(copy);
    return err;
  }
  while ((found = readdir(stream)) != NULL) {
    if (at++ < given)
      continue;
    length = put(found, (char *)buffer + used, size - used);
    if (length == 0)
      break;
    used += length;
    given++;
  }
  closedir(stream);
  return lseek(fd, given, SEEK_SET) < 0 ? -errno : (ssize_t)used;
}
