/* Locks by name, of all threads of the process (navigator.locks).
 *
 * One list holds every request in the order in which they came, held and waiting ones alike. A request is granted if no
 * holder of the name conflicts with it and no request of the name waits before it. A thread is told through its mailbox
 * when it gets a lock that it waited for, or loses one that was stolen. All under the lock of ports. */
#include <stdlib.h>
#include <string.h>

#include "runtime/bind/binding.h"
#include "runtime/bind/worker/worker.h"

enum { WAITING, HELD, STOLEN };

struct request {
  struct request *next;
  struct js_mailbox *box;
  char *name;
  double id;
  bool exclusive;
  bool told; /* its thread knows its state */
  int state;
};

static struct request *requests;
static double last_id;

static bool is_free(const char *name, bool exclusive) {
  for (const struct request *each = requests; each != NULL; each = each->next)
    if (strcmp(each->name, name) == 0 && each->state == HELD && (exclusive || each->exclusive))
      return false;
  return true;
}

static bool anybody_waits(const char *name) {
  for (const struct request *each = requests; each != NULL; each = each->next)
    if (strcmp(each->name, name) == 0 && each->state == WAITING)
      return true;
  return false;
}

static void change(struct request *request, int state) {
  request->state = state;
  request->told = false;
  js_mailbox_wake(request->box);
}

static void grant_next(const char *name) {
  for (struct request *each = requests; each != NULL; each = each->next) {
    if (strcmp(each->name, name) != 0 || each->state != WAITING)
      continue;
    if (!is_free(name, each->exclusive))
      return;
    change(each, HELD);
  }
}

static void take_out(struct request **at) {
  struct request *request = *at;
  *at = request->next;
  if (request->state != STOLEN)
    grant_next(request->name);
  free(request->name);
  free(request);
}

static void steal_from_all(const char *name) {
  for (struct request *each = requests; each != NULL; each = each->next)
    if (strcmp(each->name, name) == 0 && each->state == HELD)
      change(each, STOLEN);
}

void js_locks_forget(struct js_mailbox *box) {
  js_ports_lock();
  for (struct request **at = &requests; *at != NULL;)
    if ((*at)->box == box)
      take_out(at);
    else
      at = &(*at)->next;
  js_ports_unlock();
}

/* lockRequest(name, exclusive, how) -> a number: above zero it is held, below zero it waits; 0: not available */
static JSValueRef lock_request(JSContextRef context, struct js_frame *frame) {
  struct js_mailbox *box = js_mailbox_of(js_env_here);
  struct request *request = calloc(1, sizeof *request);
  char *name = js_to_text(context, js_arg(context, frame, 0), NULL);
  if (box == NULL || request == NULL || name == NULL) {
    free(request);
    free(name);
    return js_throw_text(context, "no memory for a lock");
  }
  int how = (int)js_to_integer(context, js_arg(context, frame, 2));
  *request = (struct request){
      .box = box, .name = name, .exclusive = js_to_boolean(context, js_arg(context, frame, 1)), .told = true};
  js_ports_lock();
  request->id = ++last_id;
  if (how == JS_LOCK_WAY_STEAL)
    steal_from_all(name);
  bool held = how == JS_LOCK_WAY_STEAL || (is_free(name, request->exclusive) && !anybody_waits(name));
  request->state = held ? HELD : WAITING;
  struct request **end = &requests;
  while (*end != NULL)
    end = &(*end)->next;
  bool kept = held || how == JS_LOCK_WAY_WAIT;
  if (kept)
    *end = request;
  double id = held ? request->id : kept ? -request->id : 0;
  js_ports_unlock();
  if (!kept) {
    free(name);
    free(request);
  }
  return js_number(context, id);
}

/* lockEnd(number): released, or no longer waited for */
static JSValueRef lock_end(JSContextRef context, struct js_frame *frame) {
  double id = js_to_number(context, js_arg(context, frame, 0));
  js_ports_lock();
  for (struct request **at = &requests; *at != NULL; at = &(*at)->next)
    if ((*at)->id == id) {
      take_out(at);
      break;
    }
  js_ports_unlock();
  return js_undefined(context);
}

/* lockNews() -> [number, ...] of this thread: above zero it was granted, below zero it was stolen */
static JSValueRef lock_news(JSContextRef context, struct js_frame *frame) {
  JSObjectRef list = js_array(context, 0, NULL);
  unsigned count = 0;
  (void)frame;
  js_ports_lock();
  for (struct request *each = requests; each != NULL; each = each->next) {
    if (each->box != js_env_here->mailbox || each->told)
      continue;
    each->told = true;
    double number = each->state == STOLEN ? -each->id : each->id;
    JSObjectSetPropertyAtIndex(context, list, count++, js_number(context, number), NULL);
  }
  js_ports_unlock();
  return list;
}

/* lockQuery() -> [name, exclusive, held, ...] of this thread: Node does not list those of other threads, either */
static JSValueRef lock_query(JSContextRef context, struct js_frame *frame) {
  JSObjectRef list = js_array(context, 0, NULL);
  unsigned count = 0;
  (void)frame;
  js_ports_lock();
  for (struct request *each = requests; each != NULL; each = each->next) {
    if (each->state == STOLEN || each->box != js_env_here->mailbox)
      continue;
    JSValueRef values[] = {js_string(context, each->name), js_boolean(context, each->exclusive),
                           js_boolean(context, each->state == HELD)};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
      JSObjectSetPropertyAtIndex(context, list, count++, values[i], NULL);
  }
  js_ports_unlock();
  return list;
}

const struct js_method js_lock_methods[] = {
    {"lockRequest", lock_request, 3}, {"lockEnd", lock_end, 1}, {"lockNews", lock_news, 0},
    {"lockQuery", lock_query, 0},     {NULL, NULL, 0},
};
