/* Assertions of sizes, alignments and offsets, for the tables of 64 bits (loop/abi.c), of 32 bits (loop/abi32.c) and of
 * Windows (loop/windows/abi.c); and the offsets that are the same everywhere, but for the size of a long. */
#ifndef ROTA_ABI_H
#define ROTA_ABI_H

#include <stddef.h>
#include <stdint.h>

#include "uv.h"

#ifdef __cplusplus
#define ABI_ASSERT(condition, text) static_assert(condition, text)
#define ABI_ALIGN(type) alignof(type)
#else
#define ABI_ASSERT(condition, text) _Static_assert(condition, text)
#define ABI_ALIGN(type) _Alignof(type)
#endif
#define ABI_SIZE(type, size, align)                                                                                    \
  ABI_ASSERT(sizeof(type) == (size) && ABI_ALIGN(type) == (align), "size or alignment of " #type)
#define ABI_OFFSET(type, field, offset) ABI_ASSERT(offsetof(type, field) == (offset), "offset of " #field " in " #type)

#define ABI_LONG sizeof(long)

ABI_OFFSET(uv_utsname_t, sysname, 0);
ABI_OFFSET(uv_utsname_t, release, 256);
ABI_OFFSET(uv_utsname_t, version, 512);
ABI_OFFSET(uv_utsname_t, machine, 768);

ABI_OFFSET(uv_statfs_t, f_type, 0);
ABI_OFFSET(uv_statfs_t, f_bsize, 8);
ABI_OFFSET(uv_statfs_t, f_blocks, 16);
ABI_OFFSET(uv_statfs_t, f_bfree, 24);
ABI_OFFSET(uv_statfs_t, f_bavail, 32);
ABI_OFFSET(uv_statfs_t, f_files, 40);
ABI_OFFSET(uv_statfs_t, f_ffree, 48);
ABI_OFFSET(uv_statfs_t, f_spare, 64);

ABI_OFFSET(uv_stat_t, st_dev, 0);
ABI_OFFSET(uv_stat_t, st_mode, 8);
ABI_OFFSET(uv_stat_t, st_nlink, 16);
ABI_OFFSET(uv_stat_t, st_uid, 24);
ABI_OFFSET(uv_stat_t, st_gid, 32);
ABI_OFFSET(uv_stat_t, st_rdev, 40);
ABI_OFFSET(uv_stat_t, st_ino, 48);
ABI_OFFSET(uv_stat_t, st_size, 56);
ABI_OFFSET(uv_stat_t, st_blksize, 64);
ABI_OFFSET(uv_stat_t, st_blocks, 72);
ABI_OFFSET(uv_stat_t, st_flags, 80);
ABI_OFFSET(uv_stat_t, st_gen, 88);
ABI_OFFSET(uv_stat_t, st_atim, 96);
ABI_OFFSET(uv_stat_t, st_mtim, 96 + 2 * ABI_LONG);
ABI_OFFSET(uv_stat_t, st_ctim, 96 + 4 * ABI_LONG);
ABI_OFFSET(uv_stat_t, st_birthtim, 96 + 6 * ABI_LONG);

ABI_OFFSET(uv_rusage_t, ru_utime, 0);
ABI_OFFSET(uv_rusage_t, ru_stime, 2 * ABI_LONG);
ABI_OFFSET(uv_rusage_t, ru_maxrss, 4 * ABI_LONG);
ABI_OFFSET(uv_rusage_t, ru_ixrss, 8 + 4 * ABI_LONG);
ABI_OFFSET(uv_rusage_t, ru_idrss, 16 + 4 * ABI_LONG);
ABI_OFFSET(uv_rusage_t, ru_isrss, 24 + 4 * ABI_LONG);
ABI_OFFSET(uv_rusage_t, ru_minflt, 32 + 4 * ABI_LONG);
ABI_OFFSET(uv_rusage_t, ru_majflt, 40 + 4 * ABI_LONG);
ABI_OFFSET(uv_rusage_t, ru_nswap, 48 + 4 * ABI_LONG);
ABI_OFFSET(uv_rusage_t, ru_inblock, 56 + 4 * ABI_LONG);
ABI_OFFSET(uv_rusage_t, ru_oublock, 64 + 4 * ABI_LONG);
ABI_OFFSET(uv_rusage_t, ru_msgsnd, 72 + 4 * ABI_LONG);
ABI_OFFSET(uv_rusage_t, ru_msgrcv, 80 + 4 * ABI_LONG);
ABI_OFFSET(uv_rusage_t, ru_nsignals, 88 + 4 * ABI_LONG);
ABI_OFFSET(uv_rusage_t, ru_nvcsw, 96 + 4 * ABI_LONG);
ABI_OFFSET(uv_rusage_t, ru_nivcsw, 104 + 4 * ABI_LONG);

ABI_OFFSET(uv_metrics_t, loop_count, 0);
ABI_OFFSET(uv_metrics_t, events, 8);
ABI_OFFSET(uv_metrics_t, events_waiting, 16);
ABI_OFFSET(uv_metrics_t, reserved, 24);

ABI_OFFSET(uv_timespec64_t, tv_sec, 0);
ABI_OFFSET(uv_timespec64_t, tv_nsec, 8);

ABI_OFFSET(uv_timespec_t, tv_sec, 0);
ABI_OFFSET(uv_timespec_t, tv_nsec, ABI_LONG);

ABI_OFFSET(uv_timeval64_t, tv_sec, 0);
ABI_OFFSET(uv_timeval64_t, tv_usec, 8);

#endif
