/* Directories: making and removing them, and what is in them. */
#ifndef ROTA_OS_DIRECTORY_H
#define ROTA_OS_DIRECTORY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The numbers are those of DT_* on all systems that have entries with types. */
enum rota_directory_type {
  ROTA_DIRECTORY_FIFO = 1,
  ROTA_DIRECTORY_CHARACTERS = 2,
  ROTA_DIRECTORY_FOLDER = 4,
  ROTA_DIRECTORY_BLOCKS = 6,
  ROTA_DIRECTORY_FILE = 8,
  ROTA_DIRECTORY_LINK = 10,
  ROTA_DIRECTORY_SOCKET = 12,
};

/* An entry as the kernel writes it. `length` bytes further is the next one. */
struct rota_directory_entry {
  uint64_t inode;
  int64_t offset;
  uint16_t length;
  uint8_t type; /* enum rota_directory_type */
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

/* The same as a stream: one entry after the other. A name lives until the next one is read; null: the end. */
int rota__os_stream_open(const char *path, void **result);
int rota__os_stream_read(void *stream, const char **name, uint8_t *type);
int rota__os_stream_close(void *stream);

#endif
