/* Threads and synchronization. */
#include "test.h"

static void note(void *arg) {
  *(int *)arg += 1;
}

TEST(thread_create_and_join) {
  uv_thread_t thread;
  int calls = 0;
  CHECK_EQ(uv_thread_create(&thread, note, &calls), 0);
  CHECK_EQ(uv_thread_join(&thread), 0);
  CHECK_EQ(calls, 1);
}

static void compare_with(void *arg) {
  uv_thread_t self = uv_thread_self();
  uv_thread_t *other = arg;
  CHECK(!uv_thread_equal(&self, other));
}

TEST(thread_equal) {
  uv_thread_t self = uv_thread_self();
  uv_thread_t again = uv_thread_self();
  uv_thread_t thread;
  CHECK(uv_thread_equal(&self, &again));
  CHECK_EQ(uv_thread_create(&thread, compare_with, &self), 0);
  CHECK_EQ(uv_thread_join(&thread), 0);
}

static uv_key_t key;

static void use_key(void *arg) {
  CHECK(uv_key_get(&key) == NULL);
  uv_key_set(&key, arg);
  CHECK(uv_key_get(&key) == arg);
}

TEST(thread_key) {
  uv_thread_t threads[2];
  int mine;
  CHECK_EQ(uv_key_create(&key), 0);
  uv_key_set(&key, &mine);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(uv_thread_create(&threads[i], use_key, &threads[i]), 0);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(uv_thread_join(&threads[i]), 0);
  CHECK(uv_key_get(&key) == &mine);
  uv_key_delete(&key);
}

static uv_once_t once = UV_ONCE_INIT;
static int once_calls;

static void count_once(void) {
  uv_sleep(10);
  once_calls++;
}

static void run_once(void *arg) {
  (void)arg;
  uv_once(&once, count_once);
  CHECK_EQ(once_calls, 1);
}

TEST(thread_once) {
  uv_thread_t threads[4];
  for (int i = 0; i < 4; i++)
    CHECK_EQ(uv_thread_create(&threads[i], run_once, NULL), 0);
  for (int i = 0; i < 4; i++)
    CHECK_EQ(uv_thread_join(&threads[i]), 0);
}

static uv_mutex_t mutex;
static int counter;

static void count_under_lock(void *arg) {
  (void)arg;
  for (int i = 0; i < 20000; i++) {
    uv_mutex_lock(&mutex);
    counter++;
    uv_mutex_unlock(&mutex);
  }
}

TEST(thread_mutex) {
  uv_thread_t threads[3];
  CHECK_EQ(uv_mutex_init(&mutex), 0);
  for (int i = 0; i < 3; i++)
    CHECK_EQ(uv_thread_create(&threads[i], count_under_lock, NULL), 0);
  for (int i = 0; i < 3; i++)
    CHECK_EQ(uv_thread_join(&threads[i]), 0);
  CHECK_EQ(counter, 60000);
  CHECK_EQ(uv_mutex_trylock(&mutex), 0);
  uv_mutex_unlock(&mutex);
  uv_mutex_destroy(&mutex);
}

TEST(thread_mutex_recursive) {
  uv_mutex_t lock;
  CHECK_EQ(uv_mutex_init_recursive(&lock), 0);
  uv_mutex_lock(&lock);
  uv_mutex_lock(&lock);
  CHECK_EQ(uv_mutex_trylock(&lock), 0);
  for (int i = 0; i < 3; i++)
    uv_mutex_unlock(&lock);
  uv_mutex_destroy(&lock);
}

TEST(thread_rwlock) {
  uv_rwlock_t lock;
  CHECK_EQ(uv_rwlock_init(&lock), 0);
  uv_rwlock_rdlock(&lock);
  CHECK_EQ(uv_rwlock_tryrdlock(&lock), 0);
  CHECK_EQ(uv_rwlock_trywrlock(&lock), UV_EBUSY);
  uv_rwlock_rdunlock(&lock);
  uv_rwlock_rdunlock(&lock);
  CHECK_EQ(uv_rwlock_trywrlock(&lock), 0);
  CHECK_EQ(uv_rwlock_tryrdlock(&lock), UV_EBUSY);
  uv_rwlock_wrunlock(&lock);
  uv_rwlock_wrlock(&lock);
  uv_rwlock_wrunlock(&lock);
  uv_rwlock_destroy(&lock);
}

TEST(thread_semaphore) {
  uv_sem_t sem;
  CHECK_EQ(uv_sem_init(&sem, 2), 0);
  uv_sem_wait(&sem);
  CHECK_EQ(uv_sem_trywait(&sem), 0);
  CHECK_EQ(uv_sem_trywait(&sem), UV_EAGAIN);
  uv_sem_post(&sem);
  CHECK_EQ(uv_sem_trywait(&sem), 0);
  uv_sem_destroy(&sem);
}

struct box {
  uv_mutex_t lock;
  uv_cond_t changed;
  int full;
  int taken;
};

static void take_from_box(void *arg) {
  struct box *box = arg;
  uv_mutex_lock(&box->lock);
  while (!box->full)
    uv_cond_wait(&box->changed, &box->lock);
  box->taken++;
  uv_mutex_unlock(&box->lock);
}

TEST(thread_condition) {
  struct box box = {.full = 0};
  uv_thread_t threads[3];
  CHECK_EQ(uv_mutex_init(&box.lock), 0);
  CHECK_EQ(uv_cond_init(&box.changed), 0);
  for (int i = 0; i < 3; i++)
    CHECK_EQ(uv_thread_create(&threads[i], take_from_box, &box), 0);
  uv_sleep(10);
  uv_mutex_lock(&box.lock);
  box.full = 1;
  uv_cond_broadcast(&box.changed);
  uv_mutex_unlock(&box.lock);
  for (int i = 0; i < 3; i++)
    CHECK_EQ(uv_thread_join(&threads[i]), 0);
  CHECK_EQ(box.taken, 3);
  uv_cond_destroy(&box.changed);
  uv_mutex_destroy(&box.lock);
}

TEST(thread_condition_times_out) {
  uv_mutex_t lock;
  uv_cond_t never;
  CHECK_EQ(uv_mutex_init(&lock), 0);
  CHECK_EQ(uv_cond_init(&never), 0);
  uv_mutex_lock(&lock);
  uint64_t start = uv_hrtime();
  int err;
  do
    err = uv_cond_timedwait(&never, &lock, 50 * 1000000);
  while (err == 0);
  CHECK_EQ(err, UV_ETIMEDOUT);
  CHECK(uv_hrtime() - start >= 50 * 1000000);
  CHECK_EQ(uv_cond_timedwait(&never, &lock, 0), UV_ETIMEDOUT);
  uv_mutex_unlock(&lock);
  uv_cond_destroy(&never);
  uv_mutex_destroy(&lock);
}

static uv_barrier_t barrier;
static uv_mutex_t serial_lock;
static int serial;

static void wait_often(void *arg) {
  (void)arg;
  for (int i = 0; i < 50; i++) {
    int result = uv_barrier_wait(&barrier);
    CHECK(result >= 0);
    uv_mutex_lock(&serial_lock);
    serial += result > 0;
    uv_mutex_unlock(&serial_lock);
  }
}

TEST(thread_barrier) {
  uv_thread_t threads[4];
  CHECK_EQ(uv_barrier_init(&barrier, 0), UV_EINVAL);
  CHECK_EQ(uv_barrier_init(&barrier, 4), 0);
  CHECK_EQ(uv_mutex_init(&serial_lock), 0);
  for (int i = 0; i < 4; i++)
    CHECK_EQ(uv_thread_create(&threads[i], wait_often, NULL), 0);
  for (int i = 0; i < 4; i++)
    CHECK_EQ(uv_thread_join(&threads[i]), 0);
  CHECK_EQ(serial, 50);
  uv_barrier_destroy(&barrier);
  uv_mutex_destroy(&serial_lock);

  CHECK_EQ(uv_barrier_init(&barrier, 1), 0);
  CHECK(uv_barrier_wait(&barrier) > 0);
  uv_barrier_destroy(&barrier);
}

static void wait_and_destroy(void *arg) {
  (void)arg;
  if (uv_barrier_wait(&barrier) > 0)
    uv_barrier_destroy(&barrier);
}

TEST(thread_barrier_destroyed_by_the_chosen_one) {
#ifdef __SANITIZE_THREAD__
  SKIP("the thread sanitizer takes destroying for a race with leaving");
#endif
  uv_thread_t threads[4];
  for (int round = 0; round < 20; round++) {
    CHECK_EQ(uv_barrier_init(&barrier, 4), 0);
    for (int i = 0; i < 4; i++)
      CHECK_EQ(uv_thread_create(&threads[i], wait_and_destroy, NULL), 0);
    for (int i = 0; i < 4; i++)
      CHECK_EQ(uv_thread_join(&threads[i]), 0);
  }
}
