/* What the stand-ins for kqueue and for event ports share.
 *
 * A stand-in is an epoll descriptor. Into it go the watched descriptors, an event descriptor for the user's events, and
 * one of inotify. Invariant: what belongs to a stand-in is changed with its lock held; waiting holds no lock; a trigger
 * takes none, because a signal handler may make it. */
#ifndef STANDIN_H
#define STANDIN_H

#include <pthread.h>
#include <stdint.h>
#include <sys/inotify.h>
#include <time.h>

enum { STANDIN_BATCH = 1024 };

/* What an epoll event is about: the upper half of its data. */
enum standin_kind { DESCRIPTOR, USER, PROCESS, FILES };

struct standin {
  struct standin *next;
  pthread_mutex_t lock;
  int fd, user_fd, inotify_fd;
};

int __real_close(int fd);
int __wrap_close(int fd);

int standin_fail(int error);
/* Makes the descriptors of a zeroed struct that malloc gave. If it fails, the memory is released. Returns the
 * descriptor. */
int standin_open(struct standin *standin, int epoll_flags, int eventfd_flags);
struct standin *standin_of(int fd); /* null: none */
void standin_drop_all(void);        /* in a child process that has none */

/* High numbers for the stand-in's own descriptors: programs and tests count on the low ones. */
int standin_raise(int fd);
int standin_watch(struct standin *standin, int operation, int fd, uint32_t events, enum standin_kind kind);
int standin_trigger(struct standin *standin);
/* A watch of inotify for the file of this name; the first one opens inotify. */
int standin_add_file(struct standin *standin, const char *path);
/* Calls `changed` for what inotify tells. */
void standin_read_files(struct standin *standin,
                        void (*changed)(struct standin *standin, const struct inotify_event *event));

int64_t standin_now_ms(void);
int standin_timeout_ms(const struct timespec *timeout); /* never early; null: -1 */

/* ---- each stand-in has these ---- */

/* The program has closed a descriptor: no event of it comes any more, also if its file has other descriptors. */
void standin_forget(struct standin *standin, int fd);
/* Frees what belongs to it; its descriptors and itself are released after that. */
void standin_empty(struct standin *standin);

#endif
