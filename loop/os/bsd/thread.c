#include "loop/os/thread.h"

#include <errno.h>
#include <unistd.h>
#if defined(__FreeBSD__) || defined(__OpenBSD__)
#include <pthread_np.h>
#endif
#ifdef __NetBSD__
#include <lwp.h>
#endif

void rota__os_brief_lock_init(pthread_mutex_t *lock) {
  pthread_mutex_init(lock, NULL);
}

int rota__os_current_cpu(void) {
  return -ENOTSUP;
}

/* Niceness is the whole process's here: a thread that asks for its own must not change the others'. */
int rota__os_thread_set_nice(int nice) {
  (void)nice;
  return -ENOTSUP;
}

int rota__os_thread_set_name(const char *name) {
#if defined(__APPLE__)
  return -pthread_setname_np(name);
#elif defined(__NetBSD__)
  return -pthread_setname_np(pthread_self(), "%s", (void *)name);
#else
  pthread_set_name_np(pthread_self(), name);
  return 0;
#endif
}

int rota__os_thread_name_of(pthread_t thread, char *name, size_t size) {
#if defined(__APPLE__) || defined(__NetBSD__)
  return -pthread_getname_np(thread, name, size);
#else
  pthread_get_name_np(thread, name, size);
  return 0;
#endif
}

int rota__os_thread_number(void) {
#if defined(__APPLE__)
  uint64_t id = 0;
  pthread_threadid_np(NULL, &id);
  return (int)id;
#elif defined(__FreeBSD__)
  return pthread_getthreadid_np();
#elif defined(__NetBSD__)
  return (int)_lwp_self();
#else
  return (int)getthrid();
#endif
}
