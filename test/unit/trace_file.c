#include "trace_file.h"

#include <sys/wait.h>

void burn_ms(unsigned int ms) {
  volatile unsigned int spun = 0;
  uint64_t end_ns = uv_hrtime() + (uint64_t)ms * 1000000;
  while (uv_hrtime() < end_ns)
    for (unsigned int i = 0; i < 2000; i++) /* the kernel's code that reads the clock cannot be unwound on i386 */
      spun = i;
  (void)spun;
}

char *read_text(const char *path) {
  FILE *file = fopen(path, "r");
  size_t length = 0, capacity = 1 << 16;
  char *text = malloc(capacity);
  CHECK(text != NULL);
  while (file != NULL) {
    size_t n = fread(text + length, 1, capacity - length - 1, file);
    length += n;
    if (n == 0)
      break;
    if (capacity - length < 4096)
      CHECK((text = realloc(text, capacity *= 2)) != NULL);
  }
  if (file != NULL)
    fclose(file);
  text[length] = '\0';
  return text;
}

int count_in(const char *text, const char *part) {
  int count = 0;
  for (const char *found = strstr(text, part); found != NULL; found = strstr(found + 1, part))
    count++;
  return count;
}

static void copy_string(const char *line, const char *key, char *to, size_t size) {
  const char *from = strstr(line, key);
  size_t i = 0;
  if (from == NULL)
    return;
  for (from += strlen(key); *from != '"' && *from != '\0' && i + 1 < size; from++)
    to[i++] = *from;
  to[i] = '\0';
}

static double number_after(const char *line, const char *key, double otherwise) {
  const char *from = strstr(line, key);
  return from == NULL ? otherwise : strtod(from + strlen(key), NULL);
}

/* Braces balance, outside of strings, and the line is one object. */
static bool is_whole(const char *line) {
  int depth = 0;
  bool in_string = false;
  for (const char *c = line; *c != '\0'; c++) {
    if (in_string) {
      if (*c == '\\' && c[1] != '\0')
        c++;
      else if (*c == '"')
        in_string = false;
    } else if (*c == '"') {
      in_string = true;
    } else {
      depth += *c == '{' ? 1 : *c == '}' ? -1 : 0;
    }
  }
  return line[0] == '{' && depth == 0 && !in_string;
}

static void parse(struct trace_line *line) {
  CHECK(strstr(line->text, "\"pid\":") != NULL);
  line->phase = 0;
  const char *phase = strstr(line->text, "\"ph\":\"");
  CHECK(phase != NULL);
  line->phase = phase[6];
  copy_string(line->text, "\"name\":\"", line->name, sizeof(line->name));
  copy_string(line->text, "\"cat\":\"", line->category, sizeof(line->category));
  line->track = (long long)number_after(line->text, "\"tid\":", -1);
  line->at_us = number_after(line->text, "\"ts\":", -1);
  line->duration_us = number_after(line->text, "\"dur\":", 0);
  if (line->phase != 'M')
    CHECK(line->at_us >= 0);
}

void trace_read(const char *path, struct trace_text *trace) {
  char *text = read_text(path);
  size_t capacity = 16;
  memset(trace, 0, sizeof(*trace));
  CHECK(text[0] == '[');
  CHECK((trace->lines = malloc(capacity * sizeof(*trace->lines))) != NULL);
  char *next = text + 1;
  const char *text_end = text + strlen(text); /* once: a C library's strchr may look at the whole rest for each line */
  while (next != NULL && *next != '\0') {
    char *line = next;
    char *end = memchr(line, '\n', (size_t)(text_end - line));
    next = end == NULL ? NULL : end + 1;
    if (end != NULL)
      *end = '\0';
    size_t length = strlen(line);
    if (strcmp(line, "]") == 0) {
      trace->is_array = true;
      trace->ended = trace->count > 0 && strstr(trace->lines[trace->count - 1].text, "\"rota_end\"") != NULL;
      break;
    }
    if (length > 0 && line[length - 1] == ',')
      line[--length] = '\0';
    CHECK(length < LINE_MAX_LENGTH);
    if (end == NULL && !is_whole(line))
      break; /* the last one may be cut off */
    if (!is_whole(line))
      fprintf(stderr, "%s\n", line);
    CHECK(is_whole(line));
    if (trace->count == capacity)
      CHECK((trace->lines = realloc(trace->lines, (capacity *= 2) * sizeof(*trace->lines))) != NULL);
    struct trace_line *parsed = &trace->lines[trace->count++];
    memset(parsed, 0, sizeof(*parsed));
    memcpy(parsed->text, line, length + 1);
    parse(parsed);
  }
  free(text);
}

void trace_free(struct trace_text *trace) {
  free(trace->lines);
}

static bool is_like(const struct trace_line *line, const char *category, const char *name) {
  return (category == NULL || strcmp(line->category, category) == 0) && (name == NULL || strcmp(line->name, name) == 0);
}

const struct trace_line *trace_find(const struct trace_text *trace, const char *category, const char *name,
                                    size_t nth) {
  for (size_t i = 0; i < trace->count; i++)
    if (is_like(&trace->lines[i], category, name) && nth-- == 0)
      return &trace->lines[i];
  return NULL;
}

size_t trace_count(const struct trace_text *trace, const char *category, const char *name) {
  size_t count = 0;
  for (size_t i = 0; i < trace->count; i++)
    count += is_like(&trace->lines[i], category, name);
  return count;
}

double trace_number(const struct trace_line *line, const char *key) {
  char quoted[64];
  snprintf(quoted, sizeof(quoted), "\"%s\":", key);
  CHECK(line != NULL);
  CHECK(strstr(line->text, quoted) != NULL);
  return number_after(line->text, quoted, 0);
}

bool trace_has(const struct trace_line *line, const char *part) {
  return line != NULL && strstr(line->text, part) != NULL;
}

bool trace_is_inside(const struct trace_line *inner, const struct trace_line *outer) {
  return inner->at_us >= outer->at_us - 0.0005 &&
         inner->at_us + inner->duration_us <= outer->at_us + outer->duration_us + 0.002;
}

int run_helper(const char *environment, const char *name, const char *output) {
  char command[8192];
  snprintf(command, sizeof(command), "%s '%s' --helper %s >%s 2>&1", environment, test_program(), name, output);
  int status = system(command);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int output_has(const char *part) {
  char *text = read_text("out");
  int count = count_in(text, part);
  free(text);
  return count;
}
