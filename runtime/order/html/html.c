/* The HTML standard's event loop (--loop=html; runtime/doc/BROWSER_LOOP.md), on the loop of the library.
 *
 * The task queues are in JavaScript (internal/html/event_loop). Here is what makes librota's loop run them: one task in
 * each iteration, by js_enter, which performs the microtask checkpoint after it. Events of the poller are tasks,
 * too: of networking and of files; they run when the poller reports them.
 *
 * Invariant: an iteration waits in poll only while no task can run. What JavaScript says about that is in shared words.
 */
#include <rota.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/order/env.h"

struct js_html {
  uv_timer_t timer;     /* the earliest timer or frame */
  uint64_t due_ms;      /* what it is set to, by JavaScript's clock; 0: stopped */
  uv_idle_t idle;       /* active: poll does not wait */
  uv_prepare_t prepare; /* before poll */
  uv_check_t check;     /* after it */
  uint64_t calls;       /* env->calls, when poll began: others since then are tasks of the poller's events */
};

/* Callbacks of handles that do nothing by themselves are not shown by observers. */
static void hide(const struct js_env *env) {
  rota_name_call(env->loop, ROTA_NAME_NONE);
}

static void on_idle(uv_idle_t *handle) {
  hide(handle->loop->data);
}

/* A timer or a frame is due: the next step queues its task. */
static void on_timer(uv_timer_t *handle) {
  struct js_env *env = handle->loop->data;
  env->html->due_ms = 0;
  uv_idle_start(&env->html->idle, on_idle);
  hide(env);
}

static void on_prepare(uv_prepare_t *handle) {
  struct js_env *env = handle->loop->data;
  env->html->calls = env->calls;
  hide(env);
}

/* One task. Idle callbacks run only if there was none, and the poller had no events, either. */
static void on_check(uv_check_t *handle) {
  struct js_env *env = handle->loop->data;
  struct js_html *html = env->html;
  bool due = env->words[JS_WORD_HTML_DUE] != 0 && html->due_ms == 0;
  bool idle = env->words[JS_WORD_HTML_IDLE] != 0 && env->calls == html->calls;
  if (env->words[JS_WORD_HTML_TASKS] != 0 || due || idle) {
    JSValueRef arguments[] = {js_boolean(env->context, idle)};
    js_enter_callback(env, JS_CALLBACK_TASK, 1, arguments);
  } else {
    hide(env);
  }
}

static void sync_timer(struct js_env *env) {
  struct js_html *html = env->html;
  uint64_t due_ms = (uint64_t)env->words[JS_WORD_HTML_DUE];
  if (due_ms == html->due_ms)
    return;
  html->due_ms = due_ms;
  uint64_t now_ms = uv_now(env->loop) - env->clock_base_ms;
  if (due_ms == 0)
    uv_timer_stop(&html->timer);
  else
    uv_timer_start(&html->timer, on_timer, due_ms > now_ms ? due_ms - now_ms : 0, 0);
}

void js_html_sync(struct js_env *env) {
  struct js_html *html = env->html;
  sync_timer(env);
  env->words[JS_WORD_HTML_LEVEL] = env->words[JS_WORD_HTML_PRIORITY] = 0; /* the task has ended, with its microtasks */
  if (env->words[JS_WORD_HTML_TASKS] != 0 || env->words[JS_WORD_HTML_IDLE] != 0)
    uv_idle_start(&html->idle, on_idle);
  else
    uv_idle_stop(&html->idle);
}

int js_html_open(struct js_env *env) {
  const char *loop = js_words_value(&env->options->words, "loop");
  if (loop == NULL || strcmp(loop, "html") != 0)
    return 0;
  struct js_html *html = env->html = calloc(1, sizeof *html);
  if (html == NULL)
    return UV_ENOMEM;
  uv_timer_init(env->loop, &html->timer);
  uv_idle_init(env->loop, &html->idle);
  uv_prepare_init(env->loop, &html->prepare);
  uv_prepare_start(&html->prepare, on_prepare);
  uv_unref((uv_handle_t *)&html->prepare);
  uv_check_init(env->loop, &html->check);
  uv_check_start(&html->check, on_check);
  uv_unref((uv_handle_t *)&html->check);
  return 0;
}
