/* Functions of threads since 1.45. */
#include "test.h"

#include <sched.h>

static uv_sem_t running;
static uv_sem_t may_end;

static void do_nothing(void *arg) {
  (void)arg;
}

TEST(thread_detach) {
  uv_thread_t thread;
  CHECK_EQ(uv_thread_create(&thread, do_nothing, NULL), 0);
  CHECK_EQ(uv_thread_detach(&thread), 0);
}

TEST(thread_affinity) {
  uv_thread_t self = uv_thread_self();
  int size = uv_cpumask_size();
  CHECK(size > 0);
  char *before = calloc(3, (size_t)size);
  char *wanted = before + size;
  char *after = wanted + size;
  CHECK_EQ(uv_thread_getaffinity(&self, before, (size_t)size - 1), UV_EINVAL);
  CHECK_EQ(uv_thread_setaffinity(&self, before, NULL, (size_t)size - 1), UV_EINVAL);
  CHECK_EQ(uv_thread_getaffinity(&self, before, (size_t)size), 0);

  int cpu = uv_thread_getcpu();
  CHECK(cpu >= 0 && cpu < size && before[cpu] == 1);
  wanted[cpu] = 1;
  CHECK_EQ(uv_thread_setaffinity(&self, wanted, after, (size_t)size), 0);
  CHECK(memcmp(before, after, (size_t)size) == 0);
  CHECK_EQ(uv_thread_getaffinity(&self, after, (size_t)size), 0);
  CHECK(memcmp(wanted, after, (size_t)size) == 0);
  CHECK_EQ(uv_available_parallelism(), 1);
  free(before);
}

static void take_name(void *arg) {
  (void)arg;
  CHECK_EQ(uv_thread_setname("worker-thread"), 0);
  uv_sem_post(&running);
  uv_sem_wait(&may_end);
}

TEST(thread_name) {
  uv_thread_t self = uv_thread_self();
  uv_thread_t thread;
  char name[32];
  CHECK_EQ(uv_thread_setname(NULL), UV_EINVAL);
  CHECK_EQ(uv_thread_getname(&self, NULL, 5), UV_EINVAL);
  CHECK_EQ(uv_thread_getname(&self, name, 0), UV_EINVAL);

  CHECK_EQ(uv_thread_setname("a name that is too long"), 0);
  CHECK_EQ(uv_thread_getname(&self, name, sizeof(name)), 0);
  CHECK_STR(name, "a name that is ");
  CHECK_EQ(uv_thread_getname(&self, name, 3), 0);
  CHECK_STR(name, "a ");

  CHECK_EQ(uv_sem_init(&running, 0), 0);
  CHECK_EQ(uv_sem_init(&may_end, 0), 0);
  CHECK_EQ(uv_thread_create(&thread, take_name, NULL), 0);
  uv_sem_wait(&running);
  CHECK_EQ(uv_thread_getname(&thread, name, sizeof(name)), 0);
  CHECK_STR(name, "worker-thread");
  uv_sem_post(&may_end);
  CHECK_EQ(uv_thread_join(&thread), 0);
  uv_sem_destroy(&running);
  uv_sem_destroy(&may_end);
}

static void wait_for_end(void *arg) {
  (void)arg;
  uv_sem_wait(&may_end);
}

TEST(thread_priority) {
  uv_thread_t self = uv_thread_self();
  uv_thread_t thread;
  int priority = -1;
  CHECK_EQ(uv_thread_getpriority(self, NULL), UV_EINVAL);
  CHECK_EQ(uv_thread_setpriority(self, UV_THREAD_PRIORITY_LOWEST - 1), UV_EINVAL);
  CHECK_EQ(uv_thread_setpriority(self, UV_THREAD_PRIORITY_HIGHEST + 1), UV_EINVAL);

  CHECK_EQ(uv_sem_init(&may_end, 0), 0);
  CHECK_EQ(uv_thread_create(&thread, wait_for_end, NULL), 0);
  CHECK_EQ(uv_thread_getpriority(thread, &priority), 0);
  CHECK_EQ(priority, 0);
  CHECK_EQ(uv_thread_setpriority(thread, UV_THREAD_PRIORITY_LOWEST), 0);
  CHECK_EQ(uv_thread_getpriority(thread, &priority), 0);
  CHECK_EQ(priority, 0);

  CHECK_EQ(uv_thread_setpriority(self, UV_THREAD_PRIORITY_LOWEST), 0);
  CHECK_EQ(uv_thread_getpriority(self, &priority), 0);
  CHECK_EQ(priority, 4);

  uv_sem_post(&may_end);
  CHECK_EQ(uv_thread_join(&thread), 0);
  uv_sem_destroy(&may_end);
}
