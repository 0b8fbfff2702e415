/* Small files: opened without waiting, read into the given buffer, closed if that was the whole file.
 *
 * A short read does not prove that the end was reached (pipes, /proc). The file's size is asked instead, which costs
 * less than a read at the end. A file without a size, or with another one, is left open. */
#include "loop/fs/whole_file.h"

#include <fcntl.h>
#include <unistd.h>

#include "loop/os/file.h"

enum { FEW = 4 }; /* too few for a ring */

void rota__fs_read_small_file(rota_small_file_t *file) {
  int fd = rota__os_open_at(file->directory, file->path, file->flags | O_NONBLOCK, 0666);
  file->fd = -1;
  file->is_open_error = fd < 0;
  if (fd < 0)
    file->result = fd;
  else
    rota__fs_read_open_file(file, fd);
}

void rota__fs_read_open_file(rota_small_file_t *file, int fd) {
  file->fd = -1;
  file->result = rota__os_read(fd, file->room, file->size);
  bool is_all = file->result > 0 && file->result < (int64_t)file->size;
  if ((is_all && rota__os_seek(fd, 0, SEEK_END) == file->result) || (file->result < 0 && file->result != UV_EAGAIN)) {
    rota__os_close(fd);
    return;
  }
  if (file->result < 0)
    file->result = 0;
  rota__os_seek(fd, file->result, SEEK_SET);
  file->fd = fd;
}

void rota_read_small_files(rota_small_file_t *files, unsigned int count) {
  unsigned int done = count > FEW ? rota__fs_read_small_files(files, count) : 0;
  for (; done < count; done++)
    rota__fs_read_small_file(&files[done]);
}
