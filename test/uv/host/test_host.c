/* Information about the machine and the process. */
#include "test.h"

TEST(host_environment) {
  char buffer[10];
  size_t size = sizeof(buffer);
  CHECK_EQ(uv_os_setenv(NULL, "x"), UV_EINVAL);
  CHECK_EQ(uv_os_setenv("ROTA_A", NULL), UV_EINVAL);
  CHECK_EQ(uv_os_setenv("ROTA=A", "x"), UV_EINVAL);
  CHECK_EQ(uv_os_unsetenv(NULL), UV_EINVAL);
  CHECK_EQ(uv_os_getenv(NULL, buffer, &size), UV_EINVAL);
  CHECK_EQ(uv_os_getenv("ROTA_A", NULL, &size), UV_EINVAL);
  CHECK_EQ(uv_os_getenv("ROTA_A", buffer, NULL), UV_EINVAL);
  CHECK_EQ(uv_os_getenv("ROTA_A", buffer, &size), UV_ENOENT);

  CHECK_EQ(uv_os_setenv("ROTA_A", "123456789"), 0);
  CHECK_EQ(uv_os_getenv("ROTA_A", buffer, &size), 0);
  CHECK_STR(buffer, "123456789");
  CHECK_EQ(size, 9);
  CHECK_EQ(uv_os_getenv("ROTA_A", buffer, &size), UV_ENOBUFS);
  CHECK_EQ(size, 10);
  size = 0;
  CHECK_EQ(uv_os_getenv("ROTA_A", buffer, &size), UV_EINVAL);

  CHECK_EQ(uv_os_setenv("ROTA_A", ""), 0);
  size = sizeof(buffer);
  CHECK_EQ(uv_os_getenv("ROTA_A", buffer, &size), 0);
  CHECK_EQ(size, 0);
  CHECK_EQ(uv_os_unsetenv("ROTA_A"), 0);
  CHECK_EQ(uv_os_unsetenv("ROTA_A"), 0);
}

TEST(host_environment_whole) {
  uv_env_item_t *items;
  int count;
  int found = 0;
  CHECK_EQ(uv_os_setenv("ROTA_A", "one=two"), 0);
  CHECK_EQ(uv_os_setenv("ROTA_B", ""), 0);
  CHECK_EQ(uv_os_environ(&items, &count), 0);
  for (int i = 0; i < count; i++) {
    if (strcmp(items[i].name, "ROTA_A") == 0) {
      CHECK_STR(items[i].value, "one=two");
      found++;
    } else if (strcmp(items[i].name, "ROTA_B") == 0) {
      CHECK_STR(items[i].value, "");
      found++;
    }
  }
  CHECK_EQ(found, 2);
  uv_os_free_environ(items, count);
}

TEST(host_program_path) {
  char path[4096];
  size_t size = sizeof(path);
  CHECK_EQ(uv_exepath(path, &size), 0);
  CHECK_EQ(size, strlen(path));
  CHECK_STR(path, test_program());
  CHECK_EQ(uv_exepath(NULL, &size), UV_EINVAL);
  CHECK_EQ(uv_exepath(path, NULL), UV_EINVAL);
  size = 0;
  CHECK_EQ(uv_exepath(path, &size), UV_EINVAL);
  for (size = 1; size <= 2; size++) { /* cut off */
    size_t room = size;
    memset(path, -1, sizeof(path));
    CHECK_EQ(uv_exepath(path, &room), 0);
    CHECK_EQ(room, size - 1);
    CHECK_EQ(strlen(path), room);
  }
}

TEST(host_measures) {
  double load[3] = {-1, -1, -1};
  double uptime;
  size_t rss;
  uv_rusage_t usage;
  uv_loadavg(load);
  CHECK(load[0] >= 0 && load[1] >= 0 && load[2] >= 0);
  CHECK_EQ(uv_uptime(&uptime), 0);
  CHECK(uptime > 0);
  CHECK_EQ(uv_resident_set_memory(&rss), 0);
  CHECK(rss > 4096 * 20 && rss % 4096 == 0);
  CHECK_EQ(uv_getrusage(&usage), 0);
  CHECK(usage.ru_maxrss * 1024 >= rss / 2);
  CHECK(uv_get_total_memory() > uv_get_free_memory());
  CHECK(uv_get_free_memory() > 0);
}

TEST(host_interfaces) {
  uv_interface_address_t *addresses;
  int count;
  int loopback = 0;
  CHECK_EQ(uv_interface_addresses(&addresses, &count), 0);
  for (int i = 0; i < count; i++) {
    char text[INET6_ADDRSTRLEN];
    int family = addresses[i].address.address4.sin_family;
    CHECK(family == AF_INET || family == AF_INET6);
    CHECK_EQ(uv_ip_name((struct sockaddr *)&addresses[i].address, text, sizeof(text)), 0);
    CHECK(strlen(addresses[i].name) > 0);
    if (strcmp(text, "127.0.0.1") != 0)
      continue;
    loopback++;
    CHECK(addresses[i].is_internal);
    CHECK(memcmp(addresses[i].phys_addr, "\0\0\0\0\0\0", 6) == 0);
    CHECK_EQ(uv_ip4_name(&addresses[i].netmask.netmask4, text, sizeof(text)), 0);
    CHECK_STR(text, "255.0.0.0");
  }
  uv_free_interface_addresses(addresses, count);
  if (loopback == 0)
    SKIP("no loopback interface is up");
}

TEST(host_clocks) {
  uv_timeval64_t now;
  uint64_t start = uv_hrtime();
  uv_sleep(20);
  CHECK(uv_hrtime() - start >= 20 * 1000000);
  CHECK_EQ(uv_gettimeofday(NULL), UV_EINVAL);
  CHECK_EQ(uv_gettimeofday(&now), 0);
  CHECK(now.tv_sec > 1600000000);
  CHECK(now.tv_usec >= 0 && now.tv_usec < 1000000);
}

TEST(host_library) {
  uv_lib_t lib = {NULL, NULL};
  CHECK_STR(uv_dlerror(&lib), "no error");
  CHECK_EQ(uv_dlopen("/there/is/no/such.so", &lib), -1);
  CHECK(strcmp(uv_dlerror(&lib), "no error") != 0);
  uv_dlclose(&lib);
}

TEST(host_version) {
  char text[32];
  unsigned int version = uv_version();
  CHECK_EQ(version >> 16, 1);
  snprintf(text, sizeof(text), "%u.%u.%u", version >> 16, version >> 8 & 255, version & 255);
  CHECK_STR(uv_version_string(), text);
  uv_buf_t buf = uv_buf_init(text, 5);
  CHECK(buf.base == text && buf.len == 5);
}
