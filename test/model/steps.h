/* What the steps do, by the file they stand in. */
#ifndef ROTA_TEST_MODEL_STEPS_H
#define ROTA_TEST_MODEL_STEPS_H

#include "model.h"

/* order.c */
void order_run(const struct step *step);

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

/* async.c, work.c */
void step_async(const struct step *step);
void step_async_send(const struct step *step);
void step_work(const struct step *step);

/* udp.c */
void step_udp(const struct step *step);
void step_udp_send(const struct step *step);
void step_udp_switch(const struct step *step);

/* signal.c, child.c */
void step_signal(const struct step *step);
void step_signal_stop(const struct step *step);
void step_raise(const struct step *step);
void step_child(const struct step *step);

/* poll.c */
void step_poll(const struct step *step);
void step_poll_send(const struct step *step);

/* file.c, file_more.c */
void step_files(const struct step *step);
void step_file_reads(const struct step *step);
void step_fifo(const struct step *step);

/* link_hand.c */
void step_hand_over(const struct step *step);

#endif
