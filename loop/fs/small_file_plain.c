/* Where there are no rings: small files are read one by one. */
#include "loop/fs/whole_file.h"

unsigned int rota__fs_read_small_files(rota_small_file_t *files, unsigned int count) {
  (void)files;
  (void)count;
  return 0;
}
