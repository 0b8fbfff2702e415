#include "observe/trace/writer.h"

#include <stdio.h>

#include "observe/name/describe.h"
#include "observe/name/symbol.h"

void rota__writer_put_head(struct rota_writer *writer, char phase, uint64_t track) {
  struct rota_json *json = &writer->json;
  rota__writer_make_room(writer);
  rota__json_literal(json, ",\n{\"ph\":\"");
  rota__json_put(json, &phase, 1);
  rota__json_literal(json, "\",\"pid\":");
  rota__json_number(json, (uint64_t)writer->process_id);
  rota__json_literal(json, ",\"tid\":");
  rota__json_number(json, track);
}

/* The head of a span with its key of time, from the last one of this track. */
static void put_span_head(struct rota_writer *writer, uint64_t track) {
  struct rota_writer_track *kept = &writer->tracks[track % ROTA_WRITER_TRACKS];
  struct rota_json *json = &writer->json;
  if (kept->track == track && kept->length != 0) {
    rota__writer_make_room(writer);
    rota__json_put(json, kept->text, kept->length);
    return;
  }
  rota__writer_put_head(writer, 'X', track);
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

void rota__writer_put_span(struct rota_writer *writer, uint64_t track, const struct rota_event *event) {
  uint64_t lost_ns = event->at_ns < writer->start_ns ? writer->start_ns - event->at_ns : 0; /* begun before the trace */
  put_span_head(writer, track);
  rota__json_microseconds(&writer->json, lost_ns > 0 ? 0 : event->at_ns - writer->start_ns);
  rota__json_literal(&writer->json, ",\"dur\":");
  rota__json_microseconds(&writer->json, event->duration_ns > lost_ns ? event->duration_ns - lost_ns : 0);
}

void rota__writer_put_thread_name(struct rota_writer *writer, uint64_t track, const char *name, uint64_t order) {
  struct rota_json *json = &writer->json;
  rota__writer_put_head(writer, 'M', track);
  rota__json_literal(json, ",\"name\":\"thread_name\",\"args\":{\"name\":");
  rota__json_string(json, name);
  rota__json_literal(json, "}}");
  rota__writer_put_head(writer, 'M', track);
  rota__json_literal(json, ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":");
  rota__json_number(json, order);
  rota__json_literal(json, "}}");
}

const struct rota_writer_symbol *rota__writer_symbol(struct rota_writer *writer, const void *address) {
  struct rota_writer_symbol *place = &writer->symbols[((uintptr_t)address >> 2) % ROTA_WRITER_SYMBOLS];
  if (place->address == address && place->length != 0)
    return place;
  const struct rota_symbol *symbol = rota__symbol_find(address);
  struct rota_json *json = &writer->json;
  rota__writer_put_head(writer, 'M', 0);
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

void rota__writer_put_names(struct rota_writer *writer) {
  const struct rota_name_entry *entry;
  struct rota_json *json = &writer->json;
  while ((entry = rota__name_find(writer->names_written + 1)) != NULL) {
    writer->names_written++;
    rota__writer_put_head(writer, 'M', 0);
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

void rota__writer_put_call_name(struct rota_writer *writer, const void *function, uint32_t name) {
  const struct rota_name_entry *entry = rota__name_find(name);
  if (entry != NULL) {
    rota__json_string(&writer->json, entry->function);
  } else if (function == NULL) {
    rota__json_literal(&writer->json, "\"(outside of any callback)\"");
  } else {
    const struct rota_writer_symbol *symbol =
        &writer->symbols[((uintptr_t)function >> 2) % ROTA_WRITER_SYMBOLS]; /* met by symbol_of just before */
    rota__json_put(&writer->json, symbol->quoted, symbol->length);
  }
}

void rota__writer_put_place(struct rota_json *json, const char *file, int line) {
  rota__json_literal(json, ",\"file\":");
  rota__json_string(json, file);
  rota__json_literal(json, ",\"line\":");
  rota__json_signed(json, line);
}

void rota__writer_put_name_place(struct rota_json *json, uint32_t name) {
  const struct rota_name_entry *entry = rota__name_find(name);
  if (entry != NULL && entry->file[0] != '\0')
    rota__writer_put_place(json, entry->file, entry->line);
}
