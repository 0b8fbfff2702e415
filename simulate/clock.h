/* Virtual time: a clock that stands still while the program computes, and advances only when it is moved.
 *
 * There is one for the process: loops, uv_hrtime and the time of day all use it. A program that reads the clock until
 * it changes must not wait for ever, so each read by the program advances the clock a little; reads by a loop do so if
 * there are very many of them without a wait in between. The number of reads depends only on the program, and so does
 * the time that it sees; while the program moves the time itself (rota_clock_stop), reading it does not. Invariant: it
 * never goes back. */
#ifndef ROTA_SIMULATE_CLOCK_H
#define ROTA_SIMULATE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* From now on the process uses virtual time. from_zero: the clock was not read yet, so it may begin at the fixed first
 * time. wall_ns: the time of day to begin with; negative: the real one. sleep_ns: what uv_sleep does. */
void rota__virtual_clock_start(bool from_zero, int64_t wall_ns, void (*sleep_ns)(uint64_t duration_ns));
bool rota__virtual_clock_on(void);

uint64_t rota__virtual_clock_ns(void);      /* without advancing the clock */
uint64_t rota__virtual_clock_read_ns(void); /* advances the clock only after very many readings */
/* The same for an engine that calls the C library. */
uint64_t rota__virtual_clock_engine_read_ns(void);
uint64_t rota__virtual_clock_wall_ns(void); /* the time of day, read by the program: advances the clock */
void rota__virtual_clock_set(uint64_t ns);  /* an earlier time has no effect */
void rota__virtual_clock_add(uint64_t duration_ns);
/* The function is called whenever this thread's loop reads the clock: returns how much time the program took since the
 * last reading. Null: none. */
void rota__virtual_clock_drift(uint64_t (*drift_ns)(void));
void rota__virtual_clock_stand(bool is_still); /* while it is, no reading advances it */
void rota__virtual_clock_begin_wait(void);     /* this thread's loop waits: counts its readings from 0 */

#endif
