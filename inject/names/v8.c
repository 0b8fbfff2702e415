#include "inject/names/v8.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "rota.h"

/* StackTrace::StackTraceOptions: all that there is. */
enum { STACK_DETAILED = 127, SCRIPTS_KNOWN = 4096, PLACES = 4096, NO_SCRIPT = 0, MAPS = 512, URL_MAX = 12 << 20 };

/* What C++ returns by value. The second is larger than its original: it is written through a pointer. */
struct location {
  int line, column;
};
struct origin {
  void *words[32];
};

static struct {
  void *(*isolate)(void);
  void (*interrupt)(void *isolate, names_interrupt callback, void *data);
  void *(*script_name)(void *isolate);
  int (*script_id)(void *isolate); /* null: an older V8 */
  void *(*stack)(void *isolate, int frames_max, int options);
  int (*stack_count)(const void *trace);
  void *(*stack_frame)(const void *trace, void *isolate, uint32_t i);
  void *(*frame_function)(const void *frame);
  void *(*frame_file)(const void *frame);
  struct location (*frame_location)(const void *frame);
  int (*frame_script)(const void *frame);
  void *(*frame_map)(const void *frame);
  void *(*bound)(const void *function);
  void *(*function_name)(const void *function);
  struct origin (*function_origin)(const void *function);
  int (*function_script)(const void *function);
  int (*function_position)(const void *function); /* null: V8 of Node 20 and older */
  int (*function_line)(const void *function);
  int (*function_column)(const void *function);
  void *(*call)(void *function, void *context, void *self, int argc, napi_value *argv);
  bool (*in_context)(void *isolate);
  void *(*context)(void *isolate);
  void (*promise_hooks)(void *context, void *init, void *before, void *after, void *resolve);
} v8;

static const struct {
  const char *symbol;
  void *place;
  bool may_lack;
} symbols[] = {
    {"_ZN2v87Isolate13TryGetCurrentEv", &v8.isolate, false},
    {"_ZN2v87Isolate16RequestInterruptEPFvPS0_PvES2_", &v8.interrupt, false},
    {"_ZN2v810StackTrace28CurrentScriptNameOrSourceURLEPNS_7IsolateE", &v8.script_name, false},
    {"_ZN2v810StackTrace15CurrentScriptIdEPNS_7IsolateE", &v8.script_id, true},
    {"_ZN2v810StackTrace17CurrentStackTraceEPNS_7IsolateEiNS0_17StackTraceOptionsE", &v8.stack, false},
    {"_ZNK2v810StackTrace13GetFrameCountEv", &v8.stack_count, false},
    {"_ZNK2v810StackTrace8GetFrameEPNS_7IsolateEj", &v8.stack_frame, false},
    {"_ZNK2v810StackFrame15GetFunctionNameEv", &v8.frame_function, false},
    {"_ZNK2v810StackFrame24GetScriptNameOrSourceURLEv", &v8.frame_file, false},
    {"_ZNK2v810StackFrame11GetLocationEv", &v8.frame_location, false},
    {"_ZNK2v810StackFrame11GetScriptIdEv", &v8.frame_script, true},
    {"_ZNK2v810StackFrame25GetScriptSourceMappingURLEv", &v8.frame_map, true},
    {"_ZNK2v88Function16GetBoundFunctionEv", &v8.bound, false},
    {"_ZNK2v88Function12GetDebugNameEv", &v8.function_name, false},
    {"_ZNK2v88Function15GetScriptOriginEv", &v8.function_origin, false},
    {"_ZNK2v88Function8ScriptIdEv", &v8.function_script, false},
    {"_ZNK2v88Function22GetScriptStartPositionEv", &v8.function_position, true},
    {"_ZNK2v88Function19GetScriptLineNumberEv", &v8.function_line, false},
    {"_ZNK2v88Function21GetScriptColumnNumberEv", &v8.function_column, false},
    {"_ZN2v88Function4CallENS_5LocalINS_7ContextEEENS1_INS_5ValueEEEiPS5_", &v8.call, false},
    {"_ZN2v87Isolate9InContextEv", &v8.in_context, false},
    {"_ZN2v87Isolate17GetCurrentContextEv", &v8.context, false},
    {"_ZN2v87Context15SetPromiseHooksENS_5LocalINS_8FunctionEEES3_S3_S3_", &v8.promise_hooks, false},
};

bool names_v8_find(void) {
  for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
    void *address = dlsym(RTLD_DEFAULT, symbols[i].symbol);
    if (address == NULL && !symbols[i].may_lack)
      return false;
    memcpy(symbols[i].place, &address, sizeof address);
  }
  return true;
}

void *names_v8_isolate(void) {
  return v8.isolate();
}

bool names_v8_runs(void *isolate) {
  return v8.isolate() == isolate && v8.in_context(isolate);
}

void names_v8_interrupt(void *isolate, names_interrupt callback, void *data) {
  v8.interrupt(isolate, callback, data);
}

/* ---- texts ---- */

/* Anything but text is empty. */
static void read_text(napi_env env, void *value, char *text, size_t size) {
  size_t length = 0;
  if (value == NULL || napi_get_value_string_utf8(env, value, text, size, &length) != NAPI_OK)
    text[0] = 0;
}

/* The file of an ES module is a URL; a path is what people know. */
static void shorten(char *file) {
  if (strncmp(file, "file://", 7) == 0)
    memmove(file, file + 7, strlen(file + 7) + 1);
}

/* Node's own, also what it puts around the text of -e, of a worker's, and of standard input. */
/* The script of this part, of which nothing is told. */
static const char own_file[] = "node:internal/rota";
static _Thread_local int own_script = NO_SCRIPT;

void names_v8_own(const void *function) {
  own_script = v8.function_script(function);
}

static bool is_own(int script) {
  return script > NO_SCRIPT && script == own_script;
}

static bool is_inner_file(const char *file) {
  static const char wrapper[] = "]-wrapper";
  size_t length = strlen(file), tail = sizeof wrapper - 1;
  return length == 0 || strncmp(file, "node:", 5) == 0 ||
         (file[0] == '[' && length > tail && strcmp(file + length - tail, wrapper) == 0);
}

/* A function without a name is called by where it stands: routes.js:31. */
static uint32_t name_of(const char *function, const char *file, int line) {
  char place[NAMES_TEXT + 16];
  const char *slash = strrchr(file, '/');
  if (function[0] != 0 || file[0] == 0 || file[0] == '<' || line <= 0)
    return rota_name(function[0] != 0 ? function : "(anonymous)", file, line);
  snprintf(place, sizeof place, "%s:%d", slash != NULL && slash[1] != 0 ? slash + 1 : file, line);
  return rota_name(place, file, line);
}

/* ---- source maps ---- */

static _Atomic bool are_maps_wanted;

void names_v8_want_maps(void) {
  atomic_store(&are_maps_wanted, true);
}

/* A script's map, found once. A thread has an isolate of its own, which numbers its scripts. */
struct script_map {
  int script;
  struct names_source_map *map; /* null: it has none */
};
static _Thread_local struct script_map *maps;

static struct names_source_map *read_map(napi_env env, void *url, const char *file) {
  size_t length = 0;
  if (url == NULL || napi_get_value_string_utf8(env, url, NULL, 0, &length) != NAPI_OK || length == 0 ||
      length > URL_MAX)
    return NULL;
  char *text = malloc(length + 1);
  struct names_source_map *map = NULL;
  if (text != NULL && napi_get_value_string_utf8(env, url, text, length + 1, &length) == NAPI_OK)
    map = names_source_map_read(text, file);
  free(text);
  return map;
}

/* Of a JavaScript file Node's own stacks tell its lines as they are, unless --enable-source-maps is given. What has
 * another name was compiled on the way: the lines of what runs are not those of the file. */
static bool may_be_mapped(const char *file) {
  const char *dot = strrchr(file, '.');
  return file[0] == '/' && (atomic_load(&are_maps_wanted) || (dot != NULL && strcmp(dot, ".js") != 0 &&
                                                              strcmp(dot, ".cjs") != 0 && strcmp(dot, ".mjs") != 0));
}

/* Puts the source in the place of what runs, if there is a map. The line counts from 1. */
static void to_source(napi_env env, int script, void *url, int column, char file[NAMES_TEXT], int *line) {
  if (script <= NO_SCRIPT || url == NULL || !may_be_mapped(file))
    return;
  if (maps == NULL)
    maps = calloc(MAPS, sizeof *maps);
  struct script_map *known = maps == NULL ? NULL : &maps[script % MAPS];
  if (known == NULL)
    return;
  if (known->script != script) {
    names_source_map_free(known->map);
    *known = (struct script_map){.script = script, .map = read_map(env, url, file)};
  }
  char source[NAMES_TEXT];
  int at = *line - 1;
  if (known->map == NULL || !names_source_map_find(known->map, &at, column, source, sizeof source))
    return;
  memcpy(file, source, sizeof source);
  *line = at + 1;
}

/* ---- the function on top ---- */

/* A script's number says whether it is Node's own, once its name was looked at: 1 it is, 2 it is not. */
static _Thread_local unsigned char script_kinds[SCRIPTS_KNOWN];

bool names_v8_is_inner(napi_env env, void *isolate) {
  int id = v8.script_id != NULL ? v8.script_id(isolate) : NO_SCRIPT;
  bool known = id > NO_SCRIPT && id < SCRIPTS_KNOWN;
  if (known && script_kinds[id] != 0)
    return script_kinds[id] == 1;
  char file[16];
  read_text(env, v8.script_name(isolate), file, sizeof file);
  if (known)
    script_kinds[id] = is_inner_file(file) ? 1 : 2;
  return is_inner_file(file);
}

/* ---- a function ---- */

/* Where it stands is found once for each place: functions are made anew all the time, out of the same text. A thread
 * has an isolate of its own, which numbers its scripts. */
struct place {
  int script, position;
  uint32_t name;
  bool is_inner;
};
static _Thread_local struct place *places;

static struct place *place_of(int script, int position) {
  if (places == NULL)
    places = calloc(PLACES, sizeof *places);
  return places == NULL ? NULL : &places[((uint32_t)script * 31u + (uint32_t)position * 7u) % PLACES];
}

/* A number that no other function of the script has: where its text begins. */
static int position_of(const void *function) {
  if (v8.function_position != NULL)
    return v8.function_position(function);
  return (int)((uint32_t)v8.function_line(function) << 14 ^ (uint32_t)v8.function_column(function));
}

/* ScriptOrigin: the name, two offsets, the options and the script's number, the map. Unless the number is where it
 * should be, this V8 has it in another order, and the map is not looked at. */
static void *map_of(void *const *origin, int script) {
  int numbers[2];
  memcpy(numbers, &origin[2], sizeof numbers);
  return numbers[1] == script ? origin[3] : NULL;
}

static void read_place(napi_env env, void *isolate, const void *function, struct names_frame *frame) {
  struct origin all = v8.function_origin(function);
  void **origin = all.words + (all.words[0] == isolate); /* an older V8 has the isolate in front */
  int script = v8.function_script(function);
  read_text(env, origin[0], frame->file, sizeof frame->file);
  if (is_own(script))
    memcpy(frame->file, own_file, sizeof own_file);
  else if (frame->file[0] == 0 && script > NO_SCRIPT) /* made by eval, or by new Function: the program's */
    snprintf(frame->file, sizeof frame->file, "<anonymous>");
  frame->is_inner = is_inner_file(frame->file);
  shorten(frame->file);
  frame->line = v8.function_line(function) + 1;
  to_source(env, script, map_of(origin, script), v8.function_column(function), frame->file, &frame->line);
}

static void look_at(napi_env env, void *isolate, const void *function, struct place *place) {
  struct names_frame *frame = malloc(sizeof *frame);
  if (frame == NULL)
    return;
  read_place(env, isolate, function, frame);
  read_text(env, v8.function_name(function), frame->function, sizeof frame->function);
  place->is_inner = frame->is_inner;
  place->name = name_of(frame->function, frame->file, frame->line);
  free(frame);
}

uint32_t names_v8_function(napi_env env, void *isolate, napi_value function, bool *is_inner) {
  const void *of = function;
  int script = v8.function_script(of);
  for (int depth = 0; script <= NO_SCRIPT && depth < 4; depth++) {
    napi_value bound = v8.bound(of);
    int type;
    *is_inner = true;
    if (bound == NULL || napi_typeof(env, bound, &type) != NAPI_OK || type != NAPI_FUNCTION)
      return 0;
    of = bound;
    script = v8.function_script(of);
  }
  if (script <= NO_SCRIPT)
    return 0;
  int position = position_of(of);
  struct place *place = place_of(script, position);
  if (place == NULL)
    return 0;
  if (place->script != script || place->position != position || place->name == 0) {
    *place = (struct place){.script = script, .position = position};
    look_at(env, isolate, of, place);
  }
  *is_inner = place->is_inner;
  return place->name;
}

void names_v8_place(napi_env env, void *isolate, napi_value function, char *text, size_t size) {
  struct names_frame *frame = malloc(sizeof *frame);
  text[0] = 0;
  if (frame == NULL)
    return;
  read_place(env, isolate, function, frame);
  snprintf(text, size, "%s:%d", frame->file, frame->line);
  free(frame);
}

void names_v8_hook_reactions(void *isolate, napi_value before) {
  v8.promise_hooks(v8.context(isolate), NULL, before, NULL, NULL);
}

napi_value names_v8_call(void *isolate, napi_value function, napi_value self, size_t argc, napi_value *argv) {
  return v8.call(function, v8.context(isolate), self, (int)argc, argv);
}

void names_v8_leave(void) {
  for (int i = 0; maps != NULL && i < MAPS; i++)
    names_source_map_free(maps[i].map);
  free(maps);
  free(places);
  maps = NULL;
  places = NULL;
}

/* ---- the stack ---- */

void names_stack_take(struct names_stack *stack, napi_env env, void *isolate, int frames_max) {
  *stack = (struct names_stack){.env = env, .isolate = isolate};
  stack->trace = v8.stack(isolate, frames_max, STACK_DETAILED);
  stack->count = stack->trace == NULL ? 0 : v8.stack_count(stack->trace);
}

void names_stack_frame(const struct names_stack *stack, int i, struct names_frame *frame) {
  void *of = v8.stack_frame(stack->trace, stack->isolate, (uint32_t)i);
  read_text(stack->env, v8.frame_file(of), frame->file, sizeof frame->file);
  if (v8.frame_script != NULL && is_own(v8.frame_script(of)))
    memcpy(frame->file, own_file, sizeof own_file);
  frame->is_inner = is_inner_file(frame->file);
  read_text(stack->env, v8.frame_function(of), frame->function, sizeof frame->function);
  shorten(frame->file);
  struct location location = v8.frame_location(of);
  frame->line = location.line + 1;
  if (v8.frame_script != NULL && v8.frame_map != NULL)
    to_source(stack->env, v8.frame_script(of), v8.frame_map(of), location.column, frame->file, &frame->line);
}

uint32_t names_stack_outermost(const struct names_stack *stack, bool is_main) {
  struct names_frame *frame = malloc(sizeof *frame);
  uint32_t name = 0;
  for (int i = stack->count - 1; frame != NULL && i >= 0 && name == 0; i--) {
    names_stack_frame(stack, i, frame);
    if (!frame->is_inner)
      name = is_main ? rota_name("(main script)", frame->file, 1) : name_of(frame->function, frame->file, frame->line);
  }
  free(frame);
  return name;
}

unsigned int names_stack_names(const struct names_stack *stack, uint32_t *names, unsigned int names_max) {
  struct names_frame *frame = malloc(sizeof *frame);
  unsigned int count = 0;
  for (int i = stack->count - 1; frame != NULL && i >= 0 && count < names_max; i--) {
    names_stack_frame(stack, i, frame);
    if (count > 0 || !frame->is_inner)
      names[count++] = name_of(frame->function, frame->file, frame->line);
  }
  free(frame);
  return count;
}

/* fs.readFileSync is the same as readFileSync of a file of Node's own; JSON.parse is none of a module. */
static const char *without_module(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot != NULL && name[0] >= 'a' && name[0] <= 'z' ? dot + 1 : name;
}

unsigned int names_stack_program(const struct names_stack *stack, uint32_t *names, unsigned int names_max,
                                 const char *native) {
  struct names_frame *frame = malloc(sizeof *frame);
  char inner[NAMES_TEXT] = "";
  unsigned int count = 0;
  for (int i = stack->count - 1; frame != NULL && i >= 0 && count + 1 < names_max; i--) {
    names_stack_frame(stack, i, frame);
    if (!frame->is_inner)
      names[count++] = name_of(frame->function, frame->file, frame->line);
    if (!frame->is_inner)
      inner[0] = 0;
    else if (inner[0] == 0 && count > 0)
      memcpy(inner, frame->function, sizeof inner);
  }
  free(frame);
  if (inner[0] == 0 && native != NULL)
    snprintf(inner, sizeof inner, "%s", without_module(native));
  if (inner[0] != 0 && count > 0)
    names[count++] = rota_name(inner, NULL, 0);
  return count;
}

uint32_t names_stack_without_line(const struct names_stack *stack, uint32_t name) {
  struct names_frame *frame = malloc(sizeof *frame);
  for (int i = stack->count - 1; frame != NULL && i >= 0; i--) {
    names_stack_frame(stack, i, frame);
    if (frame->is_inner)
      continue;
    name = name_of(frame->function, frame->file, 0);
    break;
  }
  free(frame);
  return name;
}

uint64_t names_stack_position(const struct names_stack *stack) {
  if (stack->count == 0)
    return 0;
  struct location location = v8.frame_location(v8.stack_frame(stack->trace, stack->isolate, 0));
  return (uint64_t)(uint32_t)location.line << 32 | (uint32_t)location.column;
}

static void put_frame(FILE *out, const char *indent, const struct names_frame *frame) {
  const char *file = frame->file[0] != 0 ? frame->file : "<anonymous>";
  if (frame->function[0] != 0)
    fprintf(out, "%sat %s (%s:%d)\n", indent, frame->function, file, frame->line);
  else
    fprintf(out, "%sat %s:%d\n", indent, file, frame->line);
}

static bool is_told(const struct names_frame *frame) {
  return strcmp(frame->file, own_file) != 0;
}

char *names_stack_text(const struct names_stack *stack, const char *indent, bool of_maker) {
  struct names_frame *frames = calloc((size_t)stack->count + 1, sizeof *frames);
  char *text = NULL;
  size_t size;
  int first = -1, last = -1;
  for (int i = 0; frames != NULL && i < stack->count; i++) {
    names_stack_frame(stack, i, &frames[i]);
    if (!frames[i].is_inner) {
      first = first < 0 ? i : first;
      last = i;
    }
  }
  if (first < 0) /* all of it is Node's own */
    last = stack->count - 1;
  int begin = of_maker && first > 0 ? first : 0;
  while (frames != NULL && begin <= last && !is_told(&frames[begin]))
    begin++;
  FILE *out = frames == NULL || last < begin ? NULL : open_memstream(&text, &size);
  for (int i = begin; out != NULL && i <= last; i++)
    if (is_told(&frames[i]))
      put_frame(out, indent, &frames[i]);
  if (out != NULL)
    fclose(out);
  free(frames);
  return text;
}
