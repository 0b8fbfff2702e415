/* Which blocks are told, and in which form.
 *
 * In words and without a limit, the same callback is told the first, second, fourth, eighth time: that is for a person
 * who reads. With a limit, and as JSON, each block is told, up to so many in a time; the others are counted. */
#include <stdlib.h>

#include "loop/base/units.h"
#include "loop/os/socket.h"
#include "observe/name/describe.h"
#include "observe/watch/block.h"
#include "settings/setting.h"

static const char usual_limit[] = "60/minute";

static struct {
  bool json, native_frames;
  const char *limit; /* null: none, see above */
  const char *to;    /* null: nobody */
  bool has_failed;   /* it was told that an alert was lost */
  struct rota_rate rate;
  uint64_t window_ns; /* when the first of those began that are counted together */
  uint64_t told;      /* in this window */
  struct rota_left_out left_out;
} state;

void rota__tell_set(bool json, bool native_frames, const char *limit, const char *to) {
  state.json = json;
  state.native_frames = native_frames;
  state.to = to;
  state.limit = limit != NULL ? limit : json || to != NULL ? usual_limit : NULL;
  if (state.limit != NULL && !rota__setting_read_rate(state.limit, &state.rate))
    state.limit = NULL;
}

bool rota__tell_wants(uint64_t times, uint64_t now_ns) {
  if (state.limit == NULL)
    return (times & (times - 1)) == 0;
  if (state.told == 0)
    state.window_ns = now_ns;
  if (state.told < state.rate.count) {
    state.told++;
    return true;
  }
  state.left_out.count++;
  return false;
}

bool rota__tell_has_limit(void) {
  return state.limit != NULL;
}

/* The other process may be gone, or have no room: the service does not wait. */
static void hand_over(const struct rota_block *block) {
  char *text = NULL;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  if (stream == NULL)
    return;
  rota__block_print_json(block, state.native_frames, stream);
  fclose(stream);
  int err = text == NULL ? UV_ENOMEM : rota__os_local_send(state.to, text, length);
  free(text);
  if (err < 0 && !state.has_failed)
    fprintf(stderr, "rota: watchdog: a block cannot be handed to --exec or --post: %s\n", uv_strerror(err));
  state.has_failed = err < 0;
}

void rota__tell(const struct rota_block *block) {
  if (state.to != NULL && block->event != ROTA_BLOCK_BEGAN)
    hand_over(block);
  struct rota_report whole;
  rota__report_begin(&whole, stderr);
  (state.json ? rota__block_print_json : rota__block_print)(block, state.native_frames, whole.stream);
  rota__report_end(&whole);
}

void rota__tell_count(uint64_t took_ns) {
  state.left_out.sum_ns += took_ns;
  if (took_ns > state.left_out.worst_ns)
    state.left_out.worst_ns = took_ns;
}

void rota__tell_left_out(uint64_t now_ns, bool is_end) {
  struct rota_report whole;
  bool is_over = state.told > 0 && now_ns - state.window_ns >= (uint64_t)state.rate.seconds * NS_PER_SECOND;
  if (state.limit == NULL || (!is_over && !is_end))
    return;
  state.told = 0;
  if (state.left_out.count == 0)
    return;
  rota__report_begin(&whole, stderr);
  (state.json ? rota__block_print_left_out_json : rota__block_print_left_out)(&state.left_out, state.limit,
                                                                              whole.stream);
  rota__report_end(&whole);
  state.left_out = (struct rota_left_out){0};
}
