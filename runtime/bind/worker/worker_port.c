/* Ports: two ends that may be in different threads, each with a queue of messages.
 *
 * A message is bytes and a list of things that cannot be serialised: other ports, shared memory, descriptors of files.
 * One lock guards all ports of the process; it is held only briefly. A port belongs to the mailbox of an env, or to
 * none while it is itself inside of a message; a descriptor in a message that nobody receives is closed. JavaScript
 * holds ports as numbers (their addresses); it never sees one again that it closed or sent. */
#include <stdlib.h>
#include <string.h>

#include "runtime/bind/fs/fs.h"
#include "runtime/bind/worker/worker.h"
#include "runtime/engine/value/text.h"
#include "runtime/observe/trace.h"

struct thing {
  int kind;
  void *pointer; /* or a descriptor */
};

struct message {
  struct message *next;
  unsigned char *bytes;
  size_t length;
  int count;
  struct thing things[];
};

struct js_port {
  struct js_port *peer; /* null: it is closed */
  struct js_mailbox *box;
  struct js_port *next, **before; /* in the box */
  struct message *first, **last;
  char *channel; /* of a broadcast: all ports of one name hear it */
  bool ready;    /* the box is to be told */
};

static uv_mutex_t lock;
static uv_once_t lock_once = UV_ONCE_INIT;

static void make_lock(void) {
  uv_mutex_init(&lock);
}

void js_ports_lock(void) {
  uv_once(&lock_once, make_lock);
  uv_mutex_lock(&lock);
}

void js_ports_unlock(void) {
  uv_mutex_unlock(&lock);
}

/* ---- all under the lock ---- */

static struct js_port *make_port(void) {
  struct js_port *port = calloc(1, sizeof *port);
  if (port != NULL)
    port->last = &port->first;
  return port;
}

static void unlink_port(struct js_port *port) {
  if (port->before != NULL) {
    *port->before = port->next;
    if (port->next != NULL)
      port->next->before = port->before;
  }
  port->before = NULL;
  port->box = NULL;
}

static void link_port(struct js_mailbox *box, struct js_port *port) {
  port->box = box;
  port->next = box->ports;
  port->before = &box->ports;
  if (port->next != NULL)
    port->next->before = &port->next;
  box->ports = port;
}

static void tell(struct js_port *port) {
  port->ready = true;
  if (port->box != NULL)
    js_mailbox_wake(port->box);
}

static void destroy(struct js_port *port);

static void drop_message(struct message *message) {
  for (int i = 0; i < message->count; i++)
    switch (message->things[i].kind) {
    case JS_MESSAGE_THING_PORT:
      destroy(message->things[i].pointer);
      break;
    case JS_MESSAGE_THING_FILE:
      js_fs_close_now((int)(intptr_t)message->things[i].pointer);
      break;
    default:
      js_shared_drop(message->things[i].pointer);
    }
  free(message->bytes);
  free(message);
}

/* The other end stays until its own thread has learned of it. */
static void destroy(struct js_port *port) {
  unlink_port(port);
  if (port->peer != NULL) {
    port->peer->peer = NULL;
    tell(port->peer);
  }
  while (port->first != NULL) {
    struct message *message = port->first;
    port->first = message->next;
    drop_message(message);
  }
  free(port->channel);
  free(port);
}

static void put(struct js_port *port, struct message *message) {
  message->next = NULL;
  *port->last = message;
  port->last = &message->next;
  tell(port);
}

void js_port_adopt(struct js_mailbox *box, struct js_port *port) {
  unlink_port(port);
  link_port(box, port);
  if (port->first != NULL || port->peer == NULL)
    tell(port);
}

void js_port_leave(struct js_port *port) {
  js_ports_lock();
  unlink_port(port);
  js_ports_unlock();
}

/* ---- the mailbox ---- */

/* Each port's turn is a callback of its own. */
static void give_turns(struct js_mailbox *box) {
  struct js_env *env = box->env;
  JSValueRef first = js_boolean(env->context, true), answer;
  do {
    if (env->stopping || box->turn == NULL)
      return;
    answer = js_enter(env, box->turn, NULL, 1, &first);
    first = js_boolean(env->context, false);
    js_observe_same_callback(env); /* observers see a round as one callback, with the name of the first listener */
  } while (answer == NULL || js_to_boolean(env->context, answer));
  env->entered = false;
}

/* Ports of other threads. */
static void collect_news(struct js_mailbox *box) {
  struct js_env *env = box->env;
  if (env->stopping || box->deliver == NULL)
    return;
  JSObjectRef ready = js_array(env->context, 0, NULL);
  unsigned count = 0;
  js_ports_lock();
  for (struct js_port *port = box->ports; port != NULL; port = port->next)
    if (port->ready) {
      port->ready = false;
      JSObjectSetPropertyAtIndex(env->context, ready, count++, js_number(env->context, (double)(uintptr_t)port), NULL);
    }
  js_ports_unlock();
  JSValueRef arguments[] = {ready, js_workers_ended(env)};
  js_enter(env, box->deliver, NULL, 2, arguments);
}

static void on_async(uv_async_t *handle) {
  struct js_mailbox *box = handle->data;
  js_worker_check(box->env);
  collect_news(box);
  give_turns(box);
}

struct js_mailbox *js_mailbox_of(struct js_env *env) {
  if (env->mailbox != NULL)
    return env->mailbox;
  struct js_mailbox *box = calloc(1, sizeof *box);
  if (box == NULL)
    return NULL;
  box->env = env;
  box->async.data = box;
  if (uv_async_init(env->loop, &box->async, on_async) != 0) {
    free(box);
    return NULL;
  }
  uv_unref((uv_handle_t *)&box->async);
  env->mailbox = box;
  return box;
}

void js_mailbox_wake(struct js_mailbox *box) {
  uv_async_send(&box->async);
}

void js_mailbox_keep(struct js_mailbox *box, int more) {
  box->keeps += more;
  if (box->keeps > 0)
    uv_ref((uv_handle_t *)&box->async);
  else
    uv_unref((uv_handle_t *)&box->async);
}

void js_mailbox_close(struct js_env *env) {
  struct js_mailbox *box = env->mailbox;
  if (box == NULL)
    return;
  js_ports_lock();
  while (box->ports != NULL)
    destroy(box->ports);
  js_ports_unlock();
}

/* ---- for JavaScript ---- */

static struct js_port *port_arg(JSContextRef context, struct js_frame *frame, int index) {
  return (struct js_port *)(uintptr_t)js_to_number(context, js_arg(context, frame, index));
}

static JSValueRef port_value(JSContextRef context, struct js_port *port) {
  return js_number(context, (double)(uintptr_t)port);
}

/* pair() -> [port, port], both in this env */
static JSValueRef pair(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  struct js_mailbox *box = js_mailbox_of(js_env_here);
  struct js_port *one = make_port(), *two = make_port();
  if (box == NULL || one == NULL || two == NULL)
    return js_throw_text(context, "no memory for a port");
  one->peer = two;
  two->peer = one;
  js_ports_lock();
  link_port(box, one);
  link_port(box, two);
  js_ports_unlock();
  JSValueRef values[] = {port_value(context, one), port_value(context, two)};
  return js_array(context, 2, values);
}

/* channel(name) -> a port that gets the messages that other threads send to the name */
static JSValueRef channel(JSContextRef context, struct js_frame *frame) {
  struct js_mailbox *box = js_mailbox_of(js_env_here);
  struct js_port *port = make_port();
  char *name = js_to_text(context, js_arg(context, frame, 0), NULL);
  if (box == NULL || port == NULL || name == NULL)
    return js_throw_text(context, "no memory for a port");
  port->channel = name;
  port->peer = port; /* never closed by another */
  js_ports_lock();
  link_port(box, port);
  js_ports_unlock();
  return port_value(context, port);
}

/* Things are a flat list of types and pointers or descriptors. */
static struct message *make_message(JSContextRef context, JSValueRef bytes_value, JSValueRef list_value) {
  unsigned char *bytes = NULL;
  size_t length = 0;
  if (bytes_value != NULL && !js_borrow_bytes(context, bytes_value, &bytes, &length))
    return NULL;
  JSObjectRef list = JSValueIsObject(context, list_value) ? (JSObjectRef)list_value : NULL;
  int count = list != NULL ? (int)js_to_integer(context, js_get(context, list, "length")) / 2 : 0;
  struct message *message = calloc(1, sizeof *message + (size_t)count * sizeof *message->things);
  if (message == NULL || (message->bytes = malloc(length + 1)) == NULL) {
    free(message);
    return NULL;
  }
  if (length > 0)
    memcpy(message->bytes, bytes, length);
  message->length = length;
  message->count = count;
  for (int i = 0; i < count; i++) {
    unsigned at = (unsigned)i * 2;
    message->things[i].kind = (int)js_to_integer(context, JSObjectGetPropertyAtIndex(context, list, at, NULL));
    double address = js_to_number(context, JSObjectGetPropertyAtIndex(context, list, at + 1, NULL));
    message->things[i].pointer = (void *)(uintptr_t)address;
  }
  return message;
}

/* send(port, bytes, things) -> whether it may be received. Ports among the things leave this env. */
static JSValueRef send_message(JSContextRef context, struct js_frame *frame) {
  struct js_port *port = port_arg(context, frame, 0);
  struct message *message = make_message(context, js_arg(context, frame, 1), js_arg(context, frame, 2));
  if (message == NULL)
    return js_throw_text(context, "no memory for a message");
  js_ports_lock();
  for (int i = 0; i < message->count; i++)
    if (message->things[i].kind == JS_MESSAGE_THING_PORT)
      unlink_port(message->things[i].pointer);
  bool open = port->peer != NULL;
  if (open)
    put(port->peer, message);
  else
    drop_message(message);
  js_ports_unlock();
  return js_boolean(context, open);
}

/* discard(things): of a message that is not sent */
static JSValueRef discard(JSContextRef context, struct js_frame *frame) {
  struct message *message = make_message(context, NULL, js_arg(context, frame, 0));
  if (message == NULL)
    return js_throw_text(context, "no memory for a message");
  js_ports_lock();
  drop_message(message);
  js_ports_unlock();
  return js_undefined(context);
}

struct broadcast {
  struct js_port *from;
  const unsigned char *bytes;
  size_t length;
};

static struct js_mailbox *boxes[1024]; /* of the threads that have channels */

static void broadcast_to(struct js_mailbox *box, const struct broadcast *what) {
  for (struct js_port *port = box->ports; port != NULL; port = port->next) {
    if (port->channel == NULL || port == what->from || strcmp(port->channel, what->from->channel) != 0)
      continue;
    struct message *message = calloc(1, sizeof *message);
    if (message == NULL || (message->bytes = malloc(what->length + 1)) == NULL) {
      free(message);
      return;
    }
    memcpy(message->bytes, what->bytes, what->length);
    message->length = what->length;
    put(port, message);
  }
}

/* broadcast(port, bytes): to all ports of the channel in other threads */
static JSValueRef broadcast(JSContextRef context, struct js_frame *frame) {
  struct js_port *port = port_arg(context, frame, 0);
  unsigned char *bytes;
  size_t length;
  if (!js_borrow_bytes(context, js_arg(context, frame, 1), &bytes, &length))
    return js_undefined(context);
  struct broadcast what = {port, bytes, length};
  js_ports_lock();
  for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
    if (boxes[i] != NULL && boxes[i] != port->box)
      broadcast_to(boxes[i], &what);
  js_ports_unlock();
  return js_undefined(context);
}

/* take(port) -> [bytes, ...things], null when the other end is closed and nothing is left, or undefined */
static JSValueRef take(JSContextRef context, struct js_frame *frame) {
  struct js_port *port = port_arg(context, frame, 0);
  js_ports_lock();
  struct message *message = port->first;
  bool closed = port->peer == NULL;
  if (message != NULL) {
    port->first = message->next;
    if (port->first == NULL)
      port->last = &port->first;
    for (int i = 0; i < message->count; i++)
      if (message->things[i].kind == JS_MESSAGE_THING_PORT)
        js_port_adopt(port->box, message->things[i].pointer);
      else if (message->things[i].kind == JS_MESSAGE_THING_FILE)
        js_fs_handle_opened((int)(intptr_t)message->things[i].pointer);
  }
  js_ports_unlock();
  if (message == NULL)
    return closed ? js_null(context) : js_undefined(context);
  JSObjectRef result = js_array(context, 0, NULL);
  JSObjectSetPropertyAtIndex(context, result, 0, js_buffer_adopt(context, message->bytes, message->length), NULL);
  for (int i = 0; i < message->count; i++) {
    unsigned at = (unsigned)i * 2;
    JSObjectSetPropertyAtIndex(context, result, at + 1, js_number(context, message->things[i].kind), NULL);
    JSObjectSetPropertyAtIndex(context, result, at + 2,
                               js_number(context, (double)(uintptr_t)message->things[i].pointer), NULL);
  }
  free(message);
  return result;
}

static JSValueRef close_port(JSContextRef context, struct js_frame *frame) {
  struct js_port *port = port_arg(context, frame, 0);
  js_ports_lock();
  if (port->channel != NULL)
    port->peer = NULL;
  destroy(port);
  js_ports_unlock();
  return js_undefined(context);
}

/* keep(n): n more (or fewer) ports and workers keep the loop alive */
static JSValueRef keep(JSContextRef context, struct js_frame *frame) {
  struct js_mailbox *box = js_mailbox_of(js_env_here);
  if (box != NULL)
    js_mailbox_keep(box, (int)js_to_integer(context, js_arg(context, frame, 0)));
  return js_undefined(context);
}

/* listen(function): called with [ports with messages] and [id, code, ...] of workers that ended */
static JSValueRef listen_here(JSContextRef context, struct js_frame *frame) {
  struct js_mailbox *box = js_mailbox_of(js_env_here);
  if (box == NULL)
    return js_undefined(context);
  box->deliver = (JSObjectRef)js_arg(context, frame, 0);
  JSValueProtect(js_env_here->context, box->deliver);
  js_ports_lock();
  for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
    if (boxes[i] == NULL) {
      boxes[i] = box;
      break;
    }
  js_ports_unlock();
  return js_undefined(context);
}

/* onRound(function): called with whether it is the first time in this round, until it returns that none is left */
static JSValueRef on_round(JSContextRef context, struct js_frame *frame) {
  struct js_mailbox *box = js_mailbox_of(js_env_here);
  if (box == NULL)
    return js_throw_text(context, "no memory for a port");
  box->turn = (JSObjectRef)js_arg(context, frame, 0);
  JSValueProtect(js_env_here->context, box->turn);
  return js_undefined(context);
}

/* ring(): requests a round, in the next poll phase */
static JSValueRef ring(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  js_mailbox_wake(js_env_here->mailbox);
  return js_undefined(context);
}

void js_mailbox_forget(struct js_mailbox *box) {
  js_ports_lock();
  for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
    if (boxes[i] == box)
      boxes[i] = NULL;
  js_ports_unlock();
}

static JSValueRef shared_hold(JSContextRef context, struct js_frame *frame) {
  return js_number(context, (double)(uintptr_t)js_shared_hold(js_arg(context, frame, 0)));
}

static JSValueRef shared_give(JSContextRef context, struct js_frame *frame) {
  void *held = (void *)(uintptr_t)js_to_number(context, js_arg(context, frame, 0));
  js_shared_give(held, js_arg(context, frame, 1));
  js_shared_drop(held);
  return js_undefined(context);
}

/* ---- closing ---- */

/* The end of a port for the loop: a function called in the closing phase, as if a handle had been closed.
 *
 * Node has an async handle for each port, and the program sees that handle's close callback as the end of the port.
 * Here ports share one handle, so a handle is made only for the end. */

struct end {
  uv_idle_t handle;
  JSObjectRef function;
};

static void on_closed(uv_handle_t *handle) {
  struct end *end = (struct end *)handle;
  struct js_env *env = js_env_here;
  if (!env->stopping)
    js_enter(env, end->function, NULL, 0, NULL);
  JSValueUnprotect(env->context, end->function);
  free(end);
}

/* atClosing(function) calls it in the loop's closing phase, the last one asked for first. */
static JSValueRef at_closing(JSContextRef context, struct js_frame *frame) {
  struct end *end = calloc(1, sizeof *end);
  if (end == NULL)
    return js_throw_text(context, "no memory for a port");
  end->function = (JSObjectRef)js_arg(context, frame, 0);
  JSValueProtect(js_env_here->context, end->function);
  uv_idle_init(js_env_here->loop, &end->handle);
  uv_close((uv_handle_t *)&end->handle, on_closed);
  return js_undefined(context);
}

const struct js_method js_port_methods[] = {
    {"pair", pair, 0},
    {"channel", channel, 1},
    {"send", send_message, 3},
    {"discard", discard, 1},
    {"broadcast", broadcast, 2},
    {"take", take, 1},
    {"close", close_port, 1},
    {"keep", keep, 1},
    {"listen", listen_here, 1},
    {"onRound", on_round, 1},
    {"ring", ring, 0},
    {"atClosing", at_closing, 1},
    {"sharedHold", shared_hold, 1},
    {"sharedGive", shared_give, 2},
    {NULL, NULL, 0},
};
