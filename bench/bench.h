/* What the benchmark programs share: the clock, their arguments, failing, and the one line that they print.
 *
 * Every program is built once and runs on whichever libuv.so.1 the dynamic linker finds: it uses nothing that libuv
 * 1.44 lacks. It prints "<value> <unit>", and anything else is a failure; on standard error it may print the processor
 * time of one operation. */
#ifndef ROTA_BENCH_BENCH_H
#define ROTA_BENCH_BENCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static inline uint64_t bench_clock_ns(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline uint64_t bench_now_ns(void) {
  return bench_clock_ns(CLOCK_MONOTONIC);
}

/* The argument at this index, or the default. */
static inline double bench_number(int argc, char **argv, int index, double otherwise) {
  return index < argc ? strtod(argv[index], NULL) : otherwise;
}

static inline uint64_t bench_seconds_ns(int argc, char **argv, int index) {
  return (uint64_t)(bench_number(argc, argv, index, 0.5) * 1e9);
}

static inline void bench_must(bool ok, const char *what) {
  if (ok)
    return;
  perror(what);
  exit(1);
}

static inline void *bench_array(size_t count, size_t size) {
  void *array = malloc(count * size);
  bench_must(array != NULL, "malloc");
  memset(array, 0, count * size); /* touched: page faults are not measured */
  return array;
}

static inline void bench_report(double value, const char *unit) {
  printf("%.6g %s\n", value, unit);
}

/* The rate by the clock, and the processor time of one operation, which a busy machine changes less. */
static inline void bench_report_rate_and_cost(double count, uint64_t elapsed_ns, double used_us, const char *unit) {
  bench_report(count * 1e9 / (double)elapsed_ns, unit);
  fprintf(stderr, "cpu %.6g us each\n", used_us / count);
}

/* For programs that do little else: all of their threads, from the start of the program on. */
static inline void bench_report_rate(double count, uint64_t elapsed_ns, const char *unit) {
  bench_report_rate_and_cost(count, elapsed_ns, (double)bench_clock_ns(CLOCK_PROCESS_CPUTIME_ID) / 1e3, unit);
}

/* xorshift64*: the same numbers in every run. */
static inline uint64_t bench_random(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * 2685821657736338717u;
}

/* As many descriptors as the system allows, up to those wanted. Returns how many there are. */
static inline uint64_t bench_raise_descriptors(uint64_t wanted) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur >= wanted)
    return limit.rlim_cur;
  struct rlimit more = {wanted, limit.rlim_max > wanted ? limit.rlim_max : wanted};
  if (setrlimit(RLIMIT_NOFILE, &more) < 0) {
    more.rlim_cur = more.rlim_max = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &more);
  }
  return more.rlim_cur;
}

#endif
