/* Words for numbers: phases, handles and requests, file operations, kinds of work. Shared by trace, watchdog and alive.
 */
#ifndef ROTA_TRACE_DESCRIBE_H
#define ROTA_TRACE_DESCRIBE_H

#include "uv.h"

const char *rota__describe_phase(unsigned int phase);
const char *rota__describe_type(unsigned int type, int is_request); /* "tcp", "write" */
const char *rota__describe_file_operation(int fs_type);             /* "read" */
const char *rota__describe_work(unsigned int kind);                 /* "file" */
/* What a request is about: a path, two of them, a descriptor, a host. Null: nothing is known. */
const char *rota__describe_subject(const uv_req_t *req, char *room, size_t size);

#endif
