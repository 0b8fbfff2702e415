/* What a file system is: statfs(2), which each system has with other fields. */
#include <errno.h>
#if defined(__linux__)
#include <sys/vfs.h>
#elif defined(__NetBSD__)
#include <sys/statvfs.h>
#else
#include <sys/param.h>

/* It needs what <sys/param.h> defines. */
#include <sys/mount.h>
#endif

#include "loop/os/file.h"
#include "loop/os/outcome.h"

#ifdef __NetBSD__
#define statfs statvfs /* the structure and the call */
#endif
#if defined(__NetBSD__) || defined(__OpenBSD__)
#define TYPE_OF(found) 0
#else
#define TYPE_OF(found) (uint64_t)(found).f_type
#endif
#if defined(__NetBSD__) || defined(__linux__)
#define FRAGMENT_OF(found) (uint64_t)(found).f_frsize
#else
#define FRAGMENT_OF(found) (uint64_t)(found).f_bsize
#endif

int rota__os_statfs(const char *path, uv_statfs_t *result) {
  struct statfs found;
  int err;
  do
    err = statfs(path, &found);
  while (rota__os_interrupted(err));
  if (err < 0)
    return -errno;
  *result = (uv_statfs_t){
      .f_type = TYPE_OF(found),
      .f_bsize = (uint64_t)found.f_bsize,
      .f_blocks = (uint64_t)found.f_blocks,
      .f_bfree = (uint64_t)found.f_bfree,
      .f_bavail = (uint64_t)found.f_bavail,
      .f_files = (uint64_t)found.f_files,
      .f_ffree = (uint64_t)found.f_ffree,
      .f_frsize = FRAGMENT_OF(found),
  };
  return 0;
}
