/* Each kind of event as a line of the trace. */
#include <stdio.h>

#include "loop/base/units.h"
#include "loop/core/pool/work.h"
#include "observe/name/describe.h"
#include "observe/name/symbol.h"
#include "observe/trace/writer.h"

/* The track numbers of loops: higher than any thread id of the system (at most 2^22). */
enum { TRACK_OF_LOOPS = 1 << 23 };

static void put_loop(struct rota_writer *writer, uint64_t track, uint32_t loop) {
  char text[40];
  if (loop >= 32 || (writer->loops_named & 1u << loop) != 0)
    return;
  writer->loops_named |= 1u << loop;
  snprintf(text, sizeof(text), "loop %u: iterations", loop);
  rota__writer_put_thread_name(writer, TRACK_OF_LOOPS + loop * 2, text, loop * 3 - 2);
  snprintf(text, sizeof(text), "loop %u: phases", loop);
  rota__writer_put_thread_name(writer, TRACK_OF_LOOPS + loop * 2 + 1, text, loop * 3 - 1);
  rota__writer_put_head(writer, 'M', track);
  rota__json_literal(&writer->json, ",\"name\":\"rota_loop\",\"args\":{\"loop\":");
  rota__json_number(&writer->json, loop);
  rota__json_literal(&writer->json, "}}");
}

static void put_iteration(struct rota_writer *writer, uint64_t track, const struct rota_event *event) {
  struct rota_json *json = &writer->json;
  put_loop(writer, track, event->loop);
  rota__writer_put_span(writer, TRACK_OF_LOOPS + event->loop * 2, event);
  rota__json_literal(json, ",\"cat\":\"iteration\",\"name\":\"iteration\",\"args\":{\"loop\":");
  rota__json_number(json, event->loop);
  rota__json_literal(json, ",\"number\":");
  rota__json_number(json, event->iteration.number);
  rota__json_literal(json, ",\"calls\":");
  rota__json_number(json, event->iteration.calls);
  rota__json_literal(json, ",\"waited_us\":");
  rota__json_microseconds(json, event->iteration.waited_ns);
  rota__json_literal(json, "}}");
}

static void put_phase(struct rota_writer *writer, uint64_t track, const struct rota_event *event) {
  struct rota_json *json = &writer->json;
  const char *name = rota__describe_phase(event->phase);
  put_loop(writer, track, event->loop);
  rota__writer_put_span(writer, TRACK_OF_LOOPS + event->loop * 2 + 1, event);
  rota__json_literal(json, ",\"cat\":\"phase\",\"name\":\"");
  rota__json_put(json, name, strlen(name));
  rota__json_literal(json, "\",\"args\":{\"loop\":");
  rota__json_number(json, event->loop);
  rota__json_literal(json, ",\"calls\":");
  rota__json_number(json, event->ran.calls);
  rota__json_literal(json, "}}");
}

static void put_wait(struct rota_writer *writer, uint64_t track, const struct rota_event *event) {
  struct rota_json *json = &writer->json;
  rota__writer_put_span(writer, track, event);
  rota__json_literal(json, ",\"cat\":\"wait\",\"name\":\"wait\",\"args\":{\"events\":");
  rota__json_signed(json, event->wait.events);
  if (event->wait.timeout_ns != UINT64_MAX) {
    rota__json_literal(json, ",\"timeout_us\":");
    rota__json_number(json, event->wait.timeout_ns / NS_PER_US);
  }
  rota__json_literal(json, "}}");
}

static void put_call_piece(struct rota_writer *writer, const struct rota_event *event) {
  struct rota_json *json = &writer->json;
  const char *phase = rota__describe_phase(event->phase);
  /* Without a C function, it is code that the embedder runs by itself. */
  const char *type =
      event->call.function == NULL ? "program" : rota__describe_type(event->type, event->flags & ROTA_EVENT_REQUEST);
  rota__json_literal(json, ",\"cat\":\"call\",\"name\":");
  rota__writer_put_call_name(writer, event->call.function, event->call.name);
  rota__json_literal(json, ",\"args\":{\"phase\":");
  rota__json_string(json, phase);
  rota__json_literal(json, ",\"on\":\"");
  rota__json_put(json, type, strlen(type));
  rota__json_literal(json, "\"");
  rota__writer_put_name_place(json, event->call.name);
  const struct rota_symbol *symbol =
      event->call.name == 0 && event->call.function != NULL ? rota__symbol_find(event->call.function) : NULL;
  if (symbol != NULL && symbol->file != NULL)
    rota__writer_put_place(json, symbol->file, symbol->line);
}

static void put_number(struct rota_json *json, const char *key, size_t length, uint32_t number) {
  if (number == 0)
    return;
  rota__json_put(json, key, length);
  rota__json_number(json, number);
}

static void put_cause(struct rota_json *json, uint32_t cause) {
  static const char key[] = ",\"by\":";
  put_number(json, key, sizeof(key) - 1, cause);
}

static void put_arrow_end(struct rota_writer *writer, char phase, uint64_t track, uint64_t at_ns) {
  struct rota_json *json = &writer->json;
  rota__writer_put_head(writer, phase, track);
  rota__writer_put_time(writer, at_ns);
  rota__json_literal(json, ",\"cat\":\"cause\",\"name\":\"cause\",\"id\":");
  rota__json_number(json, writer->arrows);
  if (phase == 'f')
    rota__json_literal(json, ",\"bp\":\"e\"");
  rota__json_literal(json, "}");
}

/* From the end of the callback that has scheduled something to the beginning of what it scheduled. */
static void put_arrow(struct rota_writer *writer, uint64_t track, const struct rota_event *event) {
  const struct rota_writer_call *cause = &writer->calls[event->call.cause % ROTA_WRITER_CALLS];
  if (event->call.cause == 0 || cause->number != event->call.cause || cause->at_ns > event->at_ns)
    return;
  writer->arrows++;
  put_arrow_end(writer, 's', cause->track, cause->at_ns);
  put_arrow_end(writer, 'f', track, event->at_ns);
}

static void note_call(struct rota_writer *writer, uint64_t track, const struct rota_event *event) {
  uint64_t inside_ns = event->duration_ns > 0 ? event->duration_ns - 1 : 0;
  writer->calls[event->call.number % ROTA_WRITER_CALLS] = (struct rota_writer_call){
      .number = event->call.number, .track = (uint32_t)track, .at_ns = event->at_ns + inside_ns};
}

static void put_call(struct rota_writer *writer, uint64_t track, const struct rota_event *event) {
  static const char key[] = ",\"id\":";
  struct rota_json *json = &writer->json;
  uint32_t what = (uint32_t)event->phase << 16 | (uint32_t)event->type << 8 | event->flags;
  size_t hash = ((uintptr_t)event->call.function >> 2) * 31 + event->call.name * 17 + what;
  struct rota_writer_piece *piece = &writer->pieces[hash % ROTA_WRITER_PIECES];
  bool kept = piece->length != 0 && piece->address == event->call.function && piece->name == event->call.name &&
              piece->what == what;
  if (!kept && event->call.function != NULL)
    rota__writer_symbol(writer,
                        event->call.function); /* before the event is begun: the name may have to be written first */
  rota__writer_put_span(writer, track, event);
  if (kept) {
    rota__json_put(json, piece->text, piece->length);
  } else {
    size_t before = json->length;
    put_call_piece(writer, event);
    *piece = (struct rota_writer_piece){.address = event->call.function, .name = event->call.name, .what = what};
    if (json->length - before <= sizeof(piece->text)) {
      piece->length = (uint32_t)(json->length - before);
      memcpy(piece->text, json->text + before, piece->length);
    }
  }
  if (event->flags & ROTA_EVENT_REQUEST && event->type == UV_FS) {
    const char *operation = rota__describe_file_operation(event->call.subject);
    rota__json_literal(json, ",\"operation\":\"");
    rota__json_put(json, operation, strlen(operation));
    rota__json_literal(json, "\"");
  } else if (event->call.subject >= 0) {
    rota__json_literal(json, ",\"fd\":");
    rota__json_signed(json, event->call.subject);
  }
  if (event->flags & ROTA_EVENT_LATE) {
    rota__json_literal(json, ",\"late_us\":");
    rota__json_number(json, event->call.late_ns / NS_PER_US);
  }
  put_number(json, key, sizeof(key) - 1, event->call.number);
  put_cause(json, event->call.cause);
  rota__json_literal(json, "}}");
  note_call(writer, track, event);
  if (event->flags & ROTA_EVENT_FIRST)
    put_arrow(writer, track, event);
}

static void put_drain(struct rota_writer *writer, uint64_t track, const struct rota_event *event) {
  struct rota_json *json = &writer->json;
  rota__writer_put_span(writer, track, event);
  if (event->kind == ROTA_EVENT_TICKS)
    rota__json_literal(json, ",\"cat\":\"drain\",\"name\":\"ticks\",\"args\":{");
  else
    rota__json_literal(json, ",\"cat\":\"drain\",\"name\":\"microtasks\",\"args\":{");
  rota__json_literal(json, "\"in\":");
  rota__json_number(json, event->drain.call);
  if (event->drain.count != UINT64_MAX) {
    rota__json_literal(json, ",\"count\":");
    rota__json_number(json, event->drain.count);
  }
  const struct rota_name_entry *first = rota__name_find(event->drain.first);
  if (first != NULL) {
    rota__json_literal(json, ",\"first\":");
    rota__json_string(json, first->function);
  }
  rota__json_literal(json, "}}");
}

/* A path, a host's name. */
static void put_about(struct rota_writer *writer) {
  if (writer->text_length == 0)
    return;
  rota__json_literal(&writer->json, ",\"about\":");
  rota__json_string(&writer->json, writer->text);
}

static void put_job(struct rota_writer *writer, uint64_t track, const struct rota_event *event) {
  struct rota_json *json = &writer->json;
  const char *kind = rota__describe_work(event->type);
  /* A job with a kind is named after the kind: its function is the same for all jobs of that kind. */
  bool is_named = event->job.name != 0 || (event->job.function != NULL && event->type == ROTA_WORK_USER);
  if (is_named && event->job.name == 0)
    rota__writer_symbol(writer, event->job.function);
  rota__writer_put_span(writer, track, event);
  rota__json_literal(json, ",\"cat\":\"job\",\"name\":");
  if (is_named)
    rota__writer_put_call_name(writer, event->job.function, event->job.name);
  else
    rota__json_string(json, event->job.operation >= 0 ? rota__describe_file_operation(event->job.operation) : kind);
  rota__json_literal(json, ",\"args\":{\"kind\":\"");
  rota__json_put(json, kind, strlen(kind));
  rota__json_literal(json, "\",\"queue_us\":");
  rota__json_microseconds(json, event->job.queued_ns);
  put_about(writer);
  put_cause(json, event->job.cause);
  rota__json_literal(json, "}}");
}

static void put_named(struct rota_writer *writer, uint64_t track, const struct rota_event *event) {
  struct rota_json *json = &writer->json;
  const struct rota_name_entry *entry = rota__name_find(event->mark.name);
  if (event->kind == ROTA_EVENT_SPAN) {
    rota__writer_put_span(writer, track, event);
    rota__json_literal(json, ",\"cat\":\"span\",\"name\":");
  } else {
    rota__writer_put_head(writer, 'i', track);
    rota__writer_put_time(writer, event->at_ns);
    rota__json_literal(json, ",\"s\":\"t\",\"cat\":\"mark\",\"name\":");
  }
  rota__json_string(json, entry == NULL ? "?" : entry->function);
  rota__json_literal(json, ",\"args\":{\"value\":");
  rota__json_number(json, event->mark.value);
  rota__writer_put_name_place(json, event->mark.name);
  rota__json_literal(json, "}}");
}

/* Operations overlap, so each is a pair of asynchronous events of its own number. */
static void put_operation(struct rota_writer *writer, uint64_t track, const struct rota_event *event) {
  struct rota_json *json = &writer->json;
  uint64_t begin_ns = event->at_ns < writer->start_ns ? writer->start_ns : event->at_ns;
  const uint64_t times[2] = {begin_ns, event->at_ns + event->duration_ns};
  for (int i = 0; i < 2; i++) {
    rota__writer_put_head(writer, i == 0 ? 'b' : 'e', track);
    rota__writer_put_time(writer, times[i]);
    rota__json_literal(json, ",\"cat\":\"operation\",\"id\":");
    rota__json_number(json, event->operation.number);
    rota__json_literal(json, ",\"name\":");
    rota__json_string(json, rota__describe_file_operation(event->operation.operation));
    rota__json_literal(json, ",\"args\":{\"kind\":\"file\"");
    put_about(writer);
    put_cause(json, event->operation.cause);
    rota__json_literal(json, "}}");
  }
}

static void take_text(struct rota_writer *writer, const struct rota_event *event) {
  writer->text_length = event->flags & ROTA_EVENT_FIRST_PIECE ? 0 : writer->text_length;
  if (writer->text_length + event->length > ROTA_EVENT_TEXT_MAX)
    return;
  memcpy(writer->text + writer->text_length, event->text, event->length);
  writer->text_length += event->length;
  writer->text[writer->text_length] = '\0';
}

static void put_frame(struct rota_json *json, const struct rota_name_entry *entry) {
  char text[300];
  if (entry->file[0] != '\0')
    snprintf(text, sizeof(text), "%.120s (%.150s:%d)", entry->function, entry->file, entry->line);
  rota__json_string(json, entry->file[0] != '\0' ? text : entry->function);
}

static void put_sample(struct rota_writer *writer, uint64_t track, const struct rota_event *event) {
  struct rota_json *json = &writer->json;
  const struct rota_name_entry *inner = rota__name_find(writer->stack[writer->stack_count - 1]);
  rota__writer_put_names(writer); /* before the event is begun */
  rota__writer_put_head(writer, 'i', track);
  rota__writer_put_time(writer, event->at_ns);
  rota__json_literal(json, ",\"s\":\"t\",\"cat\":\"sample\",\"name\":");
  rota__json_string(json, inner == NULL ? "?" : inner->function);
  rota__json_literal(json, ",\"args\":{\"in\":");
  rota__json_number(json, event->sample.call);
  rota__json_literal(json, ",\"stack\":[");
  for (unsigned int i = 0; i < writer->stack_count; i++) {
    const struct rota_name_entry *entry = rota__name_find(writer->stack[i]);
    if (json->length > ROTA_JSON_SIZE - ROTA_JSON_STRING_MAX)
      break; /* it has room for a stack of usual size */
    if (i > 0)
      rota__json_literal(json, ",");
    if (entry != NULL)
      put_frame(json, entry);
    else
      rota__json_literal(json, "\"?\"");
  }
  rota__json_literal(json, "]}}");
}

static void take_sample(struct rota_writer *writer, uint64_t track, const struct rota_event *event) {
  writer->stack_count = event->flags & ROTA_EVENT_FIRST_PIECE ? 0 : writer->stack_count;
  if (writer->stack_count + event->length > ROTA_EVENT_SAMPLE_MAX)
    return;
  memcpy(writer->stack + writer->stack_count, event->sample.names, event->length * sizeof(writer->stack[0]));
  writer->stack_count += event->length;
  if (event->flags & ROTA_EVENT_LAST_PIECE && writer->stack_count > 0)
    put_sample(writer, track, event);
}

static uint32_t name_of(const struct rota_event *event) {
  switch ((enum rota_event_kind)event->kind) {
  case ROTA_EVENT_CALL:
    return event->call.name;
  case ROTA_EVENT_JOB:
    return event->job.name;
  case ROTA_EVENT_TICKS:
    return event->drain.first;
  case ROTA_EVENT_MARK:
  case ROTA_EVENT_SPAN:
    return event->mark.name;
  default:
    return 0;
  }
}

void rota__writer_put_event(struct rota_writer *writer, uint64_t track, const struct rota_event *event) {
  if (event->kind == ROTA_EVENT_TEXT) {
    take_text(writer, event);
    return;
  }
  if (event->kind == ROTA_EVENT_SAMPLE) {
    take_sample(writer, track, event);
    return;
  }
  if (name_of(event) > writer->names_written)
    rota__writer_put_names(writer);
  switch ((enum rota_event_kind)event->kind) {
  case ROTA_EVENT_ITERATION:
    put_iteration(writer, track, event);
    break;
  case ROTA_EVENT_PHASE:
    put_phase(writer, track, event);
    break;
  case ROTA_EVENT_WAIT:
    put_wait(writer, track, event);
    break;
  case ROTA_EVENT_CALL:
    put_call(writer, track, event);
    break;
  case ROTA_EVENT_TICKS:
  case ROTA_EVENT_MICROTASKS:
    put_drain(writer, track, event);
    break;
  case ROTA_EVENT_JOB:
    put_job(writer, track, event);
    break;
  case ROTA_EVENT_OPERATION:
    put_operation(writer, track, event);
    break;
  case ROTA_EVENT_MARK:
  case ROTA_EVENT_SPAN:
    put_named(writer, track, event);
    break;
  case ROTA_EVENT_TEXT:
  case ROTA_EVENT_SAMPLE:
    break;
  }
  writer->text_length = 0;
}
