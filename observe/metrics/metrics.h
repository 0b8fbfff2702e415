/* Metrics of a process that runs for a long time: what its loops and its pool measure (observe/stats), for programs
 * that collect and chart such figures.
 *
 * The loops measure into histograms of their own (measure.h). A thread that is not the program's reads them when
 * somebody asks: reading.h makes a copy, families.c names the figures, text.h writes them, server.h answers, and push.h
 * sends them to OpenTelemetry. Nothing of it runs on a loop's thread but the measuring, and to count handles when it is
 * asked to. */
#ifndef ROTA_METRICS_METRICS_H
#define ROTA_METRICS_METRICS_H

/* As ROTA_METRICS says. A line tells why there are none, if there cannot be. */
void rota__metrics_start_by_environment(void);

void rota__metrics_before_fork(void);
void rota__metrics_after_fork_in_parent(void);
void rota__metrics_after_fork_in_child(void);
/* At the first loop of a child: its threads are started again. */
void rota__metrics_resume(void);

#endif
