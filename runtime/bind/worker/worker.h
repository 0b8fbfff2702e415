/* Threads: each has an engine, a loop and an env of its own. They share bytes, sent through ports, and the memory of
 * SharedArrayBuffers; nothing else. */
#ifndef ROTA_WORKER_H
#define ROTA_WORKER_H

#include "runtime/order/env.h"

struct rota_port;
struct rota_worker;

/* Where an env is woken when something has come for one of its ports or from one of its workers. */
struct rota_mailbox {
  uv_async_t async;
  struct rota_env *env;
  JSObjectRef deliver;      /* JavaScript's function for what has come */
  JSObjectRef turn;         /* JavaScript's function for ports that were written to in this env, one at a time */
  struct rota_port *ports;  /* that live in this env */
  struct rota_worker *born; /* workers made by this env that have not been joined */
  int keeps;                /* how many ports and workers keep the loop alive */
};

/* binding/worker_port.c */
struct rota_mailbox *rota_mailbox_of(struct rota_env *env);
void rota_mailbox_wake(struct rota_mailbox *box);
void rota_mailbox_close(struct rota_env *env);
/* A port that no env has yet moves into this one. */
void rota_port_adopt(struct rota_mailbox *box, struct rota_port *port);
void rota_port_leave(struct rota_port *port);
void rota_mailbox_forget(struct rota_mailbox *box);
void rota_ports_lock(void);
void rota_ports_unlock(void);
extern const struct rota_method rota_port_methods[];

/* binding/worker_close.c: atClosing(function) calls it in the loop's closing phase, the last one asked for first. */
JSValueRef rota_port_at_closing(JSContextRef context, struct rota_frame *frame);

/* binding/worker_shared.c: the memory of a SharedArrayBuffer, held by whoever sends it. */
void *rota_shared_hold(JSValueRef buffer);
void rota_shared_give(void *held, JSValueRef buffer);
void rota_shared_drop(void *held);
int rota_shared_check(JSContextRef context);

/* binding/worker_lock.c: what a thread that ends held or waited for. */
void rota_locks_forget(struct rota_mailbox *box);
extern const struct rota_method rota_lock_methods[];

/* binding/worker.c */
void rota_worker_poll(struct rota_env *env);
/* How many workers of the process have an engine. */
int rota_workers_running(void);
/* From now on the engine looks from time to time whether this thread is to stop. */
void rota_worker_watch(struct rota_env *env);
/* Ends and joins the threads that this env has made. */
void rota_workers_end(struct rota_env *env);
/* [id, code, id, code, ...] of the workers that have ended since the last time. */
JSObjectRef rota_workers_ended(struct rota_env *env);

#endif
