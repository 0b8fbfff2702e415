/* Signals, for the rest of the library: see signal.c. */
#ifndef ROTA_LOOP_SIGNAL_H
#define ROTA_LOOP_SIGNAL_H

/* uv_library_shutdown: no signal may reach this library's code any more. */
void rota__signal_shutdown(void);

#endif
