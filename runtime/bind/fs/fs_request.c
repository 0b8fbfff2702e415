/* The requests of the binding `fs`, and what JavaScript gets for their results. */
#include "runtime/bind/fs/fs.h"

#include <stdlib.h>
#include <string.h>

enum { POOL_MAX = 256 };

static _Thread_local struct js_fs_request *pool;
static _Thread_local int pool_count;

struct js_fs_request *js_fs_request_new(int id) {
  struct js_fs_request *call = pool;
  if (call != NULL) {
    pool = call->next;
    pool_count--;
  } else if ((call = malloc(sizeof *call)) == NULL) {
    return NULL;
  }
  call->id = id;
  call->as_bytes = call->as_text = false;
  call->added = 0;
  call->request.fs_type = UV_FS_UNKNOWN;
  return call;
}

void js_fs_request_free(struct js_fs_request *call) {
  if (pool_count == POOL_MAX) {
    free(call);
    return;
  }
  call->next = pool;
  pool = call;
  pool_count++;
}

void js_fs_requests_forget(void) {
  for (struct js_fs_request *next; pool != NULL; pool = next) {
    next = pool->next;
    free(pool);
  }
  pool_count = 0;
}

void js_fs_fill_stat(const uv_stat_t *stat, int row) {
  const uint64_t words[JS_FS_STAT_WORDS] = {
      stat->st_dev,
      stat->st_mode,
      stat->st_nlink,
      stat->st_uid,
      stat->st_gid,
      stat->st_rdev,
      stat->st_blksize,
      stat->st_ino,
      stat->st_size,
      stat->st_blocks,
      (uint64_t)stat->st_atim.tv_sec,
      (uint64_t)stat->st_atim.tv_nsec,
      (uint64_t)stat->st_mtim.tv_sec,
      (uint64_t)stat->st_mtim.tv_nsec,
      (uint64_t)stat->st_ctim.tv_sec,
      (uint64_t)stat->st_ctim.tv_nsec,
      (uint64_t)stat->st_birthtim.tv_sec,
      (uint64_t)stat->st_birthtim.tv_nsec,
  };
  double *numbers = js_fs.stats + row * JS_FS_STAT_WORDS;
  int64_t *exact = js_fs.exact_stats + row * JS_FS_STAT_WORDS;
  for (int i = 0; i < JS_FS_STAT_WORDS; i++) {
    exact[i] = (int64_t)words[i];
    numbers[i] = i < 10 ? (double)words[i] : (double)(int64_t)words[i];
  }
}

JSValueRef js_fs_name(JSContextRef context, const char *name, bool as_bytes) {
  size_t length = strlen(name);
  if (!as_bytes)
    return js_string_utf8(context, (const unsigned char *)name, length);
  char *copy = malloc(length + 1);
  if (copy == NULL)
    return js_null(context);
  memcpy(copy, name, length);
  return js_buffer_adopt(context, copy, length);
}

/* A flat list: name, kind, name, kind, ... */
static JSValueRef entries(JSContextRef context, uv_fs_t *request, bool as_bytes) {
  JSObjectRef list = js_array(context, 0, NULL);
  uv_dirent_t entry;
  unsigned n = 0;
  while (uv_fs_scandir_next(request, &entry) == 0) {
    JSObjectSetPropertyAtIndex(context, list, n++, js_fs_name(context, entry.name, as_bytes), NULL);
    JSObjectSetPropertyAtIndex(context, list, n++, js_number(context, entry.type), NULL);
  }
  return list;
}

static void fill_statfs(const uv_statfs_t *statfs) {
  const uint64_t words[] = {statfs->f_type,   statfs->f_bsize, statfs->f_blocks, statfs->f_bfree,
                            statfs->f_bavail, statfs->f_files, statfs->f_ffree,  statfs->f_frsize};
  for (int i = 0; i < 8; i++) {
    js_fs.stats[i] = (double)words[i];
    js_fs.exact_stats[i] = (int64_t)words[i];
  }
}

JSValueRef js_fs_value_of(JSContextRef context, uv_fs_t *request, bool as_bytes) {
  switch (request->fs_type) {
  case UV_FS_OPEN:
    js_fs_opened((int)request->result);
    return NULL;
  case UV_FS_STAT:
  case UV_FS_LSTAT:
  case UV_FS_FSTAT:
    js_fs_fill_stat(&request->statbuf, 0);
    return NULL;
  case UV_FS_STATFS:
    fill_statfs(request->ptr);
    return NULL;
  case UV_FS_READLINK:
  case UV_FS_REALPATH:
    return js_fs_name(context, request->ptr, as_bytes);
  case UV_FS_MKDTEMP:
    return js_fs_name(context, request->path + ((struct js_fs_request *)request)->added, as_bytes);
  case UV_FS_SCANDIR:
    return entries(context, request, as_bytes);
  default:
    return NULL;
  }
}
