/* The title of the process: what tools like ps show as its command line.
 *
 * They read the memory in which the kernel put the arguments, so a title is written there. The arguments are copied
 * before, and the program uses the copy. Invariant: title.memory[title.length] and all behind it is zero, with at least
 * one byte of it, once a title was set. */
#include <pthread.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/os/thread.h"
#include "uv.h"

static struct {
  pthread_mutex_t lock;
  char *memory; /* null before uv_setup_args */
  size_t capacity;
  size_t length;
  char **arguments; /* the copy: the program uses it until it ends, so it is never freed */
} title = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The kernel puts the arguments one after the other; an argv that the program made may be laid out differently. */
static size_t contiguous_size(int argc, char **argv) {
  size_t size = strlen(argv[0]) + 1;
  for (int i = 1; i < argc && argv[i] == argv[0] + size; i++)
    size += strlen(argv[i]) + 1;
  return size;
}

char **uv_setup_args(int argc, char **argv) {
  if (argc <= 0)
    return argv;

  size_t table_size = ((size_t)argc + 1) * sizeof(char *);
  size_t text_size = 0;
  for (int i = 0; i < argc; i++)
    text_size += strlen(argv[i]) + 1;
  char **copy = rota__malloc(table_size + text_size);
  if (copy == NULL)
    return argv; /* and the title cannot be changed */
  char *text = (char *)copy + table_size;
  for (int i = 0; i < argc; i++) {
    size_t size = strlen(argv[i]) + 1;
    copy[i] = memcpy(text, argv[i], size);
    text += size;
  }
  copy[argc] = NULL;

  pthread_mutex_lock(&title.lock);
  title.memory = argv[0];
  title.length = strlen(argv[0]);
  title.capacity = contiguous_size(argc, argv);
  title.arguments = copy;
  pthread_mutex_unlock(&title.lock);
  return copy;
}

int uv_set_process_title(const char *new_title) {
  int err = 0;
  pthread_mutex_lock(&title.lock);
  if (title.memory == NULL) {
    err = UV_ENOBUFS;
  } else {
    title.length = strnlen(new_title, title.capacity - 1);
    memmove(title.memory, new_title, title.length);
    memset(title.memory + title.length, 0, title.capacity - title.length);
    rota__os_thread_set_name(title.memory);
  }
  pthread_mutex_unlock(&title.lock);
  return err;
}

int uv_get_process_title(char *buffer, size_t size) {
  if (buffer == NULL || size == 0)
    return UV_EINVAL;
  int err = 0;
  pthread_mutex_lock(&title.lock);
  if (title.memory == NULL || size <= title.length) {
    err = UV_ENOBUFS;
  } else {
    memcpy(buffer, title.memory, title.length);
    buffer[title.length] = '\0';
  }
  pthread_mutex_unlock(&title.lock);
  return err;
}
