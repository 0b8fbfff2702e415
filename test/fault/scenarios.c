/* Small programs, each using a part of the library from its beginning to its end. */
#include "fault.h"

#include <fcntl.h>
#include <rota.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char message[] = "round and round";
static char memory[256];
static int done; /* counts the steps that were done; each scenario knows how many there are */

static void allocate(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
  (void)handle;
  (void)suggested;
  *buffer = uv_buf_init(memory, sizeof memory);
}

static void close_all(uv_loop_t *loop) {
  trouble(loop, 0);
}

/* ---- timers, async, work: a worker wakes the loop, a timer ends it ---- */

static uv_timer_t timer;
static uv_async_t async;
static uv_work_t work;

static void on_timer(uv_timer_t *handle) {
  done++;
  uv_close((uv_handle_t *)handle, NULL);
}

static void on_async(uv_async_t *handle) {
  done++;
  uv_close((uv_handle_t *)handle, NULL);
}

static void do_work(uv_work_t *request) {
  (void)request;
  uv_async_send(&async);
}

static void after_work(uv_work_t *request, int status) {
  if (status < 0)
    trouble(request->loop, status);
  done++;
}

static int start_basics(uv_loop_t *loop) {
  int err = uv_async_init(loop, &async, on_async);
  if (err < 0)
    return err;
  uv_timer_init(loop, &timer);
  err = uv_timer_start(&timer, on_timer, 1, 0);
  if (err < 0)
    return err;
  return uv_queue_work(loop, &work, do_work, after_work);
}

static int three_done(void) {
  return done == 3;
}

/* ---- an echo over tcp or a pipe: connect, write, echo, shut down, end ---- */

static union {
  uv_stream_t stream;
  uv_tcp_t tcp;
  uv_pipe_t pipe;
} server, client, peer;
static uv_connect_t connect_request;
static uv_write_t write_request, echo_request;
static uv_shutdown_t shutdown_request;
static int (*init_stream)(uv_loop_t *loop, uv_stream_t *stream);
static char echoed[sizeof message];
static size_t echoed_length, received_length;
static char received[sizeof message];
static char pipe_path[64];

static int init_tcp(uv_loop_t *loop, uv_stream_t *stream) {
  return uv_tcp_init(loop, (uv_tcp_t *)stream);
}

static int init_pipe(uv_loop_t *loop, uv_stream_t *stream) {
  return uv_pipe_init(loop, (uv_pipe_t *)stream, 0);
}

static void on_shutdown(uv_shutdown_t *request, int status) {
  if (status < 0)
    trouble(request->handle->loop, status);
}

static void on_echo_written(uv_write_t *request, int status) {
  if (status < 0)
    trouble(request->handle->loop, status);
}

static void on_peer_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
  uv_buf_t echo;
  int err = 0;
  if (count == UV_EOF) {
    uv_close((uv_handle_t *)stream, NULL);
    return;
  }
  if (count < 0) {
    trouble(stream->loop, (int)count);
    return;
  }
  if (echoed_length + (size_t)count > sizeof echoed) {
    trouble(stream->loop, UV_E2BIG);
    return;
  }
  memcpy(echoed + echoed_length, buffer->base, (size_t)count);
  echoed_length += (size_t)count;
  if (echoed_length == sizeof message) {
    echo = uv_buf_init(echoed, sizeof echoed);
    err = uv_write(&echo_request, stream, &echo, 1, on_echo_written);
  }
  if (err < 0)
    trouble(stream->loop, err);
}

static void on_connection(uv_stream_t *listener, int status) {
  uv_loop_t *loop = listener->loop;
  if (status == 0)
    status = init_stream(loop, &peer.stream);
  if (status == 0)
    status = uv_accept(listener, &peer.stream);
  if (status == 0)
    status = uv_read_start(&peer.stream, allocate, on_peer_read);
  if (status < 0)
    trouble(loop, status);
}

static void on_client_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
  int err;
  if (count < 0) {
    trouble(stream->loop, (int)count); /* an end before the echo is one, too */
    return;
  }
  if (received_length + (size_t)count > sizeof received) {
    trouble(stream->loop, UV_E2BIG);
    return;
  }
  memcpy(received + received_length, buffer->base, (size_t)count);
  received_length += (size_t)count;
  if (received_length < sizeof message)
    return;
  if (memcmp(received, message, sizeof message) == 0)
    done++;
  uv_read_stop(stream);
  err = uv_shutdown(&shutdown_request, stream, on_shutdown);
  if (err < 0)
    trouble(stream->loop, err);
  uv_close((uv_handle_t *)&server, NULL);
}

static void on_client_written(uv_write_t *request, int status) {
  if (status < 0)
    trouble(request->handle->loop, status);
}

static void on_connect(uv_connect_t *request, int status) {
  uv_stream_t *stream = request->handle;
  uv_buf_t buffer = uv_buf_init((char *)message, sizeof message);
  if (status == 0)
    status = uv_read_start(stream, allocate, on_client_read);
  if (status == 0)
    status = uv_write(&write_request, stream, &buffer, 1, on_client_written);
  if (status < 0)
    trouble(stream->loop, status);
}

static int one_done(void) {
  return done == 1;
}

static int start_tcp(uv_loop_t *loop) {
  struct sockaddr_in address;
  int length = sizeof address, err;
  init_stream = init_tcp;
  if ((err = uv_tcp_init(loop, &server.tcp)) < 0 || (err = uv_ip4_addr("127.0.0.1", 0, &address)) < 0 ||
      (err = uv_tcp_bind(&server.tcp, (struct sockaddr *)&address, 0)) < 0 ||
      (err = uv_listen(&server.stream, 8, on_connection)) < 0 ||
      (err = uv_tcp_getsockname(&server.tcp, (struct sockaddr *)&address, &length)) < 0 ||
      (err = uv_tcp_init(loop, &client.tcp)) < 0 || (err = uv_tcp_nodelay(&client.tcp, 1)) < 0)
    return err;
  return uv_tcp_connect(&connect_request, &client.tcp, (struct sockaddr *)&address, on_connect);
}

static int start_pipe(uv_loop_t *loop) {
  int err;
  init_stream = init_pipe;
  snprintf(pipe_path, sizeof pipe_path, "fault-%d.sock", (int)getpid());
  unlink(pipe_path);
  if ((err = uv_pipe_init(loop, &server.pipe, 0)) < 0 || (err = uv_pipe_bind(&server.pipe, pipe_path)) < 0 ||
      (err = uv_listen(&server.stream, 8, on_connection)) < 0 || (err = uv_pipe_init(loop, &client.pipe, 0)) < 0)
    return err;
  uv_pipe_connect(&connect_request, &client.pipe, pipe_path, on_connect);
  return 0;
}

/* ---- udp: a datagram to oneself ---- */

static uv_udp_t receiver, sender;
static uv_udp_send_t send_request;

static void on_sent(uv_udp_send_t *request, int status) {
  if (status < 0)
    trouble(request->handle->loop, status);
}

static void on_datagram(uv_udp_t *handle, ssize_t count, const uv_buf_t *buffer, const struct sockaddr *from,
                        unsigned int flags) {
  (void)buffer;
  (void)flags;
  if (count < 0) {
    trouble(handle->loop, (int)count);
    return;
  }
  if (count == 0 && from == NULL)
    return;
  if (count == (ssize_t)sizeof message)
    done++;
  close_all(handle->loop);
}

static int start_udp(uv_loop_t *loop) {
  struct sockaddr_in address;
  int length = sizeof address, err;
  uv_buf_t buffer = uv_buf_init((char *)message, sizeof message);
  if ((err = uv_udp_init(loop, &receiver)) < 0 || (err = uv_ip4_addr("127.0.0.1", 0, &address)) < 0 ||
      (err = uv_udp_bind(&receiver, (struct sockaddr *)&address, 0)) < 0 ||
      (err = uv_udp_getsockname(&receiver, (struct sockaddr *)&address, &length)) < 0 ||
      (err = uv_udp_recv_start(&receiver, allocate, on_datagram)) < 0 || (err = uv_udp_init(loop, &sender)) < 0)
    return err;
  return uv_udp_send(&send_request, &sender, &buffer, 1, (struct sockaddr *)&address, on_sent);
}

/* ---- files: a chain of operations, each begun by the callback of the one before ---- */

static uv_fs_t fs_request;
static uv_file file = -1;
static int fs_step, fs_error;
static char directory_path[64], file_path[80], other_path[80];

static void next_fs_step(uv_fs_t *request);

static int begin_fs_step(uv_loop_t *loop, uv_fs_cb callback) {
  uv_buf_t out = uv_buf_init((char *)message, sizeof message);
  uv_buf_t in = uv_buf_init(memory, sizeof memory);
  switch (fs_step) {
  case 0:
    return uv_fs_mkdir(loop, &fs_request, directory_path, 0700, callback);
  case 1:
    return uv_fs_open(loop, &fs_request, file_path, O_CREAT | O_RDWR, 0600, callback);
  case 2:
    return uv_fs_write(loop, &fs_request, file, &out, 1, 0, callback);
  case 3:
    return uv_fs_fsync(loop, &fs_request, file, callback);
  case 4:
    return uv_fs_read(loop, &fs_request, file, &in, 1, 0, callback);
  case 5:
    return uv_fs_stat(loop, &fs_request, file_path, callback);
  case 6:
    return uv_fs_close(loop, &fs_request, file, callback);
  case 7:
    return uv_fs_copyfile(loop, &fs_request, file_path, other_path, 0, callback);
  case 8:
    return uv_fs_scandir(loop, &fs_request, directory_path, 0, callback);
  case 9:
    return uv_fs_realpath(loop, &fs_request, other_path, callback);
  case 10:
    return uv_fs_unlink(loop, &fs_request, other_path, callback);
  case 11:
    return uv_fs_rename(loop, &fs_request, file_path, other_path, callback);
  case 12:
    return uv_fs_unlink(loop, &fs_request, other_path, callback);
  default:
    return uv_fs_rmdir(loop, &fs_request, directory_path, callback);
  }
}

/* After an error: what was made is removed, in the simplest way. */
static void tidy_up_files(void) {
  if (file >= 0)
    close(file);
  file = -1;
  unlink(file_path);
  unlink(other_path);
  rmdir(directory_path);
}

static int end_fs_step(uv_fs_t *request) {
  uv_dirent_t entry;
  int err = request->result < 0 ? (int)request->result : 0;
  if (err == 0 && fs_step == 1)
    file = (uv_file)request->result;
  if (fs_step == 6)
    file = err == 0 ? -1 : file;
  if (err == 0 && fs_step == 4 && memcmp(memory, message, sizeof message) != 0)
    err = UV_EIO;
  if (err == 0 && fs_step == 8)
    while ((err = uv_fs_scandir_next(request, &entry)) == 0)
      ;
  if (err == UV_EOF)
    err = 0;
  uv_fs_req_cleanup(request);
  fs_step++;
  return err;
}

static void next_fs_step(uv_fs_t *request) {
  uv_loop_t *loop = request->loop;
  int err = end_fs_step(request);
  if (err == 0 && fs_step == 14) {
    done++;
    return;
  }
  if (err == 0) {
    err = begin_fs_step(loop, next_fs_step);
    if (err < 0)
      uv_fs_req_cleanup(&fs_request);
  }
  if (err < 0) {
    fs_error = err;
    tidy_up_files();
    trouble(loop, err);
  }
}

static void name_files(void) {
  snprintf(directory_path, sizeof directory_path, "fault-%d.dir", (int)getpid());
  snprintf(file_path, sizeof file_path, "%s/file", directory_path);
  snprintf(other_path, sizeof other_path, "%s/other", directory_path);
}

static int start_files(uv_loop_t *loop) {
  name_files();
  return begin_fs_step(loop, next_fs_step);
}

static int start_files_at_once(uv_loop_t *loop) {
  int err = 0;
  name_files();
  while (err >= 0 && fs_step < 14) {
    err = begin_fs_step(loop, NULL);
    if (err >= 0)
      err = end_fs_step(&fs_request);
    else
      uv_fs_req_cleanup(&fs_request);
  }
  if (err >= 0)
    done++;
  else
    tidy_up_files();
  return err;
}

/* ---- whole files: one is written, and read several times at once ---- */

enum { READERS = 6 };

static uv_fs_t whole_requests[READERS];
static int whole_done, whole_error;

static int end_whole(uv_fs_t *request) {
  int err = request->result < 0 ? (int)request->result : 0;
  if (err == 0 && request->fs_type == ROTA_FS_READ_FILE &&
      (request->result != sizeof message || memcmp(request->ptr, message, sizeof message) != 0))
    err = UV_EIO;
  uv_fs_req_cleanup(request);
  return err;
}

static void on_whole(uv_fs_t *request) {
  uv_loop_t *loop = request->loop;
  int err = end_whole(request);
  if (err < 0 && whole_error == 0)
    trouble(loop, whole_error = err);
  if (++whole_done < READERS)
    return;
  unlink(file_path);
  done += whole_error == 0;
}

static int start_whole_files(uv_loop_t *loop) {
  uv_buf_t out = uv_buf_init((char *)message, sizeof message);
  snprintf(file_path, sizeof file_path, "fault-%d.file", (int)getpid());
  int err = rota_fs_write_file(NULL, &fs_request, file_path, O_CREAT | O_WRONLY, 0600, &out, NULL);
  err = err < 0 ? (end_whole(&fs_request), err) : end_whole(&fs_request);
  for (int i = 0; i < READERS && err == 0; i++) {
    err = rota_fs_read_file(loop, &whole_requests[i], file_path, O_RDONLY, 0, on_whole);
    whole_done += err < 0 ? READERS - i : 0;
  }
  if (err < 0)
    unlink(file_path);
  return err;
}

/* ---- a child process that writes a line ---- */

static uv_process_t process;
static uv_pipe_t output;

static void on_exit_of_child(uv_process_t *handle, int64_t status, int signal_number) {
  if (status == 0 && signal_number == 0)
    done++;
  uv_close((uv_handle_t *)handle, NULL);
}

static void on_output(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
  if (count > 0 && memcmp(buffer->base, "hello\n", 6) == 0)
    done++;
  if (count < 0 && count != UV_EOF)
    trouble(stream->loop, (int)count);
  else if (count < 0)
    uv_close((uv_handle_t *)stream, NULL);
}

static int start_child(uv_loop_t *loop) {
  char *arguments[] = {(char *)"sh", (char *)"-c", (char *)"unset LD_PRELOAD; echo hello", NULL};
  uv_stdio_container_t stdio[2];
  uv_process_options_t options;
  int err = uv_pipe_init(loop, &output, 0);
  if (err < 0)
    return err;
  memset(&options, 0, sizeof options);
  stdio[0].flags = UV_IGNORE;
  stdio[1].flags = (uv_stdio_flags)(UV_CREATE_PIPE | UV_WRITABLE_PIPE);
  stdio[1].data.stream = (uv_stream_t *)&output;
  options.file = "/bin/sh";
  options.args = arguments;
  options.stdio = stdio;
  options.stdio_count = 2;
  options.exit_cb = on_exit_of_child;
  err = uv_spawn(loop, &process, &options);
  if (err < 0)
    return err;
  return uv_read_start((uv_stream_t *)&output, allocate, on_output);
}

static int two_done(void) {
  return done == 2;
}

/* ---- names ---- */

static uv_getaddrinfo_t name_request;
static uv_getnameinfo_t address_request;

static void on_name(uv_getnameinfo_t *request, int status, const char *host, const char *service) {
  (void)service;
  if (status < 0)
    trouble(request->loop, status);
  else if (strcmp(host, "127.0.0.1") == 0)
    done++;
}

static void on_address(uv_getaddrinfo_t *request, int status, struct addrinfo *list) {
  if (status == 0)
    status = uv_getnameinfo(request->loop, &address_request, on_name, list->ai_addr, NI_NUMERICHOST | NI_NUMERICSERV);
  uv_freeaddrinfo(list);
  if (status < 0)
    trouble(request->loop, status);
}

static int start_names(uv_loop_t *loop) {
  struct addrinfo hints;
  memset(&hints, 0, sizeof hints);
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICHOST;
  return uv_getaddrinfo(loop, &name_request, on_address, "127.0.0.1", "80", &hints);
}

/* ---- a signal, a watched descriptor, a watched directory ---- */

static uv_signal_t signal_handle;
static uv_poll_t poll_handle;
static uv_fs_event_t event_handle;

static void on_signal(uv_signal_t *handle, int number) {
  if (number == SIGUSR1)
    done++;
  uv_close((uv_handle_t *)handle, NULL);
}

static int start_signal(uv_loop_t *loop) {
  int err = uv_signal_init(loop, &signal_handle);
  if (err == 0)
    err = uv_signal_start(&signal_handle, on_signal, SIGUSR1);
  if (err == 0)
    kill(getpid(), SIGUSR1);
  return err;
}

static void on_poll(uv_poll_t *handle, int status, int events) {
  if (status < 0)
    trouble(handle->loop, status);
  else if (events & UV_WRITABLE)
    done++;
  close_all(handle->loop);
}

static int ends[2] = {-1, -1};

/* The descriptors are the program's own; the loop is closed by now. */
static int end_poll(void) {
  if (ends[0] >= 0) {
    close(ends[0]);
    close(ends[1]);
  }
  return done == 1;
}

static int start_poll(uv_loop_t *loop) {
  int err = uv_socketpair(SOCK_STREAM, 0, ends, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE);
  if (err == 0)
    err = uv_poll_init(loop, &poll_handle, ends[0]);
  if (err == 0)
    err = uv_poll_start(&poll_handle, UV_WRITABLE, on_poll);
  return err;
}

static void on_event(uv_fs_event_t *handle, const char *name, int events, int status) {
  (void)name;
  (void)events;
  if (status < 0)
    trouble(handle->loop, status);
  else if (done == 0)
    done++;
  unlink(file_path);
  close_all(handle->loop);
}

static int start_watching(uv_loop_t *loop) {
  int err, fd;
  snprintf(directory_path, sizeof directory_path, "fault-watch");
  snprintf(file_path, sizeof file_path, "%s/%d", directory_path, (int)getpid());
  err = uv_fs_event_init(loop, &event_handle);
  if (err == 0)
    err = uv_fs_event_start(&event_handle, on_event, directory_path, 0);
  if (err == 0 && (fd = creat(file_path, 0600)) >= 0)
    close(fd);
  return err;
}

const struct scenario scenarios[] = {
    {"basics", start_basics, three_done},
    {"tcp", start_tcp, one_done},
    {"pipe", start_pipe, one_done},
    {"udp", start_udp, one_done},
    {"files", start_files, one_done},
    {"files-at-once", start_files_at_once, one_done},
    {"child", start_child, two_done},
    {"names", start_names, one_done},
    {"signal", start_signal, one_done},
    {"poll", start_poll, end_poll},
    {"watching", start_watching, one_done},
    {"whole-files", start_whole_files, one_done},
    {NULL, NULL, NULL},
};
