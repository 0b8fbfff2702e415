/* Events as Chrome's JSON trace events (an array, which a reader accepts without its end).
 *
 * The tracks: each thread has its own, with its waits, callbacks, ticks and jobs; each loop has two more, its
 * iterations and its phases. What does not change (the library of a function, the line of a name) is told once, as
 * metadata. */
#ifndef ROTA_TRACE_WRITER_H
#define ROTA_TRACE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "observe/trace/compact.h"
#include "observe/trace/event_queue.h"

/* A text buffer of fixed size for a file, with fast functions that append numbers and strings.
 *
 * The caller must check the room first: no single append is longer than ROTA_JSON_ROOM, and long strings are cut. */

enum { ROTA_JSON_SIZE = 256 * 1024, ROTA_JSON_ROOM = 8192, ROTA_JSON_END_ROOM = 256, ROTA_JSON_STRING_MAX = 1000 };

struct rota_json {
  size_t length;
  char text[ROTA_JSON_SIZE + ROTA_JSON_END_ROOM];
};

static inline void rota__json_put(struct rota_json *json, const char *text, size_t length) {
  memcpy(json->text + json->length, text, length);
  json->length += length;
}

/* For string literals: the length is known when it is compiled. */
#define rota__json_literal(json, text) rota__json_put(json, text, sizeof(text) - 1)

void rota__json_number(struct rota_json *json, uint64_t number);
void rota__json_signed(struct rota_json *json, int64_t number);
void rota__json_microseconds(struct rota_json *json, uint64_t ns); /* with three decimals */
void rota__json_string(struct rota_json *json, const char *text);  /* quoted and escaped */
void rota__json_hex(struct rota_json *json, uint64_t number);      /* quoted: "0x12" */

/* The writer. */

enum { ROTA_WRITER_SYMBOLS = 4096, ROTA_WRITER_PIECES = 2048, ROTA_WRITER_TRACKS = 8, ROTA_WRITER_CALLS = 1 << 16 };

struct rota_writer_symbol {
  const void *address;
  uint16_t length;
  char quoted[126]; /* the JSON string */
};

/* Most events differ from an earlier one only in their times: the common part is kept as text. */
struct rota_writer_piece {
  const void *address;
  uint32_t name;
  uint32_t what; /* phase, type and flags */
  uint32_t length;
  char text[300];
};

struct rota_writer_track {
  uint64_t track;
  uint32_t length;
  char text[68];
};

/* Where an arrow may begin: inside of a callback that was written. */
struct rota_writer_call {
  uint32_t number;
  uint32_t track;
  uint64_t at_ns;
};

struct rota_writer {
  int fd;
  bool failed;
  bool is_whole; /* a file whose events are followed by the array's end at all times; the next event overwrites it */
  bool ends;     /* the line that says so follows, too */
  int64_t events_end, file_end; /* positions in that file */
  struct rota_compact *compact; /* null: the file is JSON */
  uint64_t start_ns;            /* times are from here */
  int process_id;
  uint32_t loops_named;   /* a bit for each of the first loops whose tracks have names */
  uint32_t names_written; /* names up to this number have been told */
  uint64_t unqueued_written;
  uint64_t events;
  uint64_t dropped;
  uint64_t arrows;
  struct rota_writer_symbol symbols[ROTA_WRITER_SYMBOLS]; /* by address; a new entry replaces the old one */
  struct rota_writer_piece pieces[ROTA_WRITER_PIECES];
  struct rota_writer_track tracks[ROTA_WRITER_TRACKS];
  struct rota_writer_call calls[ROTA_WRITER_CALLS]; /* by number; a newcomer takes the place */
  char text[ROTA_EVENT_TEXT_MAX + 1];               /* what the next job or operation is about */
  size_t text_length;
  uint32_t stack[ROTA_EVENT_SAMPLE_MAX]; /* of a sample, as far as it has come */
  unsigned int stack_count;
  struct rota_json json;
};

/* Before it begins: in the compact form, in a file of at most so many bytes, or 0. UV_ENOMEM. Ended by free_compact. */
int rota__writer_be_compact(struct rota_writer *writer, uint64_t limit);
void rota__writer_free_compact(struct rota_writer *writer);
void rota__writer_begin(struct rota_writer *writer);
/* Writes the events of the queue. Returns how many. */
uint32_t rota__writer_take(struct rota_writer *writer, struct rota_event_queue *queue);
/* Writes those events of the queue that ended at or after this time, and leaves them there: the black box. */
uint32_t rota__writer_copy(struct rota_writer *writer, const struct rota_event_queue *queue, uint64_t since_ns);
void rota__writer_put_unqueued(struct rota_writer *writer, uint64_t unqueued);
/* A callback, or a wait, that has been going on for a while, in case its end is never recorded. */
void rota__writer_still_running(struct rota_writer *writer, int thread_id, const struct rota_event *call);
void rota__writer_still_waiting(struct rota_writer *writer, int thread_id, uint64_t since_ns, uint64_t now_ns);
/* All is written, and that it is. A file that is whole may be continued. */
void rota__writer_end(struct rota_writer *writer);
void rota__writer_flush(struct rota_writer *writer);
/* The same, and what was written is in the file. */
void rota__writer_finish(struct rota_writer *writer);

/* What the lines of a trace are made of: heads, times, names. Each line begins with rota__writer_put_head or
 * rota__writer_put_span, which make room for it. */

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
