/* uv_fs_event of Windows: the system reports what changes in a folder, with names.
 *
 * A file is watched through its folder. Invariant: while an operation is under way, its watch exists, and if the handle
 * was stopped meanwhile, it counts as a request, so that the loop waits for its end. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <wchar.h>

#include "loop/base/alloc.h"
#include "loop/base/list.h"
#include "loop/core/handle.h"
#include "loop/core/internal.h"
#include "loop/core/req.h"
#include "loop/fs/event.h"
#include "loop/os/windows/convert.h"
#include "loop/poller/iocp.h"

enum {
  BUFFER = 16 * 1024, /* more than 64 KB do not work over a network */
  CHANGES = FILE_NOTIFY_CHANGE_FILE_NAME | FILE_NOTIFY_CHANGE_DIR_NAME | FILE_NOTIFY_CHANGE_ATTRIBUTES |
            FILE_NOTIFY_CHANGE_SIZE | FILE_NOTIFY_CHANGE_LAST_WRITE | FILE_NOTIFY_CHANGE_LAST_ACCESS |
            FILE_NOTIFY_CHANGE_CREATION | FILE_NOTIFY_CHANGE_SECURITY,
};

struct rota_fs_watch {
  uv_fs_event_t *handle; /* null: stopped */
  uv_loop_t *loop;
  struct rota_io io;
  HANDLE folder;
  bool is_recursive;
  bool is_under_way;
  WCHAR *name;       /* of the watched file in its folder; null: the folder itself is watched */
  WCHAR *short_name; /* as old programs call it (LONGNA~1.TXT); null: unknown */
  _Alignas(8) char buffer[BUFFER];
};

static void on_changes(struct rota_op *op, int32_t result, uint32_t bytes);

static void free_watch(struct rota_fs_watch *watch) {
  rota__free(watch->name);
  rota__free(watch->short_name);
  rota__free(watch);
}

/* ---- watching ---- */

/* An error at once is reported as the others are. */
static void read_changes(struct rota_fs_watch *watch) {
  OVERLAPPED *overlapped = rota__io_begin(&watch->io, on_changes);
  watch->is_under_way = true;
  if (!ReadDirectoryChangesW(watch->folder, watch->buffer, BUFFER, watch->is_recursive, CHANGES, NULL, overlapped,
                             NULL))
    rota__iocp_post(rota__loop_poller(watch->loop)->port, &watch->io, GetLastError(), 0);
}

static WCHAR *copy_of(const WCHAR *text) {
  size_t size = (wcslen(text) + 1) * sizeof(WCHAR);
  WCHAR *copy = rota__malloc(size);
  return copy == NULL ? NULL : memcpy(copy, text, size);
}

static const WCHAR *last_part(const WCHAR *path) {
  const WCHAR *part = path + wcslen(path);
  while (part > path && part[-1] != L'\\' && part[-1] != L'/')
    part--;
  return part;
}

/* Splits the path into the folder, in place, and the name. */
static int take_name(struct rota_fs_watch *watch, WCHAR *path, const WCHAR **folder) {
  WCHAR short_path[MAX_PATH];
  DWORD length = GetShortPathNameW(path, short_path, MAX_PATH);
  if (length > 0 && length < MAX_PATH)
    watch->short_name = copy_of(last_part(short_path));
  WCHAR *name = path + (last_part(path) - path);
  watch->name = copy_of(name);
  if (watch->name == NULL)
    return UV_ENOMEM;
  *name = 0;
  *folder = name == path ? L"." : path;
  return 0;
}

static int open_folder(struct rota_fs_watch *watch, const char *path) {
  struct rota_os_wide wide;
  int err = rota__os_wide_path(&wide, path);
  if (err < 0)
    return err;
  const WCHAR *folder = wide.text;
  DWORD attributes = GetFileAttributesW(wide.text);
  if (attributes == INVALID_FILE_ATTRIBUTES)
    err = rota__os_last_error();
  else if (!(attributes & FILE_ATTRIBUTE_DIRECTORY))
    err = take_name(watch, wide.text, &folder);
  if (err == 0) {
    watch->folder = CreateFileW(folder, FILE_LIST_DIRECTORY, ROTA_SHARE_ALL, NULL, OPEN_EXISTING,
                                FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OVERLAPPED, NULL);
    if (watch->folder == INVALID_HANDLE_VALUE)
      err = rota__os_last_error();
  }
  rota__os_wide_free(&wide);
  return err;
}

int rota__fs_event_watch(uv_fs_event_t *handle, unsigned int flags) {
  struct rota_fs_watch *watch = rota__calloc(1, sizeof(*watch));
  if (watch == NULL)
    return UV_ENOMEM;
  watch->handle = handle;
  watch->loop = handle->loop;
  watch->is_recursive = (flags & UV_FS_EVENT_RECURSIVE) != 0;
  watch->folder = INVALID_HANDLE_VALUE;
  int err = open_folder(watch, handle->path);
  if (err == 0)
    err = rota__iocp_attach(rota__loop_poller(handle->loop), watch->folder);
  if (err < 0) {
    if (watch->folder != INVALID_HANDLE_VALUE)
      CloseHandle(watch->folder);
    free_watch(watch);
    return err;
  }
  handle->watch = watch;
  read_changes(watch);
  return 0;
}

/* ---- events ---- */

static void report(struct rota_fs_watch *watch, const char *name, int events, int status) {
  uv_fs_event_t *handle = watch->handle;
  rota__handle_call_begin(handle->loop, handle, (rota_function)handle->cb);
  handle->cb(handle, name, events, status);
  rota__call_end(watch->loop);
}

static bool is_name(const WCHAR *name, const WCHAR *found, size_t length) {
  return name != NULL && CompareStringOrdinal(name, -1, found, (int)length, TRUE) == CSTR_EQUAL;
}

static void tell_change(struct rota_fs_watch *watch, const FILE_NOTIFY_INFORMATION *change) {
  size_t length = change->FileNameLength / sizeof(WCHAR);
  char *name = NULL;
  if (watch->name != NULL) {
    if (!is_name(watch->name, change->FileName, length) && !is_name(watch->short_name, change->FileName, length))
      return;
    (void)rota__os_narrow(watch->name, -1, &name);
  } else {
    (void)rota__os_narrow(change->FileName, (ssize_t)length, &name);
  }
  report(watch, name, change->Action == FILE_ACTION_MODIFIED ? UV_CHANGE : UV_RENAME, 0);
  rota__free(name);
}

static void on_changes(struct rota_op *op, int32_t result, uint32_t bytes) {
  struct rota_fs_watch *watch = rota__container_of(rota__io_of(op), struct rota_fs_watch, io);
  watch->is_under_way = false;
  if (watch->handle == NULL) {
    rota__req_end(watch->loop);
    free_watch(watch);
    return;
  }
  /* A callback may stop the handle, and it may be started again: then it has another watch. The request keeps this. */
  uv_loop_t *loop = watch->loop;
  watch->is_under_way = true;
  if (result < 0) {
    report(watch, NULL, 0, result);
  } else if (bytes == 0) {
    report(watch, NULL, UV_CHANGE, 0); /* there were more than the buffer holds */
  } else {
    for (const char *at = watch->buffer; watch->handle != NULL;) {
      const FILE_NOTIFY_INFORMATION *change = (const FILE_NOTIFY_INFORMATION *)(const void *)at;
      tell_change(watch, change);
      if (change->NextEntryOffset == 0)
        break;
      at += change->NextEntryOffset;
    }
  }
  watch->is_under_way = false;
  if (watch->handle == NULL) {
    rota__req_end(loop);
    free_watch(watch);
  } else if (result < 0) {
    uv_fs_event_stop(watch->handle);
  } else {
    read_changes(watch);
  }
}

/* ---- the end ---- */

void rota__fs_event_unwatch(uv_fs_event_t *handle) {
  struct rota_fs_watch *watch = handle->watch;
  watch->handle = NULL;
  CloseHandle(watch->folder); /* ends the operation */
  if (watch->is_under_way)
    watch->loop->active_reqs.count++;
  else
    free_watch(watch);
}
