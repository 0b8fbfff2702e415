#include "observe/trace/census.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loop/base/list.h"
#include "loop/base/units.h"
#include "loop/core/handle.h"
#include "loop/core/wake.h"
#include "loop/os/clock.h"
#include "loop/os/file.h"
#include "loop/os/host.h"
#include "loop/os/own_file.h"
#include "loop/os/process.h"
#include "observe/name/describe.h"
#include "observe/name/origin.h"
#include "rota.h"

enum {
  LISTED_MAX = 64,      /* handles of which each is listed: a listing looks at addresses, and so asks the system */
  WALKED_MAX = 1 << 16, /* handles that are looked at */
  PLACES = 256,         /* slots for places */
  PLACE_LEAST = 4,      /* fewer handles of one place are not worth a line */
  COST_SHARE = 100,     /* the next census comes after so many times what this one took */
  FILE_MAX = 64 << 20,  /* bytes */
  MEMORY_SHIFT = 21     /* memory has changed by 2 MB */
};

static const uint64_t PERIOD_NS = 100 * NS_PER_MS, PERIOD_MAX_NS = 800 * NS_PER_MS;

struct place {
  uint32_t origin; /* 0: the slot is free */
  unsigned int count;
  unsigned char type;
};

struct count {
  unsigned int all[UV_HANDLE_TYPE_MAX], active[UV_HANDLE_TYPE_MAX];
  unsigned int walked;
  struct place places[PLACES];
};

static struct {
  FILE *file;
  int process_id;
  struct rota_os_file_identity identity;
  uint64_t period_ns; /* the loop's thread alone */
  uint64_t found;     /* what the last one found, as a number */
  _Atomic uint64_t next_ns;
  _Atomic bool is_on;
} census;

int rota__census_start(const char *path) {
  int fd = rota__os_own_file_open(path);
  if (fd < 0)
    return fd;
  int high = rota__os_dup_high(fd);
  if (high >= 0) {
    rota__os_close(fd);
    fd = high;
  }
  census.file = fdopen(fd, "w");
  if (census.file == NULL) {
    rota__os_close(fd);
    return UV_ENOMEM;
  }
  rota__os_truncate(fd, 0);
  rota__os_file_identify(fd, &census.identity);
  census.process_id = rota__os_process_id();
  census.period_ns = PERIOD_NS;
  atomic_store(&census.is_on, true);
  return 0;
}

void rota__census_look(void) {
  if (!atomic_load(&census.is_on) || rota__os_clock_ns() < atomic_load(&census.next_ns))
    return;
  if (rota__os_process_id() != census.process_id) { /* a child that was forked: the file is the parent's */
    atomic_store(&census.is_on, false);
    return;
  }
  atomic_store(&census.next_ns, UINT64_MAX); /* until it is taken */
  struct rota_link *tracers = rota__tracer_lock();
  bool asked = false;
  for (struct rota_link *link = tracers->next; link != tracers && !asked; link = link->next) {
    struct rota_tracer *tracer = rota__container_of(link, struct rota_tracer, link);
    asked = !tracer->is_resting && rota__loop_is_default(tracer->loop);
    if (asked) {
      atomic_store(&tracer->take_census, true);
      rota__wake_signal(tracer->loop);
    }
  }
  rota__tracer_unlock();
  if (!asked)
    atomic_store(&census.next_ns, rota__os_clock_ns() + PERIOD_NS);
}

/* ---- on the loop's thread ---- */

static void count_place(struct count *count, const uv_handle_t *handle) {
  uint32_t origin = rota__handle_origin(handle);
  if (origin == 0)
    return;
  for (uint32_t i = 0; i < PLACES; i++) {
    struct place *place = &count->places[(origin + i) % PLACES];
    if (place->origin != 0 && (place->origin != origin || place->type != handle->type))
      continue;
    *place = (struct place){.origin = origin, .count = place->count + 1, .type = (unsigned char)handle->type};
    return;
  }
}

static void count_handles(const uv_loop_t *loop, struct count *count) {
  for (const struct rota_link *link = loop->handle_queue.next;
       link != &loop->handle_queue && count->walked < WALKED_MAX; link = link->next) {
    const uv_handle_t *handle = rota__container_of(link, const uv_handle_t, handle_queue);
    if ((unsigned int)handle->type >= UV_HANDLE_TYPE_MAX)
      continue;
    count->walked++;
    count->all[handle->type]++;
    if (handle->flags & ROTA_HANDLE_ACTIVE && !(handle->flags & ROTA_HANDLE_CLOSING))
      count->active[handle->type]++;
    count_place(count, handle);
  }
}

static void write_places(const struct count *count, FILE *stream) {
  for (size_t i = 0; i < PLACES; i++) {
    const struct place *place = &count->places[i];
    const struct rota_origin *origin = place->count < PLACE_LEAST ? NULL : rota__origin_of(place->origin);
    if (origin == NULL || origin->text == NULL)
      continue;
    fprintf(stream, "place %s %u\n%s", rota__describe_type(place->type, 0), place->count, origin->text);
    if (origin->text[0] == '\0' || origin->text[strlen(origin->text) - 1] != '\n')
      fputc('\n', stream);
  }
}

static uint64_t write_census(const struct rota_tracer *tracer, uint64_t now_ns, struct count *count, FILE *stream) {
  uv_loop_t *loop = tracer->loop;
  size_t resident = 0;
  uint64_t found = 0;
  rota__os_memory_resident(&resident);
  fprintf(stream, "census %llu %zu %u %u\n", (unsigned long long)now_ns, resident, loop->active_handles,
          loop->active_reqs.count);
  for (unsigned int type = 0; type < UV_HANDLE_TYPE_MAX; type++) {
    if (count->all[type] == 0)
      continue;
    fprintf(stream, "handles %s %u %u\n", rota__describe_type(type, 0), count->all[type], count->active[type]);
    found = found * 31 + count->all[type] * 7 + count->active[type];
  }
  write_places(count, stream);
  if (count->walked <= LISTED_MAX) {
    fputs("alive\n", stream);
    rota_print_alive(loop, stream);
  }
  return found * 31 + (resident >> MEMORY_SHIFT);
}

/* Of this thread: others that have taken its processor meanwhile do not count. */
static uint64_t processor_ns(void) {
  uv_rusage_t usage;
  if (uv_getrusage_thread(&usage) < 0)
    return rota__os_clock_ns();
  return ((uint64_t)usage.ru_utime.tv_sec + (uint64_t)usage.ru_stime.tv_sec) * NS_PER_SECOND +
         ((uint64_t)usage.ru_utime.tv_usec + (uint64_t)usage.ru_stime.tv_usec) * NS_PER_US;
}

void rota__census_take(const struct rota_tracer *tracer) {
  uint64_t begin_ns = processor_ns();
  if (!rota__os_file_is(fileno(census.file), &census.identity)) { /* the program has closed all that is open */
    atomic_store(&census.is_on, false);
    return;
  }
  struct count *count = calloc(1, sizeof(*count));
  struct rota_report report;
  if (count == NULL)
    return;
  count_handles(tracer->loop, count);
  rota__report_begin(&report, census.file);
  uint64_t found = write_census(tracer, rota__os_clock_ns(), count, report.stream);
  rota__report_end(&report);
  free(count);
  bool changed = found != census.found;
  census.found = found;
  census.period_ns = changed ? PERIOD_NS : census.period_ns * 2 < PERIOD_MAX_NS ? census.period_ns * 2 : PERIOD_MAX_NS;
  uint64_t pause_ns = (processor_ns() - begin_ns) * COST_SHARE;
  if (ftell(census.file) > FILE_MAX)
    atomic_store(&census.is_on, false);
  atomic_store(&census.next_ns, rota__os_clock_ns() + (pause_ns > census.period_ns ? pause_ns : census.period_ns));
}
