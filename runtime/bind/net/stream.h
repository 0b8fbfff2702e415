/* Network handles for JavaScript: a number for each, and the object that is `this` in its callbacks.
 *
 * Invariant: the object is protected from the collector from the moment it is known until the close callback has run;
 * the number is free again after that, so the number of a closed handle is invalid. */
#ifndef JS_BINDING_STREAM_H
#define JS_BINDING_STREAM_H

#include "runtime/bind/binding.h"

struct js_socket;

/* The reader of a stream in C. Without one, JavaScript gets the bytes; a protocol implemented in C may set one. */
typedef void (*js_stream_reader)(struct js_socket *stream, ssize_t nread, const uv_buf_t *buffer);

/* A layer between the wire and its users, such as TLS: it transforms the bytes that are read and written. */
struct js_layer {
  void (*offer)(uv_buf_t *buffer); /* memory for bytes from the wire */
  void (*received)(struct js_socket *stream, ssize_t nread, const uv_buf_t *buffer);
  /* 0 the system has accepted everything, 1 a callback will come (if requested), or a negative error. The bytes are
   * consumed in any case. */
  int (*write)(struct js_socket *stream, const uv_buf_t buffers[], unsigned count, bool tell);
  int (*shut)(struct js_socket *stream);             /* 1 a callback will come, or a negative error */
  int (*read)(struct js_socket *stream, bool start); /* 0, 1 there is earlier data, or an error */
  void (*release)(struct js_socket *stream);
};

struct js_socket {
  union {
    uv_handle_t handle;
    uv_stream_t stream;
    uv_tcp_t tcp;
    uv_pipe_t pipe;
    uv_tty_t tty;
    uv_udp_t udp;
  } uv;
  JSObjectRef object; /* NULL until adopted */
  int id;
  bool closing;
  bool ipc;
  js_stream_reader reader;
  void *reader_data;
  const struct js_layer *layer; /* NULL: none */
  void *layer_data;
  bool wireless;          /* there is a layer without a handle of the loop below it */
  JSObjectRef own_buffer; /* the program's own memory to read into, or NULL */
  uint64_t bytes_read, bytes_written;
};

struct js_socket *js_stream_create(void);
void js_stream_forget(struct js_socket *stream);
struct js_socket *js_stream_find(int id);
struct js_socket *js_stream_argument(JSContextRef context, const struct js_frame *frame, int index);
void js_stream_adopt(struct js_socket *stream, JSObjectRef object);
JSValueRef js_stream_call(struct js_socket *stream, enum js_stream_call callback, size_t argc, const JSValueRef argv[]);
void js_stream_close(struct js_socket *stream);
/* For uv_tcp_connect and uv_pipe_connect2: frees the request and calls JavaScript. */
void js_stream_connected(uv_connect_t *request, int status);

/* stream_read.c */
int js_stream_read_start(struct js_socket *stream);
int js_stream_read_stop(struct js_socket *stream);
void js_stream_deliver(struct js_socket *stream, ssize_t nread, const uv_buf_t *buffer);
/* To the reader, or to JavaScript. */
void js_stream_pass(struct js_socket *stream, ssize_t nread, const uv_buf_t *buffer);
extern const struct js_method js_stream_read_methods[];

/* A piece for JavaScript, which calls `take` with a typed array of its length before it returns. */
void js_stream_show(const char *bytes, size_t length);
enum { JS_SMALL_BYTES = 1000 }; /* up to this length, arrays of the engine have no memory of their own */

/* stream_block.c: memory to read into. */
void js_block_offer(uv_buf_t *buffer);
/* Called once for each offer, when the bytes were passed on. Memory that was not offered there is ignored. */
void js_block_end(const uv_buf_t *buffer);
/* The first bytes of the offered memory as an ArrayBuffer that contains nothing else. They must not be used again. */
JSValueRef js_block_take(JSContextRef context, const uv_buf_t *buffer, size_t count);
/* The same with a copy. */
JSValueRef js_bytes_alone(JSContextRef context, const char *bytes, size_t count);
void js_blocks_forget(void);

/* stream_write.c */
int js_stream_write_bytes(struct js_socket *stream, const char *bytes, size_t length);
int js_stream_shutdown(struct js_socket *stream);
extern const struct js_method js_stream_write_methods[];

/* tcp.c, pipe.c, tty.c */
extern const struct js_method js_tcp_methods[];
extern const struct js_method js_pipe_methods[];
extern const struct js_method js_tty_methods[];

/* tcp.c */
JSValueRef js_address_write(JSContextRef context, const struct sockaddr *address, JSObjectRef out);
/* Whether the permission to use the network for this address, host or path is missing; then an error was thrown. */
bool js_net_refused(JSContextRef context, JSValueRef host);
int js_address_read(JSContextRef context, JSValueRef host, JSValueRef port, JSValueRef family,
                    struct sockaddr_storage *address);

static inline int js_int(JSContextRef context, const struct js_frame *frame, int index) {
  return (int)js_to_integer(context, js_arg(context, frame, index));
}

#endif
