/* The trace that an agent's packets make. */
#ifndef ROTA_COMMAND_LIVE_TRACE_H
#define ROTA_COMMAND_LIVE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

struct live_trace;

/* Null: there is no memory. Whether all could be written the caller asks the stream at the end. */
struct live_trace *live_trace_begin(FILE *out, pid_t process);
/* A packet of 'e' or 'n'. False: it is none that the agent sends. */
bool live_trace_take(struct live_trace *trace, const char *packet, size_t length);
/* Frees it. `is_whole`: the agent has said that this is the end. False: no event has come. */
bool live_trace_end(struct live_trace *trace, bool is_whole);

#endif
