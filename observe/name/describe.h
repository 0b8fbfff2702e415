/* Words for numbers: phases, handles and requests, file operations, kinds of work. Shared by trace, watchdog and alive.
 *
 * An embedder's queue (rota_call_queue), which a callback came from, is shown in the place of the loop's phase. An
 * event has one byte for the phase, so that names of queues have the numbers above those of phases. They are never
 * removed. */
#ifndef ROTA_TRACE_DESCRIBE_H
#define ROTA_TRACE_DESCRIBE_H

#include <stdint.h>
#include <stdio.h>

#include "uv.h"

enum { ROTA_QUEUE_FIRST = 32, ROTA_QUEUE_MAX = 64 };

/* The number for a name of rota_name: from ROTA_QUEUE_FIRST on; 0: there are too many. Any thread. */
uint8_t rota__queue_number(uint32_t name);

/* Of a phase or a queue. */
const char *rota__describe_phase(unsigned int phase);
const char *rota__describe_type(unsigned int type, int is_request); /* "tcp", "write" */
const char *rota__describe_file_operation(int fs_type);             /* "read" */
const char *rota__describe_work(unsigned int kind);                 /* "file" */
/* What a request is about: a path, two of them, a descriptor, a host. Null: nothing is known. */
const char *rota__describe_subject(const uv_req_t *req, char *room, size_t size);

/* A report goes out whole: other processes, and other threads, write to the same place.
 *
 * stderr has no buffer, so each word would be a write of its own, and the reports of the workers of a cluster would be
 * mixed. */

struct rota_report {
  FILE *to;
  FILE *stream; /* to write to */
  char *text;
  size_t length;
};

void rota__report_begin(struct rota_report *report, FILE *to);
void rota__report_end(struct rota_report *report);

/* What this process is called where several are told apart: "node app.js". The program, and the file that it was told
 * to run, if there is one. Its other arguments stay out: they may be secret. */
void rota__process_label(char *label, size_t size);

/* Names that an embedder gives to running code: a function, its file and line. Each is stored once under a number, so
 * an event carries only the number.
 *
 * Any thread may add a name, under a lock. Names are never changed or removed, so reading needs no lock. Their memory
 * is bounded. */

struct rota_name_entry {
  struct rota_name_entry *next; /* of the same hash */
  uint32_t number;
  int line; /* 0: unknown */
  const char *function;
  const char *file; /* may be empty */
};

/* Null: no such name. */
const struct rota_name_entry *rota__name_find(uint32_t number);
uint32_t rota__name_intern(const char *function, const char *file, int line); /* 0: no room */
void rota__name_before_fork(void);
void rota__name_after_fork(void);

#endif
