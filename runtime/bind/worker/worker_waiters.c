/* The waiters at addresses of shared memory: Atomics.wait and Atomics.waitAsync of all threads of the process.
 *
 * The engine has a list of its own for threads that sleep in Atomics.wait, and none for waitAsync. This list contains
 * both kinds in the order of their arrival, because a notify wakes the first ones of either kind. It decides about
 * waitAsync; for a sleeping thread it only gives the order, and JavaScript asks the engine to wake one
 * (runtime/lib/worker/waiters.js). A thread that came to this list but does not sleep yet is not woken: that is
 * as if the notify had come before its wait.
 *
 * All under the lock of ports: the value is compared, and the waiter added, in one step. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/bind/binding.h"
#include "runtime/bind/worker/worker.h"
#include "runtime/engine/value/text.h"

enum { SLOTS = 256, NOBODY = 0, WAITS_LATER = 1, SLEEPS = 2 };

struct js_waiter {
  struct js_waiter *next;
  struct js_mailbox *box;
  const void *address;
  double id; /* 0: its thread sleeps */
  bool kept; /* notified by its own thread: it keeps the loop alive until it is told */
};

static struct js_waiter *slots[SLOTS];
static atomic_int later; /* how many of waitAsync are in the list */
static double last_id;

static struct js_waiter **slot_of(const void *address) {
  uintptr_t number = (uintptr_t)address;
  return &slots[(number >> 2 ^ number >> 12) % SLOTS];
}

static void add(struct js_waiter *waiter) {
  struct js_waiter **end = slot_of(waiter->address);
  while (*end != NULL)
    end = &(*end)->next;
  waiter->next = NULL;
  *end = waiter;
}

static struct js_waiter *unlink_waiter(struct js_waiter **at) {
  struct js_waiter *waiter = *at;
  *at = waiter->next;
  waiter->next = NULL;
  if (waiter->id != 0)
    atomic_fetch_sub(&later, 1);
  return waiter;
}

void js_waiters_forget(struct js_mailbox *box) {
  js_ports_lock();
  for (int i = 0; i < SLOTS; i++)
    for (struct js_waiter **at = &slots[i]; *at != NULL;)
      if ((*at)->box == box)
        free(unlink_waiter(at));
      else
        at = &(*at)->next;
  while (box->notified != NULL) {
    struct js_waiter *waiter = box->notified;
    box->notified = waiter->next;
    free(waiter);
  }
  js_ports_unlock();
}

static const void *address_arg(JSContextRef context, struct js_frame *frame, size_t *width) {
  unsigned char *bytes, *expected;
  size_t length, at = (size_t)js_to_number(context, js_arg(context, frame, 1));
  if (!js_borrow_bytes(context, js_arg(context, frame, 2), &expected, width) ||
      !js_borrow_bytes(context, js_arg(context, frame, 0), &bytes, &length) || (at + 1) * *width > length)
    return NULL;
  return bytes + at * *width;
}

static bool is_equal(const void *address, size_t width, const void *expected) {
  if (width == sizeof(int64_t)) {
    int64_t value = atomic_load((const _Atomic int64_t *)address);
    return memcmp(&value, expected, sizeof value) == 0;
  }
  int32_t value = atomic_load((const _Atomic int32_t *)address);
  return memcmp(&value, expected, sizeof value) == 0;
}

/* waiterAdd(array, index, array of one element with the value) -> its number, or 0: the value is another one */
static JSValueRef waiter_add(JSContextRef context, struct js_frame *frame) {
  size_t width = 0;
  const void *address = address_arg(context, frame, &width);
  struct js_mailbox *box = js_mailbox_of(js_env_here);
  struct js_waiter *waiter = calloc(1, sizeof *waiter);
  unsigned char *expected;
  if (address == NULL || box == NULL || waiter == NULL) {
    free(waiter);
    return js_throw_text(context, "no memory for a waiter");
  }
  js_borrow_bytes(context, js_arg(context, frame, 2), &expected, &width);
  js_ports_lock();
  bool waits = is_equal(address, width, expected);
  double id = waits ? ++last_id : 0;
  if (waits) {
    *waiter = (struct js_waiter){.box = box, .address = address, .id = id};
    add(waiter);
    atomic_fetch_add(&later, 1);
  }
  js_ports_unlock();
  if (!waits)
    free(waiter);
  return js_number(context, id);
}

/* waiterEnd(number) -> whether it waited: its time is up */
static JSValueRef waiter_end(JSContextRef context, struct js_frame *frame) {
  double id = js_to_number(context, js_arg(context, frame, 0));
  bool waited = false;
  js_ports_lock();
  for (int i = 0; i < SLOTS && !waited; i++)
    for (struct js_waiter **at = &slots[i]; *at != NULL; at = &(*at)->next)
      if ((*at)->id == id) {
        free(unlink_waiter(at));
        waited = true;
        break;
      }
  js_ports_unlock();
  return js_boolean(context, waited);
}

static void drop_sleeper(const struct js_mailbox *box) {
  for (int i = 0; i < SLOTS; i++)
    for (struct js_waiter **at = &slots[i]; *at != NULL; at = &(*at)->next)
      if ((*at)->box == box && (*at)->id == 0) {
        free(unlink_waiter(at));
        return;
      }
}

/* sleeperBegin(array, index, array of one element) -> whether it is in the list: this thread is about to sleep. A
 * thread sleeps once at a time: one that a limit of time took out of its sleep has left an entry, which ends here. */
static JSValueRef sleeper_begin(JSContextRef context, struct js_frame *frame) {
  size_t width = 0;
  const void *address = address_arg(context, frame, &width);
  struct js_mailbox *box = js_mailbox_of(js_env_here);
  struct js_waiter *waiter = calloc(1, sizeof *waiter);
  if (address == NULL || box == NULL || waiter == NULL) {
    free(waiter);
    return js_boolean(context, false); /* it is woken after all others */
  }
  *waiter = (struct js_waiter){.box = box, .address = address};
  js_ports_lock();
  if (box->sleeps)
    drop_sleeper(box);
  box->sleeps = true;
  add(waiter);
  js_ports_unlock();
  return js_boolean(context, true);
}

/* sleeperEnd() */
static JSValueRef sleeper_end(JSContextRef context, struct js_frame *frame) {
  struct js_mailbox *box = js_env_here->mailbox;
  (void)frame;
  js_ports_lock();
  if (box != NULL && box->sleeps) {
    drop_sleeper(box);
    box->sleeps = false;
  }
  js_ports_unlock();
  return js_undefined(context);
}

/* sleeperWaits() -> whether no notify has taken this thread out of the list since sleeperBegin */
static JSValueRef sleeper_waits(JSContextRef context, struct js_frame *frame) {
  struct js_mailbox *box = js_env_here->mailbox;
  (void)frame;
  js_ports_lock();
  bool waits = box != NULL && box->sleeps;
  js_ports_unlock();
  return js_boolean(context, waits);
}

/* One of waitAsync goes to the list of its thread, in the order of the notifies. */
static int notify(struct js_waiter *waiter) {
  struct js_mailbox *box = waiter->box;
  if (waiter->id == 0) {
    box->sleeps = false;
    free(waiter);
    return SLEEPS;
  }
  struct js_waiter **end = &box->notified;
  while (*end != NULL)
    end = &(*end)->next;
  *end = waiter;
  waiter->kept = box == js_env_here->mailbox;
  if (waiter->kept)
    js_mailbox_keep(box, 1);
  js_mailbox_wake(box);
  return WAITS_LATER;
}

/* waiterNotify(array, index, array of one element) -> the kind of the first waiter: one of the numbers above */
static JSValueRef waiter_notify(JSContextRef context, struct js_frame *frame) {
  size_t width = 0;
  const void *address = address_arg(context, frame, &width);
  int who = NOBODY;
  js_ports_lock();
  for (struct js_waiter **at = slot_of(address); *at != NULL && address != NULL; at = &(*at)->next)
    if ((*at)->address == address) {
      who = notify(unlink_waiter(at));
      break;
    }
  js_ports_unlock();
  return js_number(context, who);
}

/* waitersLater() -> how many of waitAsync there are in all threads */
static JSValueRef waiters_later(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  return js_number(context, atomic_load_explicit(&later, memory_order_seq_cst));
}

/* waiterNews() -> [number, ...] of this thread's that were notified */
static JSValueRef waiter_news(JSContextRef context, struct js_frame *frame) {
  struct js_mailbox *box = js_env_here->mailbox;
  JSObjectRef list = js_array(context, 0, NULL);
  unsigned count = 0;
  (void)frame;
  js_ports_lock();
  struct js_waiter *waiter = box->notified;
  box->notified = NULL;
  js_ports_unlock();
  while (waiter != NULL) {
    struct js_waiter *next = waiter->next;
    JSObjectSetPropertyAtIndex(context, list, count++, js_number(context, waiter->id), NULL);
    if (waiter->kept)
      js_mailbox_keep(box, -1);
    free(waiter);
    waiter = next;
  }
  return list;
}

const struct js_method js_waiter_methods[] = {
    {"waiterAdd", waiter_add, 3},   {"waiterEnd", waiter_end, 1},       {"sleeperBegin", sleeper_begin, 3},
    {"sleeperEnd", sleeper_end, 0}, {"sleeperWaits", sleeper_waits, 0}, {"waiterNotify", waiter_notify, 3},
    {"waiterNews", waiter_news, 0}, {"waitersLater", waiters_later, 0}, {NULL, NULL, 0},
};
