/* Virtual time: a clock that stands still while the program computes, and goes on when somebody moves it.
 *
 * It is one for the process, as the system's is: loops, uv_hrtime and the time of day all show it. A program that looks
 * at the clock until it has changed must not wait for ever, so a look takes a moment: each by the program, and those
 * by a loop when there are very many of them without a wait between. How often a program looks depends on nothing but
 * the program, and so does the time that it sees. Invariant: it never goes back. */
#ifndef ROTA_SIM_CLOCK_H
#define ROTA_SIM_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* From now on the process goes by virtual time. from_zero: nobody has seen the clock yet, so it may begin where it
 * begins every time. wall_ns: the time of day to begin with; negative: the real one. sleep_ns: what uv_sleep does. */
void rota__virtual_clock_start(bool from_zero, int64_t wall_ns, void (*sleep_ns)(uint64_t duration_ns));
bool rota__virtual_clock_on(void);

uint64_t rota__virtual_clock_ns(void);      /* without taking a moment for it */
uint64_t rota__virtual_clock_look_ns(void); /* which takes a moment only if there are very many */
uint64_t rota__virtual_clock_wall_ns(void); /* the time of day: the program looks */
void rota__virtual_clock_set(uint64_t ns);  /* an earlier time: nothing happens */
void rota__virtual_clock_add(uint64_t duration_ns);
/* Asked whenever this thread's loop looks at the clock: how much time the program took since. Null: none. */
void rota__virtual_clock_drift(uint64_t (*drift_ns)(void));
void rota__virtual_clock_rest(void); /* this thread's loop waits: its looks are counted anew */

#endif
