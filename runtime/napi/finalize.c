/* Finalizers. After a collection, the loop calls the finalizers of dead objects in the check phase, before the
 * immediates: a finalizer may run JavaScript. For addons of the experimental version, the collection itself calls them,
 * and they may not. The engine may release an addon's memory on any thread. */
#include <pthread.h>
#include <stdlib.h>

#include "runtime/napi/napi.h"

struct js_napi_release {
  struct js_napi_release *next, **link; /* among the env's lent ones, or among the released */
  napi_env env;                         /* NULL: the env has ended, and called the finalizer */
  napi_finalize call;
  void *data, *hint;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void js_napi_finalize_now(napi_env env, napi_finalize call, void *data, void *hint) {
  struct js_napi *thread = env->thread;
  size_t used = thread->used;
  unsigned scopes = env->open_scopes;
  call(env, data, hint);
  thread->used = used;
  env->open_scopes = scopes;
  if (env->exception == NULL)
    return;
  JSValueRef error = env->exception;
  env->exception = NULL;
  if (!thread->ending)
    js_napi_uncaught(env, error);
}

void js_napi_finalize_soon(napi_env env, napi_finalize call, void *data, void *hint) {
  struct js_napi_finalizer *finalizer = malloc(sizeof *finalizer);
  if (finalizer == NULL)
    js_napi_fatal("finalizer", "out of memory");
  *finalizer = (struct js_napi_finalizer){NULL, call, data, hint};
  *env->queued_end = finalizer;
  env->queued_end = &finalizer->next;
  if (env->thread->queued++ > 0)
    return;
  uv_ref((uv_handle_t *)&env->thread->wake);
  uv_async_send(&env->thread->wake);
}

void js_napi_finalize_dead(napi_env env, napi_finalize call, void *data, void *hint) {
  if (env->version != NAPI_VERSION_EXPERIMENTAL) {
    js_napi_finalize_soon(env, call, data, hint);
    return;
  }
  bool outside = env->in_collector;
  env->in_collector = true;
  call(env, data, hint);
  env->in_collector = outside;
}

napi_status node_api_post_finalizer(node_api_basic_env env, napi_finalize finalize, void *data, void *hint) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, finalize);
  js_napi_finalize_soon(env, finalize, data, hint);
  return js_napi_ok(env);
}

/* ---- an addon's memory in the engine ---- */

struct js_napi_release *js_napi_lend(napi_env env, napi_finalize call, void *data, void *hint) {
  struct js_napi_release *release = malloc(sizeof *release);
  if (release == NULL)
    js_napi_fatal("finalizer", "out of memory");
  pthread_mutex_lock(&lock);
  *release = (struct js_napi_release){env->lent, &env->lent, env, call, data, hint};
  if (env->lent != NULL)
    env->lent->link = &release->next;
  env->lent = release;
  pthread_mutex_unlock(&lock);
  return release;
}

void js_napi_lent_back(struct js_napi_release *release) {
  pthread_mutex_lock(&lock);
  napi_env env = release->env;
  if (env != NULL) {
    *release->link = release->next;
    if (release->next != NULL)
      release->next->link = release->link;
    release->next = env->thread->released;
    env->thread->released = release;
    uv_async_send(&env->thread->wake);
  }
  pthread_mutex_unlock(&lock);
  if (env == NULL)
    free(release);
}

static void take_released(struct js_napi *thread) {
  pthread_mutex_lock(&lock);
  struct js_napi_release *release = thread->released;
  thread->released = NULL;
  pthread_mutex_unlock(&lock);
  while (release != NULL) {
    struct js_napi_release *next = release->next;
    js_napi_finalize_soon(release->env, release->call, release->data, release->hint);
    free(release);
    release = next;
  }
}

/* ---- the loop's side ---- */

static void run_queue(napi_env env) {
  while (env->queued != NULL) {
    struct js_napi_finalizer *finalizer = env->queued;
    env->queued = finalizer->next;
    if (env->queued == NULL)
      env->queued_end = &env->queued;
    env->thread->queued--;
    js_napi_finalize_now(env, finalizer->call, finalizer->data, finalizer->hint);
    free(finalizer);
  }
}

void js_napi_check(struct js_env *runtime) {
  struct js_napi *thread = runtime->napi;
  if (thread->ending)
    return;
  take_released(thread);
  if (thread->queued == 0)
    return;
  struct js_napi_call call;
  js_napi_call_begin(&call, thread->envs, NULL);
  for (struct napi_env__ *env = thread->envs; env != NULL; env = env->next)
    run_queue(env);
  js_napi_call_end(&call);
  if (thread->queued == 0)
    uv_unref((uv_handle_t *)&thread->wake);
  else
    uv_async_send(&thread->wake); /* a finalizer queued another one, for an env that had its turn */
}

/* At an env's end: pending finalizers, and memory that the engine still has. */
void js_napi_finalizers_end(napi_env env) {
  take_released(env->thread);
  run_queue(env);
  for (;;) {
    pthread_mutex_lock(&lock);
    struct js_napi_release *release = env->lent;
    if (release != NULL) {
      env->lent = release->next;
      if (env->lent != NULL)
        env->lent->link = &env->lent;
      release->env = NULL;
    }
    pthread_mutex_unlock(&lock);
    if (release == NULL)
      break;
    if (release->call != NULL)
      js_napi_finalize_now(env, release->call, release->data, release->hint);
  }
  run_queue(env);
}
