/* Bytes on their way: a writer puts them in, and a reader sees them a little later, in the same order. */
#include "loop/os/model/model.h"

#include <stdlib.h>
#include <string.h>

#include "loop/base/check.h"

enum { ARRIVALS = 32, ATTACHED = 16 };

struct rota_model_channel {
  char *bytes;
  size_t room, begin, length; /* of the array; what the reader has not taken */
  size_t capacity;
  size_t visible;
  uint64_t taken, put; /* since the beginning */
  uint64_t delay_max_ns;
  struct {
    uint64_t ns;
    size_t length;
  } arrivals[ARRIVALS]; /* of what is not visible yet, oldest first */
  int arrival_count;
  bool is_ending;
  uint64_t end_ns;
  struct {
    uint64_t at;
    struct rota_model_open *open;
  } attached[ATTACHED];
  int attached_count;
};

struct rota_model_channel *rota__model_channel(size_t capacity, uint64_t delay_max_ns) {
  struct rota_model_channel *channel = calloc(1, sizeof *channel);
  if (channel == NULL)
    abort();
  channel->capacity = capacity;
  channel->delay_max_ns = delay_max_ns;
  return channel;
}

void rota__model_channel_free(struct rota_model_channel *channel) {
  if (channel == NULL)
    return;
  for (int i = 0; i < channel->attached_count; i++)
    rota__model_drop_open(channel->attached[i].open);
  free(channel->bytes);
  free(channel);
}

static uint64_t arrival_of_next(const struct rota_model_channel *channel) {
  uint64_t ns = rota__model_now_ns();
  uint64_t most = rota__model_options()->delay_max_ns;
  if (channel->delay_max_ns < most)
    most = channel->delay_max_ns;
  if (most > 0)
    ns += rota__model_below(most);
  if (channel->arrival_count > 0 && channel->arrivals[channel->arrival_count - 1].ns > ns)
    ns = channel->arrivals[channel->arrival_count - 1].ns;
  return ns;
}

/* ---- the reader's side ---- */

size_t rota__model_channel_visible(struct rota_model_channel *channel) {
  int arrived = 0;
  while (arrived < channel->arrival_count && channel->arrivals[arrived].ns <= rota__model_now_ns())
    channel->visible += channel->arrivals[arrived++].length;
  channel->arrival_count -= arrived;
  memmove(channel->arrivals, channel->arrivals + arrived, (size_t)channel->arrival_count * sizeof channel->arrivals[0]);
  return channel->visible;
}

size_t rota__model_channel_held(const struct rota_model_channel *channel) {
  return channel->length;
}

uint64_t rota__model_channel_next_ns(const struct rota_model_channel *channel) {
  uint64_t now_ns = rota__model_now_ns();
  if (channel->arrival_count > 0 && channel->arrivals[0].ns > now_ns)
    return channel->arrivals[0].ns;
  return channel->is_ending && channel->end_ns > now_ns ? channel->end_ns : UINT64_MAX;
}

bool rota__model_channel_ended(const struct rota_model_channel *channel) {
  return channel->is_ending && channel->end_ns <= rota__model_now_ns();
}

size_t rota__model_channel_take(struct rota_model_channel *channel, const struct iovec *vector, int count,
                                size_t most) {
  size_t left = rota__model_channel_visible(channel), taken = 0;
  if (left > most)
    left = most;
  /* What comes with a later byte is not passed over. */
  if (channel->attached_count > 0 && channel->attached[0].at - channel->taken < left)
    left = (size_t)(channel->attached[0].at - channel->taken);
  for (int i = 0; i < count && left > 0; i++) {
    size_t n = vector[i].iov_len < left ? vector[i].iov_len : left;
    memcpy(vector[i].iov_base, channel->bytes + channel->begin, n);
    channel->begin += n;
    left -= n;
    taken += n;
  }
  channel->length -= taken;
  channel->visible -= taken;
  channel->taken += taken;
  if (channel->length == 0)
    channel->begin = 0;
  return taken;
}

struct rota_model_open *rota__model_channel_attached(struct rota_model_channel *channel) {
  if (channel->attached_count == 0 || channel->attached[0].at > channel->taken)
    return NULL;
  struct rota_model_open *open = channel->attached[0].open;
  channel->attached_count--;
  memmove(channel->attached, channel->attached + 1, (size_t)channel->attached_count * sizeof channel->attached[0]);
  return open;
}

/* ---- the writer's side ---- */

size_t rota__model_channel_room(const struct rota_model_channel *channel) {
  return channel->length < channel->capacity ? channel->capacity - channel->length : 0;
}

static void make_room(struct rota_model_channel *channel, size_t length) {
  if (channel->begin + channel->length + length <= channel->room)
    return;
  if (channel->begin > 0)
    memmove(channel->bytes, channel->bytes + channel->begin, channel->length);
  channel->begin = 0;
  if (channel->length + length <= channel->room)
    return;
  channel->room = 2 * (channel->length + length);
  channel->bytes = realloc(channel->bytes, channel->room);
  if (channel->bytes == NULL)
    abort();
}

static void note_arrival(struct rota_model_channel *channel, size_t length) {
  uint64_t ns = arrival_of_next(channel);
  if (channel->arrival_count == ARRIVALS) {
    channel->arrivals[ARRIVALS - 1].ns = ns;
    channel->arrivals[ARRIVALS - 1].length += length;
    return;
  }
  channel->arrivals[channel->arrival_count].ns = ns;
  channel->arrivals[channel->arrival_count].length = length;
  channel->arrival_count++;
}

size_t rota__model_channel_put(struct rota_model_channel *channel, const struct iovec *vector, int count, size_t most) {
  size_t left = rota__model_channel_room(channel), length = 0;
  if (left > most)
    left = most;
  make_room(channel, left);
  for (int i = 0; i < count && left > 0; i++) {
    size_t n = vector[i].iov_len < left ? vector[i].iov_len : left;
    memcpy(channel->bytes + channel->begin + channel->length, vector[i].iov_base, n);
    channel->length += n;
    left -= n;
    length += n;
  }
  channel->put += length;
  if (length > 0)
    note_arrival(channel, length);
  return length;
}

uint64_t rota__model_channel_mark(const struct rota_model_channel *channel) {
  return channel->put;
}

bool rota__model_channel_attaches(const struct rota_model_channel *channel) {
  return channel->attached_count < ATTACHED;
}

void rota__model_channel_attach(struct rota_model_channel *channel, struct rota_model_open *open, uint64_t at) {
  rota__check(channel->attached_count < ATTACHED);
  rota__model_keep(open);
  channel->attached[channel->attached_count].at = at;
  channel->attached[channel->attached_count].open = open;
  channel->attached_count++;
}

void rota__model_channel_end(struct rota_model_channel *channel) {
  if (channel->is_ending)
    return;
  channel->end_ns = arrival_of_next(channel);
  channel->is_ending = true;
}

bool rota__model_channel_is_ending(const struct rota_model_channel *channel) {
  return channel->is_ending;
}

/* ---- lengths ---- */

size_t rota__model_vector_size(const struct iovec *vector, int count) {
  size_t size = 0;
  for (int i = 0; i < count; i++)
    size += vector[i].iov_len;
  return size;
}

size_t rota__model_shorten(size_t length) {
  if (length < 2 || !rota__model_chance(rota__model_options()->shortened))
    return length;
  return 1 + rota__model_below(length - 1);
}
