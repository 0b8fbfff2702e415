/* Signals, for the rest of the library: see signal.c. */
#ifndef ROTA_LOOP_SIGNAL_H
#define ROTA_LOOP_SIGNAL_H

#include "uv.h"

/* The listener is called in the signal handler, in addition to the handles that watch the same signal. The process has
 * at most one: else UV_EALREADY. UV_EBUSY: the program has installed a handler of its own. */
int rota__signal_listen(int signum, void (*listener)(void));

/* Tells the handles that watch the signal of it, though the system sends none: Windows has no SIGWINCH. Any thread. */
void rota__signal_raise(int signum);

/* uv_library_shutdown: no signal may reach this library's code any more. */
void rota__signal_shutdown(void);

/* ---- what tells a loop that its mailbox has signals: signal_wakeup.c, for each system ---- */

struct rota_signal_wakeup;

/* `ready` is called on the loop's thread, once or more after it was sent. On an error, *wakeup is null. */
int rota__signal_wakeup_open(uv_loop_t *loop, void (*ready)(void *data), void *data,
                             struct rota_signal_wakeup **wakeup);
/* From any thread, and from signal handlers. */
void rota__signal_wakeup_send(struct rota_signal_wakeup *wakeup);
/* Null is allowed. Nobody may send it any more. */
void rota__signal_wakeup_close(uv_loop_t *loop, struct rota_signal_wakeup *wakeup);

#endif
