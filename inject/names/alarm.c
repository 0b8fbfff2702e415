#include "inject/names/names.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "inject/names/v8.h"
#include "rota.h"

enum { NS_PER_MS = 1000000, LONG_NS = 2 * NS_PER_MS, AGAIN_NS = 8 * NS_PER_MS, BUSY_MS = 2, QUIET_MS = 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct names_env *environments;
static bool has_thread;

static void on_alarm(void *isolate, void *data) {
  struct names_env *env = data;
  (void)isolate;
  names_part_look(env, atomic_load(&env->alarm_call));
}

/* True: something has run since the last look. */
static bool look_at(struct names_env *env, uint64_t now_ns) {
  uint64_t since_ns, call = rota_call_now(env->loop, &since_ns);
  bool is_named = atomic_load_explicit(&env->call, memory_order_relaxed) == call &&
                  atomic_load_explicit(&env->is_named, memory_order_relaxed);
  if (call != 0 && !is_named && now_ns > since_ns + LONG_NS &&
      (env->asked_call != call || now_ns > env->seen_ns + AGAIN_NS)) {
    env->asked_call = call;
    env->seen_ns = now_ns;
    atomic_store(&env->alarm_call, call);
    names_v8_interrupt(env->isolate, on_alarm, env);
  }
  names_sample_look(env, call, since_ns, now_ns);
  if (atomic_load(&env->is_closed) && names_part_can_open(env))
    uv_async_send(&env->opener);
  bool moved = call != env->seen_call;
  env->seen_call = call;
  return moved || call != 0;
}

static void *watch(void *data) {
  (void)data;
  for (;;) {
    bool is_busy = false;
    pthread_mutex_lock(&lock);
    uint64_t now_ns = uv_hrtime();
    for (struct names_env *env = environments; env != NULL; env = env->next)
      is_busy |= look_at(env, now_ns);
    pthread_mutex_unlock(&lock);
    struct timespec pause = {.tv_nsec = (is_busy ? BUSY_MS : QUIET_MS) * NS_PER_MS};
    nanosleep(&pause, NULL);
  }
  return NULL;
}

/* Signals are the program's business. */
static void start_thread(void) {
  pthread_t thread;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  if (pthread_create(&thread, NULL, watch, NULL) == 0) {
    has_thread = true;
    pthread_setname_np(thread, "rota-names");
    pthread_detach(thread);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void names_alarm_add(struct names_env *env) {
  pthread_mutex_lock(&lock);
  env->next = environments;
  environments = env;
  if (!has_thread)
    start_thread();
  pthread_mutex_unlock(&lock);
}

void names_alarm_remove(struct names_env *env) {
  pthread_mutex_lock(&lock);
  for (struct names_env **link = &environments; *link != NULL; link = &(*link)->next)
    if (*link == env) {
      *link = env->next;
      break;
    }
  pthread_mutex_unlock(&lock);
}

void names_alarm_with(uv_loop_t *loop, void (*use)(struct names_env *env, void *data), void *data) {
  pthread_mutex_lock(&lock);
  for (struct names_env *env = environments; env != NULL; env = env->next)
    if (env->loop == loop) {
      use(env, data);
      break;
    }
  pthread_mutex_unlock(&lock);
}
