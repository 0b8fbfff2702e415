/* Limits of control groups, read from trees that were made for the test. */
#include "test.h"

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loop/os/host.h"

/* Tests run in an empty directory of their own. */
static void put(const char *path, const char *text) {
  char partial[PATH_MAX];
  for (const char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    snprintf(partial, sizeof(partial), "%.*s", (int)(slash - path), path);
    mkdir(partial, 0755);
  }
  FILE *file = fopen(path, "w");
  CHECK(file != NULL);
  fputs(text, file);
  fclose(file);
}

TEST(cgroup_none) {
  uint64_t left;
  double processors;
  CHECK(rota__cgroup_memory_limit(".") == 0);
  CHECK(!rota__cgroup_memory_left(".", 1000, &left));
  CHECK(!rota__cgroup_cpu_quota(".", &processors));
}

TEST(cgroup_unified) {
  uint64_t left;
  double processors;
  put("proc/self/cgroup", "0::/a.slice/b.service\n");
  put("sys/fs/cgroup/a.slice/b.service/memory.max", "max\n");
  put("sys/fs/cgroup/a.slice/b.service/memory.high", "max\n");
  put("sys/fs/cgroup/a.slice/b.service/memory.current", "500\n");
  put("sys/fs/cgroup/a.slice/b.service/cpu.max", "max 100000\n");
  CHECK(rota__cgroup_memory_limit(".") == UINT64_MAX);
  CHECK(!rota__cgroup_memory_left(".", 100000, &left));
  CHECK(!rota__cgroup_cpu_quota(".", &processors));

  /* The group around it. */
  put("sys/fs/cgroup/a.slice/memory.max", "9000\n");
  put("sys/fs/cgroup/a.slice/memory.high", "8000\n");
  put("sys/fs/cgroup/a.slice/memory.current", "7900\n");
  put("sys/fs/cgroup/a.slice/cpu.max", "250000 100000\n");
  CHECK_EQ(rota__cgroup_memory_limit("."), 8000);
  CHECK(rota__cgroup_memory_left(".", 100000, &left));
  CHECK_EQ(left, 100);
  CHECK(rota__cgroup_cpu_quota(".", &processors));
  CHECK(processors == 2.5);

  /* A smaller limit, of which there is more left. */
  put("sys/fs/cgroup/a.slice/b.service/memory.max", "4000\n");
  put("sys/fs/cgroup/a.slice/b.service/cpu.max", "50000 100000\n");
  CHECK_EQ(rota__cgroup_memory_limit("."), 4000);
  CHECK(rota__cgroup_memory_left(".", 100000, &left));
  CHECK_EQ(left, 100);
  CHECK(rota__cgroup_cpu_quota(".", &processors));
  CHECK(processors == 0.5);

  /* More used than is allowed, and a limit that the machine does not reach. */
  put("sys/fs/cgroup/a.slice/b.service/memory.current", "4001\n");
  CHECK(rota__cgroup_memory_left(".", 100000, &left));
  CHECK_EQ(left, 0);
  CHECK(!rota__cgroup_memory_left(".", 3999, &left));
}

TEST(cgroup_unified_in_a_container) {
  put("proc/self/cgroup", "0::/\n");
  put("sys/fs/cgroup/memory.max", "4096\n");
  CHECK_EQ(rota__cgroup_memory_limit("."), 4096);
  put("proc/self/cgroup", "0::/../other\n");
  CHECK_EQ(rota__cgroup_memory_limit("."), 4096);
  put("proc/self/cgroup", "0::/not/to/be/seen\n");
  CHECK_EQ(rota__cgroup_memory_limit("."), 4096);
}

TEST(cgroup_separate) {
  uint64_t left;
  double processors;
  put("proc/self/cgroup", "9:name=systemd:/x\n4:memory:/m/n\n2:cpu,cpuacct:/c\n0::/ignored\n");
  put("sys/fs/cgroup/ignored/memory.max", "1\n");
  put("sys/fs/cgroup/memory/m/n/memory.limit_in_bytes", "9223372036854771712\n");
  put("sys/fs/cgroup/memory/m/n/memory.soft_limit_in_bytes", "9223372036854771712\n");
  put("sys/fs/cgroup/cpu/c/cpu.cfs_quota_us", "-1\n");
  put("sys/fs/cgroup/cpu/c/cpu.cfs_period_us", "100000\n");
  CHECK(rota__cgroup_memory_limit(".") == UINT64_MAX);
  CHECK(!rota__cgroup_cpu_quota(".", &processors));

  put("sys/fs/cgroup/memory/m/memory.limit_in_bytes", "5000\n");
  put("sys/fs/cgroup/memory/m/memory.soft_limit_in_bytes", "4500\n");
  put("sys/fs/cgroup/memory/m/memory.usage_in_bytes", "500\n");
  put("sys/fs/cgroup/cpu/c/cpu.cfs_quota_us", "300000\n");
  CHECK_EQ(rota__cgroup_memory_limit("."), 4500);
  CHECK(rota__cgroup_memory_left(".", 100000, &left));
  CHECK_EQ(left, 4000);
  CHECK(rota__cgroup_cpu_quota(".", &processors));
  CHECK(processors == 3);
}
