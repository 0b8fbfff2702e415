#include "command/live/live.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LISTENERS = 8, LOOK_MS = 20, PORT_PATIENCE_MS = 3000, NS_PER_MS = 1000000 };

__attribute__((format(printf, 2, 3))) static bool refuse(char *fault, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(fault, LIVE_FAULT_SIZE, format, arguments);
  va_end(arguments);
  return false;
}

static const char instead[] = "start it with rota run --attach -- node script.js";

/* ---- the signal ---- */

static bool is_in(uint64_t signals, int signum) {
  return (signals >> (signum - 1) & 1) != 0;
}

static bool check_signal(const struct live_wish *wish, const struct live_options *options, char *fault) {
  struct live_status status;
  const char *why;
  if (!live_status_read(wish->process, &status))
    return refuse(fault, "it has ended");
  if (options->disables_signal)
    return refuse(fault, "it was started with --disable-sigusr1: nothing opens its inspector while it runs; %s",
                  instead);
  if (is_in(status.ignored, SIGUSR1))
    return refuse(fault, "it ignores SIGUSR1, which would open its inspector; %s", instead);
  if (!is_in(status.caught, SIGUSR1))
    return refuse(fault,
                  "it does not handle SIGUSR1, which would end it: it is just starting, its program has removed "
                  "Node's handler, or this Node has no inspector; %s",
                  instead);
  if (live_blocks_everywhere(wish->process, SIGUSR1))
    return refuse(fault, "all of its threads block SIGUSR1, which would open its inspector; %s", instead);
  switch (live_who_handles(wish->process, SIGUSR1, &why)) {
  case LIVE_HANDLER_PROGRAM:
    return refuse(fault,
                  "its program handles SIGUSR1 itself (process.on('SIGUSR1')), and would take it for its own; %s",
                  instead);
  case LIVE_HANDLER_UNKNOWN:
    if (!live_status_read(wish->process, &status) || status.state == 'Z' || status.caught == 0)
      return refuse(fault, "it has ended");
    return wish->may_signal || refuse(fault,
                                      "rota cannot see whether its program handles SIGUSR1 itself: %s. If you know "
                                      "that it does not, say so with --signal",
                                      why);
  default:
    return true;
  }
}

/* Node's primary tells its workers to open theirs as soon as its own is open, and nobody would close them. */
static bool check_cluster(const struct live_wish *wish, char *fault) {
  pid_t worker = live_find_cluster_worker(wish->process);
  return worker == 0 || refuse(fault,
                               "it is the primary of a cluster: with its inspector Node would open those of its "
                               "workers, too. Attach to a worker, which does the work: process %d is one",
                               (int)worker);
}

/* ---- the port ---- */

/* Another rota may have it at this moment, for some milliseconds. */
static bool check_port(const struct live_wish *wish, struct live_target *target, char *fault) {
  struct live_listener listeners[LISTENERS];
  const struct timespec pause = {.tv_nsec = LOOK_MS * NS_PER_MS};
  size_t count = 0;
  for (int waited_ms = 0; waited_ms <= PORT_PATIENCE_MS; waited_ms += LOOK_MS) {
    count = live_listeners(wish->process, target->port, listeners, LISTENERS);
    for (size_t i = 0; i < count; i++)
      if (live_owns_socket(wish->process, listeners[i].inode)) {
        target->was_open = true;
        return true;
      }
    if (count == 0)
      return true;
    nanosleep(&pause, NULL);
  }
  return refuse(fault,
                "port %u, which Node would open, is taken by another process: end that (a debugger, or another Node "
                "with --inspect), or start this one with another --inspect-port",
                target->port);
}

static bool check_process(const struct live_wish *wish, struct live_target *target, char *fault) {
  struct live_status status;
  if (!live_status_read(wish->process, &status))
    return refuse(fault, "there is no such process; pgrep -a node lists those of Node");
  if (status.group != wish->process)
    return refuse(fault, "it is a thread of process %d: attach to that", status.group);
  target->user = status.user;
  if (geteuid() != 0 && status.user != geteuid())
    return refuse(fault, "it belongs to another user; attach as that user");
  if (status.state == 'Z')
    return refuse(fault, "it has ended");
  if (status.state == 'T' || status.state == 't')
    return refuse(fault, "it is stopped, by a signal or a debugger (SIGCONT continues it)");
  const char *why = live_find_not_node(wish->process);
  return why == NULL || refuse(fault, "%s", why);
}

bool live_check(const struct live_wish *wish, struct live_target *target, char fault[LIVE_FAULT_SIZE]) {
  struct live_options options;
  *target = (struct live_target){.process = wish->process};
  if (!check_process(wish, target, fault))
    return false;
  live_options_read(wish->process, &options);
  target->port = live_options_port(&options);
  if (options.refuses_addons)
    return refuse(fault, "it was started with --no-addons, and rota is one; %s", instead);
  if (options.has_permissions && !options.allows_addons)
    return refuse(fault, "it was started with --permission and without --allow-addons, and rota is an addon; %s",
                  instead);
  if (target->port == 0)
    return refuse(fault, "it was started with the inspector's port 0, so that nobody knows which it opens; %s",
                  instead);
  if (!check_port(wish, target, fault))
    return false;
  if (!target->was_open && !(check_signal(wish, &options, fault) && check_cluster(wish, fault)))
    return false;
  const char *shortage = live_find_shortage(wish->process, target->user);
  return shortage == NULL || refuse(fault, "%s", shortage);
}
