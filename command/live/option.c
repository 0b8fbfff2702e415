#include "command/live/live.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 1 << 17, PORT_MAX = 65535 };

/* Options of Node whose value is the next word. An option that is not in this list ends the look too early, and then
 * what it forbids is found out later, by what Node answers. */
static const char *const with_word[] = {"-r",
                                        "--require",
                                        "--import",
                                        "-C",
                                        "--conditions",
                                        "-e",
                                        "--eval",
                                        "-p",
                                        "--print",
                                        "--loader",
                                        "--experimental-loader",
                                        "--title",
                                        "--env-file",
                                        "--test-name-pattern",
                                        "--inspect-port",
                                        "--debug-port"};

static bool takes_word(const char *option) {
  for (size_t i = 0; i < sizeof with_word / sizeof with_word[0]; i++)
    if (strcmp(option, with_word[i]) == 0)
      return true;
  return false;
}

/* Node takes `_` for `-` in the names of its options. */
static void copy_option(const char *word, char option[LIVE_WORD_SIZE]) {
  snprintf(option, LIVE_WORD_SIZE, "%s", word);
  for (char *at = option; *at != 0 && *at != '='; at++)
    if (*at == '_' && at > option + 1)
      *at = '-';
}

/* `next`: the word behind it, or empty. */
static void read_option(const char *word, const char *next, struct live_options *options) {
  static const char *const ports[] = {
      "--inspect-port=", "--debug-port=", "--inspect=", "--inspect-brk=", "--inspect-wait="};
  char option[LIVE_WORD_SIZE];
  copy_option(word, option);
  options->disables_signal |= strcmp(option, "--disable-sigusr1") == 0;
  options->refuses_addons |= strcmp(option, "--no-addons") == 0;
  options->has_permissions |= strcmp(option, "--permission") == 0 || strcmp(option, "--experimental-permission") == 0;
  options->allows_addons |= strcmp(option, "--allow-addons") == 0;
  if (strcmp(option, "--inspect-port") == 0 || strcmp(option, "--debug-port") == 0)
    snprintf(options->debug_port, sizeof options->debug_port, "%s", next);
  for (size_t i = 0; i < sizeof ports / sizeof ports[0]; i++)
    if (strncmp(option, ports[i], strlen(ports[i])) == 0)
      snprintf(options->debug_port, sizeof options->debug_port, "%s", option + strlen(ports[i]));
}

/* The value of a variable; null: it is not set. */
static char *find_variable(char *text, size_t length, const char *name) {
  size_t size = strlen(name);
  for (char *at = text; at < text + length; at += strlen(at) + 1)
    if (strncmp(at, name, size) == 0 && at[size] == '=')
      return at + size + 1;
  return NULL;
}

/* NODE_OPTIONS: words with spaces between; a quoted one is no option that is looked for. */
static void read_words(char *text, struct live_options *options) {
  char *rest = text;
  for (char *word = strtok_r(text, " ", &rest), *next; word != NULL; word = next) {
    next = strtok_r(NULL, " ", &rest);
    read_option(word, next != NULL ? next : "", options);
  }
}

static void read_environment(char *text, size_t length, struct live_options *options) {
  char *words = find_variable(text, length, "NODE_OPTIONS");
  if (words != NULL)
    read_words(words, options);
}

/* Its options end at the script. */
static void read_command_line(const char *text, size_t length, struct live_options *options) {
  bool is_value = true; /* the first word is the program */
  for (const char *at = text, *next; at < text + length; at = next) {
    char option[LIVE_WORD_SIZE];
    next = at + strlen(at) + 1;
    if (!is_value && (at[0] != '-' || strcmp(at, "--") == 0))
      return;
    if (!is_value)
      read_option(at, next < text + length ? next : "", options);
    copy_option(at, option);
    is_value = !is_value && takes_word(option);
  }
}

void live_options_read(pid_t process, struct live_options *options) {
  char *text = malloc(TEXT_MAX);
  *options = (struct live_options){0};
  if (text == NULL)
    return;
  ssize_t length = live_read_file(process, "environ", text, TEXT_MAX);
  if (length > 0)
    read_environment(text, (size_t)length, options);
  length = live_read_file(process, "cmdline", text, TEXT_MAX);
  if (length > 0)
    read_command_line(text, (size_t)length, options);
  free(text);
}

/* "port", "host:port" or "host". */
unsigned int live_options_port(const struct live_options *options) {
  const char *colon = strrchr(options->debug_port, ':'), *digits = colon != NULL ? colon + 1 : options->debug_port;
  char *end;
  unsigned long port = strtoul(digits, &end, 10);
  return *digits != 0 && *end == 0 && port <= PORT_MAX ? (unsigned int)port : LIVE_PORT;
}

/* ---- clusters ---- */

static bool is_worker_of(pid_t process, pid_t parent, char *text) {
  struct live_status status;
  if (!live_status_read(process, &status) || status.parent != parent)
    return false;
  ssize_t length = live_read_file(process, "environ", text, TEXT_MAX);
  return length > 0 && find_variable(text, (size_t)length, "NODE_UNIQUE_ID") != NULL;
}

pid_t live_find_cluster_worker(pid_t process) {
  char *text = malloc(TEXT_MAX);
  DIR *folder = text != NULL ? opendir("/proc") : NULL;
  pid_t worker = 0;
  for (struct dirent *entry = folder != NULL ? readdir(folder) : NULL; entry != NULL && worker == 0;
       entry = readdir(folder)) {
    bool is_process = isdigit((unsigned char)entry->d_name[0]) != 0;
    pid_t each = is_process ? (pid_t)strtol(entry->d_name, NULL, 10) : 0;
    if (each > 0 && is_worker_of(each, process, text))
      worker = each;
  }
  if (folder != NULL)
    closedir(folder);
  free(text);
  return worker;
}
