/* Information about the machine and the process. */
#include "test.h"

#include <pwd.h>
#include <sched.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

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

TEST(host_home_directory) {
  char path[4096];
  char expected[4096];
  size_t size = sizeof(path);
  CHECK_EQ(uv_os_setenv("HOME", "/somewhere"), 0);
  CHECK_EQ(uv_os_homedir(path, &size), 0);
  CHECK_STR(path, "/somewhere");
  CHECK_EQ(size, strlen(path));
  size = 1;
  CHECK_EQ(uv_os_homedir(path, &size), UV_ENOBUFS);
  CHECK_EQ(size, strlen("/somewhere") + 1);
  CHECK_EQ(uv_os_homedir(NULL, &size), UV_EINVAL);
  CHECK_EQ(uv_os_homedir(path, NULL), UV_EINVAL);
  size = 0;
  CHECK_EQ(uv_os_homedir(path, &size), UV_EINVAL);

  struct passwd *user = getpwuid(geteuid());
  if (user == NULL)
    SKIP("this user has no entry");
  snprintf(expected, sizeof(expected), "%s", user->pw_dir);
  CHECK_EQ(uv_os_unsetenv("HOME"), 0);
  size = sizeof(path);
  CHECK_EQ(uv_os_homedir(path, &size), 0);
  CHECK_STR(path, expected);
  CHECK_EQ(size, strlen(path));
  size = 1;
  CHECK_EQ(uv_os_homedir(path, &size), UV_ENOBUFS);
  CHECK_EQ(size, strlen(expected) + 1);
}

TEST(host_temporary_directory) {
  static const char *const variables[] = {"TEMPDIR", "TEMP", "TMP", "TMPDIR"};
  char path[64];
  size_t size = sizeof(path);
  for (int i = 0; i < 4; i++)
    CHECK_EQ(uv_os_unsetenv(variables[i]), 0);
  CHECK_EQ(uv_os_tmpdir(path, &size), 0);
  CHECK_STR(path, "/tmp");
  for (int i = 0; i < 4; i++) { /* the later ones win */
    char value[32];
    snprintf(value, sizeof(value), "/dir%d/", i);
    CHECK_EQ(uv_os_setenv(variables[i], value), 0);
    size = sizeof(path);
    CHECK_EQ(uv_os_tmpdir(path, &size), 0);
    CHECK_EQ(size, 5);
    CHECK(strncmp(path, value, 5) == 0 && path[5] == '\0');
  }
  CHECK_EQ(uv_os_setenv("TMPDIR", "/"), 0);
  size = sizeof(path);
  CHECK_EQ(uv_os_tmpdir(path, &size), 0);
  CHECK_STR(path, "/");
  CHECK_EQ(uv_os_setenv("TMPDIR", "/abc"), 0);
  size = 4;
  CHECK_EQ(uv_os_tmpdir(path, &size), UV_ENOBUFS);
  CHECK_EQ(size, 5);
  CHECK_EQ(uv_os_tmpdir(NULL, &size), UV_EINVAL);
  CHECK_EQ(uv_os_tmpdir(path, NULL), UV_EINVAL);
  size = 0;
  CHECK_EQ(uv_os_tmpdir(path, &size), UV_EINVAL);
}

TEST(host_working_directory) {
  char path[4096];
  size_t size = sizeof(path);
  CHECK_EQ(uv_chdir("/"), 0);
  CHECK_EQ(uv_cwd(path, &size), 0);
  CHECK_STR(path, "/");
  CHECK_EQ(size, 1);
  CHECK_EQ(uv_chdir("/proc/"), 0);
  size = 6;
  CHECK_EQ(uv_cwd(path, &size), 0);
  CHECK_STR(path, "/proc");
  CHECK_EQ(size, 5);
  CHECK_EQ(uv_cwd(path, &size), UV_ENOBUFS);
  CHECK_EQ(size, 6);
  CHECK_EQ(uv_cwd(NULL, &size), UV_EINVAL);
  CHECK_EQ(uv_cwd(path, NULL), UV_EINVAL);
  size = 0;
  CHECK_EQ(uv_cwd(path, &size), UV_EINVAL);
  CHECK_EQ(uv_chdir("/there is no such place"), UV_ENOENT);
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

TEST(host_user) {
  uv_passwd_t user;
  struct passwd *expected = getpwuid(geteuid());
  if (expected == NULL)
    SKIP("this user has no entry");
  CHECK_EQ(uv_os_get_passwd(NULL), UV_EINVAL);
  CHECK_EQ(uv_os_get_passwd(&user), 0);
  CHECK_STR(user.username, expected->pw_name);
  CHECK_STR(user.homedir, expected->pw_dir);
  CHECK_STR(user.shell, expected->pw_shell);
  CHECK_EQ(user.uid, geteuid());
  CHECK_EQ(user.gid, expected->pw_gid);
  uv_os_free_passwd(&user);
  CHECK(user.username == NULL && user.shell == NULL && user.homedir == NULL);
  uv_os_free_passwd(&user);
}

TEST(host_names) {
  struct utsname expected;
  uv_utsname_t name;
  char host[UV_MAXHOSTNAMESIZE];
  size_t size;
  CHECK_EQ(uv_os_uname(NULL), UV_EINVAL);
  CHECK_EQ(uv_os_uname(&name), 0);
  CHECK_EQ(uname(&expected), 0);
  CHECK_STR(name.sysname, expected.sysname);
  CHECK_STR(name.release, expected.release);
  CHECK_STR(name.version, expected.version);
  CHECK_STR(name.machine, expected.machine);

  size = sizeof(host);
  CHECK_EQ(uv_os_gethostname(host, &size), 0);
  CHECK_STR(host, expected.nodename);
  CHECK_EQ(size, strlen(host));
  size = 1;
  CHECK_EQ(uv_os_gethostname(host, &size), UV_ENOBUFS);
  CHECK_EQ(size, strlen(expected.nodename) + 1);
  CHECK_EQ(uv_os_gethostname(NULL, &size), UV_EINVAL);
  CHECK_EQ(uv_os_gethostname(host, NULL), UV_EINVAL);
  size = 0;
  CHECK_EQ(uv_os_gethostname(host, &size), UV_EINVAL);
}

TEST(host_process) {
  int priority;
  CHECK_EQ(uv_os_getpid(), getpid());
  CHECK_EQ(uv_os_getppid(), getppid());
  CHECK_EQ(uv_os_getpriority(0, NULL), UV_EINVAL);
  CHECK_EQ(uv_os_setpriority(0, UV_PRIORITY_LOW + 1), UV_EINVAL);
  CHECK_EQ(uv_os_setpriority(0, UV_PRIORITY_HIGHEST - 1), UV_EINVAL);
  CHECK_EQ(uv_os_setpriority(0, UV_PRIORITY_BELOW_NORMAL), 0);
  CHECK_EQ(uv_os_getpriority(getpid(), &priority), 0);
  CHECK_EQ(priority, UV_PRIORITY_BELOW_NORMAL);
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
  CHECK(usage.ru_minflt > 0);
  CHECK(uv_get_total_memory() > uv_get_free_memory());
  CHECK(uv_get_free_memory() > 0);
}

TEST(host_processors) {
  uv_cpu_info_t *cpus;
  int count;
  CHECK_EQ(uv_cpu_info(&cpus, &count), 0);
  CHECK_EQ(count, sysconf(_SC_NPROCESSORS_ONLN));
  for (int i = 0; i < count; i++) {
    CHECK(cpus[i].model != NULL && cpus[i].model[0] != '\0');
    CHECK(cpus[i].cpu_times.idle + cpus[i].cpu_times.user + cpus[i].cpu_times.sys > 0);
  }
  uv_free_cpu_info(cpus, count);

  cpu_set_t one;
  CHECK(uv_available_parallelism() >= 1);
  CHECK(uv_available_parallelism() <= (unsigned int)count);
  CPU_ZERO(&one);
  CPU_SET((unsigned int)sched_getcpu(), &one);
  CHECK_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  CHECK_EQ(uv_available_parallelism(), 1);
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
  void *symbol;
  CHECK_STR(uv_dlerror(&lib), "no error");
  CHECK_EQ(uv_dlopen("/there/is/no/such.so", &lib), -1);
  CHECK(strstr(uv_dlerror(&lib), "/there/is/no/such.so") != NULL);
  CHECK(strstr(uv_dlerror(&lib), "/there/is/no/such.so") != NULL);
  uv_dlclose(&lib);
  CHECK_EQ(uv_dlopen(NULL, &lib), 0);
  CHECK_EQ(uv_dlsym(&lib, "malloc", &symbol), 0);
  CHECK(symbol != NULL);
  CHECK_EQ(uv_dlsym(&lib, "there_is_no_such_symbol", &symbol), -1);
  CHECK(strstr(uv_dlerror(&lib), "there_is_no_such_symbol") != NULL);
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
  CHECK_EQ(uv_get_osfhandle(3), 3);
  CHECK_EQ(uv_open_osfhandle(3), 3);
}

static void read_all(const char *path, char *buffer, size_t size) {
  FILE *file = fopen(path, "r");
  CHECK(file != NULL);
  memset(buffer, 0, size);
  CHECK(fread(buffer, 1, size - 1, file) > 0);
  fclose(file);
}

static void change_title(void *arg) {
  (void)arg;
  char title[64];
  for (int i = 0; i < 2000; i++) {
    CHECK_EQ(uv_set_process_title(i % 2 ? "aaaaaaaa" : "bbbb"), 0);
    CHECK_EQ(uv_get_process_title(title, sizeof(title)), 0);
    CHECK(strcmp(title, "aaaaaaaa") == 0 || strcmp(title, "bbbb") == 0);
  }
}

HELPER(title_helper) {
  char title[256];
  char shown[256];
  CHECK_EQ(uv_get_process_title(title, sizeof(title)), UV_ENOBUFS);
  CHECK_EQ(uv_set_process_title("x"), UV_ENOBUFS);

  size_t room = 0;
  for (int i = 0; i < argc; i++)
    room += strlen(argv[i]) + 1;
  char **copy = uv_setup_args(argc, argv);
  CHECK_EQ(uv_get_process_title(title, sizeof(title)), 0);
  CHECK_STR(title, "title_helper");
  CHECK_EQ(uv_get_process_title(NULL, 1), UV_EINVAL);
  CHECK_EQ(uv_get_process_title(title, 0), UV_EINVAL);
  CHECK_EQ(uv_get_process_title(title, 1), UV_ENOBUFS);

  CHECK_EQ(uv_set_process_title("%s%n"), 0);
  CHECK_EQ(uv_get_process_title(title, sizeof(title)), 0);
  CHECK_STR(title, "%s%n");
  read_all("/proc/self/comm", shown, sizeof(shown));
  CHECK_STR(shown, "%s%n\n");

  memset(title, 'x', sizeof(title) - 1);
  title[sizeof(title) - 1] = '\0';
  CHECK_EQ(uv_set_process_title(title), 0);
  CHECK_EQ(uv_get_process_title(title, sizeof(title)), 0);
  CHECK_EQ(strlen(title), room - 1);

  CHECK_STR(copy[0], "title_helper");
  CHECK_STR(copy[1], "first argument");
  CHECK_STR(copy[2], "second argument");
  CHECK(copy[3] == NULL);

  uv_thread_t threads[4];
  for (int i = 0; i < 4; i++)
    CHECK_EQ(uv_thread_create(&threads[i], change_title, NULL), 0);
  for (int i = 0; i < 4; i++)
    CHECK_EQ(uv_thread_join(&threads[i]), 0);
  return 0;
}

TEST(host_title) {
  pid_t pid = fork();
  CHECK(pid >= 0);
  if (pid == 0) {
    execl(test_program(), test_program(), "--helper", "title_helper", "first argument", "second argument",
          (char *)NULL);
    _exit(127);
  }
  int status;
  CHECK_EQ(waitpid(pid, &status, 0), pid);
  CHECK_EQ(status, 0);
}
