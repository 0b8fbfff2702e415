/* The file and line of a place in a program that was built with -g: a reader of DWARF's line tables (.debug_line,
 * versions 2 to 5).
 *
 * The table is a program for a small machine that makes one row for each place. It is run once to record which
 * addresses each part covers, and again for the part with the wanted address; rows are not kept. Damaged or compressed
 * tables give no answer. Nothing outside of the sections is read. */
#ifndef ROTA_NAME_LINE_H
#define ROTA_NAME_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rota_line_section {
  const unsigned char *data; /* null: there is none */
  size_t size;
};

/* A contiguous range of addresses of one unit. */
struct rota_line_range {
  uint64_t low, high;
  size_t unit; /* the unit's offset in the section */
};

struct rota_lines {
  struct rota_line_section line, line_str;
  struct rota_line_range *ranges;
  size_t count, capacity;
};

struct rota_line_place {
  char file[512];
  int line;
};

/* Records what the table covers. The sections must stay in memory. `take` gives memory that is never freed; null: none.
 */
void rota__lines_index(struct rota_lines *lines, void *(*take)(size_t size));
/* False: nothing is known of this place. */
bool rota__lines_find(const struct rota_lines *lines, uint64_t place, struct rota_line_place *found);

#endif
