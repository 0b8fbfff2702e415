/* A process that becomes another program (execve) keeps its number and its environment. The trace of the program that
 * it was before must not be overwritten. */
#ifndef ROTA_SEE_TRACE_IMAGE_H
#define ROTA_SEE_TRACE_IMAGE_H

#include <stdbool.h>

/* Whether the file is a trace that this process has written, as another program. */
bool rota__image_has_written(const char *path);

#endif
