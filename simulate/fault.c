#include "simulate/schedule.h"

#include <fcntl.h>
#include <string.h>

/* The bits that rota__setting_read_words gives. */
enum group { NET = 1 << ROTA_GROUP_NET, DISK = 1 << ROTA_GROUP_DISK, CHILD = 1 << ROTA_GROUP_CHILD };

/* Only a wait by ranks asks whether the disk is slow: its number must not be one of the others. */
enum { FAULTS_MAX = 3, DISK_NUMBER = 1 << 30 };

/* What the system may answer to each operation. Callers name the operation by the first column. */
static const struct {
  const char *operation;
  enum group group;
  int faults[FAULTS_MAX]; /* up to the first 0 */
} table[] = {
    {"open", DISK, {UV_EMFILE, UV_EIO, 0}},
    {"create", DISK, {UV_ENOSPC, UV_EMFILE, UV_EIO}},
    {"read", DISK, {UV_EIO, 0, 0}},
    {"write", DISK, {UV_ENOSPC, ROTA_FAULT_HAPPENS, UV_EIO}},
    {"sync", DISK, {UV_EIO, 0, 0}},
    {"mkdir", DISK, {UV_ENOSPC, UV_EIO, 0}},
    {"rename", DISK, {UV_ENOSPC, UV_EIO, 0}},
    {"scandir", DISK, {UV_EMFILE, UV_EIO, 0}},
    {"disk", DISK, {ROTA_FAULT_HAPPENS, 0, 0}},
    {"connect", NET, {UV_ECONNREFUSED, UV_EMFILE, 0}},
    {"receive", NET, {UV_ECONNRESET, 0, 0}},
    {"send", NET, {UV_EPIPE, UV_ECONNRESET, ROTA_FAULT_HAPPENS}},
    {"spawn", CHILD, {UV_EAGAIN, UV_EMFILE, 0}},
    {"child", CHILD, {ROTA_FAULT_HAPPENS, 0, 0}},
};

static bool is_disk(const char *operation) {
  return strcmp(operation, "disk") == 0;
}

static const char *describe_fault(const char *operation, int fault) {
  if (fault < 0)
    return uv_err_name(fault);
  if (strcmp(operation, "child") == 0)
    return "it is killed as soon as it runs";
  return is_disk(operation) ? "it is slow, its jobs come after all else" : "a part only";
}

/* Every operation is a decision, also of a group that is off: so a fault has the same number when it is replayed. */
int rota__fault(struct rota_steered_poller *self, const char *operation, const char *what) {
  unsigned int on = rota__decisions_faults();
  if (on == 0)
    return 0;
  for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
    if (strcmp(table[i].operation, operation) != 0)
      continue;
    unsigned int count = 0;
    while (count < FAULTS_MAX && table[i].faults[count] != 0)
      count++;
    unsigned int options = on & table[i].group ? count + 1 : 1;
    unsigned int chosen = is_disk(operation)
                              ? rota__decide_at(&self->decisions, ROTA_CHOICE_FAULT, DISK_NUMBER, options)
                              : rota__decide(&self->decisions, ROTA_CHOICE_FAULT, options);
    if (chosen == 0)
      return 0;
    int fault = table[i].faults[chosen - 1];
    rota__decision_record(&self->decisions, "fault: %s, %s: %s", operation, what, describe_fault(operation, fault));
    return fault;
  }
  return 0;
}

static const char *open_or_create(const uv_fs_t *fs) {
  return fs->flags & O_CREAT ? "create" : "open";
}

static const char *operation_of(const uv_fs_t *fs) {
  switch ((int)fs->fs_type) {
  case UV_FS_OPEN:
  case (int)ROTA_FS_WRITE_FILE:
    return open_or_create(fs);
  case (int)ROTA_FS_READ_FILE:
    return "open";
  case UV_FS_READ:
    return "read";
  case UV_FS_WRITE:
    return "write";
  case UV_FS_FSYNC:
  case UV_FS_FDATASYNC:
    return "sync";
  case UV_FS_MKDIR:
  case UV_FS_MKDTEMP:
    return "mkdir";
  case UV_FS_RENAME:
    return "rename";
  case UV_FS_SCANDIR:
  case UV_FS_OPENDIR:
    return "scandir";
  case UV_FS_COPYFILE:
  case UV_FS_MKSTEMP:
    return "create";
  default:
    return NULL;
  }
}

bool rota__job_changes_files(const struct rota_work *work) {
  if (work->req->type != UV_FS)
    return false;
  const uv_fs_t *fs = (const uv_fs_t *)work->req;
  switch (fs->fs_type) {
  case UV_FS_UNLINK:
  case UV_FS_RMDIR:
  case UV_FS_LINK:
  case UV_FS_SYMLINK:
  case UV_FS_FTRUNCATE:
    return true;
  default:
    break;
  }
  static const char *const changing[] = {"create", "write", "sync", "mkdir", "rename"};
  const char *operation = operation_of(fs);
  for (size_t i = 0; operation != NULL && i < sizeof(changing) / sizeof(changing[0]); i++)
    if (strcmp(operation, changing[i]) == 0)
      return true;
  return false;
}

static void keep_result(struct rota_work *work) {
  (void)work; /* fail_with has set the result */
}

static void fail_with(struct rota_work *work, int fault) {
  ((uv_fs_t *)work->req)->result = fault;
  work->run = keep_result;
}

/* Opening, and reading or writing, are one job and two decisions. */
static void fault_whole_file(uv_loop_t *loop, struct rota_work *work, const char *first) {
  uv_fs_t *fs = (uv_fs_t *)work->req;
  bool reads = fs->fs_type == ROTA_FS_READ_FILE;
  int open_fault = rota_schedule_fault(loop, first, fs->path);
  int fault = rota_schedule_fault(loop, reads ? "read" : "write", fs->path);
  if (open_fault >= 0 && fault >= 0)
    return;
  fs->gid = (uv_gid_t)(open_fault < 0 ? UV_FS_OPEN : reads ? UV_FS_READ : UV_FS_WRITE);
  fail_with(work, open_fault < 0 ? open_fault : fault);
}

void rota__fault_job(uv_loop_t *loop, struct rota_work *work) {
  if (work->req->type != UV_FS)
    return;
  uv_fs_t *fs = (uv_fs_t *)work->req;
  const char *operation = operation_of(fs);
  if (operation == NULL)
    return;
  if (fs->fs_type == ROTA_FS_READ_FILE || fs->fs_type == ROTA_FS_WRITE_FILE) {
    fault_whole_file(loop, work, operation);
    return;
  }
  char text[ROTA_DESCRIPTION_MAX];
  int fault = rota_schedule_fault(loop, operation, rota__describe_job(work, text));
  if (fault < 0) {
    fail_with(work, fault);
  } else if (fault > 0 && fs->bufs[0].len > 1) {
    fs->nbufs = 1;
    fs->bufs[0].len /= 2;
  }
}
