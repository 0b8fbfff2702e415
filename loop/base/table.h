/* Tables with a row for each descriptor. */
#ifndef ROTA_BASE_TABLE_H
#define ROTA_BASE_TABLE_H

#include <stddef.h>
#include <string.h>

#include "loop/base/alloc.h"

/* Makes room for `row`, plus a quarter. Not more, because descriptors are numbered densely, and a program may have
 * thousands of idle ones. New rows are zero. Null: no memory, and the table is unchanged. */
static inline void *rota__table_grow(void *table, size_t *capacity, size_t row, size_t row_size) {
  enum { ROWS_MIN = 64 };
  size_t wanted = row + row / 4 + ROWS_MIN;
  void *grown = rota__realloc(table, wanted * row_size);
  if (grown == NULL)
    return NULL;
  memset((char *)grown + *capacity * row_size, 0, (wanted - *capacity) * row_size);
  *capacity = wanted;
  return grown;
}

#endif
