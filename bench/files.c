/* How many small files are opened, read and closed in a second, with a given number of them in progress?
 * files [in_flight] [seconds]: each has a file of its own, of 1 KiB, in $TMPDIR. */
#include <fcntl.h>
#include <unistd.h>

#include "bench.h"
#include "uv.h"

enum { FILE_BYTES = 1024 };

struct reader {
  uv_fs_t req;
  int fd;
  char path[200];
  char data[FILE_BYTES];
};

static uint64_t files_read, end_ns;

static void on_open(uv_fs_t *req);

static void on_close(uv_fs_t *req) {
  struct reader *reader = req->data;
  bench_must(req->result == 0, "close");
  uv_fs_req_cleanup(req);
  files_read++;
  if (bench_now_ns() < end_ns)
    uv_fs_open(req->loop, req, reader->path, O_RDONLY, 0, on_open);
}

static void on_read(uv_fs_t *req) {
  struct reader *reader = req->data;
  bench_must(req->result == FILE_BYTES, "read");
  uv_fs_req_cleanup(req);
  uv_fs_close(req->loop, req, reader->fd, on_close);
}

static void on_open(uv_fs_t *req) {
  struct reader *reader = req->data;
  bench_must(req->result >= 0, "open");
  reader->fd = (int)req->result;
  uv_fs_req_cleanup(req);
  uv_buf_t buf = uv_buf_init(reader->data, sizeof(reader->data));
  uv_fs_read(req->loop, req, reader->fd, &buf, 1, 0, on_read);
}

int main(int argc, char **argv) {
  size_t in_flight = (size_t)bench_number(argc, argv, 1, 64);
  uv_loop_t *loop = uv_default_loop();
  const char *place = getenv("TMPDIR");
  char directory[100];
  snprintf(directory, sizeof(directory), "%.80s/rota-bench-XXXXXX", place != NULL ? place : "/tmp");
  bench_must(mkdtemp(directory) != NULL, directory);
  struct reader *readers = bench_array(in_flight, sizeof(*readers));
  for (size_t i = 0; i < in_flight; i++) {
    struct reader *reader = &readers[i];
    reader->req.data = reader;
    snprintf(reader->path, sizeof(reader->path), "%s/%zu", directory, i);
    int fd = open(reader->path, O_CREAT | O_WRONLY, 0600);
    bench_must(fd >= 0 && write(fd, reader->data, FILE_BYTES) == FILE_BYTES && close(fd) == 0, reader->path);
  }
  uint64_t start_ns = bench_now_ns();
  end_ns = start_ns + bench_seconds_ns(argc, argv, 2);
  for (size_t i = 0; i < in_flight; i++)
    uv_fs_open(loop, &readers[i].req, readers[i].path, O_RDONLY, 0, on_open);
  uv_run(loop, UV_RUN_DEFAULT);
  uint64_t elapsed_ns = bench_now_ns() - start_ns;
  for (size_t i = 0; i < in_flight; i++)
    unlink(readers[i].path);
  rmdir(directory);
  bench_report_rate((double)files_read, elapsed_ns, "files/s");
  return 0;
}
