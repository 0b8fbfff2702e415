/* What is asked of V8: which function runs, where a function stands in its file, and to look up from its work.
 *
 * Node's binary exports V8's C++ functions. They are called here as C functions, with what the ABI of C++ passes:
 * `this` as the first argument, and a Local as the pointer that it is. Whether that holds is tried before anything is
 * believed (the script compares with what JavaScript itself tells). All but names_v8_interrupt on the isolate's own
 * thread. */
#ifndef GRAFT_NAMES_V8_H
#define GRAFT_NAMES_V8_H

#include <stdio.h>

#include "inject/names/node_api.h"

enum { NAMES_TEXT = 512, NAMES_FRAMES = 48 };

struct names_frame {
  char function[NAMES_TEXT];
  char file[NAMES_TEXT];
  int line;      /* from 1 */
  bool is_inner; /* of Node itself, or without a file */
};

typedef void (*names_interrupt)(void *isolate, void *data);

/* False: this Node lacks something. Once for the process. */
bool names_v8_find(void);

/* Lines of JavaScript files, too, are those of their sources, where there are maps. */
void names_v8_want_maps(void);

/* That of this thread, if it runs JavaScript; else null. */
void *names_v8_isolate(void);

/* Whether JavaScript runs on this thread now. */
bool names_v8_runs(void *isolate);

/* The code that runs calls this function soon: at the next entry of a function, or turn of a loop. Any thread. */
void names_v8_interrupt(void *isolate, names_interrupt callback, void *data);

/* Whether the innermost function of the stack is Node's own. */
bool names_v8_is_inner(napi_env env, void *isolate);

/* A number of rota_name for a function; 0: it cannot be told. */
uint32_t names_v8_function(napi_env env, void *isolate, napi_value function, bool *is_inner);

/* "file:line" of a function; empty: it cannot be told. */
void names_v8_place(napi_env env, void *isolate, napi_value function, char *text, size_t size);

/* This function is called before each promise reaction, in place of what was called until now. */
void names_v8_hook_reactions(void *isolate, napi_value before);

/* This thread's isolate ends: what was kept of its scripts is freed. */
void names_v8_leave(void);
/* A function of the script that was run for these names: nothing is told of what runs in that script. */
void names_v8_own(const void *function);

/* Calls a function. Null: it has thrown, and what it has thrown is on its way to whoever called us. */
napi_value names_v8_call(void *isolate, napi_value function, napi_value self, size_t argc, napi_value *argv);

/* The stack, innermost first. */
struct names_stack {
  napi_env env;
  void *isolate;
  void *trace;
  int count;
};

void names_stack_take(struct names_stack *stack, napi_env env, void *isolate, int frames_max);
void names_stack_frame(const struct names_stack *stack, int i, struct names_frame *frame);

/* The outermost function that is not Node's own: what Node has called. Of the main script only the file is told. 0:
 * there is none. */
uint32_t names_stack_outermost(const struct names_stack *stack, bool is_main);

/* Numbers of rota_name, the outermost first, without Node's own outside of the program's. Returns how many. */
unsigned int names_stack_names(const struct names_stack *stack, uint32_t *names, unsigned int names_max);

/* The program's functions alone, the outermost first; and at the end, without a file, the function of Node's or of C++
 * that the innermost one of them has called, if there is one. `native`: that of C++, which no stack shows; may be null.
 */
unsigned int names_stack_program(const struct names_stack *stack, uint32_t *names, unsigned int names_max,
                                 const char *native);

/* The outermost function of the program's, without the line that it is at by now. */
uint32_t names_stack_without_line(const struct names_stack *stack, uint32_t name);

/* Where the innermost function is: a number for its line and column. */
uint64_t names_stack_position(const struct names_stack *stack);

/* Lines of "at function (file:line)". Node's own frames outside of the program's are left out, and, if somebody wants
 * to know who made something, those inside. Freed with free; null: nothing to tell. */
char *names_stack_text(const struct names_stack *stack, const char *indent, bool of_maker);

/* Source maps (ECMA-426): where a line of code that was made by a compiler stands in what was written.
 *
 * Loaders that compile on the way (tsx, ts-node, vitest) run their output under the name of the source. Its lines are
 * not those of the file with that name: to name them would send people to the wrong place. A map is decoded when a
 * function of its script is named for the first time; of each line of the output, where it begins in the text of the
 * map is kept. */

struct names_source_map;

/* The map at `url`: its text in base64, or the name of a file beside the script's. Null: there is none, it is damaged,
 * too large, or of a kind that is not read (an index of maps). */
struct names_source_map *names_source_map_read(const char *url, const char *script);

/* Lines and columns from 0. Puts the file's path and its line in place; false: this is not mapped. */
bool names_source_map_find(const struct names_source_map *map, int *line, int column, char *file, size_t size);

void names_source_map_free(struct names_source_map *map);

#endif
