/* The time that decisions may take from the program, as a sum over all operations and loops of the process.
 *
 * A loop may hold back an operation while timers pass, wake late, or compute slowly. Each of these is possible, but
 * holds add up: a program's own watchdog of a second would expire before a connection to this machine, which no real
 * system shows. So there is a store of time: it begins full, each hold takes from it what passes, and a tenth of the
 * time that passes without a hold comes back. A hold that it does not suffice for is not made.
 *
 * In any interval in which the program itself lets the time x pass, holds take at most hold + x / 10. */
#ifndef ROTA_SIMULATE_ALLOWANCE_H
#define ROTA_SIMULATE_ALLOWANCE_H

#include <stdbool.h>
#include <stdint.h>

enum { ROTA_HOLD_USUAL_MS = 500 };

/* How much the store holds; UINT64_MAX: there is no bound. */
void rota__allowance_start(uint64_t hold_ms);
/* Whether so much is left. */
bool rota__allowance_has(int64_t duration_ns);
/* Takes so much, if it is left. Returns whether it was. */
bool rota__allowance_take(int64_t duration_ns);
void rota__allowance_after_fork_in_child(void);

#endif
