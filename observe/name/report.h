/* A report goes out whole: other processes, and other threads, write to the same place.
 *
 * stderr has no buffer, so each word would be a write of its own, and the reports of the workers of a cluster would be
 * mixed. */
#ifndef ROTA_NAME_REPORT_H
#define ROTA_NAME_REPORT_H

#include <stdio.h>

struct rota_report {
  FILE *to;
  FILE *stream; /* to write to */
  char *text;
  size_t length;
};

void rota__report_begin(struct rota_report *report, FILE *to);
void rota__report_end(struct rota_report *report);

/* What this process is called where several are told apart: "node app.js". The program, and the file that it was told
 * to run, if there is one. Its other arguments stay out: they may be secret. */
void rota__process_label(char *label, size_t size);

#endif
