/* The binding `performance`: clocks since the program's start, the steps of that start, and the loop's own counters
 * (milliseconds). The histograms of the loop are in the binding `metrics`. */
#include "runtime/bind/binding.h"

#include <time.h>

static double since_start_ms(uint64_t ns) {
  return ns == 0 ? -1 : (double)(ns - js_env_here->started_ns) / 1e6;
}

static JSValueRef now(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  return js_number(context, since_start_ms(uv_hrtime()));
}

static uint64_t thread_ns(void) {
  struct timespec spent;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
  return (uint64_t)spent.tv_sec * 1000000000u + (uint64_t)spent.tv_nsec;
}

/* The time that the loop has waited for events. Measuring it costs time in every wait, so the loop begins with the
 * first request; before that, all time that this thread did not spend on a processor counts as waiting. A worker's is
 * measured from the start, as its maker may ask at any time. */
static JSValueRef idle_time(JSContextRef context, struct js_frame *frame) {
  struct js_env *env = js_env_here;
  static _Thread_local bool measured;
  static _Thread_local double before_ms;
  (void)frame;
  if (!measured && env->worker == NULL) {
    measured = true;
    uv_loop_configure(env->loop, UV_METRICS_IDLE_TIME);
    double ran_ms = env->loop_began_ns == 0 ? 0 : (double)(uv_hrtime() - env->loop_began_ns) / 1e6;
    double spent_ms = (double)(thread_ns() - env->loop_began_cpu_ns) / 1e6;
    before_ms = ran_ms > spent_ms ? ran_ms - spent_ms : 0;
  }
  return js_number(context, before_ms + (double)uv_metrics_idle_time(env->loop) / 1e6);
}

/* -1 before the loop runs. */
static JSValueRef loop_start(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  return js_number(context, since_start_ms(js_env_here->loop_began_ns));
}

static JSValueRef loop_exit(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  return js_number(context, since_start_ms(js_env_here->loop_ended_ns));
}

static JSValueRef metrics_info(JSContextRef context, struct js_frame *frame) {
  uv_metrics_t metrics;
  JSObjectRef info = js_object(context);
  (void)frame;
  if (uv_metrics_info(js_env_here->loop, &metrics) == 0) {
    js_set(context, info, "loopCount", js_number(context, (double)metrics.loop_count));
    js_set(context, info, "events", js_number(context, (double)metrics.events));
    js_set(context, info, "eventsWaiting", js_number(context, (double)metrics.events_waiting));
  }
  return info;
}

/* The wall clock when the process started: the same for all threads, even if that clock was set since. */
static uv_once_t origin_found = UV_ONCE_INIT;
static double origin_ms;

static void find_origin(void) {
  uv_timeval64_t wall;
  uv_gettimeofday(&wall);
  origin_ms = (double)wall.tv_sec * 1e3 + (double)wall.tv_usec / 1e3 - since_start_ms(uv_hrtime());
}

JSObjectRef js_binding_performance(struct js_env *env) {
  static const struct js_method methods[] = {
      {"now", now, 0},
      {"idleTime", idle_time, 0},
      {"loopStart", loop_start, 0},
      {"loopExit", loop_exit, 0},
      {"metricsInfo", metrics_info, 0},
      {NULL, NULL, 0},
  };
  JSObjectRef binding = js_object(env->context), milestones = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  uv_once(&origin_found, find_origin);
  js_set(env->context, binding, "timeOriginTimestamp", js_number(env->context, origin_ms));
  js_set(env->context, milestones, "nodeStart", js_number(env->context, 0));
  js_set(env->context, milestones, "engineStart", js_number(env->context, since_start_ms(env->engine_began_ns)));
  js_set(env->context, milestones, "environment", js_number(env->context, since_start_ms(env->engine_made_ns)));
  js_set(env->context, milestones, "bootstrapComplete", js_number(env->context, since_start_ms(env->bootstrapped_ns)));
  js_set(env->context, binding, "milestones", milestones);
  return binding;
}
