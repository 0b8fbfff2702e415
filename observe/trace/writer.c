#include "observe/trace/writer.h"

#include "loop/base/units.h"
#include "loop/core/observe.h"
#include "loop/os/clock.h"
#include "loop/os/file.h"
#include "loop/os/process.h"
#include "observe/name/describe.h"
#include "rota.h"

/* ---- the file ---- */

/* The program goes on; but who waits for the file should learn that it is not whole. */
static void fail(struct rota_writer *writer, int err) {
  writer->failed = true;
  fprintf(stderr, "rota: trace: writing stopped: %s\n", uv_strerror(err));
}

/* At a position, if that is not negative. Returns how much was written. */
static size_t write_bytes(struct rota_writer *writer, const char *text, size_t length, int64_t position) {
  size_t done = 0;
  while (done < length && !writer->failed) {
    uv_buf_t rest = uv_buf_init((char *)(uintptr_t)text + done, (unsigned int)(length - done));
    ssize_t n = rota__os_write_at(writer->fd, &rest, 1, position < 0 ? -1 : position + (int64_t)done);
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
  if (write_bytes(writer, json->text, json->length, writer->events_end) == json->length) {
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
  if (writer->compact != NULL)
    rota__compact_put(writer->compact, json->text, json->length);
  else if (json->length > 0 && writer->is_whole && !writer->failed)
    write_whole(writer);
  else
    write_bytes(writer, json->text, json->length, -1);
  json->length = 0;
}

/* ---- the compact form: the lines pass through it, and come here as blocks ---- */

static void write_block(void *data, int64_t at, const char *bytes, size_t length) {
  struct rota_writer *writer = data;
  write_bytes(writer, bytes, length, writer->is_whole ? at : -1);
}

int rota__writer_be_compact(struct rota_writer *writer, uint64_t limit) {
  writer->compact = rota__compact_new(limit, write_block, writer);
  return writer->compact == NULL ? UV_ENOMEM : 0;
}

void rota__writer_free_compact(struct rota_writer *writer) {
  rota__compact_free(writer->compact);
  writer->compact = NULL;
}

void rota__writer_finish(struct rota_writer *writer) {
  rota__writer_flush(writer);
  if (writer->compact != NULL)
    rota__compact_flush(writer->compact);
}

/* ---- its lines ---- */

static void put_dropped(struct rota_writer *writer, uint64_t track, uint64_t count) {
  writer->dropped += count;
  rota__writer_put_head(writer, 'i', track);
  rota__writer_put_time(writer, rota__os_clock_ns());
  rota__json_literal(&writer->json, ",\"s\":\"t\",\"cat\":\"rota\",\"name\":\"dropped\",\"args\":{\"events\":");
  rota__json_number(&writer->json, count);
  rota__json_literal(&writer->json, "}}");
}

/* Tracks of threads without a loop come last. */
enum { THREADS_ORDER = 100000 };

/* "node app.js": viewers show it beside the process's name, and the page has it as its title. */
static void put_label(struct rota_writer *writer) {
  char label[256];
  rota__process_label(label, sizeof(label));
  rota__writer_put_head(writer, 'M', 0);
  rota__json_literal(&writer->json, ",\"name\":\"process_labels\",\"args\":{\"labels\":");
  rota__json_string(&writer->json, label);
  rota__json_literal(&writer->json, "}}");
}

void rota__writer_begin(struct rota_writer *writer) {
  struct rota_json *json = &writer->json;
  json->length = 0;
  if (writer->compact != NULL)
    rota__compact_begin(writer->compact, writer->process_id, writer->start_ns);
  rota__json_literal(json, "[{\"ph\":\"M\",\"name\":\"rota\",\"pid\":");
  rota__json_number(json, (uint64_t)writer->process_id);
  rota__json_literal(json, ",\"args\":{\"version\":\"" ROTA_VERSION_STRING "\",\"format\":1,\"start_ns\":");
  rota__json_number(json, writer->start_ns);
  rota__json_literal(json, "}}");
  rota__writer_put_head(writer, 'M', 0);
  rota__json_literal(json, ",\"name\":\"process_name\",\"args\":{\"name\":");
  rota__json_string(json, rota__os_program_name());
  rota__json_literal(json, "}}");
  put_label(writer);
  rota__writer_finish(writer);
}

/* A thread that runs a loop stands below that loop's tracks. */
static void put_thread(struct rota_writer *writer, const struct rota_event_queue *queue, uint32_t loop) {
  loop = loop == 0 && queue->thread_id == writer->process_id ? 1 : loop;
  rota__writer_put_thread_name(writer, (uint64_t)queue->thread_id, queue->thread_name,
                               loop > 0 ? loop * 3 : THREADS_ORDER);
}

uint32_t rota__writer_copy(struct rota_writer *writer, const struct rota_event_queue *queue, uint64_t since_ns) {
  struct rota_event event;
  uint32_t number, end, written = 0;
  rota__event_queue_span(queue, &number, &end);
  for (; number != end; number++) {
    if (!rota__event_queue_peek(queue, number, &event))
      continue;
    if (event.at_ns + event.duration_ns < since_ns)
      continue;
    if (written++ == 0)
      put_thread(writer, queue, event.loop);
    rota__writer_put_event(writer, (uint64_t)queue->thread_id, &event);
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
    rota__writer_put_event(writer, track, rota__event_queue_read(queue, tail));
    /* The read position is published now and then, so that the producer need not drop events. */
    if ((tail & 1023) == 0)
      atomic_store_explicit(&queue->tail, tail, memory_order_release);
  }
  uint64_t dropped = atomic_load_explicit(&queue->dropped, memory_order_relaxed);
  if (dropped != queue->dropped_written) {
    put_dropped(writer, track, dropped - queue->dropped_written);
    queue->dropped_written = dropped;
  }
  atomic_store_explicit(&queue->tail, tail, memory_order_release);
  writer->events += taken;
  return taken;
}

void rota__writer_put_unqueued(struct rota_writer *writer, uint64_t unqueued) {
  if (unqueued == writer->unqueued_written)
    return;
  put_dropped(writer, 0, unqueued - writer->unqueued_written);
  writer->unqueued_written = unqueued;
}

void rota__writer_still_running(struct rota_writer *writer, int thread_id, const struct rota_event *call) {
  struct rota_json *json = &writer->json;
  const char *phase = rota__describe_phase(call->phase);
  rota__writer_put_names(writer);
  if (call->call.function != NULL)
    rota__writer_symbol(writer, call->call.function);
  rota__writer_put_head(writer, 'i', (uint64_t)thread_id);
  rota__writer_put_time(writer, call->at_ns + call->duration_ns);
  rota__json_literal(json, ",\"s\":\"t\",\"cat\":\"rota\",\"name\":\"still running\",\"args\":{\"call\":");
  rota__writer_put_call_name(writer, call->call.function, call->call.name);
  rota__json_literal(json, ",\"for_us\":");
  rota__json_number(json, call->duration_ns / NS_PER_US);
  rota__json_literal(json, ",\"phase\":");
  rota__json_string(json, phase);
  rota__writer_put_name_place(json, call->call.name);
  rota__json_literal(json, "}}");
}

void rota__writer_still_waiting(struct rota_writer *writer, int thread_id, uint64_t since_ns, uint64_t now_ns) {
  uint64_t begin_ns = since_ns < writer->start_ns ? writer->start_ns : since_ns;
  rota__writer_put_head(writer, 'i', (uint64_t)thread_id);
  rota__writer_put_time(writer, now_ns);
  rota__json_literal(&writer->json, ",\"s\":\"t\",\"cat\":\"rota\",\"name\":\"still waiting\",\"args\":{\"for_us\":");
  rota__json_number(&writer->json, (now_ns - begin_ns) / NS_PER_US);
  rota__json_literal(&writer->json, "}}");
}

void rota__writer_end(struct rota_writer *writer) {
  writer->ends = true;
  if (writer->compact != NULL) {
    put_end(writer);
    rota__writer_finish(writer);
    return;
  }
  if (writer->is_whole && !writer->failed) {
    write_whole(writer);
    writer->json.length = 0;
    return;
  }
  put_end(writer);
  rota__json_literal(&writer->json, "\n]\n");
  rota__writer_flush(writer);
}
