/* Stacks within callbacks that take long: for the flames of a trace, and for the names of its callbacks.
 *
 * As in inject/names/sample.c: V8 takes a stack when it looks up from its work, after native code when that is over. An
 * answer that comes late counts only for functions that were there before and are there still. */
#include <string.h>

#include "inject/agent/agent.h"
#include "inject/names/v8.h"

enum { FIRST_NS = AGENT_NS_PER_MS, EVERY_NS = 5 * AGENT_NS_PER_MS, LATE_NS = 2 * AGENT_NS_PER_MS };

static unsigned int count_common(const struct agent_sample *last, const uint32_t *names, unsigned int count,
                                 uint64_t position) {
  unsigned int common = 0;
  while (common < last->count && common < count && last->names[common] == names[common])
    common++;
  bool is_same = common == count && common == last->count && last->position == position;
  if (common == count && !is_same)
    common--;
  return common > 0 ? common : 1; /* the outermost is what the loop has called */
}

static void put(struct agent_record *record, const uint32_t *names, unsigned int count) {
  uint64_t now_ns = uv_hrtime();
  for (unsigned int i = 0; i < count; i += AGENT_EVENT_NAMES) {
    unsigned int piece = count - i < AGENT_EVENT_NAMES ? count - i : AGENT_EVENT_NAMES;
    struct agent_event event = {.at_ns = now_ns, .kind = AGENT_EVENT_SAMPLE, .number = record->now.number};
    event.flags = (uint8_t)((i == 0 ? AGENT_EVENT_FIRST_PIECE : 0) | (i + piece == count ? AGENT_EVENT_LAST_PIECE : 0));
    memset(event.names, 0, sizeof event.names);
    memcpy(event.names, names + i, piece * sizeof names[0]);
    agent_record_put(record, &event);
  }
}

/* One callback of libuv's may call many functions: all timers that are due, all immediates, a listener and the ticks
 * after it. It has a name only as long as one of them was seen. */
static void take_name(struct agent_now *now, uint32_t function, uint32_t name) {
  if (now->function == 0) {
    now->function = function;
    now->name = name;
  } else if (now->function != function) {
    now->name = 0;
  }
}

static void tell(struct agent_record *record, const struct names_stack *stack) {
  uint32_t names[AGENT_SAMPLE_NAMES];
  struct agent_sample *last = &record->sample;
  unsigned int count = names_stack_names(stack, names, AGENT_SAMPLE_NAMES);
  uint64_t position = names_stack_position(stack);
  if (count == 0 || names[0] == 0)
    return;
  bool is_late = uv_hrtime() > atomic_load(&last->asked_ns) + LATE_NS;
  if (last->call != record->now.number)
    last->count = 0;
  uint32_t function = names_stack_without_line(stack, names[0]);
  if (is_late && last->count == 0)
    names[0] = function;
  take_name(&record->now, function, names[0]);
  if (is_late) {
    put(record, names, last->count > 0 ? count_common(last, names, count, position) : 1);
    return;
  }
  put(record, names, count);
  last->call = record->now.number;
  last->count = count;
  last->position = position;
  memcpy(last->names, names, count * sizeof names[0]);
}

/* V8 calls this in the midst of JavaScript, maybe in another callback than was meant, or in another session. */
static void on_sample(void *isolate, void *data) {
  struct agent *agent = agent_current();
  napi_handle_scope scope;
  struct names_stack stack;
  (void)isolate;
  (void)data;
  if (agent == NULL)
    return;
  struct agent_record *record = &agent->record;
  if (record->is_exchanged && record->now.number != 0 &&
      record->now.number == atomic_load(&record->sample.asked_call) &&
      napi_open_handle_scope(agent->env, &scope) == NAPI_OK) {
    names_stack_take(&stack, agent->env, agent->isolate, AGENT_SAMPLE_NAMES);
    tell(record, &stack);
    napi_close_handle_scope(agent->env, scope);
  }
  atomic_store(&record->sample.is_asked, false);
}

void agent_sample_look(struct agent *agent, uint64_t now_ns) {
  struct agent_record *record = &agent->record;
  struct agent_sample *sample = &record->sample;
  uint32_t number = atomic_load_explicit(&record->now_number, memory_order_acquire);
  uint64_t since_ns = atomic_load_explicit(&record->now_ns, memory_order_acquire);
  bool is_known = atomic_load(&sample->asked_call) == number;
  uint64_t from_ns = is_known ? atomic_load(&sample->asked_ns) : since_ns;
  if (number == 0 || now_ns < from_ns + (is_known ? EVERY_NS : FIRST_NS) || atomic_load(&sample->is_asked))
    return;
  atomic_store(&sample->asked_call, number);
  atomic_store(&sample->asked_ns, now_ns);
  atomic_store(&sample->is_asked, true);
  pthread_mutex_lock(&agent_lock);
  if (agent->isolate != NULL)
    names_v8_interrupt(agent->isolate, on_sample, NULL);
  pthread_mutex_unlock(&agent_lock);
}
