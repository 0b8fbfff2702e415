/* A poller that makes time jump: if a loop would sleep until its next timer and nothing else can happen, it moves the
 * clock there instead.
 *
 * What else can happen: jobs of the pool, child processes, running loops of other threads, and peers on other machines
 * take real time. They are waited for in real time, but not longer than until the timer is due. For other descriptors
 * it is not known whether an event will come. They get a grace period, once after their last event, and as long as the
 * process computes that made the other end of a local socket: the parent, as a rule. With several loops, time moves
 * when all of them wait, to the earliest timer of all. */
#ifndef ROTA_SIMULATE_VIRTUAL_H
#define ROTA_SIMULATE_VIRTUAL_H

#include <stdbool.h>
#include <stdint.h>

#include "loop/poller/poller.h"
#include "uv.h"

void rota__virtual_configure(bool by_hand, uint64_t grace_ns);
/* Of a virtual poller: whether its loop is an engine's own, for whose sake time does not move. */
bool rota__virtual_is_service(struct rota_poller *poller);
/* The loop's poller from now on; null: no memory. It owns the inner one. */
struct rota_poller *rota__virtual_wrap(uv_loop_t *loop, struct rota_poller *inner);
/* Moves the clock by hand, and wakes the loops whose timers are due. */
void rota__virtual_advance(uint64_t duration_ns);
/* Something of the process takes real time from now on, or no longer (-1). */
void rota__virtual_hold(int change);
/* uv_sleep on a loop's thread: nothing else happens in that loop, so time jumps. A sleep that waits for a job of the
 * pool, or on another thread, is real. */
void rota__virtual_sleep(uint64_t duration_ns);
/* This thread waits outside of its loop (see libc_clock.h). Whether the time is there. */
bool rota__virtual_waits(uint64_t due_ns, uint64_t waited_ns);
void rota__virtual_before_fork(void);
void rota__virtual_after_fork_in_parent(void);
void rota__virtual_after_fork_in_child(void);

/* The calling thread has a loop, waits for another thread, or ends: it holds virtual time no more. (steer.c) */
void rota__steer_thread_rests(void);

#endif
