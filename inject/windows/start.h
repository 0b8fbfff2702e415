/* Into another process: rota-graft.dll is loaded into a program that was created suspended, and its first instruction
 * is still to come.
 *
 * A thread of its own loads the library there, and another one lets it begin; both have ended when the program goes on.
 * The loader of Windows prepares the process in the first thread that runs in it, so the program finds everything as it
 * would. */
#ifndef GRAFT_START_H
#define GRAFT_START_H

#include "uv.h"
#include <stdbool.h>

enum { GRAFT_START_REASON_SIZE = 256 };

enum graft_start {
  GRAFT_START_DONE,    /* the library is there, and has said itself if the program stays on its own libuv */
  GRAFT_START_NOTHING, /* the program has no libuv, and starts no program that has */
  GRAFT_START_REFUSED  /* it cannot be loaded: `reason` says why, and the program is as it was */
};

/* `library` is the full path of rota-graft.dll. */
enum graft_start graft_start(HANDLE process, const WCHAR *library, char reason[GRAFT_START_REASON_SIZE]);

#endif
