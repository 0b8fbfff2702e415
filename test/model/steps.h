/* What the steps do, by the file they stand in. */
#ifndef ROTA_TEST_MODEL_STEPS_H
#define ROTA_TEST_MODEL_STEPS_H

#include "model.h"

/* timer.c */
void step_timer(const struct step *step);
void step_timer_again(const struct step *step);
void step_timer_stop(const struct step *step);

/* link_make.c */
void step_link(const struct step *step);
void step_connect_nowhere(const struct step *step);

/* link_step.c */
void step_write(const struct step *step);
void step_try_write(const struct step *step);
void step_shutdown(const struct step *step);
void step_read_start(const struct step *step);
void step_read_stop(const struct step *step);
void step_reset(const struct step *step);

#endif
