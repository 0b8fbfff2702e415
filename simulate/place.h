/* Which process of a run this is: a program under one seed may start others, as runners of tests do, and each of them
 * decides by itself. A process that was started by a steered one has a place, made of where its parent stands, of its
 * command line, and of how many with the same one its parent had started before. It is the same in every run, whatever
 * the order in which processes are started. So each has random numbers of its own, and a record of its own. */
#ifndef ROTA_SIM_PLACE_H
#define ROTA_SIM_PLACE_H

#include <stdint.h>

enum { ROTA_PLACE_MAX = 9 };

/* Eight hexadecimal digits; empty for the first process. */
const char *rota__place(void);
uint64_t rota__place_number(void); /* 0 for the first */
/* The command line, for people, in one line. */
const char *rota__place_words(void);

#endif
