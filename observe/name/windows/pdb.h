/* Names and lines of an image whose compiler has written them into a file of their own (PDB): by the system's reader,
 * dbghelp.dll, which is loaded when the first such image is met.
 *
 * That reader serves one thread at a time; all calls of the library's come with the lock of observe/name. A program
 * that uses it itself, in another thread at the same moment, is not protected. It has a session of its own. */
#ifndef ROTA_NAME_WINDOWS_PDB_H
#define ROTA_NAME_WINDOWS_PDB_H

#include <stdbool.h>

#include "observe/name/windows/image.h"

/* False: there is no such file, or no reader. */
bool rota__pdb_load(HMODULE module, const WCHAR *path);
bool rota__pdb_function(HMODULE module, const void *address, struct rota_image_function *function);
bool rota__pdb_line(const void *address, struct rota_line_place *found);

#endif
