/* The environment, the directories and the title of this process, and its descriptors. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/text.h"
#include "loop/os/host.h"
#include "loop/os/process.h"
#include "loop/os/thread.h"
#include "uv.h"

/* ---- variables ----
 *
 * As with the C library, another thread must not change them at the same time. */

int uv_os_environ(uv_env_item_t **envitems, int *count) {
  *envitems = NULL;
  *count = 0;
  char **environment = rota__os_environment();
  size_t variables = 0;
  if (environment != NULL)
    while (environment[variables] != NULL)
      variables++;

  uv_env_item_t *items = rota__calloc(variables + 1, sizeof(*items));
  if (items == NULL)
    return UV_ENOMEM;
  int kept = 0;
  for (size_t i = 0; i < variables; i++) {
    char *name = rota__strdup(environment[i]);
    if (name == NULL) {
      uv_os_free_environ(items, kept);
      return UV_ENOMEM;
    }
    char *equals = strchr(name, '=');
    if (equals == NULL) { /* an entry that is not a variable */
      rota__free(name);
      continue;
    }
    *equals = '\0';
    items[kept++] = (uv_env_item_t){.name = name, .value = equals + 1};
  }
  *envitems = items;
  *count = kept;
  return 0;
}

void uv_os_free_environ(uv_env_item_t *envitems, int count) {
  for (int i = 0; i < count; i++)
    rota__free(envitems[i].name); /* and its value, which is in the same block */
  rota__free(envitems);
}

int uv_os_getenv(const char *name, char *buffer, size_t *size) {
  if (name == NULL || buffer == NULL || size == NULL || *size == 0)
    return UV_EINVAL;
  const char *value = getenv(name);
  if (value == NULL)
    return UV_ENOENT;
  return rota__text_give(value, strlen(value), buffer, size);
}

int uv_os_setenv(const char *name, const char *value) {
  if (name == NULL || value == NULL)
    return UV_EINVAL;
  return rota__os_setenv(name, value);
}

int uv_os_unsetenv(const char *name) {
  if (name == NULL)
    return UV_EINVAL;
  return rota__os_unsetenv(name);
}

/* ---- directories ----
 *
 * Paths of the process: its working directory, its program, the directory for temporary files. */

int uv_cwd(char *buffer, size_t *size) {
  if (buffer == NULL || size == NULL || *size == 0)
    return UV_EINVAL;
  char *path;
  int err = rota__os_working_directory(&path);
  if (err != 0)
    return err;
  err = rota__text_give(path, strlen(path), buffer, size);
  free(path);
  return err;
}

int uv_chdir(const char *dir) {
  return rota__os_change_directory(dir);
}

/* Unlike the others, a path that does not fit is cut off, and that is a success. */
int uv_exepath(char *buffer, size_t *size) {
  if (buffer == NULL || size == NULL || *size == 0)
    return UV_EINVAL;
  ssize_t length = 0;
  if (*size > 1)
    length = rota__os_program_path(buffer, *size - 1);
  if (length < 0)
    return (int)length;
  buffer[length] = '\0';
  *size = (size_t)length;
  return 0;
}

int uv_os_tmpdir(char *buffer, size_t *size) {
  static const char *const variables[] = {"TMPDIR", "TMP", "TEMP", "TEMPDIR"};
  if (buffer == NULL || size == NULL || *size == 0)
    return UV_EINVAL;
  const char *path = NULL;
  for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]) && path == NULL; i++)
    path = getenv(variables[i]);
  if (path == NULL)
    path = "/tmp";
  /* The slash at its end is taken off in the buffer, and so needs room, as in libuv. */
  int err = rota__text_give(path, strlen(path), buffer, size);
  if (err == 0 && *size > 1 && buffer[*size - 1] == '/')
    buffer[--*size] = '\0';
  return err;
}

/* ---- the title ----
 *
 * The title of the process: what tools like ps show as its command line.
 *
 * They read the memory in which the kernel put the arguments, so a title is written there. The arguments are copied
 * before, and the program uses the copy. Invariant: title.memory[title.length] and all behind it is zero, with at least
 * one byte of it, once a title was set. */

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

/* ---- descriptors ----
 *
 * Conversions that do nothing on this system, and the name that an interface has in an address. */

/* On other systems, a descriptor of the C library and a handle of the system differ. */
uv_os_fd_t uv_get_osfhandle(int fd) {
  return fd;
}

int uv_open_osfhandle(uv_os_fd_t os_fd) {
  return os_fd;
}

int uv_if_indextoiid(unsigned int ifindex, char *buffer, size_t *size) {
  return uv_if_indextoname(ifindex, buffer, size);
}
