/* What the system calls an error, as the library's: a negative UV_E*. 0 stays 0, and so does what is negative already.
 */
#ifndef ROTA_OS_ERROR_H
#define ROTA_OS_ERROR_H

int rota__os_translate(int code); /* an errno; on Windows, a code of GetLastError or WSAGetLastError */

#endif
