#include "simulate/run_id.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/text.h"
#include "loop/os/process.h"
#include "settings/setting.h"

enum { COMMAND_MAX = 4096, OWN_COMMAND_MAX = 200, VARIABLE_MAX = 64, STARTED_MAX = 256 };

static const char variable[] = "ROTA_SCHEDULE_PLACE=";

static struct {
  pthread_once_t once;
  uint32_t number;
  char name[ROTA_RUN_ID_MAX];
  char command[OWN_COMMAND_MAX];
} own = {.once = PTHREAD_ONCE_INIT};

static struct {
  pthread_mutex_t lock;
  struct {
    uint32_t command;
    unsigned int count;
  } commands[STARTED_MAX];
  unsigned int used;
} started = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* FNV-1a of one argument. Digits do not count: numbers of ports and processes, and times, differ between runs.
 * Directories do not count either, so that a seed gives the same schedule in every copy of a program. */
static uint32_t mix(uint32_t hash, const char *word) {
  const char *slash = strrchr(word, '/');
  for (const char *c = slash != NULL ? slash + 1 : word; *c != '\0'; c++)
    if (*c < '0' || *c > '9')
      hash = (hash ^ (unsigned char)*c) * 16777619;
  return hash * 16777619; /* the word's end */
}

/* ---- this process ---- */

/* The program's name, and the arguments that are no options: children of a test runner have many options. */
static void format_command(const char *command, size_t length) {
  const char *slash = strrchr(command, '/');
  size_t used = rota__text_copy(own.command, OWN_COMMAND_MAX, slash != NULL ? slash + 1 : command);
  for (size_t i = strlen(command) + 1; i < length && used + 1 < OWN_COMMAND_MAX; i += strlen(command + i) + 1) {
    if (command[i] == '-')
      continue;
    own.command[used++] = ' ';
    used += rota__text_copy(own.command + used, OWN_COMMAND_MAX - used, command + i);
  }
  for (char *c = own.command; *c != '\0'; c++)
    *c = (unsigned char)*c < ' ' ? ' ' : *c; /* whether a char has a sign depends on the processor */
}

static void read_own(void) {
  char command[COMMAND_MAX];
  const char *given = rota__setting_text(ROTA_SETTING_SCHEDULE_PLACE);
  if (given == NULL)
    return;
  ssize_t result = rota__os_command_line(command, sizeof(command));
  size_t length = result > 0 ? (size_t)result : 0;
  uint32_t number = 2166136261;
  for (const char *c = given; *c != '\0'; c++)
    number = (number ^ (unsigned char)*c) * 16777619;
  for (size_t i = 0; i < length; i += strlen(command + i) + 1)
    number = mix(number, command + i);
  own.number = number == 0 ? 1 : number;
  snprintf(own.name, sizeof(own.name), "%08x", own.number);
  format_command(command, length);
}

const char *rota__run_id(void) {
  pthread_once(&own.once, read_own);
  return own.name;
}

uint64_t rota__run_id_number(void) {
  return rota__run_id()[0] == '\0' ? 0 : own.number;
}

const char *rota__run_id_command(void) {
  rota__run_id();
  return own.command;
}

/* ---- its children ---- */

/* How many processes with this command line were started before. Beyond STARTED_MAX different ones, they are
 * not counted. */
static unsigned int count_of(uint32_t command) {
  unsigned int i = 0, count = 0;
  pthread_mutex_lock(&started.lock);
  while (i < started.used && started.commands[i].command != command)
    i++;
  if (i == started.used && i < STARTED_MAX)
    started.commands[started.used++].command = command;
  if (i < started.used)
    count = started.commands[i].count++;
  pthread_mutex_unlock(&started.lock);
  return count;
}

static void write_variable(char text[VARIABLE_MAX], char *const *args) {
  uint32_t command = 2166136261;
  for (; args != NULL && *args != NULL; args++)
    command = mix(command, *args);
  snprintf(text, VARIABLE_MAX, "%s%s.%u", variable, rota__run_id_number() == 0 ? "first" : rota__run_id(),
           count_of(command));
}

char **rota__run_id_for_child(char *const *args, char *const *env) {
  size_t count = 0, kept = 0;
  while (env[count] != NULL)
    count++;
  /* The text stands behind the list, so that there is one block to free. */
  char **list = rota__malloc((count + 2) * sizeof(*list) + VARIABLE_MAX);
  if (list == NULL)
    return NULL;
  char *text = (char *)(list + count + 2);
  write_variable(text, args);
  for (size_t i = 0; i < count; i++)
    if (strncmp(env[i], variable, sizeof(variable) - 1) != 0)
      list[kept++] = env[i];
  list[kept++] = text;
  list[kept] = NULL;
  return list;
}
