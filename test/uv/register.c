#include "runner.h"

#include <stdarg.h>
#include <unistd.h>

struct test_entry *test_entries;
static const char *program_path;

void test_register(struct test_entry *entry) {
  struct test_entry **place = &test_entries;
  while (*place != NULL && strcmp((*place)->name, entry->name) < 0)
    place = &(*place)->next;
  if (*place != NULL && strcmp((*place)->name, entry->name) == 0) {
    fprintf(stderr, "two tests are named %s: in %s and %s\n", entry->name, (*place)->file, entry->file);
    exit(2);
  }
  entry->next = *place;
  *place = entry;
}

/* _exit, because other threads of the test may be at work, and exit handlers would run among them. */
void test_fail(const char *file, int line, const char *format, ...) {
  va_list arguments;
  fflush(stdout);
  fprintf(stderr, "%s:%d: ", file, line);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  fflush(stderr);
  _exit(1);
}

void test_skip(const char *reason) {
  fprintf(stderr, "%s\n", reason);
  fflush(NULL);
  _exit(TEST_SKIPPED);
}

const char *test_program(void) {
  return program_path;
}

static void close_if_open(uv_handle_t *handle, void *unused) {
  (void)unused;
  if (!uv_is_closing(handle))
    uv_close(handle, NULL);
}

void test_close_default_loop(void) {
  uv_loop_t *loop = uv_default_loop();
  uv_walk(loop, close_if_open, NULL);
  uv_run(loop, UV_RUN_DEFAULT);
  CHECK_EQ(uv_loop_close(loop), 0);
}

void test_set_program(const char *path) {
  program_path = path;
}

static struct test_entry *find_entry(const char *name, bool helper) {
  struct test_entry *entry;
  for (entry = test_entries; entry != NULL; entry = entry->next)
    if (strcmp(entry->name, name) == 0 && (entry->help != NULL) == helper)
      return entry;
  return NULL;
}

bool test_was_asked_for_one(int argc, char **argv, int *status) {
  struct test_entry *entry;
  bool is_helper;
  if (argc < 3 || (strcmp(argv[1], "--run") != 0 && strcmp(argv[1], "--helper") != 0))
    return false;
  is_helper = strcmp(argv[1], "--helper") == 0;
  entry = find_entry(argv[2], is_helper);
  *status = 0;
  if (entry == NULL) {
    fprintf(stderr, "there is no %s %s\n", is_helper ? "helper" : "test", argv[2]);
    *status = 2;
  } else if (is_helper) {
    *status = entry->help(argc - 2, argv + 2);
  } else {
    entry->run();
  }
  return true;
}

bool test_is_wanted(const struct test_entry *entry, char **filters, int filter_count) {
  int i;
  if (entry->help != NULL)
    return false;
  for (i = 0; i < filter_count; i++)
    if (strstr(entry->name, filters[i]) != NULL || strstr(entry->file, filters[i]) != NULL)
      return true;
  return filter_count == 0;
}

void test_list(char **filters, int filter_count) {
  struct test_entry *entry;
  for (entry = test_entries; entry != NULL; entry = entry->next)
    if (test_is_wanted(entry, filters, filter_count))
      printf("%s\t%s\n", entry->name, entry->file);
}
