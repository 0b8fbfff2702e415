/* The trace of a Node that nothing prepared, as a file: what its agent has recorded (inject/agent/event.h), in the
 * format of doc/TRACE.md, which observe/trace writes for programs on librota. What comes is bounded, and not believed:
 * the process may be another user's. */
#include "command/live/trace.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command/live/live.h"
#include "inject/agent/event.h"
#include "rota.h"

enum { TEXT_SIZE = 4096, STACK_MAX = 64, LOOP_TRACK = (1 << 23) + 2, PHASE_TRACK, NS_PER_US = 1000, LABEL_SIZE = 256 };

/* A function, as JSON texts. */
struct name {
  char *function, *file; /* null: there is none */
  int line;
};

struct live_trace {
  FILE *out;
  int process;
  uint64_t start_ns, events, dropped;
  struct name names[AGENT_NAMES_MAX + 1];
  uint32_t stack[STACK_MAX];
  size_t stack_count;
};

/* ---- the beginning ---- */

static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL && slash[1] != 0 ? slash + 1 : path;
}

/* "node server.js". An option may be followed by what is none of anybody's business. */
static void describe(pid_t process, char label[LABEL_SIZE]) {
  char text[TEXT_SIZE] = "";
  ssize_t length = live_read_file(process, "cmdline", text, sizeof text);
  size_t first = strlen(text) + 1;
  bool has_script = length > (ssize_t)first && text[first] != '-';
  snprintf(label, LABEL_SIZE, "%.100s%s%.100s", length > 0 ? last_part(text) : "node", has_script ? " " : "",
           has_script ? last_part(text + first) : "");
}

static void put_metadata(struct live_trace *trace, int track, const char *name, const char *key, const char *text) {
  char json[2 * TEXT_SIZE];
  if (!live_json_quote(text, json, sizeof json))
    return;
  fprintf(trace->out, ",\n{\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"%s\",\"args\":{\"%s\":%s}}", trace->process,
          track, name, key, json);
}

static void put_track(struct live_trace *trace, int track, const char *name, int order) {
  put_metadata(trace, track, "thread_name", "name", name);
  fprintf(trace->out,
          ",\n{\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%d}}",
          trace->process, track, order);
}

struct live_trace *live_trace_begin(FILE *out, pid_t process) {
  char label[LABEL_SIZE], name[64] = "node";
  struct live_trace *trace = calloc(1, sizeof *trace);
  if (trace == NULL)
    return NULL;
  *trace = (struct live_trace){.out = out, .process = (int)process, .start_ns = live_now_ns()};
  fprintf(out,
          "[{\"ph\":\"M\",\"name\":\"rota\",\"pid\":%d,\"args\":{\"version\":\"" ROTA_VERSION_STRING
          "\",\"format\":1,\"start_ns\":%llu}}",
          trace->process, (unsigned long long)trace->start_ns);
  live_read_file(process, "comm", name, sizeof name);
  name[strcspn(name, "\n")] = 0;
  describe(process, label);
  put_metadata(trace, 0, "process_name", "name", name);
  put_metadata(trace, 0, "process_labels", "labels", label);
  put_track(trace, trace->process, name, 3);
  put_track(trace, LOOP_TRACK, "loop 1: iterations", 1);
  put_track(trace, PHASE_TRACK, "loop 1: phases", 2);
  fprintf(out, ",\n{\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"rota_loop\",\"args\":{\"loop\":1}}", trace->process,
          trace->process);
  return trace;
}

/* ---- names ---- */

static char *quote(const char *text) {
  size_t size = 6 * strlen(text) + 16;
  char *json = malloc(size);
  if (json != NULL && !live_json_quote(text, json, size))
    json[0] = 0;
  return json;
}

static bool take_names(struct live_trace *trace, const char *packet, size_t length) {
  while (length > 0) {
    struct agent_name_head head;
    if (length < sizeof head)
      return false;
    memcpy(&head, packet, sizeof head);
    const char *function = packet + sizeof head;
    size_t rest = length - sizeof head, first = strnlen(function, rest) + 1;
    size_t second = first < rest ? strnlen(function + first, rest - first) + 1 : rest;
    if (first >= rest || second > rest - first || head.number == 0 || head.number > AGENT_NAMES_MAX ||
        trace->names[head.number].function != NULL)
      return false;
    const char *file = function + first;
    trace->names[head.number] =
        (struct name){.function = quote(function), .file = file[0] != 0 ? quote(file) : NULL, .line = head.line};
    packet += sizeof head + first + second;
    length -= sizeof head + first + second;
  }
  return true;
}

static const struct name *find_name(const struct live_trace *trace, uint32_t number) {
  const struct name *name = &trace->names[number <= AGENT_NAMES_MAX ? number : 0];
  return name->function != NULL ? name : NULL;
}

/* ---- events ---- */

static const char *const causes[AGENT_CAUSES] = {
    [AGENT_CAUSE_READ] = "\"(data to read)\"",
    [AGENT_CAUSE_CONNECTION] = "\"(a connection)\"",
    [AGENT_CAUSE_DATAGRAM] = "\"(a datagram)\"",
    [AGENT_CAUSE_TIMERS] = "\"(timers)\"",
    [AGENT_CAUSE_CHECK] = "\"(check: setImmediate)\"",
    [AGENT_CAUSE_ASYNC] = "\"(a message of another thread)\"",
    [AGENT_CAUSE_POOL] = "\"(results of the thread pool)\"",
    [AGENT_CAUSE_POLL] = "\"(a descriptor is ready)\"",
    [AGENT_CAUSE_SIGNAL] = "\"(a signal)\"",
    [AGENT_CAUSE_CHILD] = "\"(the end of a child)\"",
    [AGENT_CAUSE_FILE] = "\"(a file has changed)\"",
};
static const char *const phases[AGENT_PHASES] = {"poll", "check", "timers"};

static const char *describe_type(int type) {
  static const struct {
    int type;
    const char *name;
  } types[] = {{UV_TCP, "tcp"},       {UV_NAMED_PIPE, "pipe"}, {UV_TTY, "tty"},          {UV_UDP, "udp"},
               {UV_TIMER, "timer"},   {UV_CHECK, "check"},     {UV_ASYNC, "async"},      {UV_POLL, "poll"},
               {UV_SIGNAL, "signal"}, {UV_PROCESS, "process"}, {UV_FS_EVENT, "fs_event"}};
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if (types[i].type == type)
      return types[i].name;
  return "unknown";
}

static double us_since_start(const struct live_trace *trace, uint64_t at_ns) {
  return at_ns > trace->start_ns ? (double)(at_ns - trace->start_ns) / NS_PER_US : 0;
}

static void put_span(struct live_trace *trace, int track, const struct agent_event *event) {
  uint64_t end_ns = event->at_ns + event->duration_ns;
  uint64_t begin_ns = event->at_ns > trace->start_ns ? event->at_ns : trace->start_ns;
  fprintf(trace->out, ",\n{\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f", trace->process, track,
          us_since_start(trace, begin_ns), end_ns > begin_ns ? (double)(end_ns - begin_ns) / NS_PER_US : 0.0);
}

static void put_instant(struct live_trace *trace, const char *category, uint64_t at_ns) {
  fprintf(trace->out, ",\n{\"ph\":\"i\",\"pid\":%d,\"tid\":%d,\"ts\":%.3f,\"s\":\"t\",\"cat\":\"%s\"", trace->process,
          trace->process, us_since_start(trace, at_ns), category);
}

static void put_place(struct live_trace *trace, const struct name *name) {
  if (name == NULL || name->file == NULL)
    return;
  fprintf(trace->out, ",\"file\":%s", name->file);
  if (name->line > 0) /* V8 does not always know it */
    fprintf(trace->out, ",\"line\":%d", name->line);
}

static void put_call(struct live_trace *trace, const struct agent_event *event) {
  const struct name *name = find_name(trace, event->call.name);
  put_span(trace, trace->process, event);
  fprintf(trace->out, ",\"cat\":\"call\",\"name\":%s,\"args\":{\"phase\":\"%s\",\"on\":\"%s\"",
          name != NULL ? name->function : causes[event->cause], phases[event->phase], describe_type(event->call.type));
  put_place(trace, name);
  if (event->call.fd >= 0)
    fprintf(trace->out, ",\"fd\":%d", event->call.fd);
  if (event->call.late_ns != UINT64_MAX)
    fprintf(trace->out, ",\"late_us\":%llu", (unsigned long long)(event->call.late_ns / NS_PER_US));
  fprintf(trace->out, ",\"id\":%u}}", event->number);
}

static void put_frame(struct live_trace *trace, const struct name *name, bool is_first) {
  fputs(is_first ? "" : ",", trace->out);
  if (name == NULL)
    fputs("\"?\"", trace->out);
  else if (name->file == NULL)
    fputs(name->function, trace->out);
  else if (name->line <= 0) /* both are in quotation marks */
    fprintf(trace->out, "%.*s (%.*s)\"", (int)strlen(name->function) - 1, name->function, (int)strlen(name->file) - 2,
            name->file + 1);
  else
    fprintf(trace->out, "%.*s (%.*s:%d)\"", (int)strlen(name->function) - 1, name->function,
            (int)strlen(name->file) - 2, name->file + 1, name->line);
}

static void take_sample(struct live_trace *trace, const struct agent_event *event) {
  if (event->flags & AGENT_EVENT_FIRST_PIECE)
    trace->stack_count = 0;
  for (size_t i = 0; i < AGENT_EVENT_NAMES && event->names[i] != 0 && trace->stack_count < STACK_MAX; i++)
    trace->stack[trace->stack_count++] = event->names[i];
  if (!(event->flags & AGENT_EVENT_LAST_PIECE) || trace->stack_count == 0)
    return;
  const struct name *inner = find_name(trace, trace->stack[trace->stack_count - 1]);
  put_instant(trace, "sample", event->at_ns);
  fprintf(trace->out, ",\"name\":%s,\"args\":{\"in\":%u,\"stack\":[", inner != NULL ? inner->function : "\"?\"",
          event->number);
  for (size_t i = 0; i < trace->stack_count; i++)
    put_frame(trace, find_name(trace, trace->stack[i]), i == 0);
  fputs("]}}", trace->out);
}

/* It has no name: nobody knows whether the last sample was of it. */
static void put_running(struct live_trace *trace, const struct agent_event *event) {
  put_instant(trace, "rota", event->at_ns + event->duration_ns);
  fprintf(trace->out, ",\"name\":\"still running\",\"args\":{\"call\":%s,\"for_us\":%llu,\"phase\":\"%s\"}}",
          causes[event->cause], (unsigned long long)(event->duration_ns / NS_PER_US), phases[event->phase]);
}

static void put_event(struct live_trace *trace, const struct agent_event *event) {
  switch ((enum agent_event_kind)event->kind) {
  case AGENT_EVENT_CALL:
    put_call(trace, event);
    break;
  case AGENT_EVENT_ITERATION:
    put_span(trace, LOOP_TRACK, event);
    fprintf(trace->out,
            ",\"cat\":\"iteration\",\"name\":\"iteration\",\"args\":{\"loop\":1,\"number\":%u,\"calls\":%u,"
            "\"waited_us\":%.3f}}",
            event->number, event->ran.calls, (double)event->ran.waited_ns / NS_PER_US);
    break;
  case AGENT_EVENT_PHASE:
    put_span(trace, PHASE_TRACK, event);
    fprintf(trace->out, ",\"cat\":\"phase\",\"name\":\"%s\",\"args\":{\"loop\":1,\"calls\":%u}}", phases[event->phase],
            event->ran.calls);
    break;
  case AGENT_EVENT_WAIT:
    put_span(trace, trace->process, event);
    fputs(",\"cat\":\"wait\",\"name\":\"wait\",\"args\":{}}", trace->out);
    break;
  case AGENT_EVENT_SAMPLE:
    take_sample(trace, event);
    return;
  case AGENT_EVENT_RUNNING:
    put_running(trace, event);
    break;
  case AGENT_EVENT_DROPPED:
    trace->dropped += event->dropped;
    put_instant(trace, "rota", event->at_ns);
    fprintf(trace->out, ",\"name\":\"dropped\",\"args\":{\"events\":%llu}}", (unsigned long long)event->dropped);
    return;
  }
  trace->events++;
}

static bool take_events(struct live_trace *trace, const char *packet, size_t length) {
  struct agent_event event;
  if (length % sizeof event != 0)
    return false;
  for (size_t at = 0; at < length; at += sizeof event) {
    memcpy(&event, packet + at, sizeof event);
    if (event.kind > AGENT_EVENT_DROPPED || event.phase >= AGENT_PHASES || event.cause >= AGENT_CAUSES)
      return false;
    put_event(trace, &event);
  }
  return true;
}

bool live_trace_take(struct live_trace *trace, const char *packet, size_t length) {
  return packet[0] == 'n' ? take_names(trace, packet + 1, length - 1) : take_events(trace, packet + 1, length - 1);
}

bool live_trace_end(struct live_trace *trace, bool is_whole) {
  bool has_events = trace->events > 0;
  if (is_whole)
    fprintf(trace->out,
            ",\n{\"ph\":\"M\",\"pid\":%d,\"tid\":0,\"name\":\"rota_end\",\"args\":{\"events\":%llu,\"dropped\":%llu}}",
            trace->process, (unsigned long long)trace->events, (unsigned long long)trace->dropped);
  fputs("\n]\n", trace->out);
  for (size_t i = 0; i <= AGENT_NAMES_MAX; i++) {
    free(trace->names[i].function);
    free(trace->names[i].file);
  }
  free(trace);
  return has_events;
}
