/* The two ways of reading many small files. */
#ifndef ROTA_FS_SMALL_FILE_H
#define ROTA_FS_SMALL_FILE_H

#include "rota.h"

/* small_file.c: one by one, with calls. */
void rota__fs_read_small_file(rota_small_file_t *file);
void rota__fs_read_open_file(rota_small_file_t *file, int fd); /* from its beginning; fd is the file's from now on */

/* small_file_ring.c: all at once. -> how many of them were read, from the first on; 0 where there is no ring */
unsigned int rota__fs_read_small_files(rota_small_file_t *files, unsigned int count);

#endif
