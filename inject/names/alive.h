/* Why Node's loop is alive: where each handle, request and timer was made, by JavaScript's stack.
 *
 * Handles and requests of the loop: librota asks for the stack when they are made. All of JavaScript's timers are one
 * timer of the loop, so that each is remembered when it is made (a trampoline in place of setTimeout and setInterval),
 * and they are listed in its place. Immediates are one idle handle in the same way. A worker keeps the loop alive by an
 * async handle that Node has made before any JavaScript ran: workers are listed in the place of that. */
#ifndef GRAFT_NAMES_ALIVE_H
#define GRAFT_NAMES_ALIVE_H

#include "inject/names/call_part.h"

/* From now on librota asks about this thread. */
void names_alive_start(struct names_env *env);

/* An object with the functions of the script that remember a timer or an immediate with its maker's stack, and list
 * what keeps the loop alive: timers, immediates and workers. */
void names_alive_set(struct names_env *env, napi_value functions);

/* Who makes something now, in lines; null: nobody in JavaScript. Freed with free. */
char *names_alive_stack(void);

/* A timer was made just now, or an immediate, by the function of this name. */
void names_alive_made(struct names_env *env, napi_value timer, const char *by);

#endif
