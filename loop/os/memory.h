/* What this process has in memory: pages, the program and its libraries, and stacks. */
#ifndef ROTA_OS_MEMORY_H
#define ROTA_OS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- pages ---- */

int rota__os_map(void **memory, size_t size); /* zeroed; takes room as it is touched */
void rota__os_unmap(void *memory, size_t size);

/* ---- the program and its libraries ---- */

struct rota_os_module {
  uintptr_t base;   /* what an address in the file is moved by */
  const char *path; /* empty: the program itself. Valid while it is loaded */
};

/* The program, or a library that it was linked with, exports this symbol. */
bool rota__os_program_exports(const char *name);
bool rota__os_module_of(const void *address, struct rota_os_module *module);

/* ---- stacks: a thread's own, and, by a signal, another thread's ---- */

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
