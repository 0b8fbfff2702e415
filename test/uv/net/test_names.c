/* Names and addresses. Only names that every machine has are looked up. */
#include "test_net.h"

static int calls, last_status;
static struct addrinfo *last_list;
static bool last_host, last_service;

static void on_lookup(uv_getaddrinfo_t *req, int status, struct addrinfo *list) {
  CHECK(req->loop == uv_default_loop());
  CHECK(req->addrinfo == list);
  calls++;
  last_status = status;
  last_list = list;
}

static void on_name(uv_getnameinfo_t *req, int status, const char *host, const char *service) {
  calls++;
  last_status = status;
  last_host = host != NULL;
  last_service = service != NULL;
  if (status == 0) {
    CHECK(host == req->host);
    CHECK(service == req->service);
  }
}

TEST(names_lookup_from_the_loop) {
  uv_loop_t *loop = uv_default_loop();
  uv_getaddrinfo_t req;
  char name[] = "127.0.0.1", service[] = "80";
  struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST};
  CHECK_EQ(uv_getaddrinfo(loop, &req, on_lookup, name, service, &hints), 0);
  CHECK_EQ(calls, 0);
  memset(name, 'x', sizeof name); /* all of it was copied */
  memset(service, 'x', sizeof service);
  memset(&hints, 0xff, sizeof hints);
  CHECK(uv_loop_alive(loop));
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(calls, 1);
  CHECK_EQ(last_status, 0);
  CHECK(last_list != NULL && last_list->ai_next == NULL);
  struct sockaddr_in *address = (struct sockaddr_in *)last_list->ai_addr;
  CHECK_EQ(address->sin_family, AF_INET);
  CHECK_EQ(ntohs(address->sin_port), 80);
  CHECK_EQ(ntohl(address->sin_addr.s_addr), INADDR_LOOPBACK);
  uv_freeaddrinfo(last_list);
  uv_freeaddrinfo(NULL);
  test_close_default_loop();
}

TEST(names_lookup_of_localhost) {
  uv_getaddrinfo_t req;
  uv_loop_t *loop = uv_default_loop();
  CHECK_EQ(uv_getaddrinfo(loop, &req, on_lookup, "localhost", NULL, NULL), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(last_status, 0);
  CHECK(last_list != NULL);
  uv_freeaddrinfo(last_list);
  test_close_default_loop();
}

TEST(names_lookup_of_a_service_alone) {
  uv_getaddrinfo_t req;
  uv_loop_t *loop = uv_default_loop();
  struct addrinfo hints = {.ai_flags = AI_PASSIVE, .ai_socktype = SOCK_STREAM};
  CHECK_EQ(uv_getaddrinfo(loop, &req, NULL, NULL, "4321", &hints), 0);
  CHECK(req.addrinfo != NULL);
  uv_freeaddrinfo(req.addrinfo);
  test_close_default_loop();
}

TEST(names_lookup_here_and_now) {
  uv_loop_t *loop = uv_default_loop();
  uv_getaddrinfo_t req;
  struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM};
  CHECK_EQ(uv_getaddrinfo(loop, &req, NULL, "::1", NULL, &hints), 0);
  CHECK(req.addrinfo != NULL);
  CHECK_EQ(req.addrinfo->ai_family, AF_INET6);
  CHECK(!uv_loop_alive(loop));
  uv_freeaddrinfo(req.addrinfo);
  CHECK_EQ(uv_getaddrinfo(loop, &req, NULL, "not a number", NULL, &hints), UV_EAI_NONAME);
  CHECK(req.addrinfo == NULL);
  test_close_default_loop();
}

TEST(names_that_cannot_be) {
  uv_loop_t *loop = uv_default_loop();
  uv_getaddrinfo_t req;
  char name[1000];
  struct addrinfo hints = {.ai_flags = AI_NUMERICHOST};
  memset(name, 'a', sizeof name);
  name[999] = '\0';
  CHECK_EQ(uv_getaddrinfo(loop, &req, on_lookup, NULL, NULL, NULL), UV_EINVAL);
  CHECK_EQ(uv_getaddrinfo(loop, &req, NULL, NULL, NULL, &hints), UV_EINVAL);
  CHECK_EQ(uv_getaddrinfo(loop, NULL, on_lookup, "x", NULL, NULL), UV_EINVAL);
  CHECK_EQ(uv_getaddrinfo(loop, &req, on_lookup, name, NULL, &hints), UV_EINVAL);
  CHECK_EQ(uv_getaddrinfo(loop, &req, on_lookup, "", NULL, &hints), UV_EINVAL);
  CHECK_EQ(uv_getaddrinfo(loop, &req, on_lookup, "\xff\xfe", NULL, &hints), UV_EINVAL);
  CHECK_EQ(calls, 0);
  CHECK(!uv_loop_alive(loop));
  CHECK_EQ(uv_getaddrinfo(loop, &req, on_lookup, "nonumber", NULL, &hints), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(calls, 1);
  CHECK_EQ(last_status, UV_EAI_NONAME);
  CHECK(last_list == NULL);
  hints.ai_family = 9999;
  CHECK_EQ(uv_getaddrinfo(loop, &req, NULL, "127.0.0.1", NULL, &hints), UV_EAI_FAMILY);
  hints.ai_family = AF_INET;
  hints.ai_flags = -1;
  CHECK_EQ(uv_getaddrinfo(loop, &req, NULL, "127.0.0.1", NULL, &hints), UV_EAI_BADFLAGS);
  test_close_default_loop();
}

TEST(names_of_an_address) {
  uv_loop_t *loop = uv_default_loop();
  uv_getnameinfo_t req;
  struct sockaddr_in address = loopback(80);
  CHECK_EQ(uv_getnameinfo(loop, &req, on_name, (struct sockaddr *)&address, NI_NUMERICHOST | NI_NUMERICSERV), 0);
  memset(&address, 0xff, sizeof address);
  CHECK_EQ(calls, 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(calls, 1);
  CHECK_EQ(last_status, 0);
  CHECK(last_host && last_service);
  CHECK_STR(req.host, "127.0.0.1");
  CHECK_STR(req.service, "80");
  test_close_default_loop();
}

TEST(names_of_an_address_here_and_now) {
  uv_loop_t *loop = uv_default_loop();
  uv_getnameinfo_t req;
  struct sockaddr_in6 address;
  struct sockaddr unknown = {.sa_family = AF_UNIX};
  CHECK_EQ(uv_ip6_addr("::1", 443, &address), 0);
  CHECK_EQ(uv_getnameinfo(loop, &req, NULL, (struct sockaddr *)&address, NI_NUMERICHOST | NI_NUMERICSERV), 0);
  CHECK_STR(req.host, "::1");
  CHECK_STR(req.service, "443");
  CHECK_EQ(uv_getnameinfo(loop, &req, NULL, &unknown, 0), UV_EINVAL);
  CHECK_EQ(uv_getnameinfo(loop, &req, NULL, NULL, 0), UV_EINVAL);
  CHECK_EQ(uv_getnameinfo(loop, NULL, NULL, (struct sockaddr *)&address, 0), UV_EINVAL);
  CHECK_EQ(calls, 0);
  test_close_default_loop();
}

/* ---- cancelled ---- */

static uv_sem_t gate;

static void block(uv_work_t *req) {
  (void)req;
  uv_sem_wait(&gate);
}

static int running;

static void block_and_tell(uv_work_t *req) {
  __atomic_add_fetch(&running, 1, __ATOMIC_SEQ_CST);
  block(req);
}

TEST(names_cancelled_while_they_wait) {
  uv_loop_t *loop = uv_default_loop();
  uv_work_t work[2];
  uv_getaddrinfo_t lookup;
  uv_getnameinfo_t name;
  struct sockaddr_in address = loopback(80);
  setenv("UV_THREADPOOL_SIZE", "2", 1);
  CHECK_EQ(uv_sem_init(&gate, 0), 0);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(uv_queue_work(loop, &work[i], block_and_tell, NULL), 0);
  while (__atomic_load_n(&running, __ATOMIC_SEQ_CST) < 2)
    uv_sleep(1);
  CHECK_EQ(uv_getaddrinfo(loop, &lookup, on_lookup, "localhost", NULL, NULL), 0);
  CHECK_EQ(uv_getnameinfo(loop, &name, on_name, (struct sockaddr *)&address, 0), 0);
  CHECK_EQ(uv_cancel((uv_req_t *)&lookup), 0);
  CHECK_EQ(calls, 0);
  RUN_UNTIL(loop, calls == 1);
  CHECK_EQ(last_status, UV_EAI_CANCELED);
  CHECK(last_list == NULL);
  CHECK_EQ(uv_cancel((uv_req_t *)&name), 0);
  RUN_UNTIL(loop, calls == 2);
  CHECK_EQ(last_status, UV_EAI_CANCELED);
  CHECK(!last_host && !last_service);
  CHECK_EQ(uv_cancel((uv_req_t *)&work[0]), UV_EBUSY);
  uv_sem_post(&gate);
  uv_sem_post(&gate);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  uv_sem_destroy(&gate);
  test_close_default_loop();
}
