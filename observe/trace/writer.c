#include "observe/trace/writer.h"

#include "loop/base/units.h"
#include "loop/core/observe.h"
#include "loop/core/pool/work.h"
#include "loop/os/clock.h"
#include "loop/os/file.h"
#include "loop/os/process.h"
#include "observe/name/describe.h"
#include "observe/name/label.h"
#include "observe/name/name.h"
#include "observe/name/symbol.h"
#include "rota.h"

/* The track numbers of loops: higher than any thread id of the system (at most 2^22). */
enum { TRACK_OF_LOOPS = 1 << 23 };

/* The program goes on; but who waits for the file should learn that it is not whole. */
static void fail(struct rota_writer *writer, int err) {
  writer->failed = true;
  fprintf(stderr, "rota: trace: writing stopped: %s\n", uv_strerror(err));
}

/* Returns how much was written. */
static size_t write_bytes(struct rota_writer *writer, const char *text, size_t length) {
  size_t done = 0;
  while (done < length && !writer->failed) {
    uv_buf_t rest = uv_buf_init((char *)(uintptr_t)text + done, (unsigned int)(length - done));
    int64_t at = writer->is_whole ? writer->events_end + (int64_t)done : -1;
    ssize_t n = rota__os_write_at(writer->fd, &rest, 1, at);
    if (n == UV_EAGAIN) /* a caller's descriptor that does not block */
      rota__os_sleep_ns(NS_PER_MS);
    else if (n <= 0)
      fail(writer, n == 0 ? UV_ENOSPC : (int)n);
    else
      done += (size_t)n;
  }
  return done;
}

static void put_end(struct rota_writer *writer) {
  struct rota_json *json = &writer->json;
  rota__json_literal(json, ",\n{\"ph\":\"M\",\"pid\":");
  rota__json_number(json, (uint64_t)writer->process_id);
  rota__json_literal(json, ",\"tid\":0,\"name\":\"rota_end\",\"args\":{\"events\":");
  rota__json_number(json, writer->events);
  rota__json_literal(json, ",\"dropped\":");
  rota__json_number(json, writer->dropped);
  rota__json_literal(json, "}}");
}

/* The events are followed by the end. If there is no room for all of them, what was there before stays. */
static void write_whole(struct rota_writer *writer) {
  static const char array_end[] = "\n]\n";
  struct rota_json *json = &writer->json;
  size_t events = json->length;
  if (writer->ends)
    put_end(writer);
  rota__json_put(json, array_end, sizeof(array_end) - 1);
  int64_t end = writer->events_end + (int64_t)json->length;
  if (write_bytes(writer, json->text, json->length) == json->length) {
    writer->events_end += (int64_t)events;
  } else {
    uv_buf_t text = uv_buf_init((char *)(uintptr_t)array_end, sizeof(array_end) - 1);
    end = writer->events_end + (int64_t)text.len;
    writer->file_end = INT64_MAX;
    (void)rota__os_write_at(writer->fd, &text, 1, writer->events_end);
  }
  if (writer->file_end > end)
    (void)rota__os_truncate(writer->fd, end);
  writer->file_end = end;
}

void rota__writer_flush(struct rota_writer *writer) {
  struct rota_json *json = &writer->json;
  if (json->length > 0 && writer->is_whole && !writer->failed)
    write_whole(writer);
  else
    write_bytes(writer, json->text, json->length);
  json->length = 0;
}

static void make_room(struct rota_writer *writer) {
  if (writer->json.length > ROTA_JSON_SIZE - ROTA_JSON_ROOM)
    rota__writer_flush(writer);
}

/* ---- the parts of an event ---- */

static void put_head(struct rota_writer *writer, char phase, uint64_t track) {
  struct rota_json *json = &writer->json;
  make_room(writer);
  rota__json_literal(json, ",\n{\"ph\":\"");
  rota__json_put(json, &phase, 1);
  rota__json_literal(json, "\",\"pid\":");
  rota__json_number(json, (uint64_t)writer->process_id);
  rota__json_literal(json, ",\"tid\":");
  rota__json_number(json, track);
}

static void put_time(struct rota_writer *writer, uint64_t at_ns) {
  rota__json_literal(&writer->json, ",\"ts\":");
  rota__json_microseconds(&writer->json, at_ns > writer->start_ns ? at_ns - writer->start_ns : 0);
}

/* The head of a span with its key of time, from the last one of this track. */
static void put_span_head(struct rota_writer *writer, uint64_t track) {
  struct rota_writer_track *kept = &writer->tracks[track % ROTA_WRITER_TRACKS];
  struct rota_json *json = &writer->json;
  if (kept->track == track && kept->length != 0) {
    make_room(writer);
    rota__json_put(json, kept->text, kept->length);
    return;
  }
  put_head(writer, 'X', track);
  rota__json_literal(json, ",\"ts\":");
  size_t length = 0;
  while (json->text[json->length - length - 1] != '\n')
    length++;
  length += 2; /* with the comma and the line break */
  if (length > sizeof(kept->text))
    return;
  memcpy(kept->text, json->text + json->length - length, length);
  kept->length = (uint32_t)length;
  kept->track = track;
}

static void put_span(struct rota_writer *writer, uint64_t track, const struct rota_event *event) {
  uint64_t lost_ns = event->at_ns < writer->start_ns ? writer->start_ns - event->at_ns : 0; /* begun before the trace */
  put_span_head(writer, track);
  rota__json_microseconds(&writer->json, lost_ns > 0 ? 0 : event->at_ns - writer->start_ns);
  rota__json_literal(&writer->json, ",\"dur\":");
  rota__json_microseconds(&writer->json, event->duration_ns > lost_ns ? event->duration_ns - lost_ns : 0);
}

static void put_thread_name(struct rota_writer *writer, uint64_t track, const char *name, uint64_t order) {
  struct rota_json *json = &writer->json;
  put_head(writer, 'M', track);
  rota__json_literal(json, ",\"name\":\"thread_name\",\"args\":{\"name\":");
  rota__json_string(json, name);
  rota__json_literal(json, "}}");
  put_head(writer, 'M', track);
  rota__json_literal(json, ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":");
  rota__json_number(json, order);
  rota__json_literal(json, "}}");
}

/* The name of the function at an address, as a JSON string. Its library is written when it first appears. */
static const struct rota_writer_symbol *symbol_of(struct rota_writer *writer, const void *address) {
  struct rota_writer_symbol *place = &writer->symbols[((uintptr_t)address >> 2) % ROTA_WRITER_SYMBOLS];
  if (place->address == address && place->length != 0)
    return place;
  const struct rota_symbol *symbol = rota__symbol_find(address);
  struct rota_json *json = &writer->json;
  put_head(writer, 'M', 0);
  rota__json_literal(json, ",\"name\":\"rota_symbol\",\"args\":{\"name\":");
  size_t before = json->length;
  rota__json_string(json, symbol == NULL ? "?" : symbol->text);
  place->address = address;
  place->length = (uint16_t)(json->length - before);
  if (place->length > sizeof(place->quoted)) { /* it consisted of characters that must be escaped */
    memcpy(place->quoted, "\"?\"", 3);
    place->length = 3;
  } else {
    memcpy(place->quoted, json->text + before, place->length);
  }
  if (symbol != NULL && symbol->library != NULL) {
    rota__json_literal(json, ",\"library\":");
    rota__json_string(json, symbol->library);
    rota__json_literal(json, ",\"offset\":");
    rota__json_hex(json, symbol->place);
  }
  rota__json_literal(json, "}}");
  return place;
}

static void put_names(struct rota_writer *writer) {
  const struct rota_name_entry *entry;
  struct rota_json *json = &writer->json;
  while ((entry = rota__name_find(writer->names_told + 1)) != NULL) {
    writer->names_told++;
    put_head(writer, 'M', 0);
    rota__json_literal(json, ",\"name\":\"rota_name\",\"args\":{\"id\":");
    rota__json_number(json, entry->number);
    rota__json_literal(json, ",\"function\":");
    rota__json_string(json, entry->function);
    rota__json_literal(json, ",\"file\":");
    rota__json_string(json, entry->file);
    rota__json_literal(json, ",\"line\":");
    rota__json_signed(json, entry->line);
    rota__json_literal(json, "}}");
  }
}

static void put_loop(struct rota_writer *writer, uint32_t loop) {
  char text[40];
  if (loop >= 32 || (writer->loops_told & 1u << loop) != 0)
    return;
  writer->loops_told |= 1u << loop;
  snprintf(text, sizeof(text), "loop %u: iterations", loop);
  put_thread_name(writer, TRACK_OF_LOOPS + loop * 2, text, loop * 3 - 2);
  snprintf(text, sizeof(text), "loop %u: phases", loop);
  put_thread_name(writer, TRACK_OF_LOOPS + loop * 2 + 1, text, loop * 3 - 1);
}

/* ---- each kind ---- */

static void put_iteration(struct rota_writer *writer, const struct rota_event *event) {
  struct rota_json *json = &writer->json;
  put_loop(writer, event->loop);
  put_span(writer, TRACK_OF_LOOPS + event->loop * 2, event);
  rota__json_literal(json, ",\"cat\":\"iteration\",\"name\":\"iteration\",\"args\":{\"loop\":");
  rota__json_number(json, event->loop);
  rota__json_literal(json, ",\"number\":");
  rota__json_number(json, event->value);
  rota__json_literal(json, ",\"calls\":");
  rota__json_signed(json, event->number);
  rota__json_literal(json, ",\"waited_us\":");
  rota__json_number(json, event->name);
  rota__json_literal(json, "}}");
}

static void put_phase(struct rota_writer *writer, const struct rota_event *event) {
  struct rota_json *json = &writer->json;
  const char *name = rota__describe_phase(event->phase);
  put_loop(writer, event->loop);
  put_span(writer, TRACK_OF_LOOPS + event->loop * 2 + 1, event);
  rota__json_literal(json, ",\"cat\":\"phase\",\"name\":\"");
  rota__json_put(json, name, strlen(name));
  rota__json_literal(json, "\",\"args\":{\"loop\":");
  rota__json_number(json, event->loop);
  rota__json_literal(json, ",\"calls\":");
  rota__json_signed(json, event->number);
  rota__json_literal(json, "}}");
}

static void put_wait(struct rota_writer *writer, uint64_t track, const struct rota_event *event) {
  struct rota_json *json = &writer->json;
  put_span(writer, track, event);
  rota__json_literal(json, ",\"cat\":\"wait\",\"name\":\"wait\",\"args\":{\"events\":");
  rota__json_signed(json, event->number);
  if (event->value != UINT64_MAX) {
    rota__json_literal(json, ",\"timeout_us\":");
    rota__json_number(json, event->value / NS_PER_US);
  }
  rota__json_literal(json, "}}");
}

/* Under the name that the embedder gave, or the function's. */
static void put_call_name(struct rota_writer *writer, const struct rota_event *event) {
  const struct rota_name_entry *entry = rota__name_find(event->name);
  if (entry != NULL) {
    rota__json_string(&writer->json, entry->function);
  } else if (event->address == NULL) {
    rota__json_literal(&writer->json, "\"(outside of any callback)\"");
  } else {
    const struct rota_writer_symbol *symbol =
        &writer->symbols[((uintptr_t)event->address >> 2) % ROTA_WRITER_SYMBOLS]; /* met by symbol_of just before */
    rota__json_put(&writer->json, symbol->quoted, symbol->length);
  }
}

static void put_place(struct rota_json *json, const char *file, int line) {
  rota__json_literal(json, ",\"file\":");
  rota__json_string(json, file);
  rota__json_literal(json, ",\"line\":");
  rota__json_signed(json, line);
}

static void put_name_place(struct rota_json *json, uint32_t name) {
  const struct rota_name_entry *entry = rota__name_find(name);
  if (entry != NULL && entry->file[0] != '\0')
    put_place(json, entry->file, entry->line);
}

static void put_call_piece(struct rota_writer *writer, const struct rota_event *event) {
  struct rota_json *json = &writer->json;
  const char *phase = rota__describe_phase(event->phase);
  /* Without a C function, it is code that the embedder runs by itself. */
  const char *type =
      event->address == NULL ? "program" : rota__describe_type(event->type, event->flags & ROTA_EVENT_REQUEST);
  rota__json_literal(json, ",\"cat\":\"call\",\"name\":");
  put_call_name(writer, event);
  rota__json_literal(json, ",\"args\":{\"phase\":");
  rota__json_string(json, phase);
  rota__json_literal(json, ",\"on\":\"");
  rota__json_put(json, type, strlen(type));
  rota__json_literal(json, "\"");
  put_name_place(json, event->name);
  const struct rota_symbol *symbol =
      event->name == 0 && event->address != NULL ? rota__symbol_find(event->address) : NULL;
  if (symbol != NULL && symbol->file != NULL)
    put_place(json, symbol->file, symbol->line);
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
  put_head(writer, phase, track);
  put_time(writer, at_ns);
  rota__json_literal(json, ",\"cat\":\"cause\",\"name\":\"cause\",\"id\":");
  rota__json_number(json, writer->arrows);
  if (phase == 'f')
    rota__json_literal(json, ",\"bp\":\"e\"");
  rota__json_literal(json, "}");
}

/* From the end of the callback that has scheduled something to the beginning of what it scheduled. */
static void put_arrow(struct rota_writer *writer, uint64_t track, const struct rota_event *event) {
  const struct rota_writer_call *cause = &writer->calls[event->cause % ROTA_WRITER_CALLS];
  if (event->cause == 0 || cause->number != event->cause || cause->at_ns > event->at_ns)
    return;
  writer->arrows++;
  put_arrow_end(writer, 's', cause->track, cause->at_ns);
  put_arrow_end(writer, 'f', track, event->at_ns);
}

static void note_call(struct rota_writer *writer, uint64_t track, const struct rota_event *event) {
  uint64_t inside_ns = event->duration_ns > 0 ? event->duration_ns - 1 : 0;
  writer->calls[event->call % ROTA_WRITER_CALLS] =
      (struct rota_writer_call){.number = event->call, .track = (uint32_t)track, .at_ns = event->at_ns + inside_ns};
}

static void put_call(struct rota_writer *writer, uint64_t track, const struct rota_event *event) {
  static const char key[] = ",\"id\":";
  struct rota_json *json = &writer->json;
  uint32_t what = (uint32_t)event->phase << 16 | (uint32_t)event->type << 8 | event->flags;
  size_t hash = ((uintptr_t)event->address >> 2) * 31 + event->name * 17 + what;
  struct rota_writer_piece *piece = &writer->pieces[hash % ROTA_WRITER_PIECES];
  bool kept =
      piece->length != 0 && piece->address == event->address && piece->name == event->name && piece->what == what;
  if (!kept && event->address != NULL)
    symbol_of(writer, event->address); /* before the event is begun: the name may have to be written first */
  put_span(writer, track, event);
  if (kept) {
    rota__json_put(json, piece->text, piece->length);
  } else {
    size_t before = json->length;
    put_call_piece(writer, event);
    *piece = (struct rota_writer_piece){.address = event->address, .name = event->name, .what = what};
    if (json->length - before <= sizeof(piece->text)) {
      piece->length = (uint32_t)(json->length - before);
      memcpy(piece->text, json->text + before, piece->length);
    }
  }
  if (event->flags & ROTA_EVENT_REQUEST && event->type == UV_FS) {
    const char *operation = rota__describe_file_operation(event->number);
    rota__json_literal(json, ",\"operation\":\"");
    rota__json_put(json, operation, strlen(operation));
    rota__json_literal(json, "\"");
  } else if (event->number >= 0) {
    rota__json_literal(json, ",\"fd\":");
    rota__json_signed(json, event->number);
  }
  if (event->flags & ROTA_EVENT_LATE) {
    rota__json_literal(json, ",\"late_us\":");
    rota__json_number(json, event->value / NS_PER_US);
  }
  put_number(json, key, sizeof(key) - 1, event->call);
  put_cause(json, event->cause);
  rota__json_literal(json, "}}");
  note_call(writer, track, event);
  if (event->flags & ROTA_EVENT_FIRST)
    put_arrow(writer, track, event);
}

static void put_drain(struct rota_writer *writer, uint64_t track, const struct rota_event *event) {
  struct rota_json *json = &writer->json;
  put_span(writer, track, event);
  if (event->kind == ROTA_EVENT_TICKS)
    rota__json_literal(json, ",\"cat\":\"drain\",\"name\":\"ticks\",\"args\":{");
  else
    rota__json_literal(json, ",\"cat\":\"drain\",\"name\":\"microtasks\",\"args\":{");
  rota__json_literal(json, "\"in\":");
  rota__json_number(json, event->call);
  if (event->value != UINT64_MAX) {
    rota__json_literal(json, ",\"count\":");
    rota__json_number(json, event->value);
  }
  const struct rota_name_entry *first = rota__name_find(event->name);
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
  bool is_named = event->name != 0 || (event->address != NULL && event->type == ROTA_WORK_USER);
  if (is_named && event->name == 0)
    symbol_of(writer, event->address);
  put_span(writer, track, event);
  rota__json_literal(json, ",\"cat\":\"job\",\"name\":");
  if (is_named)
    put_call_name(writer, event);
  else
    rota__json_string(json, event->number >= 0 ? rota__describe_file_operation(event->number) : kind);
  rota__json_literal(json, ",\"args\":{\"kind\":\"");
  rota__json_put(json, kind, strlen(kind));
  rota__json_literal(json, "\",\"queue_us\":");
  rota__json_microseconds(json, event->value);
  put_about(writer);
  put_cause(json, event->cause);
  rota__json_literal(json, "}}");
}

static void put_named(struct rota_writer *writer, uint64_t track, const struct rota_event *event) {
  struct rota_json *json = &writer->json;
  const struct rota_name_entry *entry = rota__name_find(event->name);
  if (event->kind == ROTA_EVENT_SPAN) {
    put_span(writer, track, event);
    rota__json_literal(json, ",\"cat\":\"span\",\"name\":");
  } else {
    put_head(writer, 'i', track);
    put_time(writer, event->at_ns);
    rota__json_literal(json, ",\"s\":\"t\",\"cat\":\"mark\",\"name\":");
  }
  rota__json_string(json, entry == NULL ? "?" : entry->function);
  rota__json_literal(json, ",\"args\":{\"value\":");
  rota__json_number(json, event->value);
  put_name_place(json, event->name);
  rota__json_literal(json, "}}");
}

/* Operations overlap, so each is a pair of asynchronous events of its own number. */
static void put_operation(struct rota_writer *writer, uint64_t track, const struct rota_event *event) {
  struct rota_json *json = &writer->json;
  uint64_t begin_ns = event->at_ns < writer->start_ns ? writer->start_ns : event->at_ns;
  const uint64_t times[2] = {begin_ns, event->at_ns + event->duration_ns};
  for (int i = 0; i < 2; i++) {
    put_head(writer, i == 0 ? 'b' : 'e', track);
    put_time(writer, times[i]);
    rota__json_literal(json, ",\"cat\":\"operation\",\"id\":");
    rota__json_number(json, event->value);
    rota__json_literal(json, ",\"name\":");
    rota__json_string(json, rota__describe_file_operation(event->number));
    rota__json_literal(json, ",\"args\":{\"kind\":\"file\"");
    put_about(writer);
    put_cause(json, event->cause);
    rota__json_literal(json, "}}");
  }
}

static void take_text(struct rota_writer *writer, const struct rota_event *event) {
  writer->text_length = event->phase ? 0 : writer->text_length;
  if (writer->text_length + event->flags > ROTA_EVENT_TEXT_MAX)
    return;
  memcpy(writer->text + writer->text_length, (const char *)event + offsetof(struct rota_event, duration_ns),
         event->flags);
  writer->text_length += event->flags;
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
  put_names(writer); /* before the event is begun */
  put_head(writer, 'i', track);
  put_time(writer, event->at_ns);
  rota__json_literal(json, ",\"s\":\"t\",\"cat\":\"sample\",\"name\":");
  rota__json_string(json, inner == NULL ? "?" : inner->function);
  rota__json_literal(json, ",\"args\":{\"in\":");
  rota__json_number(json, event->call);
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
  writer->stack_count = event->phase & 1 ? 0 : writer->stack_count;
  if (writer->stack_count + event->flags > ROTA_EVENT_SAMPLE_MAX)
    return;
  memcpy(writer->stack + writer->stack_count, (const char *)event + offsetof(struct rota_event, duration_ns),
         event->flags * sizeof(writer->stack[0]));
  writer->stack_count += event->flags;
  if (event->phase & 2 && writer->stack_count > 0)
    put_sample(writer, track, event);
}

static void put_event(struct rota_writer *writer, uint64_t track, const struct rota_event *event) {
  if (event->kind == ROTA_EVENT_TEXT) {
    take_text(writer, event);
    return;
  }
  if (event->kind == ROTA_EVENT_SAMPLE) {
    take_sample(writer, track, event);
    return;
  }
  if (event->kind != ROTA_EVENT_ITERATION && event->name > writer->names_told)
    put_names(writer);
  switch ((enum rota_event_kind)event->kind) {
  case ROTA_EVENT_ITERATION:
    put_iteration(writer, event);
    break;
  case ROTA_EVENT_PHASE:
    put_phase(writer, event);
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

static void put_dropped(struct rota_writer *writer, uint64_t track, uint64_t count) {
  writer->dropped += count;
  put_head(writer, 'i', track);
  put_time(writer, rota__os_clock_ns());
  rota__json_literal(&writer->json, ",\"s\":\"t\",\"cat\":\"rota\",\"name\":\"dropped\",\"args\":{\"events\":");
  rota__json_number(&writer->json, count);
  rota__json_literal(&writer->json, "}}");
}

/* ---- the whole ---- */

/* Tracks of threads without a loop come last. */
enum { THREADS_ORDER = 100000 };

/* "node app.js": viewers show it beside the process's name, and the page has it as its title. */
static void put_label(struct rota_writer *writer) {
  char label[256];
  rota__process_label(label, sizeof(label));
  put_head(writer, 'M', 0);
  rota__json_literal(&writer->json, ",\"name\":\"process_labels\",\"args\":{\"labels\":");
  rota__json_string(&writer->json, label);
  rota__json_literal(&writer->json, "}}");
}

void rota__writer_begin(struct rota_writer *writer) {
  struct rota_json *json = &writer->json;
  json->length = 0;
  rota__json_literal(json, "[{\"ph\":\"M\",\"name\":\"rota\",\"pid\":");
  rota__json_number(json, (uint64_t)writer->process_id);
  rota__json_literal(json, ",\"args\":{\"version\":\"" ROTA_VERSION_STRING "\",\"format\":1,\"start_ns\":");
  rota__json_number(json, writer->start_ns);
  rota__json_literal(json, "}}");
  put_head(writer, 'M', 0);
  rota__json_literal(json, ",\"name\":\"process_name\",\"args\":{\"name\":");
  rota__json_string(json, rota__os_program_name());
  rota__json_literal(json, "}}");
  put_label(writer);
  rota__writer_flush(writer);
}

/* A thread that runs a loop stands below that loop's tracks. */
static void put_thread(struct rota_writer *writer, const struct rota_event_queue *queue, uint32_t loop) {
  loop = loop == 0 && queue->thread_id == writer->process_id ? 1 : loop;
  put_thread_name(writer, (uint64_t)queue->thread_id, queue->thread_name, loop > 0 ? loop * 3 : THREADS_ORDER);
}

uint32_t rota__writer_copy(struct rota_writer *writer, const struct rota_event_queue *queue, uint64_t since_ns) {
  struct rota_event event;
  uint32_t number, end, written = 0;
  rota__event_queue_span(queue, &number, &end);
  for (; number != end; number++) {
    if (!rota__event_queue_peek(queue, number, &event))
      continue;
    uint64_t lasted_ns = event.kind == ROTA_EVENT_TEXT || event.kind == ROTA_EVENT_SAMPLE ? 0 : event.duration_ns;
    if (event.at_ns + lasted_ns < since_ns)
      continue;
    if (written++ == 0)
      put_thread(writer, queue, event.loop);
    put_event(writer, (uint64_t)queue->thread_id, &event);
  }
  writer->events += written;
  return written;
}

uint32_t rota__writer_take(struct rota_writer *writer, struct rota_event_queue *queue) {
  uint32_t tail = atomic_load_explicit(&queue->tail, memory_order_relaxed);
  uint32_t head = atomic_load_explicit(&queue->head, memory_order_acquire);
  uint64_t track = (uint64_t)queue->thread_id;
  uint32_t taken = head - tail;
  if (taken > 0 && !atomic_load_explicit(&queue->announced, memory_order_relaxed)) {
    atomic_store_explicit(&queue->announced, true, memory_order_relaxed);
    put_thread(writer, queue, rota__event_queue_read(queue, tail)->loop);
  }
  for (; tail != head; tail++) {
    put_event(writer, track, rota__event_queue_read(queue, tail));
    /* The read position is published now and then, so that the producer need not drop events. */
    if ((tail & 1023) == 0)
      atomic_store_explicit(&queue->tail, tail, memory_order_release);
  }
  uint64_t dropped = atomic_load_explicit(&queue->dropped, memory_order_relaxed);
  if (dropped != queue->dropped_told) {
    put_dropped(writer, track, dropped - queue->dropped_told);
    queue->dropped_told = dropped;
  }
  atomic_store_explicit(&queue->tail, tail, memory_order_release);
  writer->events += taken;
  return taken;
}

void rota__writer_homeless(struct rota_writer *writer, uint64_t homeless) {
  if (homeless == writer->homeless_told)
    return;
  put_dropped(writer, 0, homeless - writer->homeless_told);
  writer->homeless_told = homeless;
}

void rota__writer_still_running(struct rota_writer *writer, int thread_id, const struct rota_event *call) {
  struct rota_json *json = &writer->json;
  const char *phase = rota__describe_phase(call->phase);
  put_names(writer);
  if (call->address != NULL)
    symbol_of(writer, call->address);
  put_head(writer, 'i', (uint64_t)thread_id);
  put_time(writer, call->at_ns + call->duration_ns);
  rota__json_literal(json, ",\"s\":\"t\",\"cat\":\"rota\",\"name\":\"still running\",\"args\":{\"call\":");
  put_call_name(writer, call);
  rota__json_literal(json, ",\"for_us\":");
  rota__json_number(json, call->duration_ns / NS_PER_US);
  rota__json_literal(json, ",\"phase\":");
  rota__json_string(json, phase);
  put_name_place(json, call->name);
  rota__json_literal(json, "}}");
}

void rota__writer_still_waiting(struct rota_writer *writer, int thread_id, uint64_t since_ns, uint64_t now_ns) {
  uint64_t begin_ns = since_ns < writer->start_ns ? writer->start_ns : since_ns;
  put_head(writer, 'i', (uint64_t)thread_id);
  put_time(writer, now_ns);
  rota__json_literal(&writer->json, ",\"s\":\"t\",\"cat\":\"rota\",\"name\":\"still waiting\",\"args\":{\"for_us\":");
  rota__json_number(&writer->json, (now_ns - begin_ns) / NS_PER_US);
  rota__json_literal(&writer->json, "}}");
}

void rota__writer_end(struct rota_writer *writer) {
  writer->ends = true;
  if (writer->is_whole && !writer->failed) {
    write_whole(writer);
    writer->json.length = 0;
    return;
  }
  put_end(writer);
  rota__json_literal(&writer->json, "\n]\n");
  rota__writer_flush(writer);
}
