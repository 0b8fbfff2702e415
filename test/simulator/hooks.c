/* What the loop asks of the rooms above it, which a library on the model does not have: nothing is observed, and
 * nothing is steered. */
#include "loop/core/observe.h"

void rota__loop_made(uv_loop_t *loop) {
  (void)loop;
}

void rota__steer_prepare(void) {
}

void rota__loop_steer(uv_loop_t *loop) {
  (void)loop;
}
