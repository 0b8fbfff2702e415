/* Directories: making and removing them, and what is in them. */
#ifndef ROTA_OS_DIRECTORY_H
#define ROTA_OS_DIRECTORY_H

#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* An entry as the kernel writes it. `length` bytes further is the next one. */
struct rota_directory_entry {
  uint64_t inode;
  int64_t offset;
  uint16_t length;
  uint8_t type; /* DT_* */
  char name[];
};

/* No entry is longer than this. */
#define ROTA_DIRECTORY_ENTRY_MAX (19 + 256 + 8)

int rota__os_mkdir(const char *path, unsigned int mode);
int rota__os_rmdir(const char *path);
int rota__os_make_temporary_directory(char *path); /* the last six characters of path, XXXXXX, are filled in */

int rota__os_directory_open(const char *path); /* a descriptor */
/* Fills the buffer with whole entries; returns the bytes taken, 0 at the end. */
ssize_t rota__os_directory_read(int fd, void *buffer, size_t size);

/* The same as a stream: one entry after the other, null at the end. An entry lives until the next one is read. */
int rota__os_stream_open(const char *path, DIR **result);
int rota__os_stream_read(DIR *stream, struct dirent **result);
int rota__os_stream_close(DIR *stream);

#endif
