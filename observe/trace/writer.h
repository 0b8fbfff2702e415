/* Events as Chrome's JSON trace events (an array, which a reader accepts without its end).
 *
 * The tracks: each thread has its own, with its waits, callbacks, ticks and jobs; each loop has two more, its
 * iterations and its phases. What does not change (the library of a function, the line of a name) is told once, as
 * metadata. */
#ifndef ROTA_TRACE_WRITER_H
#define ROTA_TRACE_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "observe/trace/event_queue.h"
#include "observe/trace/json.h"

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
  uint64_t start_ns;            /* times are from here */
  int process_id;
  uint32_t loops_told; /* a bit for each of the first loops whose tracks have names */
  uint32_t names_told; /* names up to this number have been told */
  uint64_t homeless_told;
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

void rota__writer_begin(struct rota_writer *writer);
/* Writes the events of the queue. Returns how many. */
uint32_t rota__writer_take(struct rota_writer *writer, struct rota_event_queue *queue);
/* Writes those events of the queue that ended at or after this time, and leaves them there: the black box. */
uint32_t rota__writer_copy(struct rota_writer *writer, const struct rota_event_queue *queue, uint64_t since_ns);
void rota__writer_homeless(struct rota_writer *writer, uint64_t homeless);
/* A callback, or a wait, that has been going on for a while, in case its end is never recorded. */
void rota__writer_still_running(struct rota_writer *writer, int thread_id, const struct rota_event *call);
void rota__writer_still_waiting(struct rota_writer *writer, int thread_id, uint64_t since_ns, uint64_t now_ns);
/* All is written, and that it is. A file that is whole may be continued. */
void rota__writer_end(struct rota_writer *writer);
void rota__writer_flush(struct rota_writer *writer);

#endif
