/* What Windows lacks of this header, for test/uv. */
#include_next <sys/stat.h>
#ifndef ROTA_TEST_WINDOWS_STAT_H
#define ROTA_TEST_WINDOWS_STAT_H
#include <direct.h>

#define mkdir(path, mode) _mkdir(path)
#define lstat(path, status) stat(path, status)

#endif
