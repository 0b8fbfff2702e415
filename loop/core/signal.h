/* Signals, for the rest of the library: see signal.c. */
#ifndef ROTA_LOOP_SIGNAL_H
#define ROTA_LOOP_SIGNAL_H

/* The listener is called in the signal handler, beside whatever handles watch the same signal. One for the process:
 * UV_EALREADY; UV_EBUSY when the program has a handler of its own, without us. */
int rota__signal_listen(int signum, void (*listener)(void));

/* uv_library_shutdown: no signal may reach this library's code any more. */
void rota__signal_shutdown(void);

#endif
