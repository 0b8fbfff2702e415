/* Source maps (ECMA-426): where a line of code that was made by a compiler stands in what was written.
 *
 * Loaders that compile on the way (tsx, ts-node, vitest) run their output under the name of the source. Its lines are
 * not those of the file with that name: to name them would send people to the wrong place. A map is decoded when a
 * function of its script is named for the first time; of each line of the output, where it begins in the text of the
 * map is kept. */
#ifndef GRAFT_NAMES_SOURCE_MAP_H
#define GRAFT_NAMES_SOURCE_MAP_H

#include <stdbool.h>
#include <stddef.h>

struct names_source_map;

/* The map at `url`: its text in base64, or the name of a file beside the script's. Null: there is none, it is damaged,
 * too large, or of a kind that is not read (an index of maps). */
struct names_source_map *names_source_map_read(const char *url, const char *script);

/* Lines and columns from 0. Puts the file's path and its line in place; false: this is not mapped. */
bool names_source_map_find(const struct names_source_map *map, int *line, int column, char *file, size_t size);

void names_source_map_free(struct names_source_map *map);

#endif
