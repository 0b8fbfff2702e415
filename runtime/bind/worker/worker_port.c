/* Ports: two ends that may be in different threads, each with a queue of messages.
 *
 * A message is bytes and a list of things that cannot be bytes: other ports, and shared memory. One lock guards all
 * ports of the process: what is done under it is short. A port belongs to the mailbox of an env, or to none while it is
 * itself inside of a message. JavaScript holds ports as numbers (their addresses); it never sees one again that it
 * closed or sent. */
#include "runtime/bind/worker/worker.h"
#include "runtime/engine/engine_text.h"

#include <stdlib.h>
#include <string.h>

enum { THING_PORT = 1, THING_SHARED = 2 };

struct thing {
  int kind;
  void *pointer;
};

struct message {
  struct message *next;
  unsigned char *bytes;
  size_t length;
  int count;
  struct thing things[];
};

struct rota_port {
  struct rota_port *peer; /* null: it is closed */
  struct rota_mailbox *box;
  struct rota_port *next, **before; /* in the box */
  struct message *first, **last;
  char *channel; /* of a broadcast: all ports of one name hear it */
  bool ready;    /* the box is to be told */
};

static uv_mutex_t lock;
static uv_once_t lock_once = UV_ONCE_INIT;

static void make_lock(void) {
  uv_mutex_init(&lock);
}

void rota_ports_lock(void) {
  uv_once(&lock_once, make_lock);
  uv_mutex_lock(&lock);
}

void rota_ports_unlock(void) {
  uv_mutex_unlock(&lock);
}

/* ---- all under the lock ---- */

static struct rota_port *make_port(void) {
  struct rota_port *port = calloc(1, sizeof *port);
  if (port != NULL)
    port->last = &port->first;
  return port;
}

static void unlink_port(struct rota_port *port) {
  if (port->before != NULL) {
    *port->before = port->next;
    if (port->next != NULL)
      port->next->before = port->before;
  }
  port->before = NULL;
  port->box = NULL;
}

static void link_port(struct rota_mailbox *box, struct rota_port *port) {
  port->box = box;
  port->next = box->ports;
  port->before = &box->ports;
  if (port->next != NULL)
    port->next->before = &port->next;
  box->ports = port;
}

static void tell(struct rota_port *port) {
  port->ready = true;
  if (port->box != NULL)
    rota_mailbox_wake(port->box);
}

static void destroy(struct rota_port *port);

static void drop_message(struct message *message) {
  for (int i = 0; i < message->count; i++)
    if (message->things[i].kind == THING_PORT)
      destroy(message->things[i].pointer);
    else
      rota_shared_drop(message->things[i].pointer);
  free(message->bytes);
  free(message);
}

/* The other end lives on until its own side has heard of it. */
static void destroy(struct rota_port *port) {
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

static void put(struct rota_port *port, struct message *message) {
  message->next = NULL;
  *port->last = message;
  port->last = &message->next;
  tell(port);
}

void rota_port_adopt(struct rota_mailbox *box, struct rota_port *port) {
  unlink_port(port);
  link_port(box, port);
  if (port->first != NULL || port->peer == NULL)
    tell(port);
}

void rota_port_leave(struct rota_port *port) {
  rota_ports_lock();
  unlink_port(port);
  rota_ports_unlock();
}

/* ---- the mailbox ---- */

/* Each port has its turn as a callback of its own. */
static void give_turns(struct rota_mailbox *box) {
  struct rota_env *env = box->env;
  JSValueRef first = rota_boolean(env->context, true), answer;
  do {
    if (env->stopping || box->turn == NULL)
      return;
    answer = rota_door_call(env, box->turn, NULL, 1, &first);
    first = rota_boolean(env->context, false);
    env->entered = env->observed; /* who observes sees a round as one callback, named by the first that hears */
  } while (answer == NULL || rota_to_boolean(env->context, answer));
  env->entered = false;
}

/* Ports of other threads. */
static void collect_news(struct rota_mailbox *box) {
  struct rota_env *env = box->env;
  if (env->stopping || box->deliver == NULL)
    return;
  JSObjectRef ready = rota_array(env->context, 0, NULL);
  unsigned count = 0;
  rota_ports_lock();
  for (struct rota_port *port = box->ports; port != NULL; port = port->next)
    if (port->ready) {
      port->ready = false;
      JSObjectSetPropertyAtIndex(env->context, ready, count++, rota_number(env->context, (double)(uintptr_t)port),
                                 NULL);
    }
  rota_ports_unlock();
  JSValueRef arguments[] = {ready, rota_workers_ended(env)};
  rota_door_call(env, box->deliver, NULL, 2, arguments);
}

static void on_async(uv_async_t *handle) {
  struct rota_mailbox *box = handle->data;
  rota_worker_poll(box->env);
  collect_news(box);
  give_turns(box);
}

struct rota_mailbox *rota_mailbox_of(struct rota_env *env) {
  if (env->mailbox != NULL)
    return env->mailbox;
  struct rota_mailbox *box = calloc(1, sizeof *box);
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

void rota_mailbox_wake(struct rota_mailbox *box) {
  uv_async_send(&box->async);
}

void rota_mailbox_close(struct rota_env *env) {
  struct rota_mailbox *box = env->mailbox;
  if (box == NULL)
    return;
  rota_ports_lock();
  while (box->ports != NULL)
    destroy(box->ports);
  rota_ports_unlock();
}

/* ---- for JavaScript ---- */

static struct rota_port *port_arg(JSContextRef context, struct rota_frame *frame, int index) {
  return (struct rota_port *)(uintptr_t)rota_to_number(context, rota_arg(context, frame, index));
}

static JSValueRef port_value(JSContextRef context, struct rota_port *port) {
  return rota_number(context, (double)(uintptr_t)port);
}

/* pair() -> [port, port], both in this env */
static JSValueRef pair(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  struct rota_mailbox *box = rota_mailbox_of(rota_env_here);
  struct rota_port *one = make_port(), *two = make_port();
  if (box == NULL || one == NULL || two == NULL)
    return rota_throw_text(context, "no memory for a port");
  one->peer = two;
  two->peer = one;
  rota_ports_lock();
  link_port(box, one);
  link_port(box, two);
  rota_ports_unlock();
  JSValueRef values[] = {port_value(context, one), port_value(context, two)};
  return rota_array(context, 2, values);
}

/* channel(name) -> a port that hears what is sent to the name by other threads */
static JSValueRef channel(JSContextRef context, struct rota_frame *frame) {
  struct rota_mailbox *box = rota_mailbox_of(rota_env_here);
  struct rota_port *port = make_port();
  char *name = rota_to_text(context, rota_arg(context, frame, 0), NULL);
  if (box == NULL || port == NULL || name == NULL)
    return rota_throw_text(context, "no memory for a port");
  port->channel = name;
  port->peer = port; /* never closed by another */
  rota_ports_lock();
  link_port(box, port);
  rota_ports_unlock();
  return port_value(context, port);
}

/* Things are a flat list of kinds and pointers. */
static struct message *make_message(JSContextRef context, JSValueRef bytes_value, JSValueRef list_value) {
  unsigned char *bytes;
  size_t length;
  if (!rota_borrow_bytes(context, bytes_value, &bytes, &length))
    return NULL;
  JSObjectRef list = JSValueIsObject(context, list_value) ? (JSObjectRef)list_value : NULL;
  int count = list != NULL ? (int)rota_to_integer(context, rota_get(context, list, "length")) / 2 : 0;
  struct message *message = calloc(1, sizeof *message + (size_t)count * sizeof *message->things);
  if (message == NULL || (message->bytes = malloc(length + 1)) == NULL) {
    free(message);
    return NULL;
  }
  memcpy(message->bytes, bytes, length);
  message->length = length;
  message->count = count;
  for (int i = 0; i < count; i++) {
    unsigned at = (unsigned)i * 2;
    message->things[i].kind = (int)rota_to_integer(context, JSObjectGetPropertyAtIndex(context, list, at, NULL));
    double address = rota_to_number(context, JSObjectGetPropertyAtIndex(context, list, at + 1, NULL));
    message->things[i].pointer = (void *)(uintptr_t)address;
  }
  return message;
}

/* send(port, bytes, things) -> whether somebody may get it. Ports among the things leave this env. */
static JSValueRef send_message(JSContextRef context, struct rota_frame *frame) {
  struct rota_port *port = port_arg(context, frame, 0);
  struct message *message = make_message(context, rota_arg(context, frame, 1), rota_arg(context, frame, 2));
  if (message == NULL)
    return rota_throw_text(context, "no memory for a message");
  rota_ports_lock();
  for (int i = 0; i < message->count; i++)
    if (message->things[i].kind == THING_PORT)
      unlink_port(message->things[i].pointer);
  bool open = port->peer != NULL;
  if (open)
    put(port->peer, message);
  else
    drop_message(message);
  rota_ports_unlock();
  return rota_boolean(context, open);
}

struct broadcast {
  struct rota_port *from;
  const unsigned char *bytes;
  size_t length;
};

static struct rota_mailbox *boxes[1024]; /* of the threads that have channels */

static void broadcast_to(struct rota_mailbox *box, const struct broadcast *what) {
  for (struct rota_port *port = box->ports; port != NULL; port = port->next) {
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
static JSValueRef broadcast(JSContextRef context, struct rota_frame *frame) {
  struct rota_port *port = port_arg(context, frame, 0);
  unsigned char *bytes;
  size_t length;
  if (!rota_borrow_bytes(context, rota_arg(context, frame, 1), &bytes, &length))
    return rota_undefined(context);
  struct broadcast what = {port, bytes, length};
  rota_ports_lock();
  for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
    if (boxes[i] != NULL && boxes[i] != port->box)
      broadcast_to(boxes[i], &what);
  rota_ports_unlock();
  return rota_undefined(context);
}

/* take(port) -> [bytes, ...things], null when the other end is closed and nothing is left, or undefined */
static JSValueRef take(JSContextRef context, struct rota_frame *frame) {
  struct rota_port *port = port_arg(context, frame, 0);
  rota_ports_lock();
  struct message *message = port->first;
  bool closed = port->peer == NULL;
  if (message != NULL) {
    port->first = message->next;
    if (port->first == NULL)
      port->last = &port->first;
    for (int i = 0; i < message->count; i++)
      if (message->things[i].kind == THING_PORT)
        rota_port_adopt(port->box, message->things[i].pointer);
  }
  rota_ports_unlock();
  if (message == NULL)
    return closed ? rota_null(context) : rota_undefined(context);
  JSObjectRef result = rota_array(context, 0, NULL);
  JSObjectSetPropertyAtIndex(context, result, 0, rota_buffer_adopt(context, message->bytes, message->length), NULL);
  for (int i = 0; i < message->count; i++) {
    unsigned at = (unsigned)i * 2;
    JSObjectSetPropertyAtIndex(context, result, at + 1, rota_number(context, message->things[i].kind), NULL);
    JSObjectSetPropertyAtIndex(context, result, at + 2,
                               rota_number(context, (double)(uintptr_t)message->things[i].pointer), NULL);
  }
  free(message);
  return result;
}

static JSValueRef close_port(JSContextRef context, struct rota_frame *frame) {
  struct rota_port *port = port_arg(context, frame, 0);
  rota_ports_lock();
  if (port->channel != NULL)
    port->peer = NULL;
  destroy(port);
  rota_ports_unlock();
  return rota_undefined(context);
}

/* keep(n): n more (or fewer) ports and workers keep the loop alive */
static JSValueRef keep(JSContextRef context, struct rota_frame *frame) {
  struct rota_mailbox *box = rota_mailbox_of(rota_env_here);
  if (box == NULL)
    return rota_undefined(context);
  box->keeps += (int)rota_to_integer(context, rota_arg(context, frame, 0));
  if (box->keeps > 0)
    uv_ref((uv_handle_t *)&box->async);
  else
    uv_unref((uv_handle_t *)&box->async);
  return rota_undefined(context);
}

/* listen(function): called with [ports with news] and [id, code, ...] of workers that ended */
static JSValueRef listen_here(JSContextRef context, struct rota_frame *frame) {
  struct rota_mailbox *box = rota_mailbox_of(rota_env_here);
  if (box == NULL)
    return rota_undefined(context);
  box->deliver = (JSObjectRef)rota_arg(context, frame, 0);
  JSValueProtect(rota_env_here->context, box->deliver);
  rota_ports_lock();
  for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
    if (boxes[i] == NULL) {
      boxes[i] = box;
      break;
    }
  rota_ports_unlock();
  return rota_undefined(context);
}

/* onRound(function): called with whether it is the first time in this round, until it says that nobody is left */
static JSValueRef on_round(JSContextRef context, struct rota_frame *frame) {
  struct rota_mailbox *box = rota_mailbox_of(rota_env_here);
  if (box == NULL)
    return rota_throw_text(context, "no memory for a port");
  box->turn = (JSObjectRef)rota_arg(context, frame, 0);
  JSValueProtect(rota_env_here->context, box->turn);
  return rota_undefined(context);
}

/* ring(): there is to be a round, in the next poll phase */
static JSValueRef ring(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  rota_mailbox_wake(rota_env_here->mailbox);
  return rota_undefined(context);
}

void rota_mailbox_forget(struct rota_mailbox *box) {
  rota_ports_lock();
  for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
    if (boxes[i] == box)
      boxes[i] = NULL;
  rota_ports_unlock();
}

static JSValueRef shared_hold(JSContextRef context, struct rota_frame *frame) {
  return rota_number(context, (double)(uintptr_t)rota_shared_hold(rota_arg(context, frame, 0)));
}

static JSValueRef shared_give(JSContextRef context, struct rota_frame *frame) {
  void *held = (void *)(uintptr_t)rota_to_number(context, rota_arg(context, frame, 0));
  rota_shared_give(held, rota_arg(context, frame, 1));
  rota_shared_drop(held);
  return rota_undefined(context);
}

const struct rota_method rota_port_methods[] = {
    {"pair", pair, 0},
    {"channel", channel, 1},
    {"send", send_message, 3},
    {"broadcast", broadcast, 2},
    {"take", take, 1},
    {"close", close_port, 1},
    {"keep", keep, 1},
    {"listen", listen_here, 1},
    {"onRound", on_round, 1},
    {"ring", ring, 0},
    {"atClosing", rota_port_at_closing, 1},
    {"sharedHold", shared_hold, 1},
    {"sharedGive", shared_give, 2},
    {NULL, NULL, 0},
};
