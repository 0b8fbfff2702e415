/* Which process of a run this is: a program under one seed may start others, as runners of tests do, and each of them
 * decides by itself. A process that was started by a steered one has an identity, made of its parent's, of its command
 * line, and of how many with the same one its parent had started before. It is the same in every run, whatever
 * the order in which processes are started. So each has random numbers of its own, and a record of its own. */
#ifndef ROTA_SIMULATE_RUN_ID_H
#define ROTA_SIMULATE_RUN_ID_H

#include <stdint.h>

enum { ROTA_RUN_ID_MAX = 9 };

/* Eight hexadecimal digits; empty for the first process. */
const char *rota__run_id(void);
uint64_t rota__run_id_number(void); /* 0 for the first */
/* The command line, for people, in one line. */
const char *rota__run_id_words(void);

/* The environment of a child, with its identity; to be freed. Null: no memory. */
char **rota__run_id_for_child(char *const *args, char *const *env);

#endif
