/* Metrics: what is read of requests and settings, how texts are put together, and what a loop measures. */
#include <stdlib.h>
#include <string.h>

#include "loop/base/units.h"
#include "observe/metrics/http.h"
#include "observe/metrics/measure.h"
#include "observe/metrics/push.h"
#include "observe/metrics/text.h"
#include "settings/setting.h"
#include "trace_file.h"

#define MS UINT64_C(1000000)
#define SECOND UINT64_C(1000000000)

/* ---- the setting ---- */

static bool reads(const char *text, const char *host, unsigned int port, bool pushes) {
  struct rota_endpoint endpoint;
  return rota__setting_read_endpoint(text, &endpoint) && strcmp(endpoint.host, host) == 0 && endpoint.port == port &&
         endpoint.pushes == pushes && endpoint.listens == (host[0] != '\0');
}

TEST(metrics_endpoint_is_this_machines_own_unless_it_is_named) {
  static const char *const wrong[] = {"",
                                      "x",
                                      "65536",
                                      "-1",
                                      "127.0.0.1",
                                      "1.2.3:80",
                                      "256.1.1.1:1",
                                      "1.2.3.4.5:1",
                                      "host:9464",
                                      "::1:9464",
                                      "[]:9464",
                                      "[x]:9464",
                                      "9464,9465",
                                      "otlp,otlp",
                                      "otlp,",
                                      ",9464",
                                      "9464 ",
                                      " 9464",
                                      "http://a:1",
                                      "1.2.3.4:123456",
                                      "1.2.3.0004:1"};
  struct rota_endpoint endpoint;
  CHECK(reads("1", "127.0.0.1", 9464, false));
  CHECK(reads("9464", "127.0.0.1", 9464, false));
  CHECK(reads(":0", "127.0.0.1", 0, false));
  CHECK(reads("localhost:80", "127.0.0.1", 80, false));
  CHECK(reads("0.0.0.0:9464", "0.0.0.0", 9464, false));
  CHECK(reads("[::1]:9464", "::1", 9464, false));
  CHECK(reads("otlp", "", 0, true));
  CHECK(reads("otlp,9464", "127.0.0.1", 9464, true));
  CHECK(reads("10.0.0.1:65535,otlp", "10.0.0.1", 65535, true));
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
    CHECK(!rota__setting_read_endpoint(wrong[i], &endpoint));
}

/* ---- requests ---- */

static enum rota_http_outcome outcome_of(const char *head) {
  enum rota_metrics_format format;
  return rota__http_read(head, strlen(head), &format);
}

static enum rota_metrics_format format_of(const char *accept) {
  enum rota_metrics_format format;
  char head[512];
  snprintf(head, sizeof(head), "GET /metrics HTTP/1.1\r\nHost: a\r\naCCept:%s\r\n\r\n", accept);
  CHECK_EQ(rota__http_read(head, strlen(head), &format), ROTA_HTTP_GET);
  return format;
}

TEST(metrics_request_is_read_or_refused) {
  CHECK_EQ(outcome_of("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n"), ROTA_HTTP_GET);
  CHECK_EQ(outcome_of("GET /metrics?x=1 HTTP/1.0\n\n"), ROTA_HTTP_GET);
  CHECK_EQ(outcome_of("HEAD / HTTP/1.1\r\n\r\n"), ROTA_HTTP_HEAD);
  CHECK_EQ(outcome_of("GET /metrics HTTP/1.1\r\nHost: a\r\n"), ROTA_HTTP_MORE);
  CHECK_EQ(outcome_of(""), ROTA_HTTP_MORE);
  CHECK_EQ(outcome_of("POST /metrics HTTP/1.1\r\nContent-Length: 1\r\n\r\nx"), ROTA_HTTP_OTHER_METHOD);
  CHECK_EQ(outcome_of("GET /METRICS HTTP/1.1\r\n\r\n"), ROTA_HTTP_OTHER_PATH);
  CHECK_EQ(outcome_of("GET /metrics/../secret HTTP/1.1\r\n\r\n"), ROTA_HTTP_OTHER_PATH);
  CHECK_EQ(outcome_of("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), ROTA_HTTP_OTHER_VERSION);
  CHECK_EQ(outcome_of("GET /metrics\r\n\r\n"), ROTA_HTTP_BAD);
  CHECK_EQ(outcome_of("GET  /metrics HTTP/1.1\r\n\r\n"), ROTA_HTTP_BAD);
  CHECK_EQ(outcome_of("\r\n\r\n"), ROTA_HTTP_BAD);
  CHECK_EQ(outcome_of("GET / HTTP/1.1\r\nno colon\r\n\r\n"), ROTA_HTTP_BAD);
  CHECK_EQ(outcome_of("GET / HTTP/1.1\r\n: no name\r\n\r\n"), ROTA_HTTP_BAD);
  CHECK_EQ(outcome_of("GET / HTTP/1.1\r\nA: b\r\n folded\r\n\r\n"), ROTA_HTTP_BAD);
  CHECK_EQ(outcome_of("GET / HTTP/1.1\r\nA: \x01\r\n\r\n"), ROTA_HTTP_BAD);
  CHECK_EQ(outcome_of("\x16\x03\x01\x02\n\n"), ROTA_HTTP_BAD); /* TLS */
}

TEST(metrics_request_may_come_in_any_pieces) {
  static const char head[] = "GET /metrics HTTP/1.1\r\nHost: localhost:9464\r\nUser-Agent: test\r\n\r\n";
  enum rota_metrics_format format;
  for (size_t length = 0; length < sizeof(head) - 1; length++)
    CHECK_EQ(rota__http_read(head, length, &format), ROTA_HTTP_MORE);
  CHECK_EQ(rota__http_read(head, sizeof(head) - 1, &format), ROTA_HTTP_GET);
  static char endless[ROTA_HTTP_HEAD_MAX];
  memset(endless, 'a', sizeof(endless));
  CHECK_EQ(rota__http_read(endless, sizeof(endless) - 1, &format), ROTA_HTTP_MORE);
  CHECK_EQ(rota__http_read(endless, sizeof(endless), &format), ROTA_HTTP_TOO_LARGE);
}

TEST(metrics_format_is_what_is_accepted_most) {
  CHECK_EQ(format_of(""), ROTA_METRICS_PROMETHEUS);
  CHECK_EQ(format_of("*/*"), ROTA_METRICS_PROMETHEUS);
  CHECK_EQ(format_of("application/openmetrics-text"), ROTA_METRICS_OPENMETRICS);
  CHECK_EQ(format_of(" application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
                     "text/plain;version=0.0.4;q=0.5,*/*;q=0.1"),
           ROTA_METRICS_OPENMETRICS);
  CHECK_EQ(format_of("text/plain, application/openmetrics-text; q=0.5"), ROTA_METRICS_PROMETHEUS);
  CHECK_EQ(format_of("application/openmetrics-text;q=0"), ROTA_METRICS_PROMETHEUS);
  CHECK_EQ(format_of(",,;;,q=,;q,=;"), ROTA_METRICS_PROMETHEUS);
}

/* Whatever comes, it is read within its bounds: the sanitizer looks at them, and the bytes end at a page of their own
 * block. */
TEST(metrics_requests_of_any_bytes_are_survived) {
  static const char *const parts[] = {"GET ", "/metrics", " HTTP/1.1", "\r\n", "\n", ":",  "accept",
                                      ",",    ";q=",      "0.",        " ",    "\r", "\0x"};
  unsigned int state = 7;
  for (int round = 0; round < 20000; round++) {
    char head[128];
    size_t length = 0;
    while (length < 100) {
      state = state * 1103515245u + 12345u;
      const char *part = parts[(state >> 16) % (sizeof(parts) / sizeof(parts[0]))];
      size_t size = *part == '\0' ? 2 : strlen(part);
      memcpy(head + length, part, size);
      length += size;
      if ((state >> 8) % 16 == 0)
        break;
    }
    char *exact = malloc(length + (length == 0));
    enum rota_metrics_format format;
    memcpy(exact, head, length);
    (void)rota__http_read(exact, length, &format);
    free(exact);
  }
}

/* ---- texts ---- */

static struct rota_metrics_text text_of(const char *words) {
  struct rota_metrics_text text = {0};
  rota__text_put(&text, words);
  return text;
}

TEST(metrics_text_has_numbers_without_a_locale_and_escapes) {
  static const struct {
    uint64_t billionths;
    const char *text;
  } numbers[] = {{0, "0.0"},      {1, "0.000000001"},    {1500000000, "1.5"},
                 {SECOND, "1.0"}, {10 * SECOND, "10.0"}, {UINT64_MAX, "18446744073.709551615"}};
  struct rota_metrics_text text = {0};
  for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
    text.length = 0;
    rota__text_billionths(&text, numbers[i].billionths);
    CHECK(strcmp(text.bytes, numbers[i].text) == 0);
  }
  text.length = 0;
  rota__text_escaped(&text, "a\"b\\c\nd\te\xc3\xa4\xff\xe2\x82\xac\xc0\x80\xed\xa0\x80\xf0\x9f\x98\x80\xf4\x90\x80\x80",
                     false);
  CHECK(strcmp(text.bytes, "a\\\"b\\\\c\\nd e\xc3\xa4\xef\xbf\xbd\xe2\x82\xac"
                           "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xf0\x9f\x98\x80"
                           "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd") == 0);
  text.length = 0;
  rota__text_escaped(&text, "\t\x7f\xc3", true);
  CHECK(strcmp(text.bytes, "\\u0009\\u007f\xef\xbf\xbd") == 0);
  rota__text_free(&text);
}

TEST(metrics_of_several_processes_have_one_head_each) {
  struct rota_metrics_text
      merged = {0},
      texts[] = {
          text_of("# HELP a A.\n# TYPE a gauge\na{pid=\"1\"} 1\n# HELP b B.\n# TYPE b counter\nb{pid=\"1\"} 1\n"),
          text_of("# HELP b B.\n# TYPE b counter\nb{pid=\"2\"} 2\n# HELP ab AB.\n# TYPE ab gauge\nab{pid=\"2\"} 2\n"
                  "# HELP a A.\n# TYPE a gauge\n"),
          text_of(""), text_of("not metrics\n# EOF\n"), text_of("# HELP a A.\n# TYPE a gauge\na{pid=\"3\"} 3\n")};
  rota__metrics_merge(texts, sizeof(texts) / sizeof(texts[0]), ROTA_METRICS_OPENMETRICS, &merged);
  CHECK(strcmp(merged.bytes, "# HELP a A.\n# TYPE a gauge\na{pid=\"1\"} 1\na{pid=\"3\"} 3\n"
                             "# HELP b B.\n# TYPE b counter\nb{pid=\"1\"} 1\nb{pid=\"2\"} 2\n"
                             "# HELP ab AB.\n# TYPE ab gauge\nab{pid=\"2\"} 2\n# EOF\n") == 0);
  rota__text_free(&merged);
  for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
    rota__text_free(&texts[i]);
}

/* ---- windows ---- */

static struct rota_measure measure;

static struct rota_window window_at(uint64_t busy_ns, uint64_t idle_ns, uint64_t running_ns, uint64_t now_ns) {
  struct rota_window window;
  rota__window_read(&measure, busy_ns, idle_ns, running_ns, now_ns, &window);
  return window;
}

static bool is_about(uint64_t value, uint64_t wanted) {
  return value >= wanted - wanted / 32 && value <= wanted + wanted / 32;
}

TEST(metrics_window_forgets_after_half_a_minute_whoever_reads) {
  memset(&measure, 0, sizeof(measure));
  uint64_t now_ns = 100 * SECOND;
  CHECK_EQ(window_at(0, 0, 0, now_ns).count, 0);
  rota__histogram_record_times(&measure.delay, 10 * MS, 99);
  rota__histogram_record(&measure.delay, 500 * MS);
  for (int second = 1; second < ROTA_WINDOW_SECONDS; second++) { /* somebody reads all the time */
    struct rota_window window = window_at(SECOND, 3 * SECOND, 0, now_ns + (uint64_t)second * SECOND);
    CHECK_EQ(window.count, 100);
    CHECK_EQ(window.max_ns, 500 * MS);
    CHECK(is_about(window.min_ns, 10 * MS) && is_about(window.p50_ns, 10 * MS) && is_about(window.p99_ns, 10 * MS));
    CHECK(is_about(window.mean_ns, 14900000) && is_about(window.stddev_ns, 48754000));
    CHECK_EQ(window.utilization, SECOND / 4);
  }
  rota__histogram_record(&measure.delay, 20 * MS);
  struct rota_window later = window_at(2 * SECOND, 3 * SECOND, 0, now_ns + 70 * SECOND);
  CHECK_EQ(later.count, 1);
  CHECK(is_about(later.min_ns, 20 * MS) && is_about(later.max_ns, 20 * MS));
  CHECK_EQ(later.utilization, SECOND);
}

TEST(metrics_window_has_the_delay_of_a_loop_that_is_blocked_now) {
  memset(&measure, 0, sizeof(measure));
  CHECK_EQ(window_at(0, 0, 9 * MS, SECOND).count, 0);
  struct rota_window window = window_at(0, 0, 3 * SECOND, 4 * SECOND);
  CHECK_EQ(window.count, 1);
  CHECK_EQ(window.max_ns, 3 * SECOND);
  CHECK_EQ(window.mean_ns, 3 * SECOND);
}

/* ---- loops ---- */

static char text[262144];

static const char *written(void) {
  size_t size = sizeof(text);
  CHECK_EQ(rota_metrics_write(text, &size, 0), 0);
  CHECK_EQ(size, strlen(text));
  return text;
}

/* The value of the first line that begins so and has this part; -1: there is none. */
static double value_of(const char *name, const char *part) {
  size_t length = strlen(name);
  for (const char *line = written(); line != NULL; line = strchr(line, '\n')) {
    line += *line == '\n';
    const char *end = strchr(line, '\n'), *found = strstr(line, part);
    if (strncmp(line, name, length) == 0 && line[length] == '{' && found != NULL && end != NULL && found < end) {
      const char *value = end;
      while (value[-1] != ' ')
        value--;
      return atof(value);
    }
  }
  return -1;
}

static void on_slow(uv_timer_t *timer) {
  burn_ms(15);
  CHECK_EQ(value_of("nodejs_active_handles", "type=\"timer\""), 1);
  CHECK(value_of("nodejs_eventloop_lag_seconds", "loop=\"main\"") >= 0.015);
  CHECK(value_of("nodejs_eventloop_lag_max_seconds", "loop=\"main\"") >= 0.015);
  uv_timer_stop(timer);
}

static void work(uv_work_t *req) {
  (void)req;
}

static void after_work(uv_work_t *req, int status) {
  (void)req, (void)status;
}

TEST(metrics_tell_what_loops_and_the_pool_did) {
  uv_timer_t timer;
  uv_work_t req;
  size_t size = 10;
  CHECK_EQ(rota_metrics_write(text, &size, 0), UV_ENOENT);
  CHECK_EQ(rota_metrics_stop(), UV_EINVAL);
  CHECK_EQ(rota_metrics_start("nowhere"), UV_EINVAL);
  CHECK_EQ(rota_metrics_start(NULL), 0);
  CHECK_EQ(rota_metrics_start(NULL), UV_EALREADY);
  CHECK_EQ(rota_metrics_port(), 0);
  CHECK_EQ(uv_timer_init(uv_default_loop(), &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, on_slow, 1, 1), 0);
  CHECK_EQ(uv_queue_work(uv_default_loop(), &req, work, after_work), 0);
  uv_run(uv_default_loop(), UV_RUN_DEFAULT);
  CHECK_EQ(rota_metrics_write(text, &size, 0), UV_ENOBUFS);
  CHECK(size > 10 && size < sizeof(text));
  size = sizeof(text);
  CHECK_EQ(rota_metrics_write(text, &size, 1), 0);
  CHECK(strcmp(text + size - 6, "# EOF\n") == 0);
  CHECK_EQ(value_of("rota_slow_callbacks_total", "place=\"on_slow\""), 1);
  CHECK(value_of("rota_slow_callback_seconds_total", "place=\"on_slow\"") >= 0.015);
  CHECK(value_of("rota_loop_phase_seconds_total", "phase=\"timers\"") >= 0.015);
  CHECK(value_of("nodejs_eventloop_time_seconds_total", "state=\"active\"") >= 0.015);
  CHECK_EQ(value_of("rota_pool_run_seconds_count", "kind=\"work\""), 1);
  CHECK_EQ(value_of("rota_pool_wait_seconds_bucket", "kind=\"work\",le=\"+Inf\""), 1);
  CHECK_EQ(value_of("rota_pool_queue_length", "pid"), 0);
  CHECK(value_of("rota_loop_callback_seconds_bucket", "le=\"10.0\"") >= 2);
  CHECK_EQ(value_of("nodejs_eventloop_lag_seconds", "loop=\"main\""), 0);
  uv_close((uv_handle_t *)&timer, NULL);
  uv_run(uv_default_loop(), UV_RUN_DEFAULT);
  CHECK_EQ(rota_metrics_stop(), 0);
  test_close_default_loop();
}

/* Two loops on one thread are two series, and a number is used again. */
TEST(metrics_loops_that_are_closed_disappear) {
  uv_loop_t loops[3];
  CHECK_EQ(rota_metrics_start(NULL), 0);
  for (int i = 0; i < 3; i++)
    CHECK_EQ(uv_loop_init(&loops[i]), 0);
  CHECK(value_of("nodejs_eventloop_lag_seconds", "loop=\"1\"") >= 0);
  CHECK(value_of("nodejs_eventloop_lag_seconds", "loop=\"3\"") >= 0);
  CHECK(value_of("nodejs_eventloop_lag_seconds", "loop=\"4\"") < 0);
  CHECK_EQ(uv_loop_close(&loops[1]), 0);
  CHECK(value_of("nodejs_eventloop_lag_seconds", "loop=\"2\"") < 0);
  CHECK_EQ(uv_loop_init(&loops[1]), 0);
  CHECK(value_of("nodejs_eventloop_lag_seconds", "loop=\"2\"") >= 0);
  CHECK(value_of("nodejs_eventloop_lag_seconds", "loop=\"4\"") < 0);
  for (int i = 0; i < 3; i++)
    CHECK_EQ(uv_loop_close(&loops[i]), 0);
  CHECK_EQ(rota_metrics_stop(), 0);
}

static void on_tick(void *data, void *more) {
  (void)data, (void)more;
}

static void on_enqueue(uv_timer_t *timer) {
  rota_ticks_t *ticks = rota_ticks_of(timer->loop);
  for (int i = 0; i < 3; i++)
    CHECK_EQ(rota_tick_enqueue(ticks, on_tick, NULL, NULL), 0);
  CHECK_EQ(rota_microtask_enqueue(ticks, on_tick, NULL, NULL), 0);
  uv_close((uv_handle_t *)timer, NULL);
}

TEST(metrics_count_what_is_drained) {
  uv_loop_t *loop = uv_default_loop();
  rota_ticks_t *ticks;
  uv_timer_t timer;
  CHECK_EQ(rota_metrics_start(NULL), 0);
  CHECK_EQ(rota_observe(loop), 0);
  CHECK(value_of("rota_loop_drained_total", "queue=\"ticks\"") < 0);
  CHECK_EQ(rota_ticks_attach(loop, &ticks), 0);
  uv_timer_init(loop, &timer);
  uv_timer_start(&timer, on_enqueue, 0, 0);
  uv_run(loop, UV_RUN_DEFAULT);
  CHECK_EQ(value_of("rota_loop_drained_total", "queue=\"ticks\""), 3);
  CHECK_EQ(value_of("rota_loop_drained_total", "queue=\"microtasks\""), 1);
  CHECK_EQ(rota_ticks_detach(ticks), 0);
  CHECK_EQ(rota_metrics_stop(), 0);
  test_close_default_loop();
}

static void on_many(uv_timer_t *timer) {
  char name[32];
  for (int i = 0; i < 60; i++) {
    snprintf(name, sizeof(name), "place%d", i);
    rota_call_next(timer->loop, rota_name(name, "/srv/app/routes/file.js", i + 1), 0);
    burn_ms(11);
  }
  uv_close((uv_handle_t *)timer, NULL);
}

static unsigned int count_of(const char *words) {
  unsigned int count = 0;
  for (const char *at = written(); (at = strstr(at, words)) != NULL; at++)
    count++;
  return count;
}

TEST(metrics_have_at_most_fifty_places) {
  uv_timer_t timer;
  CHECK_EQ(rota_metrics_start(NULL), 0);
  uv_timer_init(uv_default_loop(), &timer);
  uv_timer_start(&timer, on_many, 0, 0);
  uv_run(uv_default_loop(), UV_RUN_DEFAULT);
  CHECK_EQ(count_of("\nrota_slow_callbacks_total{"), 50);
  CHECK_EQ(value_of("rota_slow_callbacks_total", "place=\"place0 routes/file.js:1\""), 1);
  CHECK_EQ(value_of("rota_slow_callbacks_total", "place=\"other\""), 11);
  CHECK_EQ(rota_metrics_stop(), 0);
  test_close_default_loop();
}

/* ---- OpenTelemetry ---- */

static bool reads_url(const char *url, bool is_base, const char *host, const char *service, const char *path) {
  static struct rota_push push;
  return rota__push_read_url(url, is_base, &push) && strcmp(push.host, host) == 0 &&
         strcmp(push.service, service) == 0 && strcmp(push.path, path) == 0;
}

TEST(metrics_collector_is_read_of_its_address) {
  static const char *const wrong[] = {"",
                                      "collector:4318",
                                      "https://a",
                                      "http://",
                                      "http://:4318",
                                      "http://a:",
                                      "http://a:x",
                                      "http://a:123456789",
                                      "http://[::1",
                                      "http://[::1]x",
                                      "grpc://a",
                                      "http://a b/",
                                      "http://a/x\r\nHost: b"};
  static struct rota_push push;
  CHECK(reads_url("http://localhost:4318", true, "localhost", "4318", "/v1/metrics"));
  CHECK(reads_url("http://localhost:4318/", true, "localhost", "4318", "/v1/metrics"));
  CHECK(reads_url("HTTP://collector/base/", true, "collector", "80", "/base/v1/metrics"));
  CHECK(reads_url("http://[::1]:4318/v1/metrics", false, "::1", "4318", "/v1/metrics"));
  CHECK(reads_url("http://collector:4318", false, "collector", "4318", "/"));
  CHECK(reads_url("http://collector?tenant=1", false, "collector", "80", "/?tenant=1"));
  CHECK(reads_url("http://user:secret@collector:1/x#y", false, "collector", "1", "/x"));
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
    CHECK(!rota__push_read_url(wrong[i], true, &push));
  CHECK(!rota__push_read_url("http://a/?x", true, &push));
  CHECK(rota__push_read_url("http://user:secret@collector:4318", true, &push));
  CHECK(strcmp(push.shown, "http://collector:4318") == 0);
}

static void add_pair(struct rota_metrics_text *to, const char *name, const char *value, bool *is_first) {
  rota__text_put(to, *is_first ? "" : "|");
  rota__text_put(to, name);
  rota__text_put(to, ">");
  rota__text_put(to, value);
  *is_first = false;
}

TEST(metrics_pairs_are_read_with_their_escapes) {
  struct rota_metrics_text read = {0};
  bool is_first = true;
  rota__push_read_pairs(" a = b , c=d%20e%2,,=x,no,f=%zz%00%4a=k,g=", add_pair, &read, &is_first);
  CHECK(strcmp(read.bytes, "a>b|c>d e%2|f>%zz%00J=k|g>") == 0);
  rota__text_free(&read);
}
