/* What tells a loop that its mailbox has signals (signal.c). */
#ifndef ROTA_LOOP_SIGNAL_BELL_H
#define ROTA_LOOP_SIGNAL_BELL_H

#include "uv.h"

struct rota_signal_bell;

/* `ready` is called on the loop's thread, once or more after it was rung. On an error, *bell is null. */
int rota__signal_bell_open(uv_loop_t *loop, void (*ready)(void *data), void *data, struct rota_signal_bell **bell);
/* From any thread, and from signal handlers. */
void rota__signal_bell_ring(struct rota_signal_bell *bell);
/* Null is allowed. Nobody may ring it any more. */
void rota__signal_bell_close(uv_loop_t *loop, struct rota_signal_bell *bell);

#endif
