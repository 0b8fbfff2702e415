/* Information about the machine: functions since 1.45. */
#include "test.h"

TEST(host_clock_by_name) {
  uv_timespec64_t now;
  CHECK_EQ(uv_clock_gettime((uv_clock_id)1337, &now), UV_EINVAL);
  CHECK_EQ(uv_clock_gettime((uv_clock_id)1337, NULL), UV_EFAULT);
  CHECK_EQ(uv_clock_gettime(UV_CLOCK_REALTIME, &now), 0);
  CHECK(now.tv_sec > 1600000000);
  uint64_t before = uv_hrtime();
  CHECK_EQ(uv_clock_gettime(UV_CLOCK_MONOTONIC, &now), 0);
  CHECK((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec >= before);
}

TEST(host_memory_available) {
  CHECK(uv_get_available_memory() <= uv_get_total_memory());
}

/* The system splits a time into user and system by an estimate of its own, for a thread and for its process apart. Only
 * sums can be compared. */
static int64_t microseconds_used(const uv_rusage_t *usage) {
  return (usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * (int64_t)1000000 + usage->ru_utime.tv_usec +
         usage->ru_stime.tv_usec;
}

static void use_processor(void *arg) {
  (void)arg;
  uv_rusage_t before, now, process;
  CHECK_EQ(uv_getrusage_thread(&before), 0);
  do
    CHECK_EQ(uv_getrusage_thread(&now), 0);
  while (microseconds_used(&now) < microseconds_used(&before) + 5000);
  CHECK_EQ(uv_getrusage(&process), 0);
  CHECK(microseconds_used(&process) >= microseconds_used(&now) / 2);
}

TEST(host_usage_of_a_thread) {
  uv_thread_t thread;
  CHECK_EQ(uv_thread_create(&thread, use_processor, NULL), 0);
  CHECK_EQ(uv_thread_join(&thread), 0);
}
