/* Memory, load and uptime, by sysctl. There are no containers that put limits on a process. */
#include "loop/os/host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <sys/sysctl.h>
#include <sys/time.h>
#include <time.h>
#ifdef __FreeBSD__
#include <sys/user.h>
#endif
#ifdef __APPLE__
#include <mach/mach.h>
#endif
#if defined(__NetBSD__) || defined(__OpenBSD__)
#include <uvm/uvm_extern.h>
#endif
#include <unistd.h>

#include "loop/os/clock.h"
#include "loop/os/thread.h"

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

uint64_t rota__os_memory_limit(void) {
  return 0;
}

bool rota__os_memory_left(uint64_t total, uint64_t *left) {
  (void)total;
  (void)left;
  return false;
}

bool rota__os_cpu_quota(double *processors) {
  (void)processors;
  return false;
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
