/* The watchdog's JavaScript stack: what blocks the loop, while it does.
 *
 * No other thread can walk V8's stack. V8 is asked to look up, and the thread itself takes it: in a loop, in a regular
 * expression, at the next call. Code of C++ does not look up. So functions that may take long (reading a file, a
 * process that is waited for, JSON.parse of a long text) have trampolines (trampoline.h), which keep the stack of their
 * caller while they run. */
#ifndef GRAFT_NAMES_BLOCKED_H
#define GRAFT_NAMES_BLOCKED_H

#include "inject/names/call_part.h"

/* If there is a watchdog, it asks here from now on. Once for the process. */
void names_blocked_start(void);

/* A function of C++ is entered, and left. Text is freed; null: the stack is not known. */
void names_blocked_enter(struct names_env *env, char *text);
void names_blocked_leave(struct names_env *env);

#endif
