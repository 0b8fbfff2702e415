/* What the files of this room share: the table of commands, and the options that they have. */
#ifndef ROTA_COMMAND_INTERNAL_H
#define ROTA_COMMAND_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "command/command.h"
#include "command/program.h"
#include "settings/setting.h"

/* ---- option.c ---- */

enum command_option {
  COMMAND_OPTION_OUTPUT,
  COMMAND_OPTION_LIMIT,
  COMMAND_OPTION_THRESHOLD,
  COMMAND_OPTION_FORMAT,
  COMMAND_OPTION_AT_MOST,
  COMMAND_OPTION_NATIVE_FRAMES,
  COMMAND_OPTION_EXEC,
  COMMAND_OPTION_POST,
  COMMAND_OPTION_POST_HOST,
  COMMAND_OPTION_AFTER,
  COMMAND_OPTION_NAMES,
  COMMAND_OPTION_SAMPLES,
  COMMAND_OPTION_VIRTUAL_TIME,
  COMMAND_OPTION_ATTACH,
  COMMAND_OPTION_BLACK_BOX,
  COMMAND_OPTION_METRICS,
  COMMAND_OPTION_AS,
  COMMAND_OPTION_VERDICT,
  COMMAND_OPTION_OPEN,
  COMMAND_OPTION_COUNT
};

struct command_option_row {
  const char *name;
  const char *shown; /* behind the name, in the help; null: the help does not show it */
  enum rota_setting setting;
  unsigned int needs;     /* one of these options has a value, too (bits) */
  const char *needs_text; /* what to say if none has */
  bool names;             /* what runs in Node is named then, unless that was refused */
  const char *words;      /* of one without a setting: its values, as "text json"; null: it has none */
  const char *help;
};

extern const struct command_option_row command_options[COMMAND_OPTION_COUNT];

/* ---- command.c ---- */

/* A command for a program, or one that a function runs. */
struct command {
  const char *name;
  int (*run)(const struct command *command, int argc, char **argv); /* null: it is in JavaScript */
  unsigned int options;                                             /* those that the help shows (bits) */
  unsigned int more_options;                                        /* those that it takes, too */
  enum command_option own; /* with `value`: the option that has a value always */
  const char *value;       /* null: none has */
  enum rota_setting sets;  /* with `is_set`: the instrument that is switched on by 1 */
  bool is_set;
  bool takes_census; /* with handles and memory, and with where handles were made */
  bool is_tool_too;  /* without a program behind -- it is in JavaScript */
  bool runs_scripts; /* without -- it is a command of the runtime, for a script */
  bool only_tells;   /* the program is not started */
  const char *help;
  const char *examples;
};

/* All of them, from 0; null behind the last. */
const struct command *command_at(size_t index);
/* Null: there is none of this name. */
const struct command *command_find(const char *name);
int command_lacks_program(const char *name);

/* The values of a command's options. Null: it has none. */
struct command_values {
  const char *name; /* the command as the user typed it: rota timeline starts rota trace, and rota fuzz rota doctor */
  const char *of[COMMAND_OPTION_COUNT];
};

/* Where the program begins: behind --, or where the options end. */
int command_options_end(int argc, char **argv, const struct command *command);
/* False: an option is wrong, and a message says so. */
bool command_options_read(const struct command *command, int argc, char **argv, int end, struct command_values *values);
/* Sets the variables that the library reads. */
void command_options_apply(const struct command *command, const struct command_values *values);

/* ---- start.c, of which command/windows has another ---- */

/* The program and its arguments are at `arguments`. Only returns when it was not started; on Windows, when it has
 * ended. */
int command_start(const struct command *command, const struct command_values *values, char **arguments);

/* A name of a file from here on: the program may change its directory. False: it is too long. */
bool command_full_path(const char *name, char *path, size_t size);

/* The process that is started writes its trace under the name that was given, and its children add theirs. */
void command_trace_first(void);

/* ---- timeline.c: what stays while the program runs, and makes the pages of it ---- */

int command_timeline(const struct command *command, int argc, char **argv);

/* ---- alert.c: the process that calls a command or a URL for each block; post.c: the URL ---- */

/* Starts it, if there are such options, and tells the program's library where it is. False: that is not possible, and
 * a message says why. */
bool command_alerts_start(const struct command_values *values);

struct command_url {
  char host[256], port[6];
  const char *path; /* behind the port; may be empty */
  bool is_anywhere; /* its host need not be this machine */
};

/* False: a message says what is wrong with it. allowed_host: null if only this machine is allowed. */
bool command_url_read(const char *text, const char *allowed_host, struct command_url *url);
/* Posts a text as JSON; it may take some seconds. Returns null, or what went wrong. */
const char *command_url_post(const struct command_url *url, const char *text, size_t length);

/* ---- help.c ---- */

bool command_wants_help(int argc, char **argv, int end);
int command_print_usage(const struct command *command);
/* " (did you mean trace?)" and the like, if a command or an option is near. */
void command_print_nearest(const struct rota_nearest *nearest);

/* ---- doctor.c: rota doctor tells how a program would be run on librota, or why it cannot be ---- */

/* Prints. 0: it can be reached; else the exit code. */
int command_doctor(struct program *program, const struct program_paths *paths);

/* ---- attach.c: rota attach asks a process while it runs; rota detach ends that ---- */

int command_attach(const struct command *command, int argc, char **argv);
int command_detach(const struct command *command, int argc, char **argv);

/* ---- library.c, of which command/alone has another: what librota itself is asked ---- */

enum { COMMAND_BACKEND_SIZE = 32 };

/* Whether a command that is JavaScript can be run here. False: a message says what is missing. */
bool command_may_run_tool(const char *name);

/* What the loops of a program will wait with. False: that is not known. */
bool command_library_backend(char name[COMMAND_BACKEND_SIZE]);

#endif
