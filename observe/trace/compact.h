/* A compact trace: the same lines as those of JSON, in about a tenth of the room (doc/TRACE.md describes the form).
 *
 * Lines of a trace differ in their numbers, and hardly in the text between them. That text is a template, which is
 * written once; each line is the number of its template and what its numbers have become since the last line of the
 * same template. Lines are written in blocks, each of which has a checksum and can be read as soon as it is there.
 *
 * With a limit, the file is a ring of segments: each begins with templates of its own and with the metadata that was
 * written so far, and the oldest one is overwritten. */
#ifndef ROTA_TRACE_COMPACT_H
#define ROTA_TRACE_COMPACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rota_compact;

enum { ROTA_COMPACT_LIMIT_MIN_MB = 4 };

/* Writes bytes at a position of the file. */
typedef void (*rota_compact_write)(void *data, int64_t at, const char *bytes, size_t length);

/* Whether a trace of this name is a compact one: it ends with .rota, before what is appended for further processes. */
bool rota__compact_is_name(const char *path);

/* limit: of the file, in bytes; 0: none. Null without memory. */
struct rota_compact *rota__compact_new(uint64_t limit, rota_compact_write write, void *data);
void rota__compact_free(struct rota_compact *compact);
/* The file's first bytes: whose trace it is. */
void rota__compact_begin(struct rota_compact *compact, int process_id, uint64_t start_ns);
/* Lines of JSON, each with what separates it from the one before. */
void rota__compact_put(struct rota_compact *compact, const char *text, size_t length);
/* What was put has to be in the file now. */
void rota__compact_flush(struct rota_compact *compact);

#endif
