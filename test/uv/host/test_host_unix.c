/* The machine and the process: what the password file, uname, /proc and affinity say. */
#include "test.h"

#include <pwd.h>
#include <sched.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

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
  CHECK_EQ(uv_os_setenv("TMPDIR", "/abc/"), 0); /* the slash needs room, although it is not given */
  size = 5;
  CHECK_EQ(uv_os_tmpdir(path, &size), UV_ENOBUFS);
  CHECK_EQ(size, 6);
  CHECK_EQ(uv_os_tmpdir(path, &size), 0);
  CHECK_EQ(size, 4);
  CHECK_STR(path, "/abc");
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

TEST(host_usage_counts_faults) {
  uv_rusage_t usage;
  CHECK_EQ(uv_getrusage(&usage), 0);
  CHECK(usage.ru_minflt > 0);
}

TEST(host_handles_of_the_system_are_descriptors) {
  CHECK_EQ(uv_get_osfhandle(3), 3);
  CHECK_EQ(uv_open_osfhandle(3), 3);
}

TEST(host_library_of_the_program) {
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
