/* A block as one object of JSON on a line: rota watch --format=json. doc/TRACE.md has the schema. */
#include <stdlib.h>
#include <string.h>

#include "loop/base/units.h"
#include "loop/os/clock.h"
#include "loop/os/process.h"
#include "observe/name/describe.h"
#include "observe/name/symbol.h"
#include "observe/trace/event_queue.h"
#include "observe/watch/block.h"
#include "rota.h"

enum { SECONDS_PER_DAY = 86400 };

/* ---- values ---- */

/* How many bytes the character takes that begins here; 0: this is no UTF-8. Names of files may be anything. */
static size_t character_length(const unsigned char *text, size_t left) {
  size_t length = text[0] < 0x80 ? 1 : text[0] < 0xC2 ? 0 : text[0] < 0xE0 ? 2 : text[0] < 0xF0 ? 3 : 4;
  if (text[0] > 0xF4 || length > left)
    return 0;
  for (size_t i = 1; i < length; i++)
    if ((text[i] & 0xC0) != 0x80)
      return 0;
  bool is_overlong = (text[0] == 0xE0 && text[1] < 0xA0) || (text[0] == 0xF0 && text[1] < 0x90);
  bool is_surrogate = text[0] == 0xED && text[1] > 0x9F;
  bool is_too_large = text[0] == 0xF4 && text[1] > 0x8F;
  return is_overlong || is_surrogate || is_too_large ? 0 : length;
}

static void put_string(FILE *out, const char *text, size_t size) {
  fputc('"', out);
  for (size_t i = 0; i < size;) {
    const unsigned char *at = (const unsigned char *)text + i;
    size_t length = character_length(at, size - i);
    if (length == 0)
      fputs("\\ufffd", out);
    else if (*at == '"' || *at == '\\')
      fprintf(out, "\\%c", *at);
    else if (*at < 0x20 || *at == 0x7F)
      fprintf(out, "\\u%04x", *at);
    else
      fwrite(at, 1, length, out);
    i += length == 0 ? 1 : length;
  }
  fputc('"', out);
}

static void put_text(FILE *out, const char *key, const char *text) {
  fprintf(out, ",\"%s\":", key);
  put_string(out, text, strlen(text));
}

static void put_ms(FILE *out, const char *key, uint64_t ns) {
  fprintf(out, ",\"%s\":%llu.%03llu", key, (unsigned long long)(ns / NS_PER_MS),
          (unsigned long long)(ns % NS_PER_MS / (NS_PER_MS / 1000)));
}

static void put_number(FILE *out, const char *key, long long number) {
  fprintf(out, ",\"%s\":%lld", key, number);
}

/* Text that a function prints. */
static void put_printed(FILE *out, const char *key, void (*print)(const void *what, FILE *stream), const void *what) {
  char *text = NULL;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  if (stream == NULL)
    return;
  print(what, stream);
  fclose(stream);
  if (text != NULL)
    put_text(out, key, text);
  free(text);
}

/* ---- parts of a record ---- */

static bool is_leap(int year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* Not by gmtime_r, which Windows lacks. */
static void put_time(FILE *out) {
  static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  struct timespec now;
  int year = 1970, month = 0;
  if (rota__os_clock_read(CLOCK_REALTIME, &now) < 0 || now.tv_sec < 0)
    return;
  int days = (int)(now.tv_sec / SECONDS_PER_DAY), seconds = (int)(now.tv_sec % SECONDS_PER_DAY);
  for (; days >= 365 + is_leap(year); year++)
    days -= 365 + is_leap(year);
  for (; days >= lengths[month] + (month == 1 && is_leap(year)); month++)
    days -= lengths[month] + (month == 1 && is_leap(year));
  fprintf(out, ",\"time\":\"%04d-%02d-%02dT%02d:%02d:%02d.%03dZ\"", year, month + 1, days + 1, seconds / 3600,
          seconds / 60 % 60, seconds % 60, (int)(now.tv_nsec / NS_PER_MS));
}

static void put_head(FILE *out, const char *event) {
  char label[160];
  fprintf(out, "{\"event\":\"%s\"", event);
  put_time(out);
  put_number(out, "pid", rota__os_process_id());
  rota__process_label(label, sizeof label);
  put_text(out, "program", label);
}

static void print_symbol(const void *address, FILE *stream) {
  rota__symbol_print(address, stream);
}

static void put_name(FILE *out, const struct rota_name_entry *name) {
  put_text(out, "function", name->function);
  if (name->file[0] == '\0')
    return;
  put_text(out, "file", name->file);
  put_number(out, "line", name->line);
}

/* Of a drain: the tick that ran. The callback stands behind "after". */
static void put_culprit(FILE *out, const struct rota_sighting *seen) {
  uint32_t number = seen->draining && seen->tick_name != 0 ? seen->tick_name
                    : seen->longest_ns > 0                 ? seen->longest_name
                                                           : seen->name;
  const void *function = seen->draining && seen->tick != NULL ? seen->tick
                         : seen->longest_ns > 0               ? seen->longest_function
                                                              : seen->function;
  const struct rota_name_entry *name = rota__name_find(number);
  if (name != NULL)
    put_name(out, name);
  else if (function != NULL)
    put_printed(out, "function", print_symbol, function);
}

static void put_function(FILE *out, const char *key, const struct rota_name_entry *name) {
  fprintf(out, "\"%s\":{\"function\":", key);
  put_string(out, name->function, strlen(name->function));
  if (name->file[0] != '\0') {
    put_text(out, "file", name->file);
    if (name->line > 0)
      put_number(out, "line", name->line);
  }
}

static void put_hot(FILE *out, const struct rota_hot_function *hot) {
  const struct rota_name_entry *name = rota__name_find(hot->name), *caller = rota__name_find(hot->caller);
  if (name == NULL)
    return;
  fputc(',', out);
  put_function(out, "mostly_in", name);
  put_ms(out, "for_ms", hot->took_ns);
  if (caller != NULL) {
    fputc(',', out);
    put_function(out, "called_by", caller);
    fputc('}', out);
  }
  fputc('}', out);
}

/* "name (file:12)" or "file:12", as engines write frames. */
static void put_frame(FILE *out, const char *frame, size_t length) {
  const char *place = frame, *end = frame + length;
  size_t name_length = 0;
  if (length > 0 && end[-1] == ')') {
    const char *bracket = end;
    while (bracket > frame && !(bracket[0] == '(' && bracket[-1] == ' '))
      bracket--;
    if (bracket > frame) {
      name_length = (size_t)(bracket - 1 - frame);
      place = bracket + 1;
      end--;
    }
  }
  const char *digits = end;
  while (digits > place && digits[-1] >= '0' && digits[-1] <= '9')
    digits--;
  bool has_line = digits < end && digits > place && digits[-1] == ':';
  fputs("{\"function\":", out);
  put_string(out, frame, name_length);
  fputs(",\"file\":", out);
  put_string(out, place, (size_t)((has_line ? digits - 1 : end) - place));
  if (has_line)
    put_number(out, "line", atoi(digits));
  fputc('}', out);
}

static void put_stack(FILE *out, const char *words) {
  static const char head[] = "  in JavaScript";
  const char *frame = words == NULL ? NULL : strstr(words, ROTA_BLOCK_AT);
  if (frame == NULL)
    return;
  fputs(",\"stack\":[", out);
  for (bool first = true; frame != NULL; frame = strstr(frame, ROTA_BLOCK_AT), first = false) {
    frame += sizeof(ROTA_BLOCK_AT) - 1;
    if (!first)
      fputc(',', out);
    put_frame(out, frame, strcspn(frame, "\n"));
  }
  fputc(']', out);
  const char *note = strncmp(words, head, sizeof head - 1) == 0 ? words + sizeof head - 1 : "";
  if (strncmp(note, ", ", 2) != 0)
    return;
  fputs(",\"stack_taken\":", out);
  put_string(out, note + 2, strcspn(note + 2, ":\n"));
}

static void put_native(FILE *out, const struct rota_backtrace *trace) {
  if (trace->count == UV_EBUSY && trace->call >= 0)
    put_number(out, "waits_in_system_call", trace->call);
  if (trace->count <= 0)
    return;
  fputs(",\"native_stack\":[", out);
  for (int i = 0; i < trace->count; i++) {
    const char *text = rota__symbol_text(rota__block_called_at(trace, i));
    fputs(i > 0 ? "," : "", out);
    put_string(out, text, strlen(text));
  }
  fputc(']', out);
}

/* ---- records ---- */

static void put_what(FILE *out, const struct rota_sighting *seen) {
  const struct rota_name_entry *callback = rota__name_find(seen->name);
  put_text(out, "kind",
           !seen->draining    ? seen->parts > 0 ? "callbacks" : "callback"
           : seen->microtasks ? "microtasks"
                              : "ticks");
  if (seen->parts > 0)
    put_number(out, "count", seen->parts);
  if (seen->draining && callback != NULL)
    put_text(out, "after", callback->function);
  if (seen->function == NULL || !seen->known)
    return;
  bool is_request = seen->flags & ROTA_EVENT_REQUEST;
  put_text(out, "phase", rota__describe_phase(seen->phase));
  put_text(out, "on", rota__describe_type(seen->type, is_request));
  if (!(is_request && seen->type == UV_FS) && seen->number >= 0)
    put_number(out, "descriptor", seen->number);
}

void rota__block_print_json(const struct rota_block *block, bool native_frames, FILE *report) {
  static const char *const events[] = {"blocked", "still blocked", "ended"};
  const struct rota_sighting *seen = &block->seen;
  put_head(report, events[block->event]);
  put_number(report, "thread", seen->thread_id);
  put_number(report, "loop", seen->loop_number);
  put_number(report, "block", (long long)block->number);
  put_ms(report, "for_ms", block->took_ns);
  if (block->by_exit)
    fputs(",\"exits\":true", report);
  fprintf(report, ",\"start_up\":%s", seen->start_up ? "true" : "false");
  put_what(report, seen);
  put_culprit(report, seen);
  if (seen->request.trace_id[0] != '\0')
    put_text(report, "trace_id", seen->request.trace_id);
  if (seen->request.request_id[0] != '\0')
    put_text(report, "request_id", seen->request.request_id);
  put_number(report, "times", (long long)block->times);
  put_ms(report, "worst_ms", block->worst_ns);
  put_hot(report, &block->hot);
  put_stack(report, block->words);
  if (native_frames || !rota__block_has_stack(block))
    put_native(report, &block->trace);
  fputs("}\n", report);
}

void rota__block_print_left_out_json(const struct rota_left_out *left_out, const char *limit, FILE *report) {
  put_head(report, "left out");
  put_number(report, "count", (long long)left_out->count);
  put_ms(report, "for_ms", left_out->sum_ns);
  put_ms(report, "worst_ms", left_out->worst_ns);
  put_text(report, "at_most", limit);
  fputs("}\n", report);
}
