/* Signals, for the rest of the library: see signal.c. */
#ifndef ROTA_LOOP_SIGNAL_H
#define ROTA_LOOP_SIGNAL_H

/* The listener is called in the signal handler, in addition to the handles that watch the same signal. The process has
 * at most one: else UV_EALREADY. UV_EBUSY: the program has installed a handler of its own. */
int rota__signal_listen(int signum, void (*listener)(void));

/* Tells the handles that watch the signal of it, though the system sends none: Windows has no SIGWINCH. Any thread. */
void rota__signal_raise(int signum);

/* uv_library_shutdown: no signal may reach this library's code any more. */
void rota__signal_shutdown(void);

#endif
