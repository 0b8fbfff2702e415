/* The phases that uv_run goes through, in loop.c's terms. */
#ifndef ROTA_LOOP_PHASES_H
#define ROTA_LOOP_PHASES_H

#include <stdbool.h>

#include "uv.h"

void rota__idle_run(uv_loop_t *loop);
void rota__prepare_run(uv_loop_t *loop);
void rota__check_run(uv_loop_t *loop);
void rota__pending_run(uv_loop_t *loop);
void rota__closing_run(uv_loop_t *loop);
/* Waits for I/O, if it may, until the next timer is due, and runs its callbacks. Returns whether the loop's time was
 * brought up to date. */
bool rota__poll_phase_run(uv_loop_t *loop, bool may_block);

#endif
