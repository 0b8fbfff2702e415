/* The identity of a process in a run: a program under one seed may start others, as test runners do, and each of them
 * decides by itself, with random numbers and a record of its own.
 *
 * The identity of a process that a steered one started is made of its parent's identity, its command line, and the
 * number of processes that the parent started with the same command line before. It is the same in every run, whatever
 * the order in which processes are started. */
#ifndef ROTA_SIMULATE_RUN_ID_H
#define ROTA_SIMULATE_RUN_ID_H

#include <stdint.h>

enum { ROTA_RUN_ID_MAX = 9 };

/* Eight hexadecimal digits; empty for the first process. */
const char *rota__run_id(void);
uint64_t rota__run_id_number(void); /* 0 for the first */
/* The command line in one line, for messages. */
const char *rota__run_id_command(void);

/* The environment of a child, with its identity; to be freed. Null: no memory. */
char **rota__run_id_for_child(char *const *args, char *const *env);

#endif
