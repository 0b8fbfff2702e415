/* Where a thread is: its own stack, and, by a signal, another thread's. */
#ifndef ROTA_OS_BACKTRACE_H
#define ROTA_OS_BACKTRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Loads what unwinding needs, so that later calls take no memory. */
void rota__os_backtrace_prepare(void);
/* The callers' addresses, innermost first, this function not included. Returns how many. */
int rota__os_backtrace(void **frames, int frames_max);

/* The stack of another thread of this process: where it is, then the addresses that its functions return to. On Linux,
 * a signal that the program does not use interrupts that thread. UV_EBUSY: the thread is in a system call that is not
 * restarted after a signal, so the program would notice; *call is the number of the system call (-1: unknown).
 * UV_ETIMEDOUT: the thread did not answer. One caller at a time. */
int rota__os_backtrace_of(int thread_id, void **frames, int frames_max, uint64_t timeout_ns, long *call);

#endif
