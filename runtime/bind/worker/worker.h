/* Threads: each has an engine, a loop and an env of its own. They share only bytes, sent through ports, and the memory
 * of SharedArrayBuffers. */
#ifndef JS_WORKER_H
#define JS_WORKER_H

#include "runtime/order/env.h"

struct js_port;
struct js_worker;
struct js_waiter;

/* The mailbox of an env: it is woken when there is a message for one of its ports or from one of its workers. */
struct js_mailbox {
  uv_async_t async;
  struct js_env *env;
  JSObjectRef deliver;    /* JavaScript's function for messages */
  JSObjectRef turn;       /* JavaScript's function for ports that got a message from this env, one at a time */
  struct js_port *ports;  /* that live in this env */
  struct js_worker *born; /* workers made by this env that have not been joined */
  int keeps;              /* how many ports, workers and notified waiters keep the loop alive */
  /* Under the lock of ports: */
  struct js_waiter *notified; /* of Atomics.waitAsync, not told yet */
  bool sleeps;                /* its thread is in Atomics.wait */
};

/* worker_port.c */
struct js_mailbox *js_mailbox_of(struct js_env *env);
void js_mailbox_wake(struct js_mailbox *box);
/* Adds to (or subtracts from) the number of things that keep the loop of this thread's box alive. */
void js_mailbox_keep(struct js_mailbox *box, int more);
void js_mailbox_close(struct js_env *env);
/* A port that belongs to no env yet moves into this one. */
void js_port_adopt(struct js_mailbox *box, struct js_port *port);
void js_port_leave(struct js_port *port);
void js_mailbox_forget(struct js_mailbox *box);
void js_ports_lock(void);
void js_ports_unlock(void);
extern const struct js_method js_port_methods[];

/* worker_lock.c: drops the locks that an ended thread held or waited for. */
void js_locks_forget(struct js_mailbox *box);
extern const struct js_method js_lock_methods[];

/* worker_waiters.c: the same for its waits in shared memory. */
void js_waiters_forget(struct js_mailbox *box);
extern const struct js_method js_waiter_methods[];

/* worker.c */
void js_worker_check(struct js_env *env);
/* How many workers of the process have an engine. */
int js_workers_running(void);
/* Tells the threads that this env has made to end. */
void js_workers_stop(struct js_env *env);
/* [id, code, id, code, ...] of the workers that have ended since the last time. */
JSObjectRef js_workers_ended(struct js_env *env);

#endif
