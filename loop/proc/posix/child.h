/* The life of a child after it was started: see child.c. */
#ifndef ROTA_PROC_POSIX_CHILD_H
#define ROTA_PROC_POSIX_CHILD_H

#include "uv.h"

/* The handle becomes a process handle that has no process. */
void rota__child_init(uv_loop_t *loop, uv_process_t *process, uv_exit_cb exit_cb);

/* Prepares to watch a child of this loop, before the child exists. */
int rota__child_make(uv_loop_t *loop, struct rota_child **out);
void rota__child_free(struct rota_child *child);

/* From now on the loop waits for process->pid to end. On success, child and pidfd (-1: none) belong to the handle. */
int rota__child_watch(uv_process_t *process, struct rota_child *child, int pidfd);

#endif
