/* What the async handles (async.c) and the way of their wake-ups (wake.c) share. */
#ifndef ROTA_LOOP_ASYNC_H
#define ROTA_LOOP_ASYNC_H

#include "uv.h"

/* The values of uv_async_t.state. */
enum { ROTA_ASYNC_QUIET, ROTA_ASYNC_SENT };

/* Takes back a send whose callback has not run. On the loop's thread. */
void rota__wake_unsend(uv_async_t *async);

#endif
