/* What the program's calls to the system lead to besides: its end, and its children. They are redirected where the
 * loader has put their addresses for a module. */
#ifndef GRAFT_HOOK_H
#define GRAFT_HOOK_H

#include "uv.h"

/* The path of rota-graft.dll, which children get, too. */
void graft_hook_begin(const WCHAR *library);

/* Node has a C library of its own. When it ends, the functions that librota has given to the system's C library
 * (loop/os/process.h) are called, while all threads still run. */
void graft_hook_end(HMODULE module);

/* What this module starts by CreateProcessW begins with the library. */
void graft_hook_children(HMODULE module);

#endif
