/* The descriptors that a child begins with. */
#ifndef ROTA_PROC_STDIO_H
#define ROTA_PROC_STDIO_H

#include "uv.h"

struct rota_stdio {
  const uv_stdio_container_t *containers;
  int container_count;
  int count;   /* at least 3 */
  int *child;  /* for each: the descriptor that the child's is a copy of, or -1 */
  int *parent; /* for each: our end of a new pipe, or -1 */
  int *fds;    /* room for a copy of `child`, which spawning changes */
};

int rota__stdio_open(struct rota_stdio *stdio, const uv_process_options_t *options);
/* The child has its ends: ours become the streams of the containers. An error leaves the rest closed. */
int rota__stdio_give(struct rota_stdio *stdio);
/* Closes what was opened and not given away. */
void rota__stdio_close(struct rota_stdio *stdio);

#endif
