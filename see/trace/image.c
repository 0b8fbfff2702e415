#include "see/trace/image.h"

#include <stdio.h>
#include <sys/stat.h>

#include "loop/os/path.h"
#include "loop/os/self.h"
#include "loop/os/text.h"

enum { HEAD_SIZE = 256 };

/* The first line of a trace has the process and the time of its beginning (rota__writer_begin). A process that had this
 * number before this one has begun before this one did. */
bool rota__image_has_written(const char *path) {
  char head[HEAD_SIZE];
  int process;
  unsigned long long begun_ns;
  uv_stat_t found;
  if (rota__os_stat(path, ROTA_STAT_TARGET, &found) < 0 || !S_ISREG(found.st_mode) ||
      rota__os_read_text(path, head, sizeof(head)) <= 0)
    return false;
  return sscanf(head,
                "[{\"ph\":\"M\",\"name\":\"rota\",\"pid\":%d,\"args\":{\"version\":\"%*[^\"]\",\"format\":%*d,"
                "\"start_ns\":%llu",
                &process, &begun_ns) == 2 &&
         process == rota__os_process_id() && begun_ns >= rota__os_process_begun_ns();
}
