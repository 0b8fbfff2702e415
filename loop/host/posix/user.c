/* Users and groups.
 *
 * Each entry and all its strings are one block, which its first member points to: one free releases it. */
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loop/base/alloc.h"
#include "loop/base/text.h"
#include "loop/os/host.h"
#include "uv.h"

enum { FIRST_SCRATCH_SIZE = 2000 };

static char *append(char **end, const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = memcpy(*end, text, size);
  *end += size;
  return copy;
}

/* Calls `look_up` with scratch space for the system's strings, which grows until it suffices. */
static int with_scratch(int (*look_up)(uv_uid_t id, void *entry, char *scratch, size_t size), uv_uid_t id,
                        void *entry) {
  char *scratch = NULL;
  int err = UV_ERANGE;
  for (size_t size = FIRST_SCRATCH_SIZE; err == UV_ERANGE; size *= 2) {
    scratch = rota__realloc_or_free(scratch, size);
    if (scratch == NULL)
      return UV_ENOMEM;
    err = look_up(id, entry, scratch, size);
  }
  rota__free(scratch);
  return err;
}

static int fill_passwd(uv_passwd_t *pwd, const struct passwd *user) {
  size_t size = strlen(user->pw_name) + strlen(user->pw_dir) + strlen(user->pw_shell) + 3;
  char *end = rota__malloc(size);
  if (end == NULL)
    return UV_ENOMEM;
  pwd->username = append(&end, user->pw_name);
  pwd->homedir = append(&end, user->pw_dir);
  pwd->shell = append(&end, user->pw_shell);
  pwd->uid = user->pw_uid;
  pwd->gid = user->pw_gid;
  return 0;
}

static int look_up_user(uv_uid_t uid, void *pwd, char *scratch, size_t size) {
  struct passwd user;
  int err = rota__os_user(uid, &user, scratch, size);
  return err == 0 ? fill_passwd(pwd, &user) : err;
}

int uv_os_get_passwd2(uv_passwd_t *pwd, uv_uid_t uid) {
  return pwd == NULL ? UV_EINVAL : with_scratch(look_up_user, uid, pwd);
}

int uv_os_get_passwd(uv_passwd_t *pwd) {
  return uv_os_get_passwd2(pwd, geteuid());
}

static int fill_group(uv_group_t *grp, const struct group *group) {
  size_t members = 0;
  size_t name_bytes = strlen(group->gr_name) + 1;
  for (; group->gr_mem[members] != NULL; members++)
    name_bytes += strlen(group->gr_mem[members]) + 1;

  grp->members = rota__malloc((members + 1) * sizeof(char *) + name_bytes);
  if (grp->members == NULL)
    return UV_ENOMEM;
  char *end = (char *)(grp->members + members + 1);
  for (size_t i = 0; i < members; i++)
    grp->members[i] = append(&end, group->gr_mem[i]);
  grp->members[members] = NULL;
  grp->groupname = append(&end, group->gr_name);
  grp->gid = group->gr_gid;
  return 0;
}

static int look_up_group(uv_uid_t gid, void *grp, char *scratch, size_t size) {
  struct group group;
  int err = rota__os_group(gid, &group, scratch, size);
  return err == 0 ? fill_group(grp, &group) : err;
}

int uv_os_get_group(uv_group_t *grp, uv_uid_t gid) {
  return grp == NULL ? UV_EINVAL : with_scratch(look_up_group, gid, grp);
}

int uv_os_homedir(char *buffer, size_t *size) {
  int err = uv_os_getenv("HOME", buffer, size);
  if (err != UV_ENOENT)
    return err;
  uv_passwd_t user;
  err = uv_os_get_passwd(&user);
  if (err != 0)
    return err;
  err = rota__text_give(user.homedir, strlen(user.homedir), buffer, size);
  uv_os_free_passwd(&user);
  return err;
}
