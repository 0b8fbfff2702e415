/* Faults: errors that the system could give for an operation, given by decision. They are off until asked for
 * (rota_schedule_options_t.faults); a record that has some is played back without that. */
#ifndef ROTA_STEER_FAULT_H
#define ROTA_STEER_FAULT_H

#include "simulate/steered_poller.h"

/* The answers that are no errors: only a part is done (a short write); the child is killed; the disk is slow. */
enum { ROTA_FAULT_HAPPENS = 1 };

/* One of the faults that the system could give for this operation, or 0. */
int rota__fault(struct rota_steered_poller *self, const char *operation, const char *what);
/* A job of the pool that is going to run: it may fail instead, or write a part only. */
void rota__fault_job(uv_loop_t *loop, struct rota_work *work);

#endif
