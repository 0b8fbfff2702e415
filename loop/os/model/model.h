/* A model of a system below loop/os, within this process: descriptors, connections, files, threads, signals, children
 * and a clock. Nothing of it is real but the memory.
 *
 * There is one thread. The threads of the program are coroutines (thread.c), and one goes on only when another one
 * waits, or at a lock. The clock stands still but for calls, each of which takes some nanoseconds, and for waits: when
 * all threads wait, it jumps to the next moment at which anything changes.
 *
 * Invariant: whatever is open is an object with a count of its references. An object that changes by itself tells when
 * (next_ns); nothing else is kept of the future. */
#ifndef ROTA_MODEL_H
#define ROTA_MODEL_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "loop/base/list.h"
#include "loop/os/model/control.h"
#include "uv.h"

/* ---- objects and descriptors (kernel.c) ---- */

struct rota_model_object;

/* What is open: shared by the descriptors that were copied from one. */
struct rota_model_open {
  struct rota_model_object *object;
  int refs;
  int flags; /* O_ACCMODE, O_NONBLOCK, O_APPEND */
  int64_t position;
};

/* Each may be null. */
struct rota_model_kind {
  const char *name;
  unsigned int (*ready)(struct rota_model_object *object); /* poll's events; null: it cannot be watched */
  uint64_t (*next_ns)(struct rota_model_object *object);   /* UINT64_MAX: it does not change by itself */
  void (*advance)(struct rota_model_object *object);       /* does what the system does by itself, and is due */
  /* An offset below 0 is the own position. */
  ssize_t (*read)(struct rota_model_open *open, const struct iovec *vector, int count, int64_t offset);
  ssize_t (*write)(struct rota_model_open *open, const struct iovec *vector, int count, int64_t offset);
  void (*release)(struct rota_model_object *object); /* frees it */
};

struct rota_model_object {
  const struct rota_model_kind *kind;
  int refs;
  struct rota_link link; /* among all objects */
};

void *rota__model_object(const struct rota_model_kind *kind, size_t size); /* zeroed, with one reference */
void rota__model_drop(struct rota_model_object *object);

/* Takes the reference, also if it fails. -> a descriptor. */
int rota__model_install(struct rota_model_object *object, int flags);
int rota__model_install_open(struct rota_model_open *open, int lowest);
struct rota_model_open *rota__model_open_of(int fd); /* null: it is none */
/* The object, if it is of this kind; else null. */
void *rota__model_object_of(int fd, const struct rota_model_kind *kind);
int rota__model_remove(int fd); /* closes it */
void rota__model_keep(struct rota_model_open *open);
void rota__model_drop_open(struct rota_model_open *open);

/* ---- calls, time and waiting (kernel.c, thread.c) ---- */

/* A call of the system begins: time passes, and signals are handled. */
void rota__model_call(const char *name, int64_t argument);
void rota__model_log(const char *format, ...) __attribute__((format(printf, 1, 2)));
const struct rota_model_options *rota__model_options(void);
void rota__model_pass(uint64_t duration_ns);
void rota__model_set_now(uint64_t ns);
uint64_t rota__model_next_change(void);
void rota__model_advance(void); /* what the system does by itself */

/* The calling thread waits until the function says true (at the moment `until_ns` at the latest; null: until then).
 * False: the time is over, or a signal has come and the wait may be interrupted. */
bool rota__model_wait(bool (*ready)(void *what), void *what, uint64_t until_ns, bool *interrupted);
/* Another thread may go on now. */
void rota__model_yield(void);
void rota__model_threads_start(void);
/* Calls `begin` when it is switched to, which must not return. Null: what runs now becomes one. */
struct rota_model_coroutine;
struct rota_model_coroutine *rota__model_coroutine(void (*begin)(void));
void rota__model_coroutine_switch(struct rota_model_coroutine *from, struct rota_model_coroutine *to);
void rota__model_coroutine_free(struct rota_model_coroutine *coroutine);
void rota__model_threads_fork(void); /* only the calling one is left */

/* ---- signals (signal.c) ---- */

void rota__model_signals_start(void);
bool rota__model_has_signal(uint64_t mask); /* one that this mask does not block */
void rota__model_handle_signals(void);
/* The mask of the calling thread: a bit for each signal that it blocks. */
uint64_t *rota__model_mask(void);

/* ---- connections (channel.c, socket.c) ---- */

struct rota_model_socket;
extern const struct rota_model_kind rota__model_socket_kind;
struct rota_model_socket *rota__model_socket_of(int fd);
void rota__model_sockets_start(void);

/* Bytes on their way from a writer to a reader. */
struct rota_model_channel;
struct rota_model_channel *rota__model_channel(size_t capacity, uint64_t delay_max_ns);
void rota__model_channel_free(struct rota_model_channel *channel);
size_t rota__model_channel_visible(struct rota_model_channel *channel);
size_t rota__model_channel_held(const struct rota_model_channel *channel); /* visible or on their way */
size_t rota__model_channel_room(const struct rota_model_channel *channel);
uint64_t rota__model_channel_next_ns(const struct rota_model_channel *channel);
bool rota__model_channel_ended(const struct rota_model_channel *channel); /* the reader sees it */
void rota__model_channel_end(struct rota_model_channel *channel);
bool rota__model_channel_is_ending(const struct rota_model_channel *channel); /* the writer has ended it */
size_t rota__model_channel_put(struct rota_model_channel *channel, const struct iovec *vector, int count, size_t most);
size_t rota__model_channel_take(struct rota_model_channel *channel, const struct iovec *vector, int count, size_t most);
uint64_t rota__model_channel_mark(const struct rota_model_channel *channel); /* the place of the next byte */
bool rota__model_channel_attaches(const struct rota_model_channel *channel); /* there is room for one more */
/* A descriptor goes with the byte at this place. */
void rota__model_channel_attach(struct rota_model_channel *channel, struct rota_model_open *open, uint64_t at);
/* The open file that goes with the next byte that is taken; null: none. */
struct rota_model_open *rota__model_channel_attached(struct rota_model_channel *channel);

size_t rota__model_vector_size(const struct iovec *vector, int count);
/* How many of so many bytes a call moves: at least one. */
size_t rota__model_shorten(size_t length);

/* ---- files (tree.c) ---- */

struct rota_model_entry {
  struct rota_model_entry *next;
  struct rota_model_inode *inode;
  uint64_t number;
  char name[];
};

struct rota_model_inode {
  int refs; /* names and open files */
  unsigned int links;
  uint64_t number;
  unsigned int mode;
  char *data; /* of a file; the target of a symbolic link */
  size_t size, room;
  struct rota_model_entry *entries; /* of a directory */
  struct rota_model_inode *parent;  /* of a directory; itself: the root */
  double times[3];                  /* seconds: read, written, changed */
  double born;
  uv_uid_t uid;
  uv_gid_t gid;
};

struct rota_model_file {
  struct rota_model_object base;
  struct rota_model_inode *inode;
};

extern const struct rota_model_kind rota__model_file_kind;
void rota__model_files_start(void);

/* Where a path leads: the directory, the last name, and what has this name, or null. No references are taken. */
struct rota_model_place {
  struct rota_model_inode *directory;
  struct rota_model_inode *inode;
  char name[256];
};

int rota__model_find(int directory, const char *path, bool follow, struct rota_model_place *place);
/* The inode, or an error. */
int rota__model_find_inode(const char *path, bool follow, struct rota_model_inode **inode);
struct rota_model_inode *rota__model_inode(unsigned int mode);
void rota__model_inode_drop(struct rota_model_inode *inode);
int rota__model_enter(struct rota_model_place *place, struct rota_model_inode *inode); /* takes the reference */
void rota__model_leave(struct rota_model_inode *directory, const char *name);
int rota__model_resize(struct rota_model_inode *inode, size_t size);
struct rota_model_inode *rota__model_inode_of(int fd); /* null: not a file */
double rota__model_wall_seconds(void);

/* ---- children (process.c) ---- */

void rota__model_processes_start(void);
int rota__model_signal_child(int pid, int signum);

#endif
