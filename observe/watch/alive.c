/* Why a loop is alive: its active handles and their requests, and the requests that the pool or the poller holds.
 *
 * Requests of streams and sockets are linked to their handles. The loop only counts the others; if origins are
 * recorded, the tracer has a list of them (origin.h). */
#include <string.h>

#include "loop/base/list.h"
#include "loop/base/units.h"
#include "loop/core/handle.h"
#include "loop/core/internal.h"
#include "loop/os/clock.h"
#include "loop/os/process.h"
#include "observe/name/describe.h"
#include "observe/name/origin.h"
#include "observe/name/symbol.h"
#include "observe/trace/tracer.h"
#include "rota.h"

static struct {
  rota_alive_hook hook;
  void *data;
} embedder;

void rota_set_alive_hook(rota_alive_hook hook, void *data) {
  embedder.hook = hook;
  embedder.data = data;
}

/* Functions of the library itself say nothing about where something was made. */
static bool is_ours(const struct rota_symbol *symbol) {
  const struct rota_symbol *own = rota__symbol_find((const void *)(uintptr_t)rota_print_alive);
  if (symbol == NULL || symbol->library == NULL || own == NULL || own->library != symbol->library)
    return false;
  return symbol->function != NULL &&
         (strncmp(symbol->function, "uv_", 3) == 0 || strncmp(symbol->function, "rota_", 5) == 0);
}

/* The callers of main, or of a thread's first function, are not shown. */
static int count_frames(const struct rota_origin *origin) {
  int count = origin->count;
  for (int i = 0; i < count; i++) {
    const struct rota_symbol *symbol = rota__symbol_find((char *)origin->frames[i] - 1);
    if (symbol != NULL && symbol->function != NULL && strcmp(symbol->function, "main") == 0)
      return i + 1;
  }
  while (count > 1) {
    const struct rota_symbol *symbol = rota__symbol_find((char *)origin->frames[count - 1] - 1);
    if (symbol == NULL || symbol->library == NULL || strstr(symbol->library, "/libc.so") == NULL)
      break;
    count--;
  }
  return count;
}

static void print_origin(const struct rota_origin *origin, FILE *stream) {
  int first = 0;
  if (origin == NULL)
    return;
  if (origin->text != NULL) {
    fprintf(stream, "%s", origin->text);
    return;
  }
  /* Skips frames up to the outermost public function: those inside it belong to the library. */
  int count = count_frames(origin);
  for (int i = 0; i < count; i++)
    if (is_ours(rota__symbol_find((char *)origin->frames[i] - 1)) && i < 6)
      first = i;
  for (int i = first; i < count; i++) {
    const struct rota_symbol *symbol = rota__symbol_find((char *)origin->frames[i] - 1);
    fputs(i == first ? "      made by " : "           in ", stream);
    if (i == first && is_ours(symbol))
      fputs(symbol->function, stream); /* its offset in the library is not useful */
    else
      rota__symbol_print((char *)origin->frames[i] - 1, stream);
    fputc('\n', stream);
  }
}

static void print_address(const char *word, const struct sockaddr_storage *address, FILE *stream) {
  char text[INET6_ADDRSTRLEN];
  if (address->ss_family == AF_INET) {
    const struct sockaddr_in *four = (const struct sockaddr_in *)address;
    if (uv_ip4_name(four, text, sizeof(text)) == 0)
      fprintf(stream, " %s %s:%d", word, text, ntohs(four->sin_port));
  } else if (address->ss_family == AF_INET6) {
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
    if (uv_ip6_name(six, text, sizeof(text)) == 0)
      fprintf(stream, " %s [%s]:%d", word, text, ntohs(six->sin6_port));
  }
}

static void print_tcp(const uv_tcp_t *tcp, FILE *stream) {
  struct sockaddr_storage address;
  int length = sizeof(address);
  if (uv_tcp_getsockname(tcp, (struct sockaddr *)&address, &length) == 0)
    print_address(tcp->flags & ROTA_STREAM_LISTENING ? "listening on" : "local", &address, stream);
  length = sizeof(address);
  if (uv_tcp_getpeername(tcp, (struct sockaddr *)&address, &length) == 0)
    print_address("peer", &address, stream);
}

static void print_udp(const uv_udp_t *udp, FILE *stream) {
  struct sockaddr_storage address;
  int length = sizeof(address);
  if (uv_udp_getsockname(udp, (struct sockaddr *)&address, &length) == 0)
    print_address("local", &address, stream);
}

static void print_pipe(const uv_pipe_t *pipe, FILE *stream) {
  char name[256];
  size_t size = sizeof(name);
  if (uv_pipe_getsockname(pipe, name, &size) == 0 && size > 0 && name[0] != '\0')
    fprintf(stream, " %s", name);
}

static void print_path(int err, const char *path, FILE *stream) {
  if (err == 0 && path[0] != '\0')
    fprintf(stream, " of %s", path);
}

/* The child's command line, if the system still has it: an ended child has none. */
static void print_child(int process_id, FILE *stream) {
  char text[200];
  ssize_t length = rota__os_command_line_of(process_id, text, sizeof(text));
  fprintf(stream, " process %d%s", process_id, length > 0 ? ":" : "");
  for (ssize_t i = 0; i < length;) {
    fprintf(stream, " %s", text + i);
    i += (ssize_t)strlen(text + i) + 1;
  }
}

/* The callback that would be made, as far as there is one. */
static rota_function callback_of(const uv_handle_t *handle) {
  const uv_stream_t *stream = (const uv_stream_t *)handle;
  switch (handle->type) {
  case UV_ASYNC:
    return (rota_function)((const uv_async_t *)handle)->async_cb;
  case UV_CHECK:
    return (rota_function)((const uv_check_t *)handle)->check_cb;
  case UV_FS_EVENT:
    return (rota_function)((const uv_fs_event_t *)handle)->cb;
  case UV_IDLE:
    return (rota_function)((const uv_idle_t *)handle)->idle_cb;
  case UV_NAMED_PIPE:
  case UV_TCP:
  case UV_TTY:
    return handle->flags & ROTA_STREAM_LISTENING ? (rota_function)stream->io.connection_cb
           : handle->flags & ROTA_STREAM_READING ? (rota_function)stream->read_cb
                                                 : NULL;
  case UV_POLL:
    return (rota_function)((const uv_poll_t *)handle)->poll_cb;
  case UV_PREPARE:
    return (rota_function)((const uv_prepare_t *)handle)->prepare_cb;
  case UV_PROCESS:
    return (rota_function)((const uv_process_t *)handle)->exit_cb;
  case UV_SIGNAL:
    return (rota_function)((const uv_signal_t *)handle)->signal_cb;
  case UV_TIMER:
    return (rota_function)((const uv_timer_t *)handle)->timer.cb;
  case UV_UDP:
    return (rota_function)((const uv_udp_t *)handle)->recv_cb;
  default:
    return NULL;
  }
}

/* The loop reads the clock when it wakes: while it waits, its own time is that of the wait's beginning. */
static unsigned long long due_in_ms(const uv_timer_t *timer) {
  uint64_t now_ms = rota__os_clock.loop_ns() / NS_PER_MS;
  return timer->timer.due_ms > now_ms ? timer->timer.due_ms - now_ms : 0;
}

static void print_details(const uv_handle_t *handle, FILE *stream) {
  char path[1024] = "";
  size_t size = sizeof(path);
  int fd = handle->u.rota.kind->fd == NULL ? -1 : handle->u.rota.kind->fd(handle);
  if (fd >= 0)
    fprintf(stream, " descriptor %d", fd);
  switch (handle->type) {
  case UV_TCP:
    print_tcp((const uv_tcp_t *)handle, stream);
    break;
  case UV_UDP:
    print_udp((const uv_udp_t *)handle, stream);
    break;
  case UV_NAMED_PIPE:
    print_pipe((const uv_pipe_t *)handle, stream);
    break;
  case UV_TIMER:
    fprintf(stream, " due in %llu ms", due_in_ms((const uv_timer_t *)handle));
    if (((const uv_timer_t *)handle)->timer.repeat_ms != 0)
      fprintf(stream, ", every %llu ms", (unsigned long long)((const uv_timer_t *)handle)->timer.repeat_ms);
    break;
  case UV_PROCESS:
    print_child(((const uv_process_t *)handle)->pid, stream);
    break;
  case UV_FS_EVENT:
    print_path(uv_fs_event_getpath((uv_fs_event_t *)handle, path, &size), path, stream);
    break;
  case UV_FS_POLL:
    print_path(uv_fs_poll_getpath((uv_fs_poll_t *)handle, path, &size), path, stream);
    break;
  case UV_SIGNAL:
    fprintf(stream, " signal %d", ((const uv_signal_t *)handle)->signum);
    break;
  default:
    break;
  }
}

static void print_callback(rota_function callback, FILE *stream) {
  if (callback == NULL)
    return;
  fputs("      calls ", stream);
  rota__symbol_print((const void *)(uintptr_t)callback, stream);
  fputc('\n', stream);
}

static unsigned int print_request(const char *what, rota_function callback, FILE *stream) {
  fprintf(stream, "    request %s\n", what);
  print_callback(callback, stream);
  return 1;
}

static unsigned int count_links(const struct rota_link *list) {
  unsigned int count = 0;
  for (const struct rota_link *link = list->next; link != list; link = link->next)
    count++;
  return count;
}

static const char *plural(unsigned int n) {
  return n == 1 ? "" : "s";
}

/* Returns how many requests the handle has. */
static unsigned int print_requests(const uv_handle_t *handle, FILE *stream) {
  unsigned int printed = 0;
  if (handle->type == UV_TCP || handle->type == UV_NAMED_PIPE || handle->type == UV_TTY) {
    const struct rota_stream *s = &((const uv_stream_t *)handle)->io;
    unsigned int writes = count_links(&s->write_queue) + count_links(&s->write_completed_queue);
    if (s->connect_req != NULL)
      printed += print_request("connect", (rota_function)s->connect_req->cb, stream);
    if (s->shutdown_req != NULL)
      printed += print_request("shutdown", (rota_function)s->shutdown_req->cb, stream);
    if (writes > 0)
      fprintf(stream, "    %u request%s write, %zu bytes to go\n", writes, writes == 1 ? "" : "s",
              uv_stream_get_write_queue_size((const uv_stream_t *)handle));
    printed += writes;
  } else if (handle->type == UV_UDP) {
    const uv_udp_t *udp = (const uv_udp_t *)handle;
    unsigned int sends = count_links(&udp->send_queue) + count_links(&udp->send_completed_queue);
    if (sends > 0)
      fprintf(stream, "    %u request%s udp_send\n", sends, sends == 1 ? "" : "s");
    printed += sends;
  }
  return printed;
}

static bool keeps_alive(const uv_handle_t *handle) {
  return (handle->flags & ROTA_HANDLE_ACTIVE && handle->flags & ROTA_HANDLE_REF) ||
         (handle->flags & ROTA_HANDLE_CLOSING && !(handle->flags & ROTA_HANDLE_CLOSED));
}

static bool is_stream_of_requests(const uv_handle_t *handle) {
  return handle->type == UV_TCP || handle->type == UV_NAMED_PIPE || handle->type == UV_TTY || handle->type == UV_UDP;
}

static int port_of(const uv_tcp_t *tcp) {
  struct sockaddr_storage address;
  int length = sizeof(address);
  if (uv_tcp_getsockname(tcp, (struct sockaddr *)&address, &length) != 0)
    return 0;
  return ntohs(address.ss_family == AF_INET6 ? ((const struct sockaddr_in6 *)&address)->sin6_port
                                             : ((const struct sockaddr_in *)&address)->sin_port);
}

/* The server of the same loop that has accepted this connection: it has the same port. Null: it is another's, or gone.
 */
static const uv_handle_t *server_of(const uv_handle_t *handle) {
  int port = handle->type == UV_TCP && !(handle->flags & ROTA_STREAM_LISTENING) ? port_of((const uv_tcp_t *)handle) : 0;
  if (port == 0)
    return NULL;
  const struct rota_link *all = &handle->loop->handle_queue;
  for (const struct rota_link *link = all->next; link != all; link = link->next) {
    const uv_handle_t *other = rota__container_of(link, const uv_handle_t, handle_queue);
    if (other->type == UV_TCP && other->flags & ROTA_STREAM_LISTENING && port_of((const uv_tcp_t *)other) == port)
      return other;
  }
  return NULL;
}

/* A connection is made while no function of an embedder runs: where its server was made says more than frames of C. */
static const struct rota_origin *origin_of(const uv_handle_t *handle, FILE *stream) {
  const struct rota_origin *own = rota__origin_of(rota__handle_origin(handle));
  const uv_handle_t *server = own != NULL && own->text != NULL ? NULL : server_of(handle);
  const struct rota_origin *of_server = server == NULL ? NULL : rota__origin_of(rota__handle_origin(server));
  if (of_server == NULL || of_server->text == NULL)
    return own;
  fprintf(stream, "      accepted by the server %p, made\n", (const void *)server);
  return of_server;
}

static void print_handle(const uv_handle_t *handle, FILE *stream) {
  fprintf(stream, "  %s %p", rota__describe_type(handle->type, 0), (const void *)handle);
  print_details(handle, stream);
  if (handle->flags & ROTA_HANDLE_CLOSING)
    fputs(" closing", stream);
  else if (!(handle->flags & ROTA_HANDLE_ACTIVE))
    fputs(" not active, but with requests", stream);
  else if (!(handle->flags & ROTA_HANDLE_REF))
    fputs(" not referenced, but with requests", stream);
  fputc('\n', stream);
  const struct rota_origin *origin = origin_of(handle, stream);
  if (origin == NULL || origin->text == NULL) /* else it is the embedder's own, which says nothing */
    print_callback(handle->flags & ROTA_HANDLE_CLOSING ? (rota_function)handle->close_cb : callback_of(handle), stream);
  print_origin(origin, stream);
}

static bool has_requests(const uv_handle_t *handle) {
  if (handle->type == UV_UDP)
    return !rota__list_empty(&((const uv_udp_t *)handle)->send_queue) ||
           !rota__list_empty(&((const uv_udp_t *)handle)->send_completed_queue);
  const struct rota_stream *s = &((const uv_stream_t *)handle)->io;
  return s->connect_req != NULL || s->shutdown_req != NULL || !rota__list_empty(&s->write_queue) ||
         !rota__list_empty(&s->write_completed_queue);
}

static unsigned int print_tracked(const struct rota_request_table *table, FILE *stream) {
  unsigned int printed = 0;
  for (size_t i = 0; table != NULL && i < table->capacity; i++) {
    const uv_req_t *req = table->entries[i].req;
    if (req == NULL || table->entries[i].origin == NULL)
      continue;
    printed++;
    fprintf(stream, "  request %s", rota__describe_type(req->type, 1));
    if (req->type == UV_FS) {
      const uv_fs_t *file = (const uv_fs_t *)req;
      fprintf(stream, " %s%s%s", rota__describe_file_operation(file->fs_type), file->path == NULL ? "" : " ",
              file->path == NULL ? "" : file->path);
    }
    fprintf(stream, " %p\n", (const void *)req);
    if (req->type == UV_WORK)
      print_callback((rota_function)((const uv_work_t *)req)->work_cb, stream);
    print_origin(table->entries[i].origin, stream);
  }
  return printed;
}

void rota_print_alive(uv_loop_t *loop, FILE *to) {
  const struct rota_tracer *tracer = rota__tracer_of(loop);
  unsigned int requests = 0;
  struct rota_report report;
  rota__report_begin(&report, to);
  FILE *stream = report.stream;
  fprintf(stream, "rota: loop %p is %s: %u handle%s, %u request%s\n", (void *)loop,
          uv_loop_alive(loop) ? "alive" : "not alive", loop->active_handles, plural(loop->active_handles),
          loop->active_reqs.count, plural(loop->active_reqs.count));
  for (const struct rota_link *link = loop->handle_queue.next; link != &loop->handle_queue; link = link->next) {
    const uv_handle_t *handle = rota__container_of(link, const uv_handle_t, handle_queue);
    bool requested = is_stream_of_requests(handle) && has_requests(handle);
    if (!keeps_alive(handle) && !requested)
      continue;
    if (embedder.hook == NULL || embedder.hook(loop, handle, stream, embedder.data) == 0)
      print_handle(handle, stream);
    requests += requested ? print_requests(handle, stream) : 0;
  }
  requests += print_tracked(tracer == NULL ? NULL : tracer->origins, stream);
  if (requests < loop->active_reqs.count)
    fprintf(stream, "  %u request%s to the thread pool or the system (start it with ROTA_WHY=1 to see which)\n",
            loop->active_reqs.count - requests, plural(loop->active_reqs.count - requests));
  rota__report_end(&report);
}
