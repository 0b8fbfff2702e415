/* The way into a Node that nothing prepared: rota attach, for a process that does not run on librota.
 *
 * SIGUSR1 makes Node open its inspector, on loopback. Through it our agent (inject/agent) is loaded, which connects to
 * a socket of ours, and the inspector is closed again. What could go wrong is looked at before the signal is sent: for
 * a program that handles SIGUSR1 itself, or not at all, the signal means something else.
 *
 * A process of its own does all this (way.c). It ignores what ends the command, and always comes to its end: the
 * inspector is not left open. */
#ifndef ROTA_COMMAND_LIVE_LIVE_H
#define ROTA_COMMAND_LIVE_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

enum {
  LIVE_FAULT_SIZE = 1024,
  LIVE_PORT = 9229, /* what Node opens unless it is told otherwise */
  LIVE_WORD_SIZE = 256
};

struct live_wish {
  pid_t process;
  bool may_signal; /* the user says that the program does not handle SIGUSR1 */
  bool detaches;   /* what is attached is to be ended; no connection is wanted */
};

/* A connection to the agent (SOCK_SEQPACKET), or, with `detaches`, 0; -1: `fault` says why not, and what works instead.
 */
int live_attach(const struct live_wish *wish, char fault[LIVE_FAULT_SIZE]);

/* ---- process.c: what /proc tells of a process ---- */

struct live_status {
  uid_t user;
  char state; /* 'T' stopped, 'Z' ended, and so on */
  uint64_t blocked, ignored, caught;
  int inner_process; /* its number in its own namespace */
  int group;         /* the process; another number for a thread of it */
  int parent;
};

bool live_status_read(pid_t process, struct live_status *status);
/* Whether each of its threads blocks the signal. */
bool live_blocks_everywhere(pid_t process, int signum);
/* A file of /proc/PID, up to size - 1 bytes, and a zero. The length; -1: it cannot be read. */
ssize_t live_read_file(pid_t process, const char *name, char *text, size_t size);
/* Whether this namespace ("net", "mnt", "pid") of the process is ours. */
bool live_shares_namespace(pid_t process, const char *name);
/* What its thread does, for messages: "it waits in the kernel (wait4)". */
void live_describe_thread(pid_t process, char *text, size_t size);

struct live_listener {
  struct sockaddr_storage address;
  socklen_t length;
  uint64_t inode;
};

/* Who listens on this port of the process's network, or on any with 0. Returns how many, at most `most`. */
size_t live_listeners(pid_t process, unsigned int port, struct live_listener *listeners, size_t most);
/* Whether the process has this socket. */
bool live_owns_socket(pid_t process, uint64_t inode);
/* Which process has it; 0: none that we may look at. */
pid_t live_find_owner(uint64_t inode);
/* A connection to the socket of a process that was started for attaching; -1: it has none. */
int live_connect(pid_t process);

/* ---- node.c: whether it is Node, and which signals its program handles ---- */

/* Null: it is. Else why it is not to be signalled. */
const char *live_find_not_node(pid_t process);

enum live_handler { LIVE_HANDLER_NODE, LIVE_HANDLER_PROGRAM, LIVE_HANDLER_UNKNOWN };
/* Who handles the signal: libuv's tree of signal handles is read in its memory. With UNKNOWN `why` tells. */
enum live_handler live_who_handles(pid_t process, int signum, const char **why);

/* ---- room.c ---- */

/* Null: it has room for an inspector. Else what it lacks: Node would end itself. */
const char *live_find_shortage(pid_t process, uid_t user);

/* ---- option.c: what its command line and NODE_OPTIONS say ---- */

struct live_options {
  bool disables_signal, refuses_addons, has_permissions, allows_addons;
  char debug_port[LIVE_WORD_SIZE]; /* the value of --inspect-port and the like; empty: none */
};

void live_options_read(pid_t process, struct live_options *options);
unsigned int live_options_port(const struct live_options *options);
/* A worker that it has started with Node's cluster module; 0: it has none. */
pid_t live_find_cluster_worker(pid_t process);

/* ---- check.c: what is looked at before anything is sent ---- */

struct live_target {
  pid_t process;
  uid_t user;
  unsigned int port;
  bool was_open; /* its inspector: it is not ours to close */
};

bool live_check(const struct live_wish *wish, struct live_target *target, char fault[LIVE_FAULT_SIZE]);

/* ---- inspector.c: the inspector's HTTP and WebSocket. All that comes back is bounded, and nothing of it is believed
 */

enum { LIVE_MESSAGE_MAX = 1 << 20 };

struct live_inspector {
  int fd;
  uint64_t until_ns; /* nothing is waited for beyond */
  int messages;
};

/* False: this is no inspector, or it does not answer. */
bool live_inspector_open(struct live_inspector *inspector, const struct live_listener *listener);
/* Runs a JavaScript expression. True: `answer` is the text that it returned, or, with a '-' in front, what it threw. */
bool live_inspector_run(struct live_inspector *inspector, const char *expression, char *answer, size_t size);
void live_inspector_close(struct live_inspector *inspector);

uint64_t live_now_ns(void);

/* ---- json.c ---- */

/* Finds a text in a JSON object: `path` are the names of members, from outside to inside, and null. False: it is not
 * there, is no text, does not fit, or this is no JSON. An array stands for its first element. */
bool live_json_text(const char *json, size_t length, const char *const *path, char *text, size_t size);
bool live_json_number(const char *json, size_t length, const char *const *path, long *number);
/* Writes a text in quotation marks. False: it does not fit. */
bool live_json_quote(const char *text, char *json, size_t size);

#endif
