/* What is switched on: the one word that all hooks check, and the functions that change it. environment.c does so by
 * the environment variables, for any program. */
#ifndef ROTA_TRACE_OBSERVING_H
#define ROTA_TRACE_OBSERVING_H

/* Before anything is switched on for the first time: forks are watched from then on. */
void rota__observe_prepare(void);
void rota__observe_more(unsigned int what);
void rota__observe_less(unsigned int what);

#endif
