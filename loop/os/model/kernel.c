#include "loop/os/model/model.h"

#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loop/base/check.h"
#include "loop/base/units.h"

enum { DESCRIPTORS = 1024, STANDARD = 3, CALL_NS_MAX = 2000 };

static struct {
  struct rota_model_options options;
  uint64_t random;
  uint64_t now_ns;
  uint64_t calls;
  struct rota_link objects;
  bool is_advancing;
  struct rota_model_open *opens[DESCRIPTORS];
} kernel;

/* ---- chance ----
 *
 * The generator is splitmix64, by its published formula. */

uint64_t rota__model_random(void) {
  uint64_t x = kernel.random += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

uint64_t rota__model_below(uint64_t limit) {
  return rota__model_random() % limit;
}

bool rota__model_chance(unsigned int in_a_thousand) {
  return in_a_thousand > 0 && rota__model_below(1000) < in_a_thousand;
}

const struct rota_model_options *rota__model_options(void) {
  return &kernel.options;
}

/* ---- time and calls ---- */

uint64_t rota__model_now_ns(void) {
  return kernel.now_ns;
}

void rota__model_set_now(uint64_t ns) {
  if (ns > kernel.now_ns)
    kernel.now_ns = ns;
}

void rota__model_pass(uint64_t duration_ns) {
  kernel.now_ns += duration_ns;
}

uint64_t rota__model_calls(void) {
  return kernel.calls;
}

void rota__model_log(const char *format, ...) {
  char line[256];
  va_list arguments;
  if (kernel.options.log == NULL)
    return;
  int length = snprintf(line, sizeof line, "%10.6f  ", (double)kernel.now_ns / NS_PER_SECOND);
  va_start(arguments, format);
  vsnprintf(line + length, sizeof line - (size_t)length, format, arguments);
  va_end(arguments);
  kernel.options.log(line);
}

void rota__model_call(const char *name, int64_t argument) {
  if (kernel.is_advancing)
    return;
  kernel.calls++;
  kernel.now_ns += 1 + rota__model_below(CALL_NS_MAX);
  if (kernel.options.log != NULL)
    rota__model_log("    %s %lld", name, (long long)argument);
  if (rota__model_has_signal(*rota__model_mask()))
    rota__model_handle_signals();
}

void rota__model_work(uint64_t duration_ns) {
  rota__model_pass(duration_ns);
  rota__model_yield();
}

/* ---- objects ---- */

void *rota__model_object(const struct rota_model_kind *kind, size_t size) {
  struct rota_model_object *object = calloc(1, size);
  if (object == NULL)
    abort();
  object->kind = kind;
  object->refs = 1;
  rota__list_append(&kernel.objects, &object->link);
  return object;
}

void rota__model_drop(struct rota_model_object *object) {
  if (--object->refs > 0)
    return;
  rota__list_remove(&object->link);
  object->kind->release(object);
}

uint64_t rota__model_next_change(void) {
  uint64_t next_ns = UINT64_MAX;
  for (struct rota_link *link = kernel.objects.next; link != &kernel.objects; link = link->next) {
    struct rota_model_object *object = rota__container_of(link, struct rota_model_object, link);
    uint64_t ns = object->kind->next_ns == NULL ? UINT64_MAX : object->kind->next_ns(object);
    if (ns > kernel.now_ns && ns < next_ns)
      next_ns = ns;
  }
  return next_ns;
}

/* What one object does may make others, or be their end, but not that of the next one that advances. */
void rota__model_advance(void) {
  if (kernel.is_advancing)
    return;
  kernel.is_advancing = true;
  for (struct rota_link *link = kernel.objects.next; link != &kernel.objects;) {
    struct rota_model_object *object = rota__container_of(link, struct rota_model_object, link);
    if (object->kind->advance == NULL) {
      link = link->next;
      continue;
    }
    object->refs++;
    object->kind->advance(object);
    link = link->next;
    rota__model_drop(object);
  }
  kernel.is_advancing = false;
}

/* ---- descriptors ---- */

void rota__model_keep(struct rota_model_open *open) {
  open->refs++;
}

void rota__model_drop_open(struct rota_model_open *open) {
  if (--open->refs > 0)
    return;
  rota__model_drop(open->object);
  free(open);
}

static int lowest_free(int from) {
  int most = kernel.options.descriptors_max;
  if (most == 0 || most > DESCRIPTORS)
    most = DESCRIPTORS;
  if (rota__model_chance(kernel.options.no_descriptors))
    return -EMFILE;
  for (int fd = from; fd < most; fd++)
    if (kernel.opens[fd] == NULL)
      return fd;
  return -EMFILE;
}

int rota__model_install_open(struct rota_model_open *open, int lowest) {
  int fd = lowest_free(lowest);
  if (fd < 0)
    rota__model_drop_open(open);
  else
    kernel.opens[fd] = open;
  return fd;
}

int rota__model_install(struct rota_model_object *object, int flags) {
  struct rota_model_open *open = calloc(1, sizeof *open);
  if (open == NULL)
    abort();
  *open = (struct rota_model_open){.object = object, .refs = 1, .flags = flags};
  return rota__model_install_open(open, 0);
}

struct rota_model_open *rota__model_open_of(int fd) {
  return fd < 0 || fd >= DESCRIPTORS ? NULL : kernel.opens[fd];
}

void *rota__model_object_of(int fd, const struct rota_model_kind *kind) {
  struct rota_model_open *open = rota__model_open_of(fd);
  return open == NULL || open->object->kind != kind ? NULL : open->object;
}

int rota__model_remove(int fd) {
  struct rota_model_open *open = rota__model_open_of(fd);
  if (open == NULL)
    return -EBADF;
  kernel.opens[fd] = NULL;
  rota__model_drop_open(open);
  return 0;
}

int rota__model_descriptors(void) {
  int count = 0;
  for (int fd = STANDARD; fd < DESCRIPTORS; fd++)
    count += kernel.opens[fd] != NULL;
  return count;
}

void rota__model_describe(char *text, size_t size) {
  size_t length = 0;
  text[0] = '\0';
  for (int fd = STANDARD; fd < DESCRIPTORS && length < size; fd++)
    if (kernel.opens[fd] != NULL)
      length += (size_t)snprintf(text + length, size - length, " %d:%s", fd, kernel.opens[fd]->object->kind->name);
}

/* ---- the standard descriptors: what is written to them is gone, and there is nothing to read ---- */

static ssize_t read_nothing(struct rota_model_open *open, const struct iovec *vector, int count, int64_t offset) {
  (void)open, (void)vector, (void)count, (void)offset;
  return 0;
}

static ssize_t write_nothing(struct rota_model_open *open, const struct iovec *vector, int count, int64_t offset) {
  (void)open, (void)offset;
  return (ssize_t)rota__model_vector_size(vector, count);
}

static void release_nothing(struct rota_model_object *object) {
  free(object);
}

static unsigned int always_ready(struct rota_model_object *object) {
  (void)object;
  return POLLIN | POLLOUT;
}

static const struct rota_model_kind null_kind = {
    .name = "null", .ready = always_ready, .read = read_nothing, .write = write_nothing, .release = release_nothing};

/* ---- start ---- */

void rota__model_start(const struct rota_model_options *options) {
  kernel.options = *options;
  kernel.random = options->seed;
  kernel.now_ns = NS_PER_SECOND + rota__model_below((uint64_t)100 * NS_PER_SECOND);
  if (kernel.options.buffer_size == 0)
    kernel.options.buffer_size = 65536;
  rota__model_calm();
  rota__list_init(&kernel.objects);
  rota__model_threads_start();
  rota__model_signals_start();
  rota__model_sockets_start();
  rota__model_files_start();
  rota__model_processes_start();
  for (int fd = 0; fd < STANDARD; fd++)
    rota__check(rota__model_install(rota__model_object(&null_kind, sizeof(struct rota_model_object)), O_RDWR) == fd);
}

void rota__model_trouble(const struct rota_model_options *options) {
  size_t buffer_size = kernel.options.buffer_size;
  kernel.options = *options;
  kernel.options.buffer_size = buffer_size;
}

void rota__model_calm(void) {
  struct rota_model_options *options = &kernel.options;
  options->shortened = options->again = options->interrupted = options->withheld = options->resets = 0;
  options->refused = options->no_descriptors = options->disk_errors = options->no_threads = options->lost = 0;
  options->cancelled = 0;
  options->descriptors_max = 0;
  options->delay_max_ns = 0;
}
