/* Memory, load and processors, by sysctl, and random numbers. */
#include "loop/os/host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysctl.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach/mach.h>
#include <mach/mach_host.h>
#include <sys/random.h>
#else
#include <sys/resource.h>
#endif
#ifdef __FreeBSD__
#include <sys/user.h>
#endif
#if defined(__NetBSD__) || defined(__OpenBSD__)
#include <sys/sched.h>
#include <uvm/uvm_extern.h>
#endif

#include "loop/base/alloc.h"
#include "loop/os/clock.h"
#include "loop/os/thread.h"

/* ---- memory, load and uptime ---- */

uint64_t rota__os_memory_total(void) {
#if defined(__FreeBSD__)
  unsigned long bytes = 0;
  size_t size = sizeof(bytes);
  return sysctlbyname("hw.physmem", &bytes, &size, NULL, 0) < 0 ? 0 : bytes;
#else
#if defined(__APPLE__)
  int name[] = {CTL_HW, HW_MEMSIZE};
#else
  int name[] = {CTL_HW, HW_PHYSMEM64};
#endif
  uint64_t bytes = 0;
  size_t size = sizeof(bytes);
  return sysctl(name, 2, &bytes, &size, NULL, 0) < 0 ? 0 : bytes;
#endif
}

uint64_t rota__os_memory_free(void) {
#if defined(__FreeBSD__)
  unsigned int pages = 0;
  size_t size = sizeof(pages);
  if (sysctlbyname("vm.stats.vm.v_free_count", &pages, &size, NULL, 0) < 0)
    return 0;
  return (uint64_t)pages * rota__os_page_size();
#elif defined(__APPLE__)
  vm_statistics64_data_t info;
  mach_msg_type_number_t count = HOST_VM_INFO64_COUNT;
  if (host_statistics64(mach_host_self(), HOST_VM_INFO64, (host_info64_t)&info, &count) != KERN_SUCCESS)
    return 0;
  return ((uint64_t)info.free_count + info.inactive_count) * rota__os_page_size();
#elif defined(__NetBSD__)
  struct uvmexp_sysctl info;
  int name[] = {CTL_VM, VM_UVMEXP2};
  size_t size = sizeof(info);
  return sysctl(name, 2, &info, &size, NULL, 0) < 0 ? 0 : (uint64_t)info.free * (uint64_t)info.pagesize;
#else
  struct uvmexp info;
  int name[] = {CTL_VM, VM_UVMEXP};
  size_t size = sizeof(info);
  return sysctl(name, 2, &info, &size, NULL, 0) < 0 ? 0 : (uint64_t)info.free * (uint64_t)info.pagesize;
#endif
}

int rota__os_memory_resident(size_t *bytes) {
#if defined(__FreeBSD__)
  struct kinfo_proc info;
  int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()};
  size_t size = sizeof(info);
  if (sysctl(name, 4, &info, &size, NULL, 0) < 0)
    return -errno;
  *bytes = (size_t)info.ki_rssize * rota__os_page_size();
#elif defined(__APPLE__)
  mach_task_basic_info_data_t info;
  mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
  if (task_info(mach_task_self(), MACH_TASK_BASIC_INFO, (task_info_t)&info, &count) != KERN_SUCCESS)
    return -EINVAL;
  *bytes = (size_t)info.resident_size;
#else
#ifdef __NetBSD__
  struct kinfo_proc2 info;
  int name[] = {CTL_KERN, KERN_PROC2, KERN_PROC_PID, getpid(), sizeof(info), 1};
#else
  struct kinfo_proc info;
  int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid(), sizeof(info), 1};
#endif
  size_t size = sizeof(info);
  if (sysctl(name, 6, &info, &size, NULL, 0) < 0)
    return -errno;
  *bytes = (size_t)info.p_vm_rssize * rota__os_page_size();
#endif
  return 0;
}

void rota__os_load(double average[3]) {
  double found[3];
  if (getloadavg(found, 3) == 3)
    memcpy(average, found, sizeof(found));
}

int rota__os_uptime(double *seconds) {
#ifdef __FreeBSD__
  struct timespec up;
  int err = rota__os_clock_read(CLOCK_UPTIME, &up);
  if (err == 0)
    *seconds = (double)up.tv_sec;
  return err;
#else
  struct timeval started = {0, 0};
  int name[] = {CTL_KERN, KERN_BOOTTIME};
  size_t size = sizeof(started);
  if (sysctl(name, 2, &started, &size, NULL, 0) < 0)
    return -errno;
  *seconds = (double)(time(NULL) - started.tv_sec);
  return 0;
#endif
}

/* ---- processors ---- */

enum { MS_PER_SECOND = 1000, MODEL_MAX = 256, HZ_PER_MHZ = 1000000 };

static void read_model(char model[MODEL_MAX]) {
#ifdef __APPLE__
  size_t size = MODEL_MAX;
  if (sysctlbyname("machdep.cpu.brand_string", model, &size, NULL, 0) == 0)
    return;
#endif
  int name[] = {CTL_HW, HW_MODEL};
  size_t room = MODEL_MAX;
  if (sysctl(name, 2, model, &room, NULL, 0) < 0)
    memcpy(model, "unknown", sizeof("unknown"));
  model[MODEL_MAX - 1] = '\0';
}

static int read_mhz(void) {
#if defined(__APPLE__)
  uint64_t hz = 0;
  size_t size = sizeof(hz);
  return sysctlbyname("hw.cpufrequency", &hz, &size, NULL, 0) < 0 ? 0 : (int)(hz / HZ_PER_MHZ);
#elif defined(__FreeBSD__)
  unsigned int mhz = 0;
  size_t size = sizeof(mhz);
  return sysctlbyname("hw.clockrate", &mhz, &size, NULL, 0) < 0 ? 0 : (int)mhz;
#elif defined(__OpenBSD__)
  int mhz = 0, name[] = {CTL_HW, HW_CPUSPEED};
  size_t size = sizeof(mhz);
  return sysctl(name, 2, &mhz, &size, NULL, 0) < 0 ? 0 : mhz;
#else
  return 0;
#endif
}

/* In ticks, for each processor one after the other: user, nice, system, interrupts, idle. Returns how many processors.
 */
enum { USER, NICE, SYSTEM, INTERRUPT, IDLE, STATES };

#if defined(__APPLE__)
static int read_ticks(uint64_t **ticks) {
  natural_t count = 0;
  processor_cpu_load_info_data_t *info;
  mach_msg_type_number_t size;
  if (host_processor_info(mach_host_self(), PROCESSOR_CPU_LOAD_INFO, &count, (processor_info_array_t *)&info, &size) !=
      KERN_SUCCESS)
    return -EINVAL;
  *ticks = rota__calloc(count, STATES * sizeof(**ticks));
  for (natural_t i = 0; *ticks != NULL && i < count; i++) {
    (*ticks)[i * STATES + USER] = info[i].cpu_ticks[CPU_STATE_USER];
    (*ticks)[i * STATES + NICE] = info[i].cpu_ticks[CPU_STATE_NICE];
    (*ticks)[i * STATES + SYSTEM] = info[i].cpu_ticks[CPU_STATE_SYSTEM];
    (*ticks)[i * STATES + IDLE] = info[i].cpu_ticks[CPU_STATE_IDLE];
  }
  vm_deallocate(mach_task_self(), (vm_address_t)info, size * sizeof(natural_t));
  return *ticks == NULL ? -ENOMEM : (int)count;
}
#elif defined(__FreeBSD__)
static int read_ticks(uint64_t **ticks) {
  static const int order[STATES] = {CP_USER, CP_NICE, CP_SYS, CP_INTR, CP_IDLE};
  int count = rota__os_online_cpus();
  size_t size = (size_t)count * CPUSTATES * sizeof(long);
  long *raw = rota__malloc(size);
  *ticks = rota__calloc((size_t)count, STATES * sizeof(**ticks));
  int err = raw == NULL || *ticks == NULL ? -ENOMEM : 0;
  if (err == 0 && sysctlbyname("kern.cp_times", raw, &size, NULL, 0) < 0)
    err = -errno;
  for (int i = 0; err == 0 && i < count * STATES; i++)
    (*ticks)[i] = (uint64_t)raw[i / STATES * CPUSTATES + order[i % STATES]];
  rota__free(raw);
  if (err < 0)
    rota__free(*ticks);
  return err < 0 ? err : count;
}
#else
static int read_ticks(uint64_t **ticks) {
  static const int order[STATES] = {CP_USER, CP_NICE, CP_SYS, CP_INTR, CP_IDLE};
  int count = rota__os_online_cpus();
  *ticks = rota__calloc((size_t)count, STATES * sizeof(**ticks));
  if (*ticks == NULL)
    return -ENOMEM;
  for (int cpu = 0; cpu < count; cpu++) {
    uint64_t raw[CPUSTATES] = {0};
    size_t size = sizeof(raw);
#ifdef __NetBSD__
    int name[] = {CTL_KERN, KERN_CP_TIME, cpu};
#else
    int name[] = {CTL_KERN, KERN_CPTIME2, cpu};
#endif
    if (sysctl(name, 3, raw, &size, NULL, 0) < 0) {
      rota__free(*ticks);
      return -errno;
    }
    for (int i = 0; i < STATES; i++)
      (*ticks)[cpu * STATES + i] = raw[order[i]];
  }
  return count;
}
#endif

int rota__os_processors(uv_cpu_info_t **infos, int *count) {
  uint64_t *ticks = NULL;
  char model[MODEL_MAX] = "";
  int found = read_ticks(&ticks), mhz = read_mhz();
  if (found < 0)
    return found;
  read_model(model);
  size_t length = strlen(model) + 1;
  uint64_t ms = MS_PER_SECOND / (uint64_t)sysconf(_SC_CLK_TCK);
  /* One block: the entries, then the name. */
  uv_cpu_info_t *made = rota__malloc((size_t)found * sizeof(*made) + length);
  if (made == NULL) {
    rota__free(ticks);
    return -ENOMEM;
  }
  char *name = memcpy((char *)(made + found), model, length);
  for (int i = 0; i < found; i++) {
    const uint64_t *of = ticks + (size_t)i * STATES;
    made[i] = (uv_cpu_info_t){.model = name,
                              .speed = mhz,
                              .cpu_times = {.user = of[USER] * ms,
                                            .nice = of[NICE] * ms,
                                            .sys = of[SYSTEM] * ms,
                                            .idle = of[IDLE] * ms,
                                            .irq = of[INTERRUPT] * ms}};
  }
  rota__free(ticks);
  *infos = made;
  *count = found;
  return 0;
}

/* ---- random numbers ---- */

int rota__os_random(void *buffer, size_t length) {
  enum { MOST = 256 }; /* of one call */
  char *at = buffer;
  while (length > 0) {
    size_t part = length < MOST ? length : MOST;
    if (getentropy(at, part) < 0)
      return -errno;
    at += part;
    length -= part;
  }
  return 0;
}
