/* inotify: the kernel's way of telling that files change. */
#ifndef ROTA_OS_INOTIFY_H
#define ROTA_OS_INOTIFY_H

#include <stdint.h>
#include <sys/inotify.h>

int rota__os_inotify_open(void); /* non-blocking, close-on-exec; read with rota__os_read */
/* Returns the watch descriptor: the same one for the same file, by whatever name. */
int rota__os_inotify_add(int fd, const char *path, uint32_t mask);
int rota__os_inotify_remove(int fd, int watch);

#endif
