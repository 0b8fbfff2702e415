/* An echo server on TCP: what comes is sent back.
 *
 *   build/examples/echo [port]        (port 0 or none: the system chooses; the first line says which)
 *
 * A client that sends and does not read must not fill the memory: reading stops while much is waiting to be written to
 * it, and goes on when that is written. SIGTERM and SIGINT close everything, and the loop ends by itself. */
#include <stdio.h>
#include <stdlib.h>

#include <uv.h>

#define BACKLOG 128
#define MOST_WAITING (1u << 20)

struct client {
  uv_tcp_t tcp;
  int paused;
};

struct answer {
  uv_write_t request;
  uv_buf_t bytes;
};

static uv_tcp_t server;
static uv_signal_t signals[2];

static void require(int result, const char *what) {
  if (result == 0)
    return;
  fprintf(stderr, "echo: %s: %s\n", what, uv_strerror(result));
  exit(1);
}

static void on_client_closed(uv_handle_t *handle) {
  free(handle->data);
}

static void close_client(struct client *client) {
  if (!uv_is_closing((uv_handle_t *)&client->tcp))
    uv_close((uv_handle_t *)&client->tcp, on_client_closed);
}

static void on_room_wanted(uv_handle_t *handle, size_t suggested, uv_buf_t *room) {
  (void)handle;
  room->base = malloc(suggested);
  room->len = room->base == NULL ? 0 : suggested;
}

static void on_read(uv_stream_t *stream, ssize_t length, const uv_buf_t *bytes);

static void on_written(uv_write_t *request, int status) {
  struct answer *answer = (struct answer *)request;
  struct client *client = request->handle->data;
  free(answer->bytes.base);
  free(answer);
  if (status < 0) {
    close_client(client);
  } else if (client->paused && uv_stream_get_write_queue_size((uv_stream_t *)&client->tcp) < MOST_WAITING / 2) {
    client->paused = 0;
    if (uv_read_start((uv_stream_t *)&client->tcp, on_room_wanted, on_read) != 0)
      close_client(client);
  }
}

static void send_back(struct client *client, const uv_buf_t *bytes, size_t length) {
  uv_stream_t *stream = (uv_stream_t *)&client->tcp;
  struct answer *answer = malloc(sizeof *answer);
  if (answer == NULL) {
    free(bytes->base);
    close_client(client);
    return;
  }
  answer->bytes = uv_buf_init(bytes->base, (unsigned int)length);
  if (uv_write(&answer->request, stream, &answer->bytes, 1, on_written) != 0) {
    free(answer->bytes.base);
    free(answer);
    close_client(client);
  } else if (uv_stream_get_write_queue_size(stream) > MOST_WAITING) {
    client->paused = 1;
    uv_read_stop(stream);
  }
}

static void on_read(uv_stream_t *stream, ssize_t length, const uv_buf_t *bytes) {
  struct client *client = stream->data;
  if (length > 0) {
    send_back(client, bytes, (size_t)length);
    return;
  }
  free(bytes->base);
  if (length < 0)
    close_client(client);
}

static void on_connection(uv_stream_t *listener, int status) {
  if (status < 0)
    return;
  struct client *client = calloc(1, sizeof *client);
  if (client == NULL)
    return;
  uv_tcp_init(listener->loop, &client->tcp);
  client->tcp.data = client;
  if (uv_accept(listener, (uv_stream_t *)&client->tcp) != 0 ||
      uv_read_start((uv_stream_t *)&client->tcp, on_room_wanted, on_read) != 0)
    close_client(client);
}

static void close_one(uv_handle_t *handle, void *unused) {
  (void)unused;
  if (uv_is_closing(handle))
    return;
  uv_close(handle, handle->data == NULL ? NULL : on_client_closed);
}

static void on_signal(uv_signal_t *handle, int number) {
  (void)number;
  uv_walk(handle->loop, close_one, NULL);
}

int main(int argc, char **argv) {
  uv_loop_t *loop = uv_default_loop();
  struct sockaddr_in address;
  require(uv_ip4_addr("127.0.0.1", argc > 1 ? atoi(argv[1]) : 0, &address), "the address");
  require(uv_tcp_init(loop, &server), "a socket");
  require(uv_tcp_bind(&server, (const struct sockaddr *)&address, 0), "the port");
  require(uv_listen((uv_stream_t *)&server, BACKLOG, on_connection), "listening");
  for (int i = 0; i < 2; i++) {
    require(uv_signal_init(loop, &signals[i]), "a signal");
    require(uv_signal_start(&signals[i], on_signal, i == 0 ? SIGTERM : SIGINT), "a signal");
  }
  int length = sizeof address;
  require(uv_tcp_getsockname(&server, (struct sockaddr *)&address, &length), "the port");
  printf("listening on 127.0.0.1:%d\n", ntohs(address.sin_port));
  fflush(stdout);
  uv_run(loop, UV_RUN_DEFAULT);
  return uv_loop_close(loop) == 0 ? 0 : 1;
}
