/* The HTML standard's event loop (--loop=html; runtime/doc/BROWSER_LOOP.md), on the loop of the library.
 *
 * The task queues are in JavaScript (internal/html/event_loop). Here is what makes librota's loop run them: one task in
 * each iteration, by js_enter, which performs the microtask checkpoint after it. Events of the poller are tasks,
 * too: of networking and of files; they run when the poller reports them.
 *
 * Invariant: an iteration waits in poll only while no task can run. What JavaScript says about that is in shared words.
 */
#ifndef JS_HTML_H
#define JS_HTML_H

#include "runtime/order/env.h"

/* When the loop is there, and --loop=html was given: 0, or UV_ENOMEM. */
int js_html_open(struct js_env *env);
/* Whenever JavaScript has returned to the loop: the handles follow the shared words. */
void js_html_sync(struct js_env *env);

#endif
