#include "observe/trace/image.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "loop/os/file.h"
#include "loop/os/process.h"

enum { HEAD_SIZE = 256 };

static bool read_head(const char *path, char head[HEAD_SIZE]) {
  uv_stat_t found;
  if (rota__os_stat(path, ROTA_STAT_TARGET, &found) < 0 || !S_ISREG(found.st_mode))
    return false;
  int fd = rota__os_open(path, O_RDONLY, 0);
  ssize_t length = fd < 0 ? fd : rota__os_read(fd, head, HEAD_SIZE - 1);
  if (fd >= 0)
    rota__os_close(fd);
  if (length > 0)
    head[length] = '\0';
  return length > 0;
}

/* The first line of a trace has the process and the time of its beginning (rota__writer_begin). A process that had this
 * number before this one has begun before this one did. */
bool rota__image_has_written(const char *path) {
  char head[HEAD_SIZE];
  int process;
  unsigned long long begun_ns;
  if (!read_head(path, head))
    return false;
  return sscanf(head,
                "[{\"ph\":\"M\",\"name\":\"rota\",\"pid\":%d,\"args\":{\"version\":\"%*[^\"]\",\"format\":%*d,"
                "\"start_ns\":%llu",
                &process, &begun_ns) == 2 &&
         process == rota__os_process_id() && begun_ns >= rota__os_process_begun_ns();
}
