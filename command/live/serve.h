/* The figures of an agent for Prometheus. */
#ifndef ROTA_COMMAND_LIVE_SERVE_H
#define ROTA_COMMAND_LIVE_SERVE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "command/live/live.h"
#include "settings/setting.h"

/* A socket that listens; -1: `fault` says why not. */
int live_serve_open(const struct rota_endpoint *endpoint, char fault[LIVE_FAULT_SIZE]);
/* Its address, as a URL. */
void live_serve_describe(int listener, char *text, size_t size);
/* Until `is_over`. False: the agent is gone before, or there is no memory. */
bool live_serve(int listener, int agent, const volatile sig_atomic_t *is_over);

#endif
