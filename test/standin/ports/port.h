/* The part of event ports that rota uses, for Linux: declarations as in the manual pages port_create(3C),
 * port_associate(3C), port_get(3C) and port_send(3C), numbers of our own. The functions are in test/standin/ports.c. */
#ifndef STANDIN_PORT_H
#define STANDIN_PORT_H

#include <stdint.h>
#include <sys/types.h>
#include <time.h>

typedef struct port_event {
  int portev_events;
  uint16_t portev_source;
  uint16_t portev_pad;
  uintptr_t portev_object;
  void *portev_user;
} port_event_t;

typedef struct file_obj {
  struct timespec fo_atime;
  struct timespec fo_mtime;
  struct timespec fo_ctime;
  uintptr_t fo_pad[3];
  char *fo_name;
} file_obj_t;

enum { PORT_SOURCE_USER = 3, PORT_SOURCE_FD = 4, PORT_SOURCE_FILE = 7 };

enum {
  FILE_MODIFIED = 0x2,
  FILE_ATTRIB = 0x4,
  FILE_DELETE = 0x10,
  FILE_RENAME_TO = 0x20,
  FILE_RENAME_FROM = 0x40,
};

int port_create(void);
int port_associate(int port, int source, uintptr_t object, int events, void *user);
int port_dissociate(int port, int source, uintptr_t object);
int port_send(int port, int events, void *user);
int port_getn(int port, port_event_t list[], unsigned int max, unsigned int *count, const struct timespec *timeout);

#endif
