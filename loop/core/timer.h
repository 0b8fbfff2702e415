/* The timers phase. */
#ifndef ROTA_LOOP_TIMER_H
#define ROTA_LOOP_TIMER_H

#include "uv.h"

/* Runs all timers due by the loop's clock. */
void rota__timers_run(uv_loop_t *loop);

#endif
