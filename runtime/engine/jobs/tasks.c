/* The engine's own deferred tasks, which it hands to a main context of GLib (jobs.h). */
#include <glib.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "runtime/engine/jobs/jobs.h"
#include "uv.h"

/* Other threads may take some meanwhile: each takes fewer than these to get as far as here. */
enum { DESCRIPTORS_WANTED = 8 };

static bool has_descriptors(void) {
  int taken[DESCRIPTORS_WANTED];
  int count = 0;
  while (count < DESCRIPTORS_WANTED && (taken[count] = eventfd(0, EFD_CLOEXEC)) >= 0)
    count++;
  bool enough = count == DESCRIPTORS_WANTED;
  while (count > 0)
    close(taken[--count]);
  return enough;
}

int js_tasks_own(bool is_worker) {
  static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&one_at_a_time);
  GMainContext *context = !is_worker || has_descriptors() ? g_main_context_new() : NULL;
  pthread_mutex_unlock(&one_at_a_time);
  if (context == NULL)
    return UV_EMFILE;
  g_main_context_push_thread_default(context);
  g_main_context_unref(context); /* the thread keeps it */
  return 0;
}

/* The context's descriptors and how long it would wait; the one that wakes it is always among them. */
static int look(GMainContext *context, GPollFD *descriptors, int room, int *timeout_ms) {
  int priority = 0;
  if (!g_main_context_acquire(context))
    return 0;
  g_main_context_prepare(context, &priority);
  int count = g_main_context_query(context, G_MAXINT, timeout_ms, descriptors, room);
  g_main_context_release(context);
  return count;
}

int js_tasks_descriptor(void) {
  GPollFD descriptor = {.fd = -1};
  int timeout_ms = -1;
  return look(g_main_context_get_thread_default(), &descriptor, 1, &timeout_ms) > 0 ? descriptor.fd : -1;
}

int js_tasks_run(void) {
  GMainContext *context = g_main_context_get_thread_default();
  GPollFD descriptor;
  int timeout_ms = -1;
  while (g_main_context_iteration(context, FALSE))
    ;
  look(context, &descriptor, 1, &timeout_ms);
  return timeout_ms;
}
