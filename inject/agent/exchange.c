/* The callbacks in the handles of a loop are exchanged for functions of ours, which call them and take the time. It is
 * data that changes, no code.
 *
 * A function of ours stands for one function of the program's, for ever: Node has few that libuv calls. So a callback
 * of ours is right in whatever handle it is, also in one that was copied, or that was used again, and after the
 * session. What the program sets itself is left alone, and found at the next walk.
 *
 * Where the callbacks are is told by libuv's header for Unix systems (uv/unix.h), which is the same from 1.44 to 1.52.
 * It is believed only where sizes agree and handles of our own show it; and only what points to code is exchanged. */
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "inject/agent/agent.h"

enum {
  PLAIN = 96, /* of timers, checks, asyncs, polls, signals and processes */
  FILE_CHANGED = 104,
  ALLOCATE = 104,
  READ = 112,
  DATAGRAM = 120,
  DUE = 128, /* of a timer */
  CONNECTION = 224,
  LINK = 32,
  LOOP_LINK = 16, /* next, previous */
  LOOP_SIZE_WITHOUT_LOCK = 808,
  LOOP_POOL_WITHOUT_LOCK = 136,
  VERSION_MINOR_FIRST = 44,
  VERSION_MINOR_LAST = 52,
  NEWEST_MAX = 16,
  WALK_SHARE = 64, /* of the time, so much is for walks at most */
  WALK_LEAST_NS = 200000
};

typedef void (*code)(void);

enum family {
  FAMILY_READ,
  FAMILY_CONNECTION,
  FAMILY_DATAGRAM,
  FAMILY_PLAIN,
  FAMILY_POLL,
  FAMILY_SIGNAL,
  FAMILY_CHILD,
  FAMILY_FILE,
  FAMILIES
};
enum { SLOTS = 8 };

/* Never forgotten. */
static code originals[FAMILIES][SLOTS];
static size_t used[FAMILIES];

static enum agent_cause cause_of(const uv_handle_t *handle) {
  if (handle->type == UV_TIMER)
    return AGENT_CAUSE_TIMERS;
  if (handle->type == UV_CHECK)
    return AGENT_CAUSE_CHECK;
  const char *pool = (const char *)handle->loop + LOOP_POOL_WITHOUT_LOCK + sizeof(pthread_mutex_t);
  return (const char *)handle == pool ? AGENT_CAUSE_POOL : AGENT_CAUSE_ASYNC;
}

/* ---- the functions that stand for others ---- */

#define SLOT(name, n, family, type, cause, parameters, arguments)                                                      \
  static void name##_##n parameters {                                                                                  \
    struct agent_call call;                                                                                            \
    agent_call_begin(&call, cause, (uv_handle_t *)handle);                                                             \
    ((type)originals[family][n]) arguments;                                                                            \
    agent_call_end(&call);                                                                                             \
  }
#define CODE(name, n) ((code)name##_##n)
#define EIGHT(name, family, type, cause, parameters, arguments)                                                        \
  SLOT(name, 0, family, type, cause, parameters, arguments)                                                            \
  SLOT(name, 1, family, type, cause, parameters, arguments)                                                            \
  SLOT(name, 2, family, type, cause, parameters, arguments)                                                            \
  SLOT(name, 3, family, type, cause, parameters, arguments)                                                            \
  SLOT(name, 4, family, type, cause, parameters, arguments)                                                            \
  SLOT(name, 5, family, type, cause, parameters, arguments)                                                            \
  SLOT(name, 6, family, type, cause, parameters, arguments)                                                            \
  SLOT(name, 7, family, type, cause, parameters, arguments)
#define CODES(name)                                                                                                    \
  {                                                                                                                    \
    CODE(name, 0), CODE(name, 1), CODE(name, 2), CODE(name, 3), CODE(name, 4), CODE(name, 5), CODE(name, 6),           \
        CODE(name, 7)                                                                                                  \
  }

typedef void (*plain_cb)(uv_handle_t *handle);

EIGHT(on_read, FAMILY_READ, uv_read_cb, AGENT_CAUSE_READ, (uv_stream_t * handle, ssize_t n, const uv_buf_t *buffer),
      (handle, n, buffer))
EIGHT(on_connection, FAMILY_CONNECTION, uv_connection_cb, AGENT_CAUSE_CONNECTION, (uv_stream_t * handle, int status),
      (handle, status))
EIGHT(on_datagram, FAMILY_DATAGRAM, uv_udp_recv_cb, AGENT_CAUSE_DATAGRAM,
      (uv_udp_t * handle, ssize_t n, const uv_buf_t *buffer, const struct sockaddr *from, unsigned int flags),
      (handle, n, buffer, from, flags))
EIGHT(on_plain, FAMILY_PLAIN, plain_cb, cause_of(handle), (uv_handle_t * handle), (handle))
EIGHT(on_poll, FAMILY_POLL, uv_poll_cb, AGENT_CAUSE_POLL, (uv_poll_t * handle, int status, int events),
      (handle, status, events))
EIGHT(on_signal, FAMILY_SIGNAL, uv_signal_cb, AGENT_CAUSE_SIGNAL, (uv_signal_t * handle, int number), (handle, number))
EIGHT(on_child, FAMILY_CHILD, uv_exit_cb, AGENT_CAUSE_CHILD, (uv_process_t * handle, int64_t status, int number),
      (handle, status, number))
EIGHT(on_file, FAMILY_FILE, uv_fs_event_cb, AGENT_CAUSE_FILE,
      (uv_fs_event_t * handle, const char *name, int events, int status), (handle, name, events, status))

static const code ours[FAMILIES][SLOTS] = {
    [FAMILY_READ] = CODES(on_read),         [FAMILY_CONNECTION] = CODES(on_connection),
    [FAMILY_DATAGRAM] = CODES(on_datagram), [FAMILY_PLAIN] = CODES(on_plain),
    [FAMILY_POLL] = CODES(on_poll),         [FAMILY_SIGNAL] = CODES(on_signal),
    [FAMILY_CHILD] = CODES(on_child),       [FAMILY_FILE] = CODES(on_file),
};

/* ---- one callback ---- */

static int find_range(struct dl_phdr_info *info, size_t size, void *data) {
  uintptr_t address = (uintptr_t) * (code *)data;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type == PT_LOAD && (part->p_flags & PF_X) != 0 && address >= info->dlpi_addr + part->p_vaddr &&
        address < info->dlpi_addr + part->p_vaddr + part->p_memsz)
      return 1;
  }
  return 0;
}

static bool is_code(code callback) {
  return dl_iterate_phdr(find_range, &callback) == 1;
}

static bool is_ours(enum family family, code callback) {
  for (size_t i = 0; i < used[family]; i++)
    if (ours[family][i] == callback)
      return true;
  return false;
}

static void exchange(void *handle, size_t offset, enum family family) {
  code callback;
  memcpy(&callback, (char *)handle + offset, sizeof callback);
  if (callback == NULL || is_ours(family, callback))
    return;
  size_t slot = 0;
  while (slot < used[family] && originals[family][slot] != callback)
    slot++;
  if (slot == used[family]) {
    if (slot == SLOTS || !is_code(callback))
      return;
    originals[family][slot] = callback;
    used[family]++;
  }
  memcpy((char *)handle + offset, &ours[family][slot], sizeof callback);
}

static void restore(void *handle, size_t offset, enum family family) {
  code callback;
  memcpy(&callback, (char *)handle + offset, sizeof callback);
  for (size_t i = 0; i < used[family]; i++)
    if (ours[family][i] == callback)
      memcpy((char *)handle + offset, &originals[family][i], sizeof callback);
}

/* ---- the handles of a loop ---- */

typedef void (*change)(void *handle, size_t offset, enum family family);

static void change_handle(uv_handle_t *handle, change make) {
  switch (handle->type) {
  case UV_TCP:
  case UV_NAMED_PIPE:
  case UV_TTY:
    make(handle, READ, FAMILY_READ);
    make(handle, CONNECTION, FAMILY_CONNECTION);
    break;
  case UV_UDP:
    make(handle, DATAGRAM, FAMILY_DATAGRAM);
    break;
  case UV_TIMER:
  case UV_CHECK:
  case UV_ASYNC:
    make(handle, PLAIN, FAMILY_PLAIN);
    break;
  case UV_POLL:
    make(handle, PLAIN, FAMILY_POLL);
    break;
  case UV_SIGNAL:
    make(handle, PLAIN, FAMILY_SIGNAL);
    break;
  case UV_PROCESS:
    make(handle, PLAIN, FAMILY_CHILD);
    break;
  case UV_FS_EVENT:
    make(handle, FILE_CHANGED, FAMILY_FILE);
    break;
  default:
    break;
  }
}

/* Only what is active has a callback for certain: libuv does not clear all of them before. */
static void on_exchange(uv_handle_t *handle, void *agent) {
  if (uv_is_active(handle) && !uv_is_closing(handle) && !agent_owns(agent, handle))
    change_handle(handle, exchange);
}

static void on_restore(uv_handle_t *handle, void *agent) {
  if (!agent_owns(agent, handle))
    change_handle(handle, restore);
}

/* Where libuv tells of the pool's jobs that are done: a handle of its own, which no walk shows. */
static uv_handle_t *find_pool(uv_loop_t *loop) {
  uv_handle_t *handle = (uv_handle_t *)((char *)loop + LOOP_POOL_WITHOUT_LOCK + sizeof(pthread_mutex_t));
  return handle->type == UV_ASYNC && handle->loop == loop && uv_is_active(handle) && !uv_is_closing(handle) ? handle
                                                                                                            : NULL;
}

void agent_exchange_walk(struct agent *agent) {
  uint64_t began_ns = uv_hrtime();
  uv_handle_t *pool = find_pool(agent->loop);
  uv_walk(agent->loop, on_exchange, agent);
  if (pool != NULL)
    exchange(pool, PLAIN, FAMILY_PLAIN);
  uint64_t now_ns = uv_hrtime(), pause_ns = (now_ns - began_ns) * WALK_SHARE;
  agent->record.walk_due_ns = now_ns + (pause_ns > WALK_LEAST_NS ? pause_ns : WALK_LEAST_NS);
}

void agent_exchange_restore(struct agent *agent, uv_loop_t *loop) {
  uv_handle_t *pool = find_pool(loop);
  uv_walk(loop, on_restore, agent);
  if (pool != NULL)
    restore(pool, PLAIN, FAMILY_PLAIN);
}

static const char *link_before(const char *link) {
  const char *before;
  memcpy(&before, link + sizeof before, sizeof before);
  return before;
}

/* New handles are the last of the loop's list. A connection that was accepted reads before the next walk. */
void agent_exchange_newest(struct agent *agent) {
  const char *head = (const char *)agent->loop + LOOP_LINK, *last = link_before(head);
  const char *seen = agent->record.tail_seen;
  agent->record.tail_seen = last;
  for (int i = 0; i < NEWEST_MAX && last != head && last != seen; i++, last = link_before(last)) {
    uv_handle_t *handle = (uv_handle_t *)(uintptr_t)(last - LINK);
    if (handle->loop == agent->loop && (handle->type == UV_TCP || handle->type == UV_NAMED_PIPE))
      on_exchange(handle, agent);
  }
}

uint64_t agent_exchange_due_ns(const uv_handle_t *timer) {
  uint64_t due_ms;
  memcpy(&due_ms, (const char *)timer + DUE, sizeof due_ms);
  return due_ms * AGENT_NS_PER_MS;
}

/* ---- whether all that holds ---- */

static bool sizes_agree(void) {
  return uv_loop_size() == LOOP_SIZE_WITHOUT_LOCK + sizeof(pthread_mutex_t) &&
         uv_handle_size(UV_TCP) == sizeof(uv_tcp_t) && uv_handle_size(UV_NAMED_PIPE) == sizeof(uv_pipe_t) &&
         uv_handle_size(UV_TTY) == sizeof(uv_tty_t) && uv_handle_size(UV_UDP) == sizeof(uv_udp_t) &&
         uv_handle_size(UV_TIMER) == sizeof(uv_timer_t) && uv_handle_size(UV_CHECK) == sizeof(uv_check_t) &&
         uv_handle_size(UV_ASYNC) == sizeof(uv_async_t) && uv_handle_size(UV_POLL) == sizeof(uv_poll_t) &&
         uv_handle_size(UV_SIGNAL) == sizeof(uv_signal_t) && uv_handle_size(UV_PROCESS) == sizeof(uv_process_t) &&
         uv_handle_size(UV_FS_EVENT) == sizeof(uv_fs_event_t);
}

static bool has(const void *handle, size_t offset, code callback) {
  return memcmp((const char *)handle + offset, &callback, sizeof callback) == 0;
}

static void on_probe_room(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
  (void)handle;
  (void)size;
  *buffer = uv_buf_init(NULL, 0);
}

static void on_probe_read(uv_stream_t *handle, ssize_t n, const uv_buf_t *buffer) {
  (void)handle;
  (void)n;
  (void)buffer;
}

static void on_probe_closed(uv_handle_t *handle) {
  agent_part_closed(handle->data);
}

/* A stream of our own: it must be the last of the loop's list, and have its callbacks where they are looked for. */
static bool stream_agrees(struct agent *agent) {
  uv_pipe_t *probe = &agent->probe;
  int ends[2];
  if (agent->is_probing || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0)
    return false;
  uv_pipe_init(agent->loop, probe, 0);
  probe->data = agent;
  agent->is_probing = true;
  agent->open_parts++;
  bool agrees = link_before((const char *)agent->loop + LOOP_LINK) == (const char *)probe + LINK;
  int err = uv_pipe_open(probe, ends[0]);
  agrees = agrees && err == 0 && has(probe, READ, NULL) && has(probe, CONNECTION, NULL) &&
           uv_read_start((uv_stream_t *)probe, on_probe_room, on_probe_read) == 0 &&
           has(probe, READ, (code)on_probe_read) && has(probe, ALLOCATE, (code)on_probe_room);
  if (err != 0)
    close(ends[0]);
  close(ends[1]);
  uv_close((uv_handle_t *)probe, on_probe_closed);
  return agrees;
}

static bool timer_agrees(const struct agent *agent) {
  uint64_t now_ms = uv_now(agent->loop),
           due_ms = agent_exchange_due_ns((const uv_handle_t *)&agent->timer) / AGENT_NS_PER_MS;
  uint64_t due_in_ms = uv_timer_get_due_in(&agent->timer);
  return due_in_ms == (due_ms > now_ms ? due_ms - now_ms : 0) && due_ms < now_ms + 2 * AGENT_PROBE_MS &&
         due_ms + AGENT_NS_PER_S > now_ms;
}

const char *agent_exchange_check(struct agent *agent) {
  unsigned int version = uv_version(), minor = version >> 8 & 0xff;
  if (version >> 16 != 1 || minor < VERSION_MINOR_FIRST || minor > VERSION_MINOR_LAST)
    return "its libuv is of a version whose handles rota does not know (known are 1.44 to 1.52): no callback of it was "
           "touched; stats, why, stack and watch work";
  if (!sizes_agree() || !has(&agent->prepare, PLAIN, (code)agent_on_prepare) ||
      !has(&agent->check, PLAIN, (code)agent_on_check) || !has(&agent->timer, PLAIN, (code)agent_on_timer) ||
      !has(&agent->wake, PLAIN, (code)agent_on_wake) || !timer_agrees(agent) || find_pool(agent->loop) == NULL ||
      !stream_agrees(agent))
    return "its libuv's handles are not as rota knows them: no callback of it was touched; stats, why, stack and watch "
           "work";
  return NULL;
}
