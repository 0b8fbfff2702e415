/* The time zone that dates are told in. */
#ifndef JS_ENGINE_TIME_ZONE_H
#define JS_ENGINE_TIME_ZONE_H

#include "runtime/engine/engine.h"

/* From now on; null or "": the system's. A name that nobody knows means UTC, as in Node. */
void js_time_zone_set(JSContextRef context, const char *name);

int js_time_zone_check(JSContextRef context);

#endif
