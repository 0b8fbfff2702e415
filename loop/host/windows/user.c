/* Users. Windows has no numbers for them, so only the current one can be asked for; it has no groups of this kind. */
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/text.h"
#include "loop/os/windows/convert.h"
#include "uv.h"

#include <lmcons.h>
#include <userenv.h>

static int home_of_token(WCHAR **path) {
  HANDLE token;
  DWORD room = 0;
  if (!OpenProcessToken(GetCurrentProcess(), TOKEN_READ, &token))
    return rota__os_last_error();
  int err = 0;
  *path = NULL;
  if (!GetUserProfileDirectoryW(token, NULL, &room) && GetLastError() != ERROR_INSUFFICIENT_BUFFER)
    err = rota__os_last_error();
  if (err == 0) {
    *path = rota__malloc(room * sizeof(WCHAR));
    err = *path == NULL ? UV_ENOMEM : 0;
  }
  if (err == 0 && !GetUserProfileDirectoryW(token, *path, &room)) {
    err = rota__os_last_error();
    rota__free(*path);
  }
  CloseHandle(token);
  return err;
}

static int home_directory(char **home) {
  WCHAR *wide = NULL;
  int err = home_of_token(&wide);
  if (err < 0)
    return err;
  err = rota__os_narrow(wide, -1, home);
  rota__free(wide);
  return err;
}

static int user_name(char **name) {
  WCHAR wide[UNLEN + 1];
  DWORD room = UNLEN + 1;
  if (!GetUserNameW(wide, &room))
    return rota__os_last_error();
  return rota__os_narrow(wide, -1, name);
}

int uv_os_get_passwd(uv_passwd_t *pwd) {
  if (pwd == NULL)
    return UV_EINVAL;
  char *name, *home;
  int err = user_name(&name);
  if (err < 0)
    return err;
  err = home_directory(&home);
  if (err < 0) {
    rota__free(name);
    return err;
  }
  size_t name_size = strlen(name) + 1, home_size = strlen(home) + 1;
  char *block = rota__realloc_or_free(name, name_size + home_size);
  if (block != NULL) {
    char *copy = memcpy(block + name_size, home, home_size);
    *pwd = (uv_passwd_t){
        .username = block, .homedir = copy, .shell = NULL, .uid = (unsigned long)-1, .gid = (unsigned long)-1};
  }
  rota__free(home);
  return block == NULL ? UV_ENOMEM : 0;
}

int uv_os_get_passwd2(uv_passwd_t *pwd, uv_uid_t uid) {
  (void)pwd;
  (void)uid;
  return UV_ENOTSUP;
}

int uv_os_get_group(uv_group_t *grp, uv_uid_t gid) {
  (void)grp;
  (void)gid;
  return UV_ENOTSUP;
}

int uv_os_homedir(char *buffer, size_t *size) {
  int err = uv_os_getenv("USERPROFILE", buffer, size);
  if (err == 0 && *size < 3)
    return UV_ENOENT; /* not a path */
  if (err != UV_ENOENT)
    return err;
  char *home;
  err = home_directory(&home);
  if (err < 0)
    return err;
  err = rota__text_give(home, strlen(home), buffer, size);
  rota__free(home);
  return err;
}
