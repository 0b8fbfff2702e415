/* What was sent or finished and what became ready are told in the order in which they came: the results of the pool, of
 * files, and sent async handles have a place among the events of descriptors. Programs see it when both ends of a
 * connection are in one process, or when a callback takes long. */
#include "test_order.h"

static uv_os_sock_t sockets[2][2];
static uv_poll_t polls[2];
static uv_async_t asyncs[2];
static uv_check_t check, actor;
static uv_work_t work, last_work;
static uv_fs_t file;
static uv_sem_t last_began, last_may_end;
static int sends_from_socket, writes_from_socket;

static void on_ready(uv_poll_t *handle, int status, int events) {
  note_poll(handle, status, events);
  CHECK_EQ(uv_poll_stop(handle), 0);
  if (writes_from_socket && handle == &polls[0])
    CHECK_EQ(send(sockets[1][1], "x", 1, 0), 1);
  if (sends_from_socket && handle == &polls[0])
    CHECK_EQ(uv_async_send(&asyncs[1]), 0);
}

static void nothing(uv_work_t *request) {
  (void)request;
}

static void be_last(uv_work_t *request) {
  (void)request;
  uv_sem_post(&last_began);
  uv_sem_wait(&last_may_end);
}

static void after_work(uv_work_t *request, int status) {
  CHECK_EQ(status, 0);
  note(request->data);
}

static void after_last(uv_work_t *request, int status) {
  (void)request;
  CHECK_EQ(status, 0);
}

/* The pool has one thread: when it begins this job, the results of those before it have been handed over. */
static void wait_for_pool(uv_loop_t *loop) {
  CHECK_EQ(uv_queue_work(loop, &last_work, be_last, after_last), 0);
  uv_sem_wait(&last_began);
}

static void after_open(uv_fs_t *request) {
  uv_fs_t closing;
  CHECK(request->result >= 0);
  CHECK_EQ(uv_fs_close(NULL, &closing, (uv_file)request->result, NULL), 0);
  uv_fs_req_cleanup(&closing);
  uv_fs_req_cleanup(request);
  note("file");
}

static void act(uv_check_t *handle) {
  uv_loop_t *loop = handle->loop;
  CHECK_EQ(uv_check_stop(handle), 0);
  for (const char *step = handle->data; *step != '\0'; step++) {
    switch (*step) {
    case 'a':
      CHECK_EQ(uv_async_send(&asyncs[0]), 0);
      break;
    case 's':
    case 't':
      CHECK_EQ(send(sockets[*step - 's'][1], "x", 1, 0), 1);
      break;
    case 'w':
      CHECK_EQ(uv_queue_work(loop, &work, nothing, after_work), 0);
      wait_for_pool(loop);
      break;
    case 'f': /* on the pool, or on a ring: that one is handed over late, but not too late to be the first */
      CHECK_EQ(uv_fs_open(loop, &file, "file", UV_FS_O_CREAT | UV_FS_O_RDWR, 0600, after_open), 0);
      wait_for_pool(loop);
      uv_sleep(2);
      break;
    }
  }
}

/* Runs the steps in a callback, with both sockets watched, and compares what is told after them. */
static void expect(const char *steps, const char *story_wanted) {
  static const char *const words[] = {"socket", "second"};
  uv_loop_t *loop;
  CHECK_EQ(uv_os_setenv("UV_THREADPOOL_SIZE", "1"), 0);
  CHECK_EQ(uv_sem_init(&last_began, 0), 0);
  CHECK_EQ(uv_sem_init(&last_may_end, 0), 0);
  loop = warm_loop();
  work.data = "work";
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(uv_socketpair(SOCK_STREAM, 0, sockets[i], 0, 0), 0);
    CHECK_EQ(uv_poll_init_socket(loop, &polls[i], sockets[i][0]), 0);
    polls[i].data = (void *)words[i];
    CHECK_EQ(uv_poll_start(&polls[i], UV_READABLE, on_ready), 0);
    CHECK_EQ(uv_async_init(loop, &asyncs[i], note_async), 0);
  }
  asyncs[0].data = "async";
  asyncs[1].data = "sent";
  uv_run(loop, UV_RUN_NOWAIT); /* the sockets are watched from here on */
  start_check(loop, &check, "check");
  CHECK_EQ(uv_check_init(loop, &actor), 0);
  actor.data = (void *)steps;
  CHECK_EQ(uv_check_start(&actor, act), 0);
  uv_run(loop, UV_RUN_NOWAIT); /* it acts after the poll of this iteration */
  CHECK_STR(told(), "check");
  uv_run(loop, UV_RUN_NOWAIT);
  uv_run(loop, UV_RUN_NOWAIT);
  uv_sem_post(&last_may_end);
  CHECK_STR(told(), story_wanted);
  for (int i = 0; i < 2; i++) {
    uv_close((uv_handle_t *)&polls[i], NULL);
    uv_close((uv_handle_t *)&asyncs[i], NULL);
  }
  uv_close((uv_handle_t *)&check, NULL);
  uv_close((uv_handle_t *)&actor, NULL);
  test_close_default_loop();
}

TEST(order_async_sent_before_a_socket_is_ready_is_told_first) {
  expect("as", "async socket check check");
}

TEST(order_async_sent_after_a_socket_is_ready_is_told_last) {
  expect("sa", "socket async check check");
}

TEST(order_async_sent_between_two_sockets_is_told_between_them) {
  expect("sat", "socket async second check check");
}

TEST(order_work_done_before_a_socket_is_ready_is_told_first) {
  expect("ws", "work socket check check");
}

TEST(order_work_done_after_a_socket_is_ready_is_told_last) {
  expect("sw", "socket work check check");
}

TEST(order_work_and_asyncs_share_the_place_of_the_first) {
  expect("asw", "work async socket check check");
}

TEST(order_file_opened_before_a_socket_is_ready_is_told_first) {
  expect("fs", "file socket check check");
}

TEST(order_file_opened_after_a_socket_is_ready_is_told_last) {
  expect("sf", "socket file check check");
}

TEST(order_async_sent_by_a_socket_in_front_of_another_is_told_with_it) {
  sends_from_socket = 1;
  expect("sa", "socket async sent check check");
}

TEST(order_async_sent_by_a_socket_behind_another_waits_for_the_next_iteration) {
  sends_from_socket = 1;
  expect("as", "async socket check sent check");
}

/* The system reports what was ready in the last wait before what became ready since. */
TEST(order_wake_up_of_the_last_round_keeps_its_place) {
  sends_from_socket = writes_from_socket = 1;
  expect("as", "async socket check sent second check");
}

/* ---- before anything is watched ---- */

static void send_and_watch(uv_check_t *handle) {
  CHECK_EQ(uv_check_stop(handle), 0);
  CHECK_EQ(uv_async_send(&asyncs[0]), 0);
  start_poll(handle->loop, &polls[0], "socket", readable_socket());
}

TEST(order_async_precedes_a_descriptor_that_is_watched_from_now_on) {
  uv_loop_t *loop = warm_loop();
  CHECK_EQ(uv_async_init(loop, &asyncs[0], note_async), 0);
  asyncs[0].data = "async";
  CHECK_EQ(uv_check_init(loop, &actor), 0);
  CHECK_EQ(uv_check_start(&actor, send_and_watch), 0);
  uv_run(loop, UV_RUN_NOWAIT);
  uv_run(loop, UV_RUN_NOWAIT);
  CHECK_STR(told(), "async socket");
  uv_close((uv_handle_t *)&asyncs[0], NULL);
  uv_close((uv_handle_t *)&actor, NULL);
  uv_close((uv_handle_t *)&polls[0], NULL);
  test_close_default_loop();
}
