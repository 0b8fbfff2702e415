/* A report is one write, so that those of several processes are not mixed. */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "observe/name/describe.h"
#include "rota.h"
#include "test.h"

/* Each write to a socket of datagrams is one. */
static FILE *open_unbuffered(int ends[2]) {
  CHECK_EQ(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), 0);
  FILE *stream = fdopen(ends[1], "w");
  CHECK(stream != NULL);
  setvbuf(stream, NULL, _IONBF, 0);
  return stream;
}

TEST(report_is_one_write) {
  char text[64];
  int ends[2];
  FILE *to = open_unbuffered(ends);
  struct rota_report report;
  rota__report_begin(&report, to);
  for (int i = 0; i < 4; i++)
    fprintf(report.stream, "%d, ", i);
  fputs("end\n", report.stream);
  rota__report_end(&report);
  CHECK_EQ(recv(ends[0], text, sizeof(text), MSG_DONTWAIT), 16);
  CHECK_EQ(memcmp(text, "0, 1, 2, 3, end\n", 16), 0);
  CHECK_EQ(recv(ends[0], text, sizeof(text), MSG_DONTWAIT), -1);
  fclose(to);
  close(ends[0]);
}

TEST(statistics_are_one_write) {
  static char text[8192];
  int ends[2];
  FILE *to = open_unbuffered(ends);
  rota_stats_print(to);
  ssize_t length = recv(ends[0], text, sizeof(text), MSG_DONTWAIT);
  CHECK(length > 0 && memmem(text, (size_t)length, "statistics of process", 21) != NULL);
  CHECK_EQ(recv(ends[0], text, sizeof(text), MSG_DONTWAIT), -1);
  fclose(to);
  close(ends[0]);
}

static void on_timer(uv_timer_t *timer) {
  (void)timer;
}

TEST(why_alive_is_one_write) {
  static char text[8192];
  int ends[2];
  FILE *to = open_unbuffered(ends);
  uv_timer_t timer;
  CHECK_EQ(uv_timer_init(uv_default_loop(), &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, on_timer, 1000, 0), 0);
  rota_print_alive(uv_default_loop(), to);
  ssize_t length = recv(ends[0], text, sizeof(text), MSG_DONTWAIT);
  CHECK(length > 0 && memmem(text, (size_t)length, "due in", 6) != NULL);
  CHECK_EQ(recv(ends[0], text, sizeof(text), MSG_DONTWAIT), -1);
  uv_close((uv_handle_t *)&timer, NULL);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  fclose(to);
  close(ends[0]);
  test_close_default_loop();
}
