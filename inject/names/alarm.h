/* The alarm: a thread that looks at what every environment runs, and asks V8 for the stack of a part that takes long
 * and has no name. It also lets a closed window be opened again (call_part.h). */
#ifndef GRAFT_NAMES_ALARM_H
#define GRAFT_NAMES_ALARM_H

#include "inject/names/call_part.h"

void names_alarm_add(struct names_env *env);

/* From now on nobody looks at it. */
void names_alarm_remove(struct names_env *env);

/* The environment that has this loop; null: none. It is only looked at while the function runs. */
void names_alarm_with(uv_loop_t *loop, void (*use)(struct names_env *env, void *data), void *data);

#endif
