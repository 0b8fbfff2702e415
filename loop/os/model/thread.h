/* The model's threads in the place of the machine's: this header is included before each file of a library that is
 * built on the model (loop/system.mk), and gives the names of pthreads another meaning.
 *
 * A lock is its first word: 0, or the number of its owner. A condition is its address. */
#ifndef ROTA_MODEL_THREAD_H
#define ROTA_MODEL_THREAD_H

#include <pthread.h>
#include <sched.h>

int rota__model_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument);
int rota__model_join(pthread_t thread, void **result);
int rota__model_detach(pthread_t thread);
pthread_t rota__model_self(void);
int rota__model_once(pthread_once_t *once, void (*function)(void));
int rota__model_lock_init(pthread_mutex_t *lock, const pthread_mutexattr_t *attributes);
int rota__model_lock_destroy(pthread_mutex_t *lock);
int rota__model_lock(pthread_mutex_t *lock);
int rota__model_trylock(pthread_mutex_t *lock);
int rota__model_unlock(pthread_mutex_t *lock);
int rota__model_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attributes);
int rota__model_cond_destroy(pthread_cond_t *cond);
int rota__model_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock);
int rota__model_cond_signal(pthread_cond_t *cond);
int rota__model_cond_broadcast(pthread_cond_t *cond);
int rota__model_key_create(pthread_key_t *key, void (*destroy)(void *value));
int rota__model_key_delete(pthread_key_t key);
int rota__model_key_set(pthread_key_t key, const void *value);
void *rota__model_key_get(pthread_key_t key);
int rota__model_sched_yield(void);

#ifndef ROTA_MODEL_THREADS_THEMSELVES
#define pthread_create rota__model_create
#define pthread_join rota__model_join
#define pthread_detach rota__model_detach
#define pthread_self rota__model_self
#define pthread_once rota__model_once
#define pthread_mutex_init rota__model_lock_init
#define pthread_mutex_destroy rota__model_lock_destroy
#define pthread_mutex_lock rota__model_lock
#define pthread_mutex_trylock rota__model_trylock
#define pthread_mutex_unlock rota__model_unlock
#define pthread_cond_init rota__model_cond_init
#define pthread_cond_destroy rota__model_cond_destroy
#define pthread_cond_wait rota__model_cond_wait
#define pthread_cond_signal rota__model_cond_signal
#define pthread_cond_broadcast rota__model_cond_broadcast
#define pthread_key_create rota__model_key_create
#define pthread_key_delete rota__model_key_delete
#define pthread_setspecific rota__model_key_set
#define pthread_getspecific rota__model_key_get
#define sched_yield rota__model_sched_yield
#endif

#endif
