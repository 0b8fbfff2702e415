/* Threads: their stacks, as pthreads tell them, and signals. */
#include "test.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

static void measure_stack(void *arg) {
  pthread_attr_t attributes;
  CHECK_EQ(pthread_getattr_np(pthread_self(), &attributes), 0);
  CHECK_EQ(pthread_attr_getstacksize(&attributes, arg), 0);
  pthread_attr_destroy(&attributes);
}

static size_t stack_size_for(size_t wanted) {
  uv_thread_options_t options = {.flags = UV_THREAD_HAS_STACK_SIZE, .stack_size = wanted};
  uv_thread_t thread;
  size_t size = 0;
  CHECK_EQ(uv_thread_create_ex(&thread, &options, measure_stack, &size), 0);
  CHECK_EQ(uv_thread_join(&thread), 0);
  return size;
}

/* In whole pages. A C library may count a part of its own, less than a page, to the stack. */
static void check_stack_size(size_t wanted) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (wanted + page - 1) / page * page;
  size_t size = stack_size_for(wanted);
  CHECK(size >= pages && size < pages + page);
}

TEST(thread_stack_size) {
  check_stack_size((size_t)1024 * 1024);
  check_stack_size((size_t)8 * 1024 * 1024);
  check_stack_size(1234567);
  CHECK(stack_size_for(42) >= (size_t)sysconf(_SC_THREAD_STACK_MIN));
}

TEST(thread_stack_size_by_default) {
  struct rlimit limit;
  CHECK_EQ(getrlimit(RLIMIT_STACK, &limit), 0);
  size_t expected = limit.rlim_cur == RLIM_INFINITY ? 2 * 1024 * 1024 : limit.rlim_cur;
  CHECK(stack_size_for(0) >= expected);
  uv_thread_t thread;
  size_t size = 0;
  CHECK_EQ(uv_thread_create(&thread, measure_stack, &size), 0);
  CHECK_EQ(uv_thread_join(&thread), 0);
  CHECK(size >= expected);
}

static void ignore_signal(int number) {
  (void)number;
}

static void post_after_signal(void *arg) {
  uv_sleep(20);
  kill(getpid(), SIGUSR1);
  uv_sleep(20);
  uv_sem_post(arg);
}

TEST(thread_semaphore_waits_through_signals) {
  struct sigaction action = {.sa_handler = ignore_signal};
  uv_thread_t thread;
  uv_sem_t sem;
  sigaction(SIGUSR1, &action, NULL);
  CHECK_EQ(uv_sem_init(&sem, 0), 0);
  CHECK_EQ(uv_thread_create(&thread, post_after_signal, &sem), 0);
  uv_sem_wait(&sem);
  CHECK_EQ(uv_sem_trywait(&sem), UV_EAGAIN);
  CHECK_EQ(uv_thread_join(&thread), 0);
  uv_sem_destroy(&sem);
}

TEST(thread_mutex_is_not_recursive) {
  uv_mutex_t mutex;
  CHECK_EQ(uv_mutex_init(&mutex), 0);
  CHECK_EQ(uv_mutex_trylock(&mutex), 0);
  CHECK_EQ(uv_mutex_trylock(&mutex), UV_EBUSY);
  uv_mutex_unlock(&mutex);
  uv_mutex_destroy(&mutex);
}
