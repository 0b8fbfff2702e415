/* For tests of the trace: programs that burn time, and the file that they leave, read line by line. */
#ifndef ROTA_TEST_UNIT_TRACE_FILE_H
#define ROTA_TEST_UNIT_TRACE_FILE_H

#include <stdbool.h>

#include "rota.h"
#include "test.h"

enum { LINE_MAX_LENGTH = 4096 };

struct trace_line {
  char text[LINE_MAX_LENGTH];
  char phase; /* "ph" */
  char name[128];
  char category[32];
  double at_us;
  double duration_us;
  long long track;
};

struct trace_text {
  struct trace_line *lines;
  size_t count;
  bool is_array; /* with its bracket */
  bool ended;    /* with its bracket, after the line that says so */
};

void burn_ms(unsigned int ms);
/* Fails if a line other than the last is incomplete, or lacks what every event has. */
void trace_read(const char *path, struct trace_text *trace);
void trace_free(struct trace_text *trace);
/* The nth event (from 0) of this category and name, each of which may be null; null: there is none. */
const struct trace_line *trace_find(const struct trace_text *trace, const char *category, const char *name, size_t nth);
size_t trace_count(const struct trace_text *trace, const char *category, const char *name);
/* A number among the arguments; fails when it is not there. */
double trace_number(const struct trace_line *line, const char *key);
bool trace_has(const struct trace_line *line, const char *part);
/* Is the first inside of the second? Compared by the nanoseconds in the file. */
bool trace_is_inside(const struct trace_line *inner, const struct trace_line *outer);
/* The content of a file, as text, in memory that the caller frees; empty if there is none. */
char *read_text(const char *path);
int count_in(const char *text, const char *part);
/* Runs a helper of this program with more environment, stderr and stdout into files. Returns its exit status. */
int run_helper(const char *environment, const char *name, const char *output);
/* In a helper whose output is the file "out": how often it contains this by now. Waiting for it is waiting for a
 * report. */
int output_has(const char *part);

#endif
