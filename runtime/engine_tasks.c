#include "engine_tasks.h"

#include <glib.h>

void rota_tasks_own(void) {
  GMainContext *context = g_main_context_new();
  g_main_context_push_thread_default(context);
  g_main_context_unref(context); /* the thread keeps it */
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

int rota_tasks_descriptor(void) {
  GPollFD descriptor = {.fd = -1};
  int timeout_ms = -1;
  return look(g_main_context_get_thread_default(), &descriptor, 1, &timeout_ms) > 0 ? descriptor.fd : -1;
}

int rota_tasks_run(void) {
  GMainContext *context = g_main_context_get_thread_default();
  GPollFD descriptor;
  int timeout_ms = -1;
  while (g_main_context_iteration(context, FALSE))
    ;
  look(context, &descriptor, 1, &timeout_ms);
  return timeout_ms;
}
