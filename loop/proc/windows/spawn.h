/* Starting processes on Windows, between its files.
 *
 *   command_line.c  the arguments as one text, quoted so that the C library of the child finds them again
 *   environment.c   the block of variables
 *   search.c        where the program is
 *   stdio.c         the handles that the child begins with
 *   spawn.c         uv_spawn
 *   child.c         the child's end, and killing */
#ifndef ROTA_PROC_WINDOWS_SPAWN_H
#define ROTA_PROC_WINDOWS_SPAWN_H

#include <stdbool.h>
#include <stddef.h>

#include "uv.h"

/* New blocks, for rota__free; UV_ENOMEM, UV_EINVAL. */
int rota__command_line_make(char *const *args, bool verbatim, WCHAR **line);
/* `target` has room for 2 * length + 3 units. Returns the end. */
WCHAR *rota__command_line_quote(const WCHAR *argument, WCHAR *target);
/* Null environment: null block, which means that of this process. */
int rota__environment_make(char *const *env, WCHAR **block);
/* The value of PATH: of the block, else of this process; null if there is none. A new block. */
WCHAR *rota__environment_path(const WCHAR *block);
/* The program's file; null if there is none. */
WCHAR *rota__program_search(const WCHAR *file, const WCHAR *cwd, const WCHAR *path, bool exact_name);

/* What a child inherits: for each descriptor a handle, in the form in which the C library of the child takes them. */
struct rota_stdio {
  unsigned char *block;
  size_t block_size;
  int count;
};

int rota__stdio_open(struct rota_stdio *stdio, const uv_process_options_t *options);
HANDLE rota__stdio_handle(const struct rota_stdio *stdio, int fd);
/* Closes this process's copies. */
void rota__stdio_close(struct rota_stdio *stdio);

void rota__child_init(uv_loop_t *loop, uv_process_t *process, uv_exit_cb exit_cb);
int rota__child_make(struct rota_child **out);
void rota__child_free(struct rota_child *child);
/* From now on the loop waits for the end of process->process_handle. On success, child belongs to the handle. */
int rota__child_watch(uv_process_t *process, struct rota_child *child);

#endif
