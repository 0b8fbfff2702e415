/* A thousand reads at once, behind a pool of four threads: most of their time they stand in a queue. Then the same
 * where the system does the reading by itself (io_uring): there is no queue. The histograms tell. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rota.h>
#include <uv.h>

enum { READS = 1000, BYTES = 65536 };

struct read_request {
  uv_fs_t req;
  char data[BYTES];
};

static int done;

static void require(long result, const char *what) {
  if (result >= 0)
    return;
  fprintf(stderr, "%s: %s\n", what, uv_strerror((int)result));
  exit(1);
}

static void on_read(uv_fs_t *req) {
  require(req->result, "read");
  uv_fs_req_cleanup(req);
  done++;
}

static void say(const char *what, rota_figure figure) {
  rota_stats_t stats;
  require(rota_stats_get(NULL, figure, &stats), "rota_stats_get");
  printf("  %-12s %5llu jobs, half of them under %8.1f us, the longest %8.1f us\n", what,
         (unsigned long long)stats.count, (double)stats.p50_ns / 1e3, (double)stats.max_ns / 1e3);
}

static void run(const char *poller, const char *path) {
  uv_loop_t loop;
  uv_fs_t open_request;
  struct read_request *requests = calloc(READS, sizeof(*requests));
  if (requests == NULL)
    exit(1);
  require(uv_os_setenv("ROTA_POLLER", poller), "uv_os_setenv");
  require(uv_loop_init(&loop), "uv_loop_init");
  require(rota_stats_reset(NULL), "rota_stats_reset");
  int file = uv_fs_open(&loop, &open_request, path, O_RDONLY, 0, NULL);
  require(file, path);
  uv_fs_req_cleanup(&open_request);

  uint64_t began_ns = uv_hrtime();
  done = 0;
  for (int i = 0; i < READS; i++) {
    uv_buf_t buf = uv_buf_init(requests[i].data, BYTES);
    require(uv_fs_read(&loop, &requests[i].req, file, &buf, 1, (int64_t)(i % 16) * BYTES, on_read), "uv_fs_read");
  }
  uv_run(&loop, UV_RUN_DEFAULT);
  printf("%s: %d reads in %.1f ms\n", rota_backend_name(&loop), done, (double)(uv_hrtime() - began_ns) / 1e6);
  say("in the queue", ROTA_FIGURE_QUEUE_FILE);
  say("running", ROTA_FIGURE_RUN_FILE);

  uv_fs_close(&loop, &open_request, file, NULL);
  uv_fs_req_cleanup(&open_request);
  require(uv_loop_close(&loop), "uv_loop_close");
  free(requests);
}

int main(int argc, char **argv) {
  require(rota_stats_start(), "rota_stats_start");
  run("epoll", argc > 1 ? argv[1] : argv[0]);
  run("uring", argc > 1 ? argv[1] : argv[0]);
  return 0;
}
