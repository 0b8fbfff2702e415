#include "inject/windows/plan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STUB_MAX = 64, ALIGNMENT = 16 };

bool graft_plan_refuse(struct graft_plan *plan, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(plan->reason, sizeof plan->reason, format, arguments);
  va_end(arguments);
  return false;
}

/* ---- what the program has ---- */

static bool is_among(const char *name, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

#define AMONG(name, names) is_among(name, names, sizeof(names) / sizeof *(names))

static bool is_whole(struct graft_plan *plan, const struct graft_image *program) {
  static const char *const wanted[] = {"uv_run", "uv_loop_init", "uv_default_loop", "uv_version", "uv_fs_open"};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (graft_image_find(program, wanted[i]) == NULL)
      return graft_plan_refuse(plan, "it exports some of libuv's names, but not %s: it does not use libuv's loop",
                               wanted[i]);
  if (graft_image_function_size(program, graft_image_find(program, "uv_run")) < STUB_MAX)
    return graft_plan_refuse(plan, "it exports libuv's names, but its uv_run is a stub: it does not use libuv's loop");
  if (graft_image_find(program, "node_module_register") == NULL)
    return graft_plan_refuse(plan, "it is not Node: it is not known how its linker has put libuv together");
  return true;
}

static bool is_known_version(struct graft_plan *plan, const struct graft_image *program) {
  unsigned int (*ask)(void) = (unsigned int (*)(void))(void *)graft_image_find(program, "uv_version");
  plan->version = ask();
  if (plan->version >> 16 == UV_VERSION_MAJOR && (plan->version >> 8 & 0xff) >= 42)
    return true;
  return graft_plan_refuse(plan,
                           "its libuv is version %u.%u.%u; only versions 1.42 and later of libuv 1 can be replaced",
                           plan->version >> 16, plan->version >> 8 & 0xff, plan->version & 0xff);
}

/* Both tell how large each kind of structure is. A kind that one of them does not know has no size there. */
static bool has_our_sizes(struct graft_plan *plan, const struct graft_image *program,
                          const struct graft_image *library) {
  static const char *const names[] = {"uv_handle_size", "uv_req_size"};
  enum { KINDS = 11 }; /* UV_REQ_TYPE_MAX is less than UV_HANDLE_TYPE_MAX; what lies behind them is the system's own */
  size_t (*theirs)(void), (*ours)(void);
  theirs = (size_t(*)(void))(void *)graft_image_find(program, "uv_loop_size");
  ours = (size_t(*)(void))(void *)graft_image_find(library, "uv_loop_size");
  /* Before 1.45 it was eight bytes smaller, which librota does not touch (loop/core/life.c). */
  if (theirs == NULL || (theirs() != ours() && theirs() + 8 != ours()))
    return graft_plan_refuse(plan, "its uv_loop_t has another size than librota's");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t (*size)(int) = (size_t(*)(int))(void *)graft_image_find(program, names[i]);
    size_t (*own)(int) = (size_t(*)(int))(void *)graft_image_find(library, names[i]);
    for (int kind = 1; kind < KINDS + (i == 0 ? 6 : 0); kind++)
      if (size == NULL || size(kind) != own(kind))
        return graft_plan_refuse(plan, "its %s(%d) is not that of librota", names[i], kind);
  }
  return true;
}

/* ---- whether its own code calls them ----
 *
 * A linker that optimizes the whole program copies functions into their callers (Node 26 for Windows is made so). Such
 * a copy works on with the program's own libuv, and cannot be found. Each Node calls the functions below: if nothing
 * calls one of them, it was copied. */

static const char *const called[] = {"uv_async_send",  "uv_buf_init",   "uv_check_start", "uv_is_active",
                                     "uv_is_closing",  "uv_queue_work", "uv_tcp_nodelay", "uv_timer_init",
                                     "uv_udp_connect", "uv_unref"};
enum { CALLED = sizeof called / sizeof *called };

/* A call or a jump (e8, e9), or a load of its address (lea): the distance is in the four bytes behind. */
static bool is_reference(const unsigned char *at, const unsigned char *begin) {
  return at[0] == 0xe8 || at[0] == 0xe9 || ((at[0] & 0xc7) == 0x05 && at > begin && at[-1] == 0x8d);
}

static bool has_callers(struct graft_plan *plan, const struct graft_image *program) {
  const unsigned char *wanted[CALLED], *low = (const unsigned char *)UINTPTR_MAX, *high = NULL;
  const unsigned char *end = program->text + program->text_size - 4;
  size_t left = CALLED;
  for (size_t i = 0; i < CALLED; i++) {
    wanted[i] = graft_image_find(program, called[i]);
    low = wanted[i] < low ? wanted[i] : low;
    high = wanted[i] > high ? wanted[i] : high;
  }
  for (const unsigned char *at = program->text; at < end && left > 0; at++) {
    if (!is_reference(at, program->text))
      continue;
    int32_t distance;
    memcpy(&distance, at + 1, sizeof distance);
    const unsigned char *target = at + GRAFT_JUMP_SIZE + distance;
    for (size_t i = 0; target >= low && target <= high && i < CALLED; i++)
      if (target == wanted[i]) {
        wanted[i] = NULL;
        left--;
      }
  }
  for (size_t i = 0; i < CALLED; i++)
    if (wanted[i] != NULL)
      return graft_plan_refuse(
          plan,
          "its linker has put copies of libuv's functions into their callers (%s, for one), which cannot be "
          "redirected; Node 18 to 24 can be used",
          called[i]);
  return true;
}

/* ---- which functions ---- */

/* What works on our structures as it is, and is so short that a linker shares it with others. Locks are the system's.
 */
static bool is_left(const char *name) {
  static const char *const names[] = {
      "uv_backend_fd",
      "uv_cond_broadcast",
      "uv_cond_destroy",
      "uv_cond_signal",
      "uv_fs_get_path",
      "uv_fs_get_ptr",
      "uv_fs_get_result",
      "uv_fs_get_statbuf",
      "uv_fs_get_type",
      "uv_fs_get_system_error",
      "uv_get_constrained_memory",
      "uv_handle_get_data",
      "uv_loadavg",
      "uv_handle_get_loop",
      "uv_handle_get_type",
      "uv_handle_set_data",
      "uv_loop_fork",
      "uv_loop_get_data",
      "uv_loop_set_data",
      "uv_mutex_destroy",
      "uv_mutex_init",
      "uv_mutex_init_recursive",
      "uv_mutex_lock",
      "uv_mutex_trylock",
      "uv_mutex_unlock",
      "uv_now",
      "uv_os_get_group",
      "uv_os_get_passwd2",
      "uv_os_getpid",
      "uv_process_get_pid",
      "uv_req_get_data",
      "uv_req_get_type",
      "uv_req_set_data",
      "uv_rwlock_destroy",
      "uv_rwlock_rdlock",
      "uv_rwlock_rdunlock",
      "uv_rwlock_wrlock",
      "uv_rwlock_wrunlock",
      "uv_setup_args",
      "uv_stop",
      "uv_stream_get_write_queue_size",
      "uv_timer_get_repeat",
      "uv_timer_set_repeat",
      "uv_udp_get_send_queue_count",
      "uv_udp_get_send_queue_size",
      "uv_udp_using_recvmmsg",
  };
  return AMONG(name, names);
}

_Static_assert(offsetof(uv_loop_t, core.now_ms) == 64, "uv_now");
_Static_assert(offsetof(uv_loop_t, stop_flag) == 48, "uv_stop");
_Static_assert(offsetof(uv_timer_t, timer.repeat_ms) == 136, "uv_timer_get_repeat");
_Static_assert(offsetof(uv_fs_t, system_error) == 332, "uv_fs_get_system_error");

/* Names of one function in libuv, and of functions with the same effect here. */
static bool are_alike(const char *a, const char *b) {
  static const char *const pairs[][2] = {{"uv_free_interface_addresses", "uv_freeaddrinfo"},
                                         {"uv_get_available_memory", "uv_get_free_memory"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if ((strcmp(a, pairs[i][0]) == 0 && strcmp(b, pairs[i][1]) == 0) ||
        (strcmp(b, pairs[i][0]) == 0 && strcmp(a, pairs[i][1]) == 0))
      return true;
  return false;
}

static int by_address(const void *a, const void *b) {
  const struct graft_entry *left = a, *right = b;
  return left->address < right->address ? -1 : left->address > right->address;
}

static bool add(struct graft_plan *plan, const struct graft_image *library, const char *name, unsigned char *address) {
  unsigned char *target = graft_image_find(library, name);
  if (target == NULL)
    return graft_plan_refuse(plan, "it exports %s, which librota does not have", name);
  if (plan->count == GRAFT_ENTRIES_MAX)
    return graft_plan_refuse(plan, "it exports more than %d functions of libuv's names", GRAFT_ENTRIES_MAX);
  plan->entries[plan->count++] = (struct graft_entry){.name = name, .address = address, .target = (uintptr_t)target};
  return true;
}

static bool add_all(struct graft_plan *plan, const struct graft_image *program, const struct graft_image *library) {
  for (uint32_t i = graft_image_first(program, "uv_"); i < program->name_count; i++) {
    const char *name = graft_image_name(program, i);
    if (strncmp(name, "uv_", 3) != 0)
      break;
    if (!is_left(name) && !add(plan, library, name, graft_image_address(program, i)))
      return false;
  }
  qsort(plan->entries, plan->count, sizeof *plan->entries, by_address);
  return true;
}

/* In Node 18 and 20 it does nothing, and is the same as many other functions that return 0. */
static bool may_be_left_if_shared(const char *name) {
  return strcmp(name, "uv_tty_reset_mode") == 0;
}

static struct graft_entry *entry_at(struct graft_plan *plan, const unsigned char *address) {
  struct graft_entry key = {.address = (unsigned char *)address};
  return bsearch(&key, plan->entries, plan->count, sizeof key, by_address);
}

static void drop(struct graft_plan *plan, const struct graft_entry *entry) {
  size_t index = (size_t)(entry - plan->entries);
  memmove(plan->entries + index, plan->entries + index + 1, (plan->count - index - 1) * sizeof *entry);
  plan->count--;
}

/* Any other name of a function that is to be redirected is one that is alike. */
static bool look_for_shared(struct graft_plan *plan, const struct graft_image *program) {
  for (uint32_t i = 0; i < program->name_count; i++) {
    const struct graft_entry *entry = entry_at(plan, graft_image_address(program, i));
    const char *name = graft_image_name(program, i);
    if (entry == NULL || strcmp(entry->name, name) == 0 || are_alike(entry->name, name))
      continue;
    if (!may_be_left_if_shared(entry->name))
      return graft_plan_refuse(plan, "its %s and %s are the same function", entry->name, name);
    drop(plan, entry);
  }
  for (size_t i = 1; i < plan->count; i++)
    if (plan->entries[i].address == plan->entries[i - 1].address)
      drop(plan, &plan->entries[i--]);
  return true;
}

/* Functions begin at multiples of 16 bytes; in front of the next one there is padding. */
static bool have_room(struct graft_plan *plan, const struct graft_image *program) {
  for (size_t i = 0; i < plan->count; i++) {
    const struct graft_entry *entry = &plan->entries[i];
    const unsigned char *end = entry->address + GRAFT_JUMP_SIZE;
    bool is_code = entry->address >= program->text && end <= program->text + program->text_size;
    bool is_alone = i + 1 == plan->count || end <= plan->entries[i + 1].address;
    if (!is_code)
      return graft_plan_refuse(plan, "its %s is not a function that can be redirected", entry->name);
    if ((uintptr_t)entry->address % ALIGNMENT != 0 || !is_alone || graft_image_has_start(program, entry->address, end))
      return graft_plan_refuse(plan, "its %s is too short for a jump", entry->name);
  }
  return true;
}

bool graft_plan_make(struct graft_plan *plan, const struct graft_image *program, const struct graft_image *library) {
  plan->count = 0;
  return is_whole(plan, program) && is_known_version(plan, program) && has_our_sizes(plan, program, library) &&
         add_all(plan, program, library) && look_for_shared(plan, program) && have_room(plan, program) &&
         has_callers(plan, program);
}
