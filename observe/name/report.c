#include "observe/name/report.h"

#include <stdlib.h>

/* Without memory, it goes out word by word. */
void rota__report_begin(struct rota_report *report, FILE *to) {
  *report = (struct rota_report){.to = to};
  report->stream = open_memstream(&report->text, &report->length);
  if (report->stream == NULL)
    report->stream = to;
}

void rota__report_end(struct rota_report *report) {
  if (report->stream != report->to && fclose(report->stream) == 0)
    fwrite(report->text, 1, report->length, report->to);
  fflush(report->to);
  free(report->text);
}
