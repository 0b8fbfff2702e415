#include "observe/name/describe.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loop/os/file.h"
#include "loop/os/process.h"

/* Without memory, it goes out word by word. */
void rota__report_begin(struct rota_report *report, FILE *to) {
  *report = (struct rota_report){.to = to};
  report->stream = open_memstream(&report->text, &report->length);
  if (report->stream == NULL)
    report->stream = to;
}

/* Names of files and functions are the program's, or those of who sends it requests: a terminal is not to obey them. */
static void disarm(char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    unsigned char byte = (unsigned char)text[i], before = i > 0 ? (unsigned char)text[i - 1] : 0;
    bool is_control = byte < ' ' ? byte != '\n' && byte != '\t' : byte == 0x7f;
    bool is_second = before == 0xc2 && byte >= 0x80 && byte < 0xa0; /* in UTF-8, the others have two bytes */
    if (is_second)
      text[i - 1] = '?';
    if (is_control || is_second)
      text[i] = '?';
  }
}

void rota__report_end(struct rota_report *report) {
  if (report->stream != report->to && fclose(report->stream) == 0) {
    disarm(report->text, report->length);
    fwrite(report->text, 1, report->length, report->to);
  }
  fflush(report->to);
  free(report->text);
}

/* Code of a program in JavaScript follows: node -e 'f("a/b")'. */
static bool is_before_code(const char *word) {
  static const char *const options[] = {"-e", "-p", "-pe", "--eval", "--print"};
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
    if (strcmp(word, options[i]) == 0)
      return true;
  return false;
}

/* Node adds the ending. */
static bool is_file(const char *word) {
  char path[512];
  int length = snprintf(path, sizeof(path), "%s.js", word);
  return rota__os_access(word, F_OK) == 0 || (length < (int)sizeof(path) && rota__os_access(path, F_OK) == 0);
}

/* The first argument that is a file's name. No other is told: it may be a password. */
static const char *script_of(const char *command, size_t length) {
  for (size_t i = strlen(command) + 1; i < length; i += strlen(command + i) + 1) {
    const char *word = command + i;
    if (is_before_code(word))
      return NULL;
    if (word[0] == '-' || strpbrk(word, " \t\n;") != NULL || strpbrk(word, "./") == NULL || !is_file(word))
      continue;
    const char *slash = strrchr(word, '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : word;
  }
  return NULL;
}

void rota__process_label(char *label, size_t size) {
  char command[2048];
  ssize_t length = rota__os_command_line(command, sizeof(command));
  const char *script = length > 0 ? script_of(command, (size_t)length) : NULL;
  snprintf(label, size, "%s%s%.100s", rota__os_program_name(), script != NULL ? " " : "", script != NULL ? script : "");
}
