/* Loops of the process that are not looked at. Each loop of libuv has a descriptor of epoll; Node has three of them
 * without any worker (18 to 26). */
#include <dirent.h>
#include <string.h>
#include <unistd.h>

#include "inject/agent/agent.h"

enum { OF_NODE = 3 };

static const char epoll[] = "anon_inode:[eventpoll]";

static int count_loops(void) {
  int count = 0;
  DIR *folder = opendir("/proc/self/fd");
  for (struct dirent *entry = folder != NULL ? readdir(folder) : NULL; entry != NULL; entry = readdir(folder)) {
    char text[sizeof epoll];
    ssize_t length = readlinkat(dirfd(folder), entry->d_name, text, sizeof text);
    count += length == sizeof epoll - 1 && memcmp(text, epoll, sizeof epoll - 1) == 0;
  }
  if (folder != NULL)
    closedir(folder);
  return count;
}

void agent_print_others(FILE *out) {
  int count = count_loops() - OF_NODE;
  if (count > 0)
    fprintf(
        out,
        "rota: this is the main thread's loop; %d more %s not looked at (of workers, addons, or an open inspector). "
        "rota run --attach from the start shows workers, too\n",
        count, count == 1 ? "is" : "are");
}
