/* What is switched on: the one word that all hooks check, the functions that change it, and the environment variables
 * that do so for any program. */
#ifndef ROTA_TRACE_ENVIRONMENT_H
#define ROTA_TRACE_ENVIRONMENT_H

/* Before anything is switched on for the first time: forks are watched from then on. */
void rota__observe_prepare(void);
void rota__observe_more(unsigned int what);
void rota__observe_less(unsigned int what);

#endif
