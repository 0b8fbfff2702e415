/* The statistics as a table, with a bar for the spread of each figure: where its values lie between 100 ns and 100 s,
 * in columns of half a power of ten. */
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "loop/os/process.h"
#include "observe/name/describe.h"
#include "observe/stats/histogram.h"

enum { COLUMNS = 18 };

static const char *format_ns(uint64_t ns, char *text, size_t size) {
  double value = (double)ns;
  const char *unit = "ns";
  if (ns >= 1000000000)
    value /= 1e9, unit = "s ";
  else if (ns >= 1000000)
    value /= 1e6, unit = "ms";
  else if (ns >= 1000)
    value /= 1e3, unit = "us";
  snprintf(text, size, value < 10 && ns >= 1000 ? "%.1f %s" : "%.0f %s", value, unit);
  return text;
}

static unsigned int column_of(uint64_t ns) {
  static const uint64_t half_steps[2] = {100, 316};
  uint64_t power = 1;
  for (unsigned int column = 0; column < COLUMNS - 1; column++) {
    if (ns < half_steps[column % 2] * power)
      return column;
    if (column % 2 == 1)
      power *= 10;
  }
  return COLUMNS - 1;
}

static void print_bar(const struct rota_histogram *histogram, FILE *stream) {
  static const char *const blocks[] = {" ",      "\u2581", "\u2582", "\u2583", "\u2584",
                                       "\u2585", "\u2586", "\u2587", "\u2588"};
  uint64_t columns[COLUMNS] = {0}, most = 1;
  for (unsigned int i = 0; i < ROTA_HISTOGRAM_BUCKETS; i++) {
    uint64_t n = atomic_load_explicit(&histogram->buckets[i], memory_order_relaxed);
    columns[n == 0 ? 0 : column_of(rota__histogram_bucket_first(i))] += n;
  }
  for (unsigned int i = 0; i < COLUMNS; i++)
    most = columns[i] > most ? columns[i] : most;
  for (unsigned int i = 0; i < COLUMNS; i++) {
    uint64_t height = columns[i] == 0 ? 0 : 1 + columns[i] * 7 / most;
    fputs(blocks[height], stream);
  }
}

static void print_figure(rota_figure figure, FILE *stream) {
  struct rota_histogram histogram;
  char p50[16], p90[16], p99[16], max[16];
  memset(&histogram, 0, sizeof(histogram));
  if (rota__stats_collect(NULL, figure, &histogram) < 0 || atomic_load(&histogram.count) == 0)
    return;
  fprintf(stream, "  %-15s %10llu %9s %9s %9s %9s  |", rota_figure_name(figure),
          (unsigned long long)atomic_load(&histogram.count),
          format_ns(rota__histogram_percentile(&histogram, 50), p50, sizeof(p50)),
          format_ns(rota__histogram_percentile(&histogram, 90), p90, sizeof(p90)),
          format_ns(rota__histogram_percentile(&histogram, 99), p99, sizeof(p99)),
          format_ns(atomic_load(&histogram.largest), max, sizeof(max)));
  print_bar(&histogram, stream);
  fputs("|\n", stream);
}

static void print_times(const char *who, const struct rota_times *times, FILE *stream) {
  uint64_t whole_ns = times->busy_ns + times->idle_ns;
  fprintf(stream, "%s busy for %.1f %% of %.3f s", who,
          whole_ns == 0 ? 0.0 : 100.0 * (double)times->busy_ns / (double)whole_ns, (double)whole_ns / 1e9);
}

/* A loop that is busy all the time must not look half idle because another one waits. */
static void print_head(FILE *stream) {
  char label[128];
  struct rota_times all, main_thread;
  rota__process_label(label, sizeof(label));
  rota_stats_time(NULL, &all.busy_ns, &all.idle_ns);
  rota__stats_main_thread(&main_thread);
  /* The loops go on meanwhile: the main thread's may have gained some time since. */
  bool alone = all.busy_ns <= main_thread.busy_ns || main_thread.busy_ns + main_thread.idle_ns == 0;
  fprintf(stream, "rota: statistics of process %d, %s: ", rota__os_process_id(), label);
  print_times("the loop was", alone ? &all : &main_thread, stream);
  if (!alone) {
    all.busy_ns -= main_thread.busy_ns;
    all.idle_ns = all.idle_ns > main_thread.idle_ns ? all.idle_ns - main_thread.idle_ns : 0;
    print_times("; loops of other threads were", &all, stream);
  }
  fputc('\n', stream);
}

void rota_stats_print(FILE *stream) {
  struct rota_report report;
  rota__report_begin(&report, stream);
  print_head(report.stream);
  fprintf(report.stream, "  %-15s %10s %9s %9s %9s %9s  %s\n", "", "count", "p50", "p90", "p99", "max",
          "|   1us   1ms   1s |");
  for (int figure = 0; figure < ROTA_FIGURE_MAX; figure++)
    print_figure((rota_figure)figure, report.stream);
  rota__report_end(&report);
}
