/* The life of the pool: it starts again in a forked child, and ends with the library. */
#include "test.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef RTLD_DEEPBIND /* musl has none; symbols of a library that is loaded apart are its own there anyway */
#define RTLD_DEEPBIND 0
#endif

static void nothing(uv_work_t *work) {
  (void)work;
}

static void count_done(uv_work_t *work, int status) {
  CHECK_EQ(status, 0);
  ++*(int *)work->data;
}

static void use_pool(uv_loop_t *loop) {
  uv_work_t works[3];
  int done = 0;
  for (int i = 0; i < 3; i++) {
    works[i].data = &done;
    CHECK_EQ(uv_queue_work(loop, &works[i], nothing, count_done), 0);
  }
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(done, 3);
}

/* ---- fork ---- */

enum { CHILDREN = 150, THREADS = 4 };
static _Atomic int ready;

static void use_pool_at_once(void *unused) {
  uv_loop_t loop;
  (void)unused;
  CHECK_EQ(uv_loop_init(&loop), 0);
  ready++;
  for (int looks = 0; ready < THREADS; looks++)
    if (looks % 10000 == 0)
      sched_yield();
  use_pool(&loop);
  CHECK_EQ(uv_loop_close(&loop), 0);
}

static void be_child(void) {
  uv_thread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(uv_thread_create(&threads[i], use_pool_at_once, NULL), 0);
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(uv_thread_join(&threads[i]), 0);
  _exit(0);
}

/* A child in which two threads make the pool again would lose jobs, and hang; the time limit of the test catches
 * that. */
TEST(pool_is_first_used_by_several_threads_of_a_forked_child) {
#ifdef __SANITIZE_THREAD__
  SKIP("the sanitizer knows no threads in a child of a process that has several");
#endif
#ifdef __SANITIZE_ADDRESS__
  SKIP("a thread of the parent may hold a lock of the sanitizer's allocator, which no thread of the child releases");
#endif
  use_pool(uv_default_loop());
  for (int i = 0; i < CHILDREN; i++) {
    pid_t child = fork();
    int status;
    CHECK(child >= 0);
    if (child == 0)
      be_child();
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
  }
  test_close_default_loop();
}

enum { JOBS = 10 };

static void write_point(uv_work_t *work) {
  (void)work;
  uv_sleep(10);
  CHECK_EQ(write(1, ".", 1), 1);
}

static void queue_points(void) {
  static uv_work_t works[JOBS];
  CHECK_EQ(uv_os_setenv("UV_THREADPOOL_SIZE", "2"), 0);
  for (int i = 0; i < JOBS; i++)
    CHECK_EQ(uv_queue_work(uv_default_loop(), &works[i], write_point, NULL), 0);
}

/* The child's end is a process's end, too, but the jobs belong to the parent. */
HELPER(forks_with_jobs) {
  queue_points();
  pid_t child = fork();
  int status;
  if (child == 0)
    exit(0);
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
  return 0;
}

/* What a helper wrote before it ended well. */
static const char *output_of(const char *helper) {
  static char text[100];
  char command[5000];
  snprintf(command, sizeof command, "'%s' --helper %s", test_program(), helper);
  FILE *output = popen(command, "r");
  CHECK(output != NULL);
  text[fread(text, 1, sizeof text - 1, output)] = '\0';
  CHECK_EQ(pclose(output), 0);
  return text;
}

TEST(pool_jobs_are_not_done_by_a_forked_child) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  SKIP("a sanitizer does not stand the end of a child whose parent has several threads: its locks may be held");
#endif
  CHECK_STR(output_of("forks_with_jobs"), "..........");
}

/* ---- the end of the library ---- */

static void copy_file(const char *from, const char *to) {
  char block[65536];
  ssize_t n;
  int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_EXCL, 0755);
  CHECK(in >= 0 && out >= 0);
  while ((n = read(in, block, sizeof block)) > 0)
    CHECK_EQ(write(out, block, (size_t)n), n);
  close(in);
  close(out);
}

/* Nothing else in this process uses a copy of the library: it can be unloaded. */
static void *load_copy(void) {
  Dl_info library;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  SKIP("a sanitizer does not know what to do with a second library of the same functions");
#endif
  CHECK(dladdr((void *)uv_version, &library) != 0);
  if (strstr(library.dli_fname, ".so") == NULL)
    SKIP("the library is part of the program");
#if defined(__linux__) && !defined(__GLIBC__)
  SKIP("musl unloads no library");
#endif
  copy_file(library.dli_fname, "./copy.so");
  void *copy = dlopen("./copy.so", RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  CHECK(copy != NULL);
  return copy;
}

TEST(pool_threads_are_gone_before_the_library_is_unloaded) {
  void *copy = load_copy();
  int (*init)(uv_loop_t *), (*run)(uv_loop_t *, uv_run_mode), (*close_loop)(uv_loop_t *);
  int (*queue)(uv_loop_t *, uv_work_t *, uv_work_cb, uv_after_work_cb);
  *(void **)&init = dlsym(copy, "uv_loop_init");
  *(void **)&run = dlsym(copy, "uv_run");
  *(void **)&close_loop = dlsym(copy, "uv_loop_close");
  *(void **)&queue = dlsym(copy, "uv_queue_work");
  uv_loop_t loop;
  uv_work_t works[8];
  int done = 0;
  CHECK_EQ(init(&loop), 0);
  for (int i = 0; i < 8; i++) {
    works[i].data = &done;
    CHECK_EQ(queue(&loop, &works[i], nothing, count_done), 0);
  }
  CHECK_EQ(run(&loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(done, 8);
  CHECK_EQ(close_loop(&loop), 0);
  CHECK_EQ(dlclose(copy), 0);
  CHECK(dlopen("./copy.so", RTLD_NOW | RTLD_NOLOAD) == NULL);
  uv_sleep(100); /* a thread that was left behind would run unmapped code */
}
