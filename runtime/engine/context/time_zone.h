/* The time zone of dates. */
#ifndef JS_ENGINE_TIME_ZONE_H
#define JS_ENGINE_TIME_ZONE_H

#include "runtime/engine/engine.h"

/* From now on; null or "": the system's. An unknown name means UTC, as in Node. */
void js_time_zone_set(JSContextRef context, const char *name);

int js_time_zone_check(JSContextRef context);

#endif
