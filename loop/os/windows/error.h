/* Errors of Windows: every file of this folder returns a value >= 0, or a negative UV_E*.
 *
 * A thread keeps the code of its last failure: uv_fs_get_system_error tells it. */
#ifndef ROTA_OS_WINDOWS_ERROR_H
#define ROTA_OS_WINDOWS_ERROR_H

#include "loop/os/outcome.h"

int rota__os_last_error(void); /* of the call that has just failed; never 0 */
int rota__os_last_code(void);  /* what it was before it was translated */

#endif
