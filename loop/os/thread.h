/* What threads ask of the system beyond pthreads: semaphores, whose errors are in errno, and the scheduler.
 * As everywhere in loop/os: a result >= 0, or a negated errno; interrupted calls are repeated. */
#ifndef ROTA_OS_THREAD_H
#define ROTA_OS_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uv.h"

int rota__os_sem_init(uv_sem_t *sem, unsigned int value);
int rota__os_sem_destroy(uv_sem_t *sem);
int rota__os_sem_post(uv_sem_t *sem);
int rota__os_sem_wait(uv_sem_t *sem);
int rota__os_sem_trywait(uv_sem_t *sem);
int rota__os_sem_wait_for(uv_sem_t *sem, uint64_t timeout_ns); /* -ETIMEDOUT */

/* As pthread_barrier_t; waiting returns 1 to one of the threads. */
int rota__os_barrier_init(uv_barrier_t *barrier, unsigned int count);
int rota__os_barrier_destroy(uv_barrier_t *barrier);
int rota__os_barrier_wait(uv_barrier_t *barrier);
/* A condition that waits by the monotonic clock, and the wait: for so long at most. -ETIMEDOUT. */
int rota__os_cond_init(pthread_cond_t *cond);
int rota__os_cond_wait_for(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t timeout_ns);

/* A lock that is held so briefly that to sleep for it would take longer: it spins a little first. */
void rota__os_brief_lock_init(pthread_mutex_t *lock);

size_t rota__os_page_size(void);
size_t rota__os_stack_limit(void); /* of the main thread (ulimit -s); 0: none, or unknown */
size_t rota__os_stack_smallest(void);

int rota__os_current_cpu(void);
int rota__os_allowed_cpus(void); /* how many the calling thread may run on */
int rota__os_online_cpus(void);
int rota__os_cpu_mask_size(
    void); /* processors that a mask of affinity has room for; -ENOTSUP where there is no such mask */
/* A byte for each processor of the mask. */
int rota__os_affinity(pthread_t thread, char *mask);
int rota__os_set_affinity(pthread_t thread, const char *mask);
/* Whether there is more than one processor. The answer is kept: finding it out reads a file, and each loop asks. */
bool rota__os_has_cpus(void);

/* The niceness of the calling thread alone: on Linux each thread has its own. */
int rota__os_thread_nice(int *nice);
int rota__os_thread_set_nice(int nice);
int rota__os_thread_set_name(const char *name); /* of the calling thread; what is too long is cut off */
int rota__os_thread_name_of(pthread_t thread, char *name, size_t size);
/* From now on, the library stays in memory when a program unloads it: for threads that run to the end of the process.
 */
void rota__os_stay_loaded(void);
int rota__os_thread_id(void);     /* the system's, kept from the first call of each thread */
int rota__os_thread_number(void); /* the system's, of the calling thread; asked anew each time */

#endif
