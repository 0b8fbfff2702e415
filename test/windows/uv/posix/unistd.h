/* What Windows lacks of this header, for test/uv. */
#include_next <unistd.h>
#ifndef ROTA_TEST_WINDOWS_UNISTD_H
#define ROTA_TEST_WINDOWS_UNISTD_H
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>

#define pipe(fds) _pipe(fds, 65536, _O_BINARY | _O_NOINHERIT)
#define setenv(name, value, overwrite) _putenv_s(name, value)

#endif
