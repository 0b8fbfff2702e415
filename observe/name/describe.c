#include "observe/name/describe.h"

#include <stdbool.h>
#include <stdio.h>

#include "loop/core/observe.h"
#include "loop/core/pool/work.h"
#include "rota.h"

#include <stdatomic.h>

/* Filled from the front; an entry is written once. */
static _Atomic uint32_t queues[ROTA_QUEUE_MAX];

uint8_t rota__queue_number(uint32_t name) {
  for (unsigned int i = 0; name != 0 && i < ROTA_QUEUE_MAX; i++) {
    uint32_t found = 0;
    if (atomic_compare_exchange_strong(&queues[i], &found, name) || found == name)
      return (uint8_t)(ROTA_QUEUE_FIRST + i);
  }
  return 0;
}

static const char *describe_queue(unsigned int number) {
  unsigned int i = number - ROTA_QUEUE_FIRST;
  const struct rota_name_entry *entry = i < ROTA_QUEUE_MAX ? rota__name_find(atomic_load(&queues[i])) : NULL;
  return entry != NULL ? entry->function : "unknown";
}

const char *rota__describe_phase(unsigned int phase) {
  static const char *const names[] = {
      [ROTA_PHASE_NONE] = "outside", [ROTA_PHASE_TIMERS] = "timers",   [ROTA_PHASE_PENDING] = "pending",
      [ROTA_PHASE_IDLE] = "idle",    [ROTA_PHASE_PREPARE] = "prepare", [ROTA_PHASE_POLL] = "poll",
      [ROTA_PHASE_CHECK] = "check",  [ROTA_PHASE_CLOSING] = "closing",
  };
  return phase < sizeof(names) / sizeof(names[0]) ? names[phase] : describe_queue(phase);
}

const char *rota__describe_type(unsigned int type, int is_request) {
  const char *name = is_request ? uv_req_type_name((uv_req_type)type) : uv_handle_type_name((uv_handle_type)type);
  return name == NULL ? "unknown" : name;
}

const char *rota__describe_file_operation(int fs_type) {
  static const char *const names[] = {
      [UV_FS_CUSTOM] = "custom",
      [UV_FS_OPEN] = "open",
      [UV_FS_CLOSE] = "close",
      [UV_FS_READ] = "read",
      [UV_FS_WRITE] = "write",
      [UV_FS_SENDFILE] = "sendfile",
      [UV_FS_STAT] = "stat",
      [UV_FS_LSTAT] = "lstat",
      [UV_FS_FSTAT] = "fstat",
      [UV_FS_FTRUNCATE] = "ftruncate",
      [UV_FS_UTIME] = "utime",
      [UV_FS_FUTIME] = "futime",
      [UV_FS_ACCESS] = "access",
      [UV_FS_CHMOD] = "chmod",
      [UV_FS_FCHMOD] = "fchmod",
      [UV_FS_FSYNC] = "fsync",
      [UV_FS_FDATASYNC] = "fdatasync",
      [UV_FS_UNLINK] = "unlink",
      [UV_FS_RMDIR] = "rmdir",
      [UV_FS_MKDIR] = "mkdir",
      [UV_FS_MKDTEMP] = "mkdtemp",
      [UV_FS_RENAME] = "rename",
      [UV_FS_SCANDIR] = "scandir",
      [UV_FS_LINK] = "link",
      [UV_FS_SYMLINK] = "symlink",
      [UV_FS_READLINK] = "readlink",
      [UV_FS_CHOWN] = "chown",
      [UV_FS_FCHOWN] = "fchown",
      [UV_FS_REALPATH] = "realpath",
      [UV_FS_COPYFILE] = "copyfile",
      [UV_FS_LCHOWN] = "lchown",
      [UV_FS_OPENDIR] = "opendir",
      [UV_FS_READDIR] = "readdir",
      [UV_FS_CLOSEDIR] = "closedir",
      [UV_FS_STATFS] = "statfs",
      [UV_FS_MKSTEMP] = "mkstemp",
      [UV_FS_LUTIME] = "lutime",
      [ROTA_FS_READ_FILE] = "readFile",
      [ROTA_FS_WRITE_FILE] = "writeFile",
  };
  bool is_known = fs_type >= 0 && (size_t)fs_type < sizeof(names) / sizeof(names[0]) && names[fs_type] != NULL;
  return is_known ? names[fs_type] : "unknown";
}

const char *rota__describe_work(unsigned int kind) {
  static const char *const names[] = {
      [ROTA_WORK_FILE] = "file",     [ROTA_WORK_NAME] = "name",     [ROTA_WORK_USER] = "work",
      [ROTA_WORK_RANDOM] = "random", [ROTA_WORK_CRYPTO] = "crypto",
  };
  return kind < sizeof(names) / sizeof(names[0]) ? names[kind] : "?";
}

static const char *describe_file(const uv_fs_t *req, char *room, size_t size) {
  bool has_two = req->fs_type == UV_FS_RENAME || req->fs_type == UV_FS_LINK || req->fs_type == UV_FS_SYMLINK ||
                 req->fs_type == UV_FS_COPYFILE;
  if (req->path == NULL || req->path[0] == '\0') {
    if (req->file < 0)
      return NULL;
    snprintf(room, size, "descriptor %d", (int)req->file);
    return room;
  }
  if (!has_two || req->new_path == NULL)
    return req->path;
  snprintf(room, size, "%s -> %s", req->path, req->new_path);
  return room;
}

static const char *describe_host(const uv_getaddrinfo_t *req, char *room, size_t size) {
  if (req->hostname == NULL)
    return req->service;
  snprintf(room, size, req->service == NULL ? "%s" : "%s:%s", req->hostname, req->service);
  return room;
}

static const char *describe_address(const uv_getnameinfo_t *req, char *room, size_t size) {
  const struct sockaddr *address = (const struct sockaddr *)&req->storage;
  return uv_ip_name(address, room, size) == 0 ? room : NULL;
}

const char *rota__describe_subject(const uv_req_t *req, char *room, size_t size) {
  switch (req->type) {
  case UV_FS:
    return describe_file((const uv_fs_t *)req, room, size);
  case UV_GETADDRINFO:
    return describe_host((const uv_getaddrinfo_t *)req, room, size);
  case UV_GETNAMEINFO:
    return describe_address((const uv_getnameinfo_t *)req, room, size);
  default:
    return NULL;
  }
}
