/* Descriptions of descriptors and jobs for the record of decisions. */
#ifndef ROTA_SIM_WORDS_H
#define ROTA_SIM_WORDS_H

#include "uv.h"

enum { ROTA_WORDS_MAX = 120 };

const char *rota__words_for_fd(const uv_loop_t *loop, int fd, unsigned int events, char words[ROTA_WORDS_MAX]);
const char *rota__words_for_job(const struct rota_work *work, char words[ROTA_WORDS_MAX]);

#endif
