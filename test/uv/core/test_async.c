/* Asyncs: in which order they are called, and that they are not called after they were closed. */
#include "test_order.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "system.h"

/* ---- the order ---- */

static uv_async_t asyncs[8];
static void (*in_callback)(int number); /* what the callback of a handle does besides */

static void note_number(uv_async_t *async) {
  int number = (int)(async - asyncs);
  char word[] = {(char)('0' + number), '\0'};
  note(word);
  if (in_callback != NULL)
    in_callback(number);
}

static uv_loop_t *loop_with_asyncs(int count) {
  static uv_check_t check;
  uv_loop_t *loop = warm_loop();
  start_check(loop, &check, "|");
  for (int i = 0; i < count; i++)
    CHECK_EQ(uv_async_init(loop, &asyncs[i], note_number), 0);
  return loop;
}

static void send_to(int number) {
  CHECK_EQ(uv_async_send(&asyncs[number]), 0);
}

static void iterate(uv_loop_t *loop, int times) {
  while (times-- > 0)
    uv_run(loop, UV_RUN_NOWAIT);
}

TEST(async_order_is_that_of_initialisation_not_of_sends) {
  uv_loop_t *loop = loop_with_asyncs(6);
  static const int order[] = {3, 5, 1, 0, 4, 2};
  for (int i = 0; i < 6; i++)
    send_to(order[i]);
  iterate(loop, 2);
  CHECK_STR(told(), "0 1 2 3 4 5 | |");
  send_to(4);
  send_to(2);
  iterate(loop, 1);
  CHECK_STR(told(), "2 4 |");
  test_close_default_loop();
}

static void send_forward_and_back(int number) {
  if (number != 2)
    return;
  in_callback = NULL;
  for (int i = 4; i >= 0; i--)
    send_to(i);
}

TEST(async_sent_in_a_callback_is_of_the_same_pass_if_it_is_further_on) {
  uv_loop_t *loop = loop_with_asyncs(5);
  in_callback = send_forward_and_back;
  send_to(3);
  send_to(2);
  iterate(loop, 2);
  CHECK_STR(told(), "2 3 4 | 0 1 2 |");
  test_close_default_loop();
}

static void init_two(int number) {
  if (number != 1)
    return;
  in_callback = NULL;
  for (int i = 4; i < 6; i++) {
    CHECK_EQ(uv_async_init(uv_default_loop(), &asyncs[i], note_number), 0);
    send_to(i);
  }
}

/* Their position is after the one that is being called, but the pass has moved on. */
TEST(async_made_in_a_callback_has_its_place_behind_it_from_the_next_pass_on) {
  uv_loop_t *loop = loop_with_asyncs(4);
  in_callback = init_two;
  send_to(2);
  send_to(1);
  iterate(loop, 2);
  CHECK_STR(told(), "1 2 | 4 5 |");
  for (int i = 5; i >= 0; i--)
    send_to(i);
  iterate(loop, 1);
  CHECK_STR(told(), "0 1 4 5 2 3 |");
  test_close_default_loop();
}

static void send_round(int number) {
  static int rounds = 6;
  if (rounds-- > 0)
    send_to((number + 1) % 3);
}

TEST(async_ring_of_sends_takes_a_pass_for_each_round) {
  uv_loop_t *loop = loop_with_asyncs(3);
  in_callback = send_round;
  send_to(0);
  iterate(loop, 3);
  CHECK_STR(told(), "0 1 2 | 0 1 2 | 0 |");
  test_close_default_loop();
}

static void close_neighbours(int number) {
  if (number != 2)
    return;
  uv_close((uv_handle_t *)&asyncs[3], NULL);
  uv_close((uv_handle_t *)&asyncs[2], NULL);
  CHECK_EQ(uv_async_init(uv_default_loop(), &asyncs[5], note_number), 0);
  send_to(4);
  send_to(5);
}

TEST(async_closed_in_a_callback_is_left_out_of_the_pass) {
  uv_loop_t *loop = loop_with_asyncs(5);
  in_callback = close_neighbours;
  for (int i = 3; i > 0; i--)
    send_to(i);
  iterate(loop, 2);
  CHECK_STR(told(), "1 2 4 | 5 |");
  test_close_default_loop();
}

static void nothing(uv_work_t *work) {
  (void)work;
}

static uv_sem_t done_or_begun, hold;

static void begin(uv_work_t *work) {
  (void)work;
  uv_sem_post(&done_or_begun);
  uv_sem_wait(&hold);
}

static void note_and_send(uv_work_t *work, int status) {
  CHECK_EQ(status, 0);
  note(work->data);
  send_to(1);
}

/* The only thread of the pool has begun the second job: so the first one is done, and its callback has not run. */
TEST(async_pass_comes_after_the_results_of_the_pool) {
  uv_work_t first, second;
  set_variable("UV_THREADPOOL_SIZE", "1");
  uv_loop_t *loop = loop_with_asyncs(2);
  CHECK_EQ(uv_sem_init(&done_or_begun, 0), 0);
  CHECK_EQ(uv_sem_init(&hold, 0), 0);
  first.data = "work";
  send_to(0);
  CHECK_EQ(uv_queue_work(loop, &first, nothing, note_and_send), 0);
  CHECK_EQ(uv_queue_work(loop, &second, begin, NULL), 0);
  uv_sem_wait(&done_or_begun);
  iterate(loop, 1);
  CHECK_STR(told(), "work 0 1 |");
  uv_sem_post(&hold);
  test_close_default_loop();
}

/* ---- many ---- */

enum { MANY = 5000 };
static uv_async_t many[MANY];
static int last_called, many_calls;

static void check_ascending(uv_async_t *async) {
  int number = (int)(async - many);
  CHECK(number > last_called);
  last_called = number;
  many_calls++;
  /* Somewhere further on, if there is any left: it must still be called in its turn. */
  int further = number + 1 + number * 7 % 97;
  if (further < MANY)
    CHECK_EQ(uv_async_send(&many[further]), 0);
}

TEST(async_order_holds_for_many_sent_in_disorder) {
  uv_loop_t *loop = warm_loop();
  uint32_t random = 1;
  for (int i = 0; i < MANY; i++)
    CHECK_EQ(uv_async_init(loop, &many[i], check_ascending), 0);
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < (round < 10 ? MANY / 2 : 3); i++) {
      random = random * 1103515245 + 12345;
      CHECK_EQ(uv_async_send(&many[random >> 8 & 4095]), 0);
    }
    last_called = -1;
    many_calls = 0;
    uv_run(loop, UV_RUN_NOWAIT);
    CHECK(many_calls > 50);
  }
  test_close_default_loop();
}

static uv_async_t first_of_many;
static int made;

static void make_more(uv_async_t *async) {
  for (int i = 0; i < 100 && made < MANY; i++)
    CHECK_EQ(uv_async_init(async->loop, &many[made++], check_ascending), 0);
  if (made < MANY)
    CHECK_EQ(uv_async_send(async), 0);
}

/* Each hundred comes between the first one and all that were made before. */
TEST(async_many_made_in_callbacks_keep_their_order) {
  uv_loop_t *loop = warm_loop();
  CHECK_EQ(uv_async_init(loop, &first_of_many, make_more), 0);
  CHECK_EQ(uv_async_send(&first_of_many), 0);
  while (made < MANY)
    uv_run(loop, UV_RUN_NOWAIT);
  last_called = -1;
  for (int i = 99; i >= 0; i--)
    CHECK_EQ(uv_async_send(&many[MANY - 100 + i]), 0);
  uv_run(loop, UV_RUN_NOWAIT);
  CHECK_EQ(last_called, MANY - 1);
  last_called = -1;
  CHECK_EQ(uv_async_send(&many[0]), 0);
  uv_run(loop, UV_RUN_NOWAIT);
  CHECK(last_called >= 0);
  test_close_default_loop();
}

/* ---- closing ---- */

static void never(uv_async_t *async) {
  (void)async;
  CHECK(0);
}

static void spoil(uv_handle_t *handle) {
  memset(handle, 0xaa, sizeof(uv_async_t));
  free(handle);
}

static uv_async_t *new_async(uv_loop_t *loop) {
  uv_async_t *async = malloc(sizeof *async);
  CHECK_EQ(uv_async_init(loop, async, never), 0);
  return async;
}

TEST(async_send_after_close_has_no_effect) {
  uv_loop_t *loop = warm_loop();
  uv_async_t *async = new_async(loop);
  uv_close((uv_handle_t *)async, spoil);
  CHECK_EQ(uv_async_send(async), 0);
  CHECK_EQ(uv_async_send(async), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  uv_run(loop, UV_RUN_NOWAIT);
  test_close_default_loop();
}

TEST(async_send_before_close_has_no_effect) {
  uv_loop_t *loop = warm_loop();
  for (int i = 0; i < 3; i++) {
    uv_async_t *async = new_async(loop);
    CHECK_EQ(uv_async_send(async), 0);
    uv_close((uv_handle_t *)async, spoil);
    CHECK_EQ(uv_async_send(async), 0);
  }
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  uv_run(loop, UV_RUN_NOWAIT);
  test_close_default_loop();
}

static uv_async_t *still_closing;

static void send_to_other(uv_handle_t *handle) {
  CHECK_EQ(uv_async_send(still_closing), 0);
  spoil(handle);
}

TEST(async_send_in_a_close_callback_to_one_that_closes_next_has_no_effect) {
  uv_loop_t *loop = warm_loop();
  still_closing = new_async(loop);
  uv_async_t *first = new_async(loop);
  uv_close((uv_handle_t *)still_closing, spoil);
  uv_close((uv_handle_t *)first, send_to_other); /* last in, first out */
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  uv_run(loop, UV_RUN_NOWAIT);
  test_close_default_loop();
}

enum { ROUNDS = 2000 };
static uv_async_t closed_early[ROUNDS];
static _Atomic bool is_closed[ROUNDS];
static _Atomic int current = -1, sender_ended;

static void check_open(uv_async_t *async) {
  CHECK(!uv_is_closing((uv_handle_t *)async));
}

static void note_closed(uv_handle_t *handle) {
  is_closed[(uv_async_t *)handle - closed_early] = true;
}

static void send_all_the_time(void *unused) {
  (void)unused;
  while (!sender_ended) {
    int i = current;
    if (i >= 0 && !is_closed[i])
      uv_async_send(&closed_early[i]);
  }
}

TEST(async_sent_by_a_thread_while_it_is_closed_is_not_called) {
  uv_loop_t *loop = warm_loop();
  uv_thread_t sender;
  CHECK_EQ(uv_thread_create(&sender, send_all_the_time, NULL), 0);
  for (int i = 0; i < ROUNDS; i++) {
    CHECK_EQ(uv_async_init(loop, &closed_early[i], check_open), 0);
    current = i;
    for (volatile int wait = 0; wait < 300; wait++)
      ;
    if (i % 3 == 0)
      uv_run(loop, UV_RUN_NOWAIT);
    uv_close((uv_handle_t *)&closed_early[i], note_closed);
    uv_run(loop, UV_RUN_NOWAIT);
    CHECK(is_closed[i]);
  }
  sender_ended = 1;
  CHECK_EQ(uv_thread_join(&sender), 0);
  uv_run(loop, UV_RUN_NOWAIT);
  test_close_default_loop();
}
