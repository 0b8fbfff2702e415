/* The part of kqueue that rota uses, for Linux: declarations as in the manual page kqueue(2), numbers of our own. The
 * functions are in test/standin/kqueue.c. */
#ifndef STANDIN_SYS_EVENT_H
#define STANDIN_SYS_EVENT_H

#include <stdint.h>
#include <time.h>

struct kevent {
  uintptr_t ident;
  int16_t filter;
  uint16_t flags;
  uint32_t fflags;
  intptr_t data;
  void *udata;
};

#define EV_SET(event, ident_, filter_, flags_, fflags_, data_, udata_)                                                 \
  (*(event) = (struct kevent){                                                                                         \
       .ident = (uintptr_t)(ident_),                                                                                   \
       .filter = (int16_t)(filter_),                                                                                   \
       .flags = (uint16_t)(flags_),                                                                                    \
       .fflags = (fflags_),                                                                                            \
       .data = (data_),                                                                                                \
       .udata = (udata_),                                                                                              \
   })

enum {
  EVFILT_READ = -1,
  EVFILT_WRITE = -2,
  EVFILT_VNODE = -4,
  EVFILT_PROC = -5,
  EVFILT_USER = -10,
};
#define EVFILT_EXCEPT (-15)

enum {
  EV_ADD = 0x1,
  EV_DELETE = 0x2,
  EV_ONESHOT = 0x10,
  EV_CLEAR = 0x20,
  EV_EOF = 0x8000,
};

enum {
  NOTE_LOWAT = 0x1,
  NOTE_OOB = 0x2,
  NOTE_DELETE = 0x1,
  NOTE_WRITE = 0x2,
  NOTE_EXTEND = 0x4,
  NOTE_ATTRIB = 0x8,
  NOTE_LINK = 0x10,
  NOTE_RENAME = 0x20,
  NOTE_REVOKE = 0x40,
  NOTE_TRIGGER = 0x01000000,
};
#define NOTE_EXIT 0x80000000u

int kqueue(void);
int kevent(int kq, const struct kevent *changes, int change_count, struct kevent *events, int event_count,
           const struct timespec *timeout);

#endif
