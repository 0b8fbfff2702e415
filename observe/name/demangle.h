/* The names of C++ functions in short form, without arguments and template parameters. node::TimerWrap::OnTimeout, not
 * _ZN4node9TimerWrap9OnTimeoutEP10uv_timer_s.
 *
 * A C++ library demangles them: the program's own, or the system's, which is loaded for this. */
#ifndef ROTA_NAME_DEMANGLE_H
#define ROTA_NAME_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

/* False: the name is not of C++, or cannot be read, or is longer than the room. Allocates. */
bool rota__demangle(const char *name, char *room, size_t size);

#endif
