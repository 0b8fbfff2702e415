/* A block in words. */
#include <string.h>

#include "loop/base/units.h"
#include "observe/name/describe.h"
#include "observe/name/symbol.h"
#include "observe/trace/event_queue.h"
#include "observe/watch/block.h"
#include "rota.h"

/* A function without a name is called by the end of its place. */
static bool is_place(const struct rota_name_entry *name) {
  const char *slash = strrchr(name->file, '/'), *last = slash != NULL ? slash + 1 : name->file;
  size_t length = strlen(last);
  return length > 0 && strncmp(name->function, last, length) == 0 && name->function[length] == ':';
}

static void print_name(const struct rota_name_entry *name, FILE *report) {
  if (is_place(name))
    fprintf(report, "%s:%d", name->file, name->line);
  else if (name->file[0] != '\0' && name->line > 0)
    fprintf(report, "%s (%s:%d)", name->function, name->file, name->line);
  else if (name->file[0] != '\0')
    fprintf(report, "%s (%s)", name->function, name->file);
  else
    fputs(name->function, report);
}

void rota__block_print_culprit(const struct rota_block *block, FILE *report) {
  const struct rota_sighting *seen = &block->seen;
  const struct rota_name_entry *name = rota__name_find(seen->name);
  if (name != NULL)
    print_name(name, report);
  else if (seen->function != NULL)
    rota__symbol_print(seen->function, report);
  else
    fputs("code outside of any callback", report);
}

static void print_what(const struct rota_block *block, FILE *report) {
  const struct rota_sighting *seen = &block->seen;
  rota__block_print_culprit(block, report);
  if (seen->function != NULL && seen->known) {
    bool is_request = seen->flags & ROTA_EVENT_REQUEST;
    fprintf(report, ", %s of a %s", is_request ? "request" : "callback", rota__describe_type(seen->type, is_request));
    if (!(is_request && seen->type == UV_FS) && seen->number >= 0)
      fprintf(report, " (descriptor %d)", seen->number);
    fprintf(report, ", in phase %s", rota__describe_phase(seen->phase));
  }
  if (seen->start_up)
    fputs(", at start-up", report);
  if (seen->request.trace_id[0] != '\0')
    fprintf(report, ", trace %s", seen->request.trace_id);
  if (seen->request.request_id[0] != '\0')
    fprintf(report, ", request %s", seen->request.request_id);
}

/* ---- the stack of C ---- */

const void *rota__block_called_at(const struct rota_backtrace *trace, int i) {
  return i == 0 ? trace->frames[i] : (char *)trace->frames[i] - 1;
}

/* Frames of a library without names, such as a JavaScript engine, are shown as one line: how many of them follow this
 * one. */
static int count_alike(const struct rota_backtrace *trace, int i) {
  const struct rota_symbol *symbol = rota__symbol_find(rota__block_called_at(trace, i));
  int more = 0;
  if (symbol == NULL || symbol->function != NULL || symbol->library == NULL)
    return 0;
  for (; i + more + 1 < trace->count; more++) {
    const struct rota_symbol *next = rota__symbol_find(rota__block_called_at(trace, i + more + 1));
    if (next == NULL || next->function != NULL || next->library != symbol->library)
      break;
  }
  return more;
}

void rota__block_print_backtrace(const struct rota_backtrace *trace, FILE *report) {
  if (trace->count == UV_EBUSY && trace->call >= 0)
    fprintf(report, "    it waits in system call %ld\n", trace->call);
  for (int i = 0, more; i < trace->count; i += 1 + more) {
    fprintf(report, "    #%-2d ", i);
    rota__symbol_print(rota__block_called_at(trace, i), report);
    more = count_alike(trace, i);
    fprintf(report, more > 0 ? " and %d more of that file\n" : "\n", more);
  }
}

/* ---- the embedder's words ---- */

bool rota__block_is_inner_frame(const char *frame, size_t length) {
  const char *place = memchr(frame, '(', length);
  return strncmp(place != NULL ? place + 1 : frame, "node:", 5) == 0;
}

/* The innermost frame of an embedder's stack that is the program's, behind the words. Returns whether there is one. */
static bool print_innermost(const char *before, const char *words, FILE *report) {
  const char *frame = words == NULL ? NULL : strstr(words, ROTA_BLOCK_AT);
  for (; frame != NULL; frame = strstr(frame, ROTA_BLOCK_AT)) {
    frame += sizeof(ROTA_BLOCK_AT) - 1;
    size_t length = strcspn(frame, "\n");
    if (rota__block_is_inner_frame(frame, length))
      continue;
    fprintf(report, "%s%.*s", before, (int)length, frame);
    return true;
  }
  return false;
}

static void print_drain(const struct rota_block *block, FILE *report) {
  const struct rota_sighting *seen = &block->seen;
  const struct rota_name_entry *tick_name = rota__name_find(seen->tick_name);
  const char *now = block->event == ROTA_BLOCK_ENDED ? "last" : "now";
  fprintf(report, "%s: ", seen->microtasks ? "microtasks" : "ticks");
  if (seen->tick != NULL || tick_name != NULL) {
    fprintf(report, "%llu so far, %s ", (unsigned long long)seen->ticks, now);
    if (tick_name != NULL)
      print_name(tick_name, report);
    else
      rota__symbol_print(seen->tick, report);
  } else {
    fputs("promises", report);
    (void)print_innermost(", now ", block->words, report);
  }
  fputs(", after ", report);
}

/* One of many: promises that always begin another, or a long list of timers. */
static void print_parts(const struct rota_block *block, FILE *report) {
  const struct rota_sighting *seen = &block->seen;
  const struct rota_name_entry *longest = rota__name_find(seen->longest_name);
  if (seen->longest_ns > 0 && longest != NULL)
    print_name(longest, report);
  else if (seen->longest_ns > 0)
    rota__symbol_print(seen->longest_function, report);
  if (seen->longest_ns > 0) {
    fprintf(report, " for %llu ms, now ", (unsigned long long)(seen->longest_ns / NS_PER_MS));
    return;
  }
  fprintf(report, "%u callbacks in a row, now ", (unsigned int)seen->parts);
  if (print_innermost("", block->words, report))
    fputs(", in ", report);
}

/* A name that stands for many functions, such as that of promise reactions. */
static bool has_common_name(const struct rota_sighting *seen) {
  const struct rota_name_entry *name = rota__name_find(seen->name);
  return name != NULL && name->file[0] == '\0';
}

/* ---- the whole ---- */

static void print_begin(const struct rota_block *block, FILE *report) {
  const struct rota_sighting *seen = &block->seen;
  const char *how = seen->draining ? "starved" : "blocked";
  unsigned long long took_ms = block->took_ns / NS_PER_MS;
  if (block->event == ROTA_BLOCK_ENDED)
    fprintf(report, "rota: watchdog: the loop was %s for %llu ms in all%s by ", how, took_ms,
            block->by_exit ? ", up to the exit of the process," : "");
  else
    fprintf(report, "rota: watchdog: a loop is %s%s for %llu ms by ", seen->again ? "still " : "", how, took_ms);
}

/* A function of C++ has no file: its caller is the program's. */
static void print_hot(const struct rota_block *block, FILE *report) {
  const struct rota_name_entry *name = rota__name_find(block->hot.name);
  const struct rota_name_entry *caller = rota__name_find(block->hot.caller);
  if (name == NULL)
    return;
  fprintf(report, "; %llu ms of it in ", (unsigned long long)(block->hot.took_ns / NS_PER_MS));
  print_name(name, report);
  if (name->file[0] != '\0' || caller == NULL)
    return;
  fputs(", called by ", report);
  print_name(caller, report);
}

void rota__block_print(const struct rota_block *block, bool native_frames, FILE *report) {
  const struct rota_sighting *seen = &block->seen;
  print_begin(block, report);
  if (seen->draining)
    print_drain(block, report);
  else if (block->event == ROTA_BLOCK_ENDED && seen->parts > 0)
    fprintf(report, "%u callbacks in a row, the last ", (unsigned int)seen->parts);
  else if (seen->parts > 0)
    print_parts(block, report);
  else if (block->words_are_of_it && has_common_name(seen) && print_innermost("", block->words, report))
    fputs(", in ", report);
  print_what(block, report);
  if (block->event == ROTA_BLOCK_ENDED) {
    print_hot(block, report);
    fputc('\n', report);
    return;
  }
  if (block->times > 1)
    fprintf(report, "; %llu times so far, worst %llu ms", (unsigned long long)block->times,
            (unsigned long long)(block->worst_ns / NS_PER_MS));
  fputc('\n', report);
  /* The embedder's stack is more useful to its users. */
  if (block->words != NULL)
    fputs(block->words, report);
  if (native_frames || !rota__block_has_stack(block))
    rota__block_print_backtrace(&block->trace, report);
}

void rota__block_print_left_out(const struct rota_left_out *left_out, const char *limit, FILE *report) {
  bool is_one = left_out->count == 1;
  fprintf(report, "rota: watchdog: %llu more %s not told (at most %s): %llu ms in all, the longest %llu ms\n",
          (unsigned long long)left_out->count, is_one ? "block is" : "blocks are", limit,
          (unsigned long long)(left_out->sum_ns / NS_PER_MS), (unsigned long long)(left_out->worst_ns / NS_PER_MS));
}
