/* Steering from the command line (doc/STEERING.md): virtual time and shuffled schedules. */
#ifndef JS_STEER_RUNTIME_H
#define JS_STEER_RUNTIME_H

#include "runtime/order/env.h"

/* Called before the loop is made, and after. The library reads the settings from the environment; they are removed
 * afterwards, because children must not inherit what was asked for this program alone. The second returns 0, or the
 * exit code. */
void js_steer_begin(const struct js_options *options);
int js_steer_begun(const struct js_options *options);
/* When the engine is there. */
void js_steer_attached(void);

#endif
