/* rota_read_small_files: its results for files of every kind, with io_uring and without, and that no file stays
 * open. */
#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "rota.h"
#include "test.h"

enum { ROOM = 4096, LARGE = 10000, ROUNDS = 12 };

static int folder_fd;

static void make_file(const char *name, size_t size) {
  int fd = openat(folder_fd, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  CHECK(fd >= 0);
  for (size_t i = 0; i < size; i++)
    CHECK_EQ(write(fd, &"0123456789"[i % 10], 1), 1);
  CHECK_EQ(close(fd), 0);
}

static const struct {
  const char *name;
  int64_t result;
  int is_open_error, stays_open;
} kinds[] = {
    {"small", 7, 0, 0},          {"empty", 0, 0, 1}, {"large", ROOM, 0, 1}, {"missing", UV_ENOENT, 1, 0},
    {"folder", UV_EISDIR, 0, 0}, {"pipe", 0, 0, 1},  {"written", 3, 0, 1},  {"small/none", UV_ENOTDIR, 1, 0},
};
enum { KINDS = sizeof kinds / sizeof *kinds, COUNT = KINDS * ROUNDS };

static int open_descriptors(void) {
  int count = 0;
  DIR *directory = opendir("/proc/self/fd");
  while (readdir(directory) != NULL)
    count++;
  closedir(directory);
  return count;
}

static void read_all(void *argument) {
  static const char digits[] = "0123456789";
  unsigned int some = (unsigned int)(uintptr_t)argument;
  static char rooms[COUNT][ROOM];
  rota_small_file_t files[COUNT];
  for (unsigned int i = 0; i < COUNT; i++)
    files[i] = (rota_small_file_t){
        .path = kinds[i % KINDS].name, .directory = folder_fd, .flags = O_RDONLY, .room = rooms[i], .size = ROOM};
  for (unsigned int i = 0; i < COUNT; i += some)
    rota_read_small_files(files + i, i + some <= COUNT ? some : COUNT - i);
  for (unsigned int i = 0; i < COUNT; i++) {
    bool is_first_written = i % KINDS == 6 && i < KINDS;
    int64_t expected = i % KINDS == 6 && !is_first_written ? 0 : kinds[i % KINDS].result;
    int64_t whole =
        expected == ROOM && files[i].result == ROOM - 1 ? ROOM - 1 : expected; /* what fits may be one less */
    CHECK_EQ(files[i].result, whole);
    CHECK_EQ(files[i].is_open_error, kinds[i % KINDS].is_open_error);
    CHECK_EQ(files[i].fd >= 0, kinds[i % KINDS].stays_open);
    for (int64_t k = 0; k < files[i].result && i % KINDS != 6; k++)
      CHECK_EQ(rooms[i][k], digits[k % 10]);
    if (i % KINDS == 2) { /* the rest follows, at the right place */
      char next;
      CHECK_EQ(read(files[i].fd, &next, 1), 1);
      CHECK_EQ(next, digits[files[i].result % 10]);
    }
    if (files[i].fd >= 0)
      CHECK_EQ(close(files[i].fd), 0);
  }
}

/* On a thread of its own: its ring must be gone when it ends. */
static void try_with(const char *poller, unsigned int some) {
  uv_thread_t thread;
  int before = open_descriptors();
  int writer = openat(folder_fd, "written", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  CHECK_EQ(write(writer, "012", 3), 3);
  CHECK_EQ(poller != NULL ? uv_os_setenv("ROTA_POLLER", poller) : uv_os_unsetenv("ROTA_POLLER"), 0);
  CHECK_EQ(uv_thread_create(&thread, read_all, (void *)(uintptr_t)some), 0);
  CHECK_EQ(uv_thread_join(&thread), 0);
  CHECK_EQ(close(writer), 0);
  CHECK_EQ(open_descriptors(), before);
}

static void try_in(char *folder) {
  CHECK(mkdtemp(folder) != NULL);
  folder_fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  CHECK(folder_fd >= 0);
  make_file("small", 7);
  make_file("empty", 0);
  make_file("large", LARGE);
  CHECK_EQ(mkdirat(folder_fd, "folder", 0700), 0);
  CHECK_EQ(mkfifoat(folder_fd, "pipe", 0600), 0);
  CHECK_EQ(mkfifoat(folder_fd, "written", 0600), 0);
  try_with("epoll", COUNT);
  try_with(NULL, COUNT);
  try_with(NULL, 5);
  try_with(NULL, 1);
  static const char *const names[] = {"small", "empty", "large", "pipe", "written"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    CHECK_EQ(unlinkat(folder_fd, names[i], 0), 0);
  CHECK_EQ(unlinkat(folder_fd, "folder", AT_REMOVEDIR), 0);
  CHECK_EQ(close(folder_fd), 0);
  CHECK_EQ(rmdir(folder), 0);
}

TEST(small_files_of_every_kind) {
  char folder[] = "/tmp/rota-small-XXXXXX";
  try_in(folder);
}

/* tmpfs cannot read without waiting: the kernel's threads look for the end of a file, and a read may be cancelled
 * between its bytes and its end. */
TEST(small_files_in_memory) {
  struct statfs system;
  if (statfs("/dev/shm", &system) != 0 || system.f_type != TMPFS_MAGIC)
    SKIP("/dev/shm is no tmpfs here");
  uint64_t begin_ns = uv_hrtime(); /* on a machine that takes long for each, fewer are enough */
  for (int i = 0; i < 60 && (i < 8 || uv_hrtime() - begin_ns < 10000000000u); i++) {
    char folder[] = "/dev/shm/rota-small-XXXXXX";
    try_in(folder);
  }
}
