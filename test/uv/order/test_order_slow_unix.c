/* Slow work (names) and the thread pool. The resolver is replaced, which a program of Windows cannot do. */
#include "test_order.h"

#include <dlfcn.h>

static uv_sem_t started, hold;

static void do_nothing(uv_work_t *request) {
  (void)request;
}

static void note_done(uv_work_t *request, int status) {
  CHECK_EQ(status, 0);
  note(request->data);
}

static void init_semaphores(void) {
  CHECK_EQ(uv_sem_init(&started, 0), 0);
  CHECK_EQ(uv_sem_init(&hold, 0), 0);
}

/* The resolver is ours while a test blocks it: so a look-up lasts as long as the test needs. */
static volatile int hold_look_ups;

int getaddrinfo(const char *restrict node, const char *restrict service, const struct addrinfo *restrict hints,
                struct addrinfo **restrict result) {
  int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
  if (hold_look_ups) {
    uv_sem_post(&started);
    uv_sem_wait(&hold);
    return EAI_FAIL;
  }
  *(void **)&real = dlsym(RTLD_NEXT, "getaddrinfo");
  return real(node, service, hints, result);
}

static void note_looked_up(uv_getaddrinfo_t *request, int status, struct addrinfo *result) {
  (void)result;
  CHECK_EQ(status, UV_EAI_FAIL);
  note(request->data);
}

static void note_cancelled_look_up(uv_getaddrinfo_t *request, int status, struct addrinfo *result) {
  CHECK_EQ(status, UV_EAI_CANCELED); /* in the resolver's own terms */
  CHECK(result == NULL);
  note(request->data);
}

TEST(order_slow_work_takes_at_most_half_of_the_threads) {
  static uv_getaddrinfo_t look_ups[4];
  uv_work_t work;
  uv_loop_t *loop;
  int i;
  CHECK_EQ(uv_os_setenv("UV_THREADPOOL_SIZE", "4"), 0);
  loop = warm_loop();
  init_semaphores();
  hold_look_ups = 1;
  for (i = 0; i < 4; i++) {
    look_ups[i].data = "name";
    CHECK_EQ(uv_getaddrinfo(loop, &look_ups[i], note_looked_up, "name", NULL, NULL), 0);
  }
  uv_sem_wait(&started);
  uv_sem_wait(&started);
  uv_sleep(100);
  CHECK_EQ(uv_sem_trywait(&started), UV_EAGAIN);

  work.data = "work";
  CHECK_EQ(uv_queue_work(loop, &work, do_nothing, note_done), 0);
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  CHECK_STR(told(), "work");

  for (i = 0; i < 4; i++)
    uv_sem_post(&hold);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(told(), "name name name name");
  test_close_default_loop();
}

TEST(order_slow_work_gets_the_only_thread_of_a_pool_of_one) {
  uv_getaddrinfo_t look_up;
  uv_work_t work;
  uv_loop_t *loop;
  CHECK_EQ(uv_os_setenv("UV_THREADPOOL_SIZE", "1"), 0);
  loop = warm_loop();
  init_semaphores();
  hold_look_ups = 1;
  look_up.data = "name";
  CHECK_EQ(uv_getaddrinfo(loop, &look_up, note_looked_up, "name", NULL, NULL), 0);
  uv_sem_wait(&started);
  work.data = "work";
  CHECK_EQ(uv_queue_work(loop, &work, do_nothing, note_done), 0);
  uv_sem_post(&hold);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(told(), "name work");
  test_close_default_loop();
}

TEST(order_waiting_slow_work_can_be_cancelled) {
  static uv_getaddrinfo_t look_ups[3];
  uv_loop_t *loop;
  CHECK_EQ(uv_os_setenv("UV_THREADPOOL_SIZE", "4"), 0);
  loop = warm_loop();
  init_semaphores();
  hold_look_ups = 1;
  look_ups[0].data = look_ups[1].data = "name";
  look_ups[2].data = "cancelled";
  CHECK_EQ(uv_getaddrinfo(loop, &look_ups[0], note_looked_up, "name", NULL, NULL), 0);
  CHECK_EQ(uv_getaddrinfo(loop, &look_ups[1], note_looked_up, "name", NULL, NULL), 0);
  uv_sem_wait(&started);
  uv_sem_wait(&started);
  CHECK_EQ(uv_getaddrinfo(loop, &look_ups[2], note_cancelled_look_up, "name", NULL, NULL), 0);
  uv_sleep(50);
  CHECK_EQ(uv_cancel((uv_req_t *)&look_ups[0]), UV_EBUSY);
  CHECK_EQ(uv_cancel((uv_req_t *)&look_ups[2]), 0);
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  CHECK_STR(told(), "cancelled");
  uv_sem_post(&hold);
  uv_sem_post(&hold);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(told(), "name name");
  test_close_default_loop();
}
