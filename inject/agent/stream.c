/* What was recorded goes to the command, which writes the file: the service needs no room on a disk, and nothing of its
 * own waits for one. On the session's thread. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "inject/agent/agent.h"

enum {
  SEND_NS = 20 * AGENT_NS_PER_MS,
  EVENTS_MAX = AGENT_PACKET_MAX / sizeof(struct agent_event),
  LAST_MS = 1000 /* for the command to take the rest */
};

/* False: there is no room now, or the command is gone, which the thread finds out by itself. */
static bool send_packet(int fd, const char *packet, size_t length) {
  return send(fd, packet, length, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0;
}

static bool send_names(struct agent *agent, struct agent_stream *stream) {
  char packet[AGENT_PACKET_MAX + 1] = "n";
  for (;;) {
    size_t length = 1;
    uint32_t number = stream->names_sent;
    const char *function, *file;
    struct agent_name_head head;
    while ((function = agent_name_get(agent->names, number + 1, &head.line, &file)) != NULL) {
      size_t first = strlen(function) + 1, second = strlen(file) + 1;
      if (length + sizeof head + first + second > AGENT_PACKET_MAX)
        break;
      head.number = ++number;
      memcpy(packet + length, &head, sizeof head);
      memcpy(packet + length + sizeof head, function, first);
      memcpy(packet + length + sizeof head + first, file, second);
      length += sizeof head + first + second;
    }
    if (length == 1)
      return true;
    if (!send_packet(agent->fd, packet, length))
      return false;
    stream->names_sent = number;
  }
}

/* Names first: the events that are there have no others. */
static bool send_events(struct agent *agent, struct agent_stream *stream) {
  char packet[AGENT_PACKET_MAX + 1] = "e";
  struct agent_record *record = &agent->record;
  uint32_t tail = atomic_load_explicit(&record->tail, memory_order_relaxed);
  uint32_t head = atomic_load_explicit(&record->head, memory_order_acquire);
  if (!send_names(agent, stream))
    return false;
  while (tail != head) {
    uint32_t count = head - tail < EVENTS_MAX ? head - tail : EVENTS_MAX;
    for (uint32_t i = 0; i < count; i++)
      memcpy(packet + 1 + i * sizeof(struct agent_event), &record->ring[(tail + i) % AGENT_RING],
             sizeof(struct agent_event));
    if (!send_packet(agent->fd, packet, 1 + count * sizeof(struct agent_event)))
      return false;
    tail += count;
    atomic_store_explicit(&record->tail, tail, memory_order_release);
  }
  return true;
}

enum agent_stream_state agent_stream_begin(struct agent *agent, const char **refusal) {
  pthread_mutex_lock(&agent_lock);
  bool is_answered = agent->record.is_answered;
  *refusal = agent->record.refusal;
  pthread_mutex_unlock(&agent_lock);
  return !is_answered ? AGENT_STREAM_WAITS : *refusal != NULL ? AGENT_STREAM_REFUSED : AGENT_STREAM_RUNS;
}

enum agent_stream_state agent_stream_turn(struct agent *agent, struct agent_stream *stream, uint64_t now_ns) {
  const char *refusal;
  enum agent_stream_state state = agent_stream_begin(agent, &refusal);
  if (state != AGENT_STREAM_RUNS)
    return state;
  agent_sample_look(agent, now_ns);
  uint32_t waiting = atomic_load(&agent->record.head) - atomic_load(&agent->record.tail);
  if (now_ns < stream->sent_ns + SEND_NS && waiting < AGENT_RING / 4)
    return state;
  send_events(agent, stream);
  stream->sent_ns = now_ns;
  return state;
}

/* What runs, or waits, and has not ended. */
static void send_unfinished(struct agent *agent, uint64_t now_ns) {
  char packet[1 + 2 * sizeof(struct agent_event)] = "e";
  struct agent_record *record = &agent->record;
  uint32_t number = atomic_load_explicit(&record->now_number, memory_order_acquire);
  uint64_t since_ns = atomic_load_explicit(&record->now_ns, memory_order_acquire);
  uint64_t polls_ns = atomic_load(&record->polls_ns), dropped = atomic_load(&record->dropped);
  struct agent_event event = {.at_ns = number != 0 ? since_ns : polls_ns, .number = number, .kind = AGENT_EVENT_WAIT};
  struct agent_event lost = {.at_ns = now_ns, .kind = AGENT_EVENT_DROPPED, .dropped = dropped};
  size_t length = 1;
  event.duration_ns = now_ns > event.at_ns ? now_ns - event.at_ns : 0;
  if (number != 0) {
    event.kind = AGENT_EVENT_RUNNING;
    event.cause = atomic_load(&record->now_cause);
    event.phase = (uint8_t)agent_phase_of(event.cause);
  }
  if (event.at_ns != 0) {
    memcpy(packet + length, &event, sizeof event);
    length += sizeof event;
  }
  if (dropped > 0) {
    memcpy(packet + length, &lost, sizeof lost);
    length += sizeof lost;
  }
  if (length > 1)
    send_packet(agent->fd, packet, length);
}

void agent_stream_end(struct agent *agent, struct agent_stream *stream) {
  struct pollfd entry = {.fd = agent->fd, .events = POLLOUT};
  uint64_t until_ns = uv_hrtime() + (uint64_t)LAST_MS * AGENT_NS_PER_MS;
  atomic_store_explicit(&agent->wants_record, false, memory_order_release);
  send_unfinished(agent, uv_hrtime());
  while (!send_events(agent, stream) && uv_hrtime() < until_ns && (errno == EAGAIN || errno == EINTR))
    poll(&entry, 1, 10);
}
