#include "inject/names/names.h"

#include "inject/names/v8.h"
#include "rota.h"

/* What things take, about, in nanoseconds; and what they may take: so much in the beginning, so much at once
 * later, and a share of the time. A window is
 * opened again when there is room for a good while: V8 has to compile anew what the hooks touch. What V8 and Node do
 * for the hooks counts, too: a service took 22 us more for a request of ten parts (bench/service-cost). */
enum {
  PART_NS = 1200,
  STEP_NS = 1800,
  STACK_NS = 6000,
  TITLE_NS = 600,
  FIRST_NS = 200 * 1000000,
  AT_ONCE_NS = 20 * 1000000,
  FIRST_TIME_NS = 1000 * 1000000,
  OPEN_NS = 15 * 1000000,
  SHARE = 160, /* a 160th */
  TITLE_SHARE = 50,
  CHECK_EACH = 16,
  FRAMES_MAX = 32
};

/* ---- the limit ---- */

static int64_t left_ns(const struct names_env *env) {
  uint64_t earned_ns = FIRST_NS + (uv_hrtime() - env->start_ns) / SHARE;
  return (int64_t)(earned_ns - env->spent_ns);
}

/* What was not spent in a quiet time does not add up. */
static void forget_savings(struct names_env *env) {
  int64_t left = left_ns(env);
  if (left > AT_ONCE_NS && uv_hrtime() > env->start_ns + FIRST_TIME_NS)
    env->spent_ns += (uint64_t)left - AT_ONCE_NS;
}

bool names_part_can_open(const struct names_env *env) {
  return left_ns(env) > OPEN_NS;
}

/* Looks at the clock now and then. */
static bool is_spent(struct names_env *env) {
  if (++env->checks % CHECK_EACH != 0)
    return false;
  forget_savings(env);
  return left_ns(env) < 0;
}

/* ---- names ---- */

static void set_name(struct names_env *env, uint32_t name) {
  rota_name_call(env->loop, name);
  atomic_store_explicit(&env->is_named, true, memory_order_relaxed);
  env->step_wanted = false;
}

static void name_by_stack(struct names_env *env) {
  napi_handle_scope scope;
  struct names_stack stack;
  if (napi_open_handle_scope(env->env, &scope) != NAPI_OK)
    return;
  names_stack_take(&stack, env->env, env->isolate, FRAMES_MAX);
  uint32_t name = names_stack_outermost(&stack, env->kind == NAMES_MAIN);
  if (name != 0)
    set_name(env, name);
  napi_close_handle_scope(env->env, scope);
  env->spent_ns += STACK_NS;
}

static bool is_inner(const struct names_env *env) {
  napi_handle_scope scope;
  if (napi_open_handle_scope(env->env, &scope) != NAPI_OK)
    return true;
  bool inner = names_v8_is_inner(env->env, env->isolate);
  napi_close_handle_scope(env->env, scope);
  return inner;
}

/* The first function is entered. */
static void on_step(void *isolate, void *data) {
  struct names_env *env = data;
  (void)isolate;
  env->step_asked = false;
  if (!env->step_wanted || rota_call_now(env->loop, NULL) != env->call)
    return;
  env->step_wanted = false;
  env->spent_ns += STEP_NS;
  if (!is_inner(env))
    name_by_stack(env);
}

static void ask(struct names_env *env) {
  env->step_wanted = true;
  if (env->step_asked)
    return;
  env->step_asked = true;
  names_v8_interrupt(env->isolate, on_step, env);
}

/* ---- parts ---- */

/* False: no callback of the loop runs, or what has begun belongs to the part that runs. */
static bool begin(struct names_env *env, enum names_kind kind, uint32_t name) {
  uint64_t call = rota_call_now(env->loop, NULL);
  if (call == 0)
    return false;
  if (call != env->call) {
    rota_name_call(env->loop, name);
  } else if (kind == NAMES_ENTRY && env->kind == NAMES_ENTRY) {
    return false; /* Node enters JavaScript more than once for one event */
  } else {
    rota_call_next(env->loop, name, 0);
    call = rota_call_now(env->loop, NULL);
  }
  atomic_store_explicit(&env->call, call, memory_order_relaxed);
  env->kind = kind;
  return true;
}

bool names_part_begin(struct names_env *env, enum names_kind kind, napi_value function) {
  static uint32_t reaction;
  bool is_inner_function = true;
  uint32_t name = 0;
  if (kind == NAMES_REACTION)
    name = reaction != 0 ? reaction : (reaction = rota_name("(promise reaction)", NULL, 0));
  else if (function != NULL)
    name = names_v8_function(env->env, env->isolate, function, &is_inner_function);
  if (kind == NAMES_ENTRY && is_inner_function)
    name = 0;
  env->spent_ns += PART_NS;
  if (begin(env, kind, name)) {
    atomic_store_explicit(&env->is_named, !is_inner_function, memory_order_relaxed);
    env->step_wanted = false;
    if (kind == NAMES_REACTION)
      ask(env);
  }
  return is_spent(env);
}

void names_part_opened(struct names_env *env, bool has_file) {
  atomic_store_explicit(&env->call, rota_call_now(env->loop, NULL), memory_order_relaxed);
  atomic_store_explicit(&env->is_named, has_file, memory_order_relaxed);
  env->kind = NAMES_MAIN;
}

bool names_part_lacks_name(const struct names_env *env) {
  return !env->is_named && !env->is_closed && rota_call_now(env->loop, NULL) == env->call;
}

bool names_part_name(struct names_env *env, napi_value function) {
  bool is_inner_function = true;
  uint32_t name = names_v8_function(env->env, env->isolate, function, &is_inner_function);
  env->spent_ns += PART_NS;
  if (name == 0 || is_inner_function)
    return false;
  set_name(env, name);
  return true;
}

bool names_part_title(struct names_env *env, uint32_t name) {
  uint64_t call = rota_call_now(env->loop, NULL);
  env->title_ns += TITLE_NS;
  /* While the window is closed, a callback of the loop is one part. */
  if (call != 0 && call != env->call && atomic_load_explicit(&env->is_closed, memory_order_relaxed)) {
    env->kind = NAMES_ENTRY;
    atomic_store_explicit(&env->is_named, false, memory_order_relaxed);
    atomic_store_explicit(&env->call, call, memory_order_relaxed);
  }
  if (name != 0 && call != 0 && call == env->call && !env->is_named)
    set_name(env, name);
  if (++env->titles % CHECK_EACH != 0)
    return false;
  return env->title_ns > FIRST_NS + (uv_hrtime() - env->start_ns) / TITLE_SHARE;
}

void names_part_look(struct names_env *env, uint64_t call) {
  if (rota_call_now(env->loop, NULL) != call || (env->call == call && env->is_named))
    return;
  if (env->call != call || env->kind != NAMES_MAIN)
    env->kind = NAMES_ENTRY;
  atomic_store_explicit(&env->call, call, memory_order_relaxed);
  atomic_store_explicit(&env->is_named, false, memory_order_relaxed);
  name_by_stack(env);
}
