/* What the lines of a trace are made of: heads, times, names. Each line begins with rota__writer_put_head or
 * rota__writer_put_span, which make room for it. */
#ifndef ROTA_TRACE_WRITER_PARTS_H
#define ROTA_TRACE_WRITER_PARTS_H

#include "observe/trace/writer.h"

static inline void rota__writer_make_room(struct rota_writer *writer) {
  if (writer->json.length > ROTA_JSON_SIZE - ROTA_JSON_ROOM)
    rota__writer_flush(writer);
}

static inline void rota__writer_put_time(struct rota_writer *writer, uint64_t at_ns) {
  rota__json_literal(&writer->json, ",\"ts\":");
  rota__json_microseconds(&writer->json, at_ns > writer->start_ns ? at_ns - writer->start_ns : 0);
}

void rota__writer_put_head(struct rota_writer *writer, char phase, uint64_t track);
/* The head and the times of an event that lasts. */
void rota__writer_put_span(struct rota_writer *writer, uint64_t track, const struct rota_event *event);
void rota__writer_put_thread_name(struct rota_writer *writer, uint64_t track, const char *name, uint64_t order);
/* The name of the function at an address, as a JSON string. A line with its library is written when it first appears:
 * before the line that shows the name is begun. */
const struct rota_writer_symbol *rota__writer_symbol(struct rota_writer *writer, const void *address);
/* Names that were not told yet: a line for each. */
void rota__writer_put_names(struct rota_writer *writer);
/* The name that the embedder gave, or the function's. */
void rota__writer_put_call_name(struct rota_writer *writer, const void *function, uint32_t name);
void rota__writer_put_place(struct rota_json *json, const char *file, int line);
void rota__writer_put_name_place(struct rota_json *json, uint32_t name);

/* In writer_events.c: an event of any kind. */
void rota__writer_put_event(struct rota_writer *writer, uint64_t track, const struct rota_event *event);

#endif
