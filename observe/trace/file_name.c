#include "observe/trace/trace.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "loop/os/file.h"
#include "loop/os/own_file.h"
#include "loop/os/process.h"
#include "settings/setting.h"

enum { HEAD_SIZE = 256, IMAGES_MAX = 100, ROOM_FOR_NUMBERS = 32 };

int rota__trace_path(char *path, size_t size, const char *pattern, unsigned int number, bool add_process) {
  size_t length = 0;
  unsigned int process_id = (unsigned int)rota__os_process_id();
  for (const char *from = pattern; *from != '\0'; from++) {
    int n = 1;
    if (from[0] == '%' && (from[1] == 'p' || (from[1] == 'n' && number > 0))) {
      n = snprintf(path + length, size - length, "%u", from[1] == 'p' ? process_id : number);
      from++;
    } else if (length + 1 < size) {
      path[length] = *from;
    }
    length += (size_t)n;
    if (length + 16 >= size)
      return UV_ENAMETOOLONG;
  }
  path[length] = '\0';
  if (add_process)
    snprintf(path + length, size - length, ".%u", process_id);
  return 0;
}

const char *rota__trace_fault(int err) {
  const char *fault = rota__os_own_file_fault(err);
  return fault != NULL ? fault : uv_strerror(err);
}

/* ---- what another program has written ---- */

static bool read_head(const char *path, char head[HEAD_SIZE]) {
  uv_stat_t found; /* a link is not followed, and a pipe would have to be waited for */
  if (rota__os_stat(path, ROTA_STAT_LINK, &found) < 0 || !S_ISREG(found.st_mode))
    return false;
  int fd = rota__os_open(path, O_RDONLY, 0);
  ssize_t length = fd < 0 ? fd : rota__os_read(fd, head, HEAD_SIZE - 1);
  if (fd >= 0)
    rota__os_close(fd);
  if (length > 0)
    head[length] = '\0';
  return length > 0;
}

/* The first line of a trace has the process and the time of its beginning (rota__writer_begin, rota__compact_begin). A
 * process that had this number before this one has begun before this one did. */
bool rota__trace_was_written(const char *path) {
  char head[HEAD_SIZE];
  int process;
  unsigned long long begun_ns;
  if (!read_head(path, head))
    return false;
  bool is_trace = sscanf(head,
                         "[{\"ph\":\"M\",\"name\":\"rota\",\"pid\":%d,\"args\":{\"version\":\"%*[^\"]\",\"format\":%*d,"
                         "\"start_ns\":%llu",
                         &process, &begun_ns) == 2 ||
                  sscanf(head, "rota-trace %*d pid=%d start_ns=%llu", &process, &begun_ns) == 2;
  return is_trace && process == rota__os_process_id() && begun_ns >= rota__os_process_begun_ns();
}

/* ---- this process ---- */

/* The name with a number for this program, if the process was another one before; the first has none. */
static bool name_image(const char *pattern, unsigned int image, char room[ROTA_TRACE_NAME_SIZE]) {
  int length = image < 2 ? snprintf(room, ROTA_TRACE_NAME_SIZE, "%s", pattern)
                         : snprintf(room, ROTA_TRACE_NAME_SIZE, "%s.%u", pattern, image);
  return length < ROTA_TRACE_NAME_SIZE;
}

static bool is_taken(const char *pattern) {
  char path[ROTA_TRACE_NAME_SIZE];
  return rota__trace_path(path, sizeof(path), pattern, 0, false) == 0 && rota__trace_was_written(path);
}

/* A process that becomes another program (execve) has a file for each. */
static const char *name_for_image(const char *pattern, char room[ROTA_TRACE_NAME_SIZE]) {
  unsigned int image = 1;
  while (name_image(pattern, image, room) && is_taken(room) && image < IMAGES_MAX)
    image++;
  return room;
}

/* Child processes inherit the environment. If ROTA_TRACE_FIRST is set to a process id, only that process gets the file
 * name as it is; all others add their process id to the name, also after the first one has ended. The first one strikes
 * its id out, so that a program that takes its place is another one. This is done in place: another thread may be
 * reading the environment. */
const char *rota__trace_name_for_process(const char *trace, char room[ROTA_TRACE_NAME_SIZE]) {
  char *first = trace != NULL ? (char *)rota__setting_value(ROTA_SETTING_TRACE_FIRST) : NULL;
  if (trace == NULL || strlen(trace) + ROOM_FOR_NUMBERS > ROTA_TRACE_NAME_SIZE)
    return trace;
  if (strstr(trace, "%p") != NULL)
    return name_for_image(trace, room);
  if (first == NULL && !rota__trace_was_written(trace))
    return trace;
  if (first != NULL && strtol(first, NULL, 10) == rota__os_process_id()) {
    *first = 'x';
    return trace;
  }
  char pattern[ROTA_TRACE_NAME_SIZE];
  snprintf(pattern, sizeof(pattern), "%s.%%p", trace);
  return name_for_image(pattern, room);
}
