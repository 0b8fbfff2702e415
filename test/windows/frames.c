/* Frames of an IPC pipe from somebody who is no librota: random bytes, cut heads, lengths that cannot be, sockets that
 * are none. The reader gets an error or the end, and never more than was sent. A line for each part; the exit status is
 * the number of parts that failed. */
#include "part.h"

enum { MARK = 0x61746f72, BYTES = 0, CONNECTION = 1, RANDOM_RUNS = 200, INFO_SIZE = 628, END_MS = 10000 };

struct head {
  uint32_t mark;
  uint32_t kind;
  uint32_t info_length;
  uint32_t payload_length;
  int32_t delayed_error;
};

static uv_loop_t loop;
static uv_pipe_t listener, reader;
static uv_timer_t limit;
static HANDLE writer;
static size_t received;
static ssize_t end;
static int pending, is_late;

static void alloc(uv_handle_t *handle, size_t size, uv_buf_t *buf) {
  static char bytes[65536];
  (void)handle;
  (void)size;
  *buf = uv_buf_init(bytes, sizeof(bytes));
}

static void close_one(uv_handle_t *handle, void *unused) {
  (void)unused;
  if (!uv_is_closing(handle))
    uv_close(handle, NULL);
}

static void on_read(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  (void)buf;
  if (nread > 0)
    received += (size_t)nread;
  pending += uv_pipe_pending_count((uv_pipe_t *)stream);
  if (nread < 0) {
    end = nread;
    uv_walk(&loop, close_one, NULL);
  }
}

static void on_end_of_time(uv_timer_t *timer) {
  (void)timer;
  is_late = 1;
  uv_walk(&loop, close_one, NULL);
}

static void on_connection(uv_stream_t *server, int status) {
  if (status == 0 && uv_accept(server, (uv_stream_t *)&reader) == 0)
    uv_read_start((uv_stream_t *)&reader, alloc, on_read);
}

/* The bytes are written at once, and the pipe is closed. */
static void run_with(const void *bytes, DWORD length) {
  static int count;
  char name[64];
  DWORD written;
  snprintf(name, sizeof(name), "\\\\.\\pipe\\rota-frames-%d-%d", (int)uv_os_getpid(), ++count);
  received = 0;
  end = pending = is_late = 0;
  uv_loop_init(&loop);
  uv_timer_init(&loop, &limit);
  uv_timer_start(&limit, on_end_of_time, END_MS, 0);
  uv_pipe_init(&loop, &listener, 0);
  uv_pipe_init(&loop, &reader, 1);
  uv_pipe_bind(&listener, name);
  uv_listen((uv_stream_t *)&listener, 1, on_connection);
  writer = CreateFileA(name, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING, 0, NULL);
  WriteFile(writer, bytes, length, &written, NULL);
  CloseHandle(writer);
  uv_run(&loop, UV_RUN_DEFAULT);
  if (uv_loop_close(&loop) != 0)
    is_late = 1;
}

static void test_heads(void) {
  char bytes[sizeof(struct head) + INFO_SIZE + 16] = {0};
  struct head head = {MARK, BYTES, 0, 5, 0};
  memcpy(bytes, &head, sizeof(head));
  memcpy(bytes + sizeof(head), "hello", 5);
  run_with(bytes, sizeof(head) + 5);
  check("a frame is understood", received == 5 && end == UV_EOF && !is_late);
  run_with(bytes, sizeof(head) - 1);
  check("a head that is cut", received == 0 && end == UV_EOF && !is_late);
  run_with(bytes, sizeof(head) + 3);
  check("bytes that are cut", received == 3 && end == UV_EOF && !is_late);
  head.payload_length = UINT32_MAX;
  memcpy(bytes, &head, sizeof(head));
  run_with(bytes, sizeof(head) + 5);
  check("a length that nobody sends", received == 5 && end == UV_EOF && !is_late);
  head.info_length = UINT32_MAX;
  memcpy(bytes, &head, sizeof(head));
  run_with(bytes, sizeof(head) + 5);
  check("an information that is too long", received == 0 && end == UV_ECONNABORTED && !is_late);
  head = (struct head){MARK, 77, 0, 5, 0};
  memcpy(bytes, &head, sizeof(head));
  run_with(bytes, sizeof(head) + 5);
  check("an unknown kind", received == 0 && end == UV_ECONNABORTED && !is_late);
  head = (struct head){~MARK, BYTES, 0, 5, 0};
  memcpy(bytes, &head, sizeof(head));
  run_with(bytes, sizeof(head) + 5);
  check("another mark", received == 0 && end == UV_ECONNABORTED && !is_late);
  head = (struct head){MARK, CONNECTION, sizeof(WSAPROTOCOL_INFOW), 1, 0};
  memcpy(bytes, &head, sizeof(head));
  run_with(bytes, sizeof(head) + sizeof(WSAPROTOCOL_INFOW) + 1);
  check("a socket that is none", end < 0 && pending == 0 && !is_late);
  run_with(bytes, sizeof(head) + 100);
  check("a socket that is cut", end == UV_EOF && pending == 0 && !is_late);
}

/* Heads with some right fields reach further than noise. */
static void test_random(void) {
  static char bytes[4096];
  uint32_t seed = 20261117;
  int bad = 0;
  for (int run = 0; run < RANDOM_RUNS; run++) {
    for (size_t i = 0; i < sizeof(bytes); i++) {
      seed = seed * 1664525u + 1013904223u;
      bytes[i] = (char)(seed >> 24);
    }
    struct head head = {MARK, seed % 4, seed & 1 ? 0 : sizeof(WSAPROTOCOL_INFOW), seed >> (seed % 32), (int32_t)seed};
    if (run % 4 != 0)
      memcpy(bytes, &head, sizeof(head));
    run_with(bytes, 1 + (seed >> 7) % (DWORD)sizeof(bytes));
    bad += end >= 0 || is_late || received > sizeof(bytes);
  }
  check("random frames", bad == 0);
}

int main(void) {
  test_heads();
  test_random();
  return failures;
}
