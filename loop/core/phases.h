/* The phases of uv_run, as loop.c calls them. */
#ifndef ROTA_LOOP_PHASES_H
#define ROTA_LOOP_PHASES_H

#include <stdbool.h>

#include "uv.h"

void rota__idle_run(uv_loop_t *loop);
void rota__prepare_run(uv_loop_t *loop);
void rota__check_run(uv_loop_t *loop);
void rota__pending_run(uv_loop_t *loop);
void rota__closing_run(uv_loop_t *loop);
/* Waits for I/O, if may_block, until the next timer is due, and runs the callbacks. Returns whether the loop's time was
 * updated. */
bool rota__poll_phase_run(uv_loop_t *loop, bool may_block);

#endif
