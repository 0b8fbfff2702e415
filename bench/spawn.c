/* How many programs are started and waited for in a second, one after another?
 * spawn [parent_mib] [seconds]: a parent with that much memory in use, in small pages. */
#include <sys/mman.h>

#include "bench.h"
#include "uv.h"

static uv_process_t process;
static uv_process_options_t options;
static uint64_t spawned, end_ns;

static void spawn(uv_loop_t *loop);

static void on_close(uv_handle_t *handle) {
  if (bench_now_ns() < end_ns)
    spawn(handle->loop);
}

static void on_exit_of_child(uv_process_t *child, int64_t status, int signal) {
  bench_must(status == 0 && signal == 0, "the child failed");
  spawned++;
  uv_close((uv_handle_t *)child, on_close);
}

static void spawn(uv_loop_t *loop) {
  bench_must(uv_spawn(loop, &process, &options) == 0, "uv_spawn");
}

int main(int argc, char **argv) {
  size_t bytes = (size_t)bench_number(argc, argv, 1, 0) << 20;
  if (bytes > 0) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bench_must(memory != MAP_FAILED, "mmap");
    madvise(memory, bytes, MADV_NOHUGEPAGE);
    memset(memory, 1, bytes);
  }
  uv_loop_t *loop = uv_default_loop();
  static char *arguments[] = {"true", NULL};
  options.file = "/bin/true";
  options.args = arguments;
  options.exit_cb = on_exit_of_child;
  uint64_t start_ns = bench_now_ns();
  end_ns = start_ns + bench_seconds_ns(argc, argv, 2);
  spawn(loop);
  uv_run(loop, UV_RUN_DEFAULT);
  bench_report_rate((double)spawned, bench_now_ns() - start_ns, "processes/s");
  return 0;
}
