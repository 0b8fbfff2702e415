/* What the tests of files share. */
#ifndef ROTA_TEST_UV_TEST_FS_H
#define ROTA_TEST_UV_TEST_FS_H

#include "system.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* The callback that fs_wait counts on. */
void fs_done(uv_fs_t *req);
/* Runs the default loop until the request that has just been started (with fs_done) is over, and gives its result. */
ssize_t fs_wait(int started, uv_fs_t *req);

void fs_make(const char *path, const char *content);
/* The content as a string, in a static buffer. */
const char *fs_content(const char *path);
int fs_exists(const char *path);
unsigned int fs_mode(const char *path);

#endif
