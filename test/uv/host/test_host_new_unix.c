/* Users and groups by number. */
#include "test.h"

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

TEST(host_user_by_number) {
  uv_passwd_t user;
  struct passwd *expected = getpwuid(0);
  if (expected == NULL)
    SKIP("there is no root");
  CHECK_EQ(uv_os_get_passwd2(NULL, 0), UV_EINVAL);
  CHECK_EQ(uv_os_get_passwd2(&user, 0), 0);
  CHECK_STR(user.username, expected->pw_name);
  CHECK_EQ(user.uid, 0);
  uv_os_free_passwd(&user);
  CHECK_EQ(uv_os_get_passwd2(&user, 3456789), UV_ENOENT);
}

TEST(host_group) {
  uv_group_t group;
  CHECK_EQ(uv_os_get_group(NULL, 0), UV_EINVAL);
  CHECK_EQ(uv_os_get_group(&group, 3456789), UV_ENOENT);
  struct group *expected;
  setgrent();
  while ((expected = getgrent()) != NULL) {
    CHECK_EQ(uv_os_get_group(&group, expected->gr_gid), 0);
    CHECK_STR(group.groupname, expected->gr_name);
    CHECK_EQ(group.gid, expected->gr_gid);
    size_t i = 0;
    for (; expected->gr_mem[i] != NULL; i++)
      CHECK_STR(group.members[i], expected->gr_mem[i]);
    CHECK(group.members[i] == NULL);
    uv_os_free_group(&group);
    CHECK(group.members == NULL && group.groupname == NULL);
    uv_os_free_group(&group);
  }
}
