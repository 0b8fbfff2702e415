/* A poller that makes time jump: if a loop would sleep until its next timer and nothing else can happen, it moves the
 * clock there instead.
 *
 * Jobs of the pool, child processes, running loops of other threads, and peers on other machines take real time. The
 * loop waits for them in real time, but not longer than until the timer is due. For other descriptors it is not known
 * whether an event will come: the loop waits for a grace period after their last event, and as long as the process
 * computes that made the other end of a local socket (usually the parent). With several loops, time moves when all of
 * them wait, to the earliest timer of all. */
#ifndef ROTA_SIMULATE_VIRTUAL_H
#define ROTA_SIMULATE_VIRTUAL_H

#include <stdbool.h>
#include <stdint.h>

#include "loop/poller/poller.h"
#include "uv.h"

void rota__virtual_configure(bool by_hand, uint64_t grace_ns);
/* Whether the loop of this poller is an engine's own: its timers do not move time. False for other pollers. */
bool rota__virtual_is_service(struct rota_poller *poller);
/* The loop's poller from now on; null: no memory. It owns the inner one. */
struct rota_poller *rota__virtual_wrap(uv_loop_t *loop, struct rota_poller *inner);
/* Moves the clock by hand, and wakes the loops whose timers are due. */
void rota__virtual_advance(uint64_t duration_ns);
/* Time stands still from now on, at the beginning of a millisecond, and goes on by itself again. */
void rota__virtual_stop(void);
void rota__virtual_go(void);
struct rota_virtual_told {
  void (*function)(int end, void *data);
  void *data;
};
#define ROTA_VIRTUAL_UNTIL_NONE UINT64_MAX
/* Lets time that stands still go on from timer to timer, for this long, or until no timer keeps a loop alive; at most
 * so many steps. When nothing can happen any more, the function is told, on the thread of one of the loops: 0;
 * UV_E2BIG: there are more timers; UV_ECANCELED: time goes on by itself. UV_EINVAL: time does not stand still;
 * UV_EBUSY: it is being advanced. */
int rota__virtual_step(uint64_t duration_ns, uint64_t steps_max, struct rota_virtual_told told);
/* Change 1: something takes real time from now on. Change -1: it does not any more. */
void rota__virtual_hold(int change);
/* uv_sleep. On a loop's thread nothing else happens in that loop, so time jumps. On another thread, or if the loop
 * waits for a job of the pool, the sleep is real. */
void rota__virtual_sleep(uint64_t duration_ns);
/* This thread waits outside of its loop (libc_clock.h). Returns whether the time has come. */
bool rota__virtual_wait_until(uint64_t due_ns, uint64_t waited_ns);
void rota__virtual_before_fork(void);
void rota__virtual_after_fork_in_parent(void);
void rota__virtual_after_fork_in_child(void);

/* The calling thread has a loop, waits for another thread, or ends: it does not hold virtual time any
 * more. (steer.c) */
void rota__steer_thread_waits(void);

#endif
