/* Queues of an embedder's own (rota_call_queue): what a callback came from, shown in the place of the loop's phase. An
 * event has one byte for the phase, so queues have the numbers above those of phases. They are never removed. */
#ifndef ROTA_TRACE_QUEUE_H
#define ROTA_TRACE_QUEUE_H

#include <stdint.h>

enum { ROTA_QUEUE_FIRST = 32, ROTA_QUEUE_MAX = 64 };

/* The number for a name of rota_name: from ROTA_QUEUE_FIRST on; 0: there are too many. Any thread. */
uint8_t rota__queue_number(uint32_t name);
/* "unknown": there is none of that number. */
const char *rota__queue_describe(unsigned int number);

#endif
