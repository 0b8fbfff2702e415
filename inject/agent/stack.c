#include "inject/agent/agent.h"

#include <stdlib.h>
#include <string.h>

#include "inject/names/v8.h"

/* The expression by which the command came in (command/live/way.c). */
static const char own_script[] = "rota-attach";

static void print_frame(FILE *out, const struct names_frame *frame) {
  const char *file = frame->file[0] != 0 ? frame->file : "<anonymous>";
  if (frame->function[0] != 0)
    fprintf(out, "    at %s (%s:%d)\n", frame->function, file, frame->line);
  else
    fprintf(out, "    at %s:%d\n", file, frame->line);
}

/* From the innermost to the outermost of the program's own; what Node has around it is left out. */
char *agent_take_stack(const struct agent *agent, bool wants_inner) {
  napi_handle_scope scope;
  struct names_stack stack;
  char *text = NULL;
  size_t size;
  if (napi_open_handle_scope(agent->env, &scope) != NAPI_OK)
    return NULL;
  names_stack_take(&stack, agent->env, agent->isolate, NAMES_FRAMES);
  struct names_frame *frames = calloc((size_t)stack.count + 1, sizeof *frames);
  int first = 0, last = -1;
  for (int i = 0; frames != NULL && i < stack.count; i++) {
    names_stack_frame(&stack, i, &frames[i]);
    if (strcmp(frames[i].file, own_script) == 0)
      first = i + 1;
    else if (!frames[i].is_inner)
      last = i;
  }
  napi_close_handle_scope(agent->env, scope);
  if (last < 0 && wants_inner)
    last = stack.count - 1;
  FILE *out = frames != NULL && first <= last ? open_memstream(&text, &size) : NULL;
  for (int i = first; out != NULL && i <= last; i++)
    print_frame(out, &frames[i]);
  if (out != NULL)
    fclose(out);
  free(frames);
  return text;
}

/* ---- asked for by the thread ---- */

enum { LATE_NS = 20 * AGENT_NS_PER_MS, NOTE_SIZE = 120 };

/* Native code is not interrupted. When it has returned, V8 goes on until the next function is entered: that one is the
 * innermost then, and did not block. On a busy machine JavaScript is late, too. */
static char *mark_late(char *text, uint64_t late_ns) {
  char time[16], *longer = text != NULL ? malloc(NOTE_SIZE + strlen(text)) : NULL;
  if (longer != NULL)
    sprintf(longer, "    (seen %s after it was asked for; native code may have run until then)\n%s",
            agent_format_ns(late_ns, time, sizeof time), text);
  free(text);
  return longer;
}

/* V8 calls this in the midst of JavaScript, maybe long after it was asked for, when another session has begun: then it
 * is not what the thread wants to know. */
static void on_look(void *isolate, void *data) {
  (void)isolate;
  (void)data;
  struct agent *agent = agent_current(); /* this is the loop's thread: it does not go away meanwhile */
  pthread_mutex_lock(&agent_lock);
  bool is_right = agent != NULL && agent->look.is_wanted && !agent->look.is_answered &&
                  agent->look.beats == atomic_load_explicit(&agent->measure.beats, memory_order_relaxed);
  pthread_mutex_unlock(&agent_lock);
  if (!is_right)
    return;
  char *text = agent_take_stack(agent, true);
  uint64_t late_ns = uv_hrtime() - agent->look.asked_ns;
  if (late_ns > LATE_NS)
    text = mark_late(text, late_ns);
  pthread_mutex_lock(&agent_lock);
  free(agent->look.text);
  agent->look.text = text;
  agent->look.is_answered = text != NULL;
  pthread_mutex_unlock(&agent_lock);
}

void agent_look_ask(struct agent *agent) {
  free(agent_look_take(agent));
  agent->look.is_wanted = true;
  agent->look.asked_ns = uv_hrtime();
  agent->look.beats = atomic_load_explicit(&agent->measure.beats, memory_order_relaxed);
  if (agent->isolate != NULL)
    names_v8_interrupt(agent->isolate, on_look, NULL);
}

char *agent_look_take(struct agent *agent) {
  char *text = agent->look.text;
  agent->look = (struct agent_look){0};
  return text;
}
