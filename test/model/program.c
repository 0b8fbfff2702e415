/* Programs: made from a seed, written down and read as text. */
#include "model.h"
#include "steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void nothing(const struct step *step) {
  (void)step;
}

/* These are no steps that are performed inside of a callback: round.c looks for them. */
static const struct op ops[] = {
    {"round", 16, nothing},
    {"fork", 1, nothing},
    {"order", 4, nothing},
    {"react", 14, step_react},
    {"close", 6, step_close},
    {"timer", 6, step_timer},
    {"timer_again", 3, step_timer_again},
    {"timer_stop", 2, step_timer_stop},
    {"link", 12, step_link},
    {"connect_nowhere", 1, step_connect_nowhere},
    {"write", 16, step_write},
    {"try_write", 5, step_try_write},
    {"shutdown", 5, step_shutdown},
    {"read_start", 8, step_read_start},
    {"read_stop", 5, step_read_stop},
    {"reset", 2, step_reset},
    {"async", 4, step_async},
    {"async_send", 7, step_async_send},
    {"work", 3, step_work},
    {"udp", 5, step_udp},
    {"udp_send", 9, step_udp_send},
    {"udp_switch", 2, step_udp_switch},
    {"signal", 4, step_signal},
    {"signal_stop", 1, step_signal_stop},
    {"raise", 4, step_raise},
    {"child", 1, step_child},
    {"poll", 4, step_poll},
    {"poll_send", 6, step_poll_send},
    {"files", 6, step_files},
    {"file_reads", 1, step_file_reads},
    {"fifo", 1, step_fifo},
    {"hand_over", 5, step_hand_over},
};
enum { OPS = sizeof(ops) / sizeof(*ops) };

static const char *without = "";

void program_without(const char *names) {
  without = names;
}

bool program_allows(const char *name) {
  size_t length = strlen(name);
  for (const char *at = without; (at = strstr(at, name)) != NULL; at += length)
    if ((at == without || at[-1] == ',') && (at[length] == '\0' || at[length] == ','))
      return false;
  return true;
}

bool op_is(const struct step *step, const char *name) {
  return strcmp(step->op->name, name) == 0;
}

void perform(const struct step *step) {
  if (!program_allows(step->op->name))
    return;
  world.step = step;
  world.next_part = 0;
  step->op->perform(step);
  world.step = NULL;
}

static const struct op *choose(uint64_t number) {
  int sum = 0;
  for (int i = 0; i < OPS; i++)
    sum += ops[i].weight;
  int at = (int)(number % (uint64_t)sum);
  int i = 0;
  while (at >= ops[i].weight)
    at -= ops[i++].weight;
  return &ops[i];
}

/* The first steps make things, so that the others find some. */
void program_generate(struct program *program, uint64_t seed) {
  uint64_t state = mix(seed * 0x100000001b3u + 17);
  program->count = 6 + (int)(state % (STEPS_MAX - 8));
  for (int i = 0; i < program->count; i++) {
    struct step *step = &program->steps[i];
    state = mix(state);
    step->id = i;
    step->op = i == 0 ? &ops[0] : choose(state);
    state = mix(state);
    step->a = (int)(state % ARGUMENT_MAX);
    step->b = (int)((state >> 16) % ARGUMENT_MAX);
    step->c = (int)((state >> 32) % ARGUMENT_MAX);
  }
}

static const struct op *op_named(const char *name, size_t length) {
  for (int i = 0; i < OPS; i++)
    if (strlen(ops[i].name) == length && memcmp(ops[i].name, name, length) == 0)
      return &ops[i];
  return NULL;
}

bool program_parse(struct program *program, const char *text) {
  program->count = 0;
  while (*text != '\0' && program->count < STEPS_MAX) {
    struct step *step = &program->steps[program->count];
    int name = 0, name_end = 0, end = 0;
    if (sscanf(text, "%d:%n%*[a-z_]%n %d %d %d%n", &step->id, &name, &name_end, &step->a, &step->b, &step->c, &end) !=
            4 ||
        end == 0)
      return false;
    step->op = op_named(text + name, (size_t)(name_end - name));
    if (step->op == NULL)
      return false;
    program->count++;
    text += end;
    text += strspn(text, "; \n");
  }
  return *text == '\0';
}

void program_print(const struct program *program, struct text *text) {
  for (int i = 0; i < program->count; i++) {
    const struct step *step = &program->steps[i];
    text_add(text, "%s%d:%s %d %d %d", i == 0 ? "" : ";", step->id, step->op->name, step->a, step->b, step->c);
  }
}
