/* Memory and processors of the machine. */
#include "loop/os/host.h"

#include <stdlib.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/os/windows/convert.h"

#include <psapi.h>
#include <winternl.h>

enum { UNITS_PER_MS = 10000 }; /* times of processors are in units of 100 ns */

/* ---- memory ---- */

static bool ask(MEMORYSTATUSEX *status) {
  status->dwLength = sizeof(*status);
  return GlobalMemoryStatusEx(status);
}

uint64_t rota__os_memory_total(void) {
  MEMORYSTATUSEX status;
  return ask(&status) ? status.ullTotalPhys : 0;
}

uint64_t rota__os_memory_free(void) {
  MEMORYSTATUSEX status;
  return ask(&status) ? status.ullAvailPhys : 0;
}

/* A job object may limit the memory of a process; the system does not tell which of several limits holds. */
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
  PROCESS_MEMORY_COUNTERS counters;
  if (!GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof(counters)))
    return rota__os_last_error();
  *bytes = counters.WorkingSetSize;
  return 0;
}

/* ---- processors ---- */

static void describe(uv_cpu_info_t *info, int number) {
  WCHAR key[64], name[256];
  DWORD speed = 0, speed_size = sizeof(speed), name_size = sizeof(name);
  char *model = NULL;
  swprintf(key, sizeof(key) / sizeof(key[0]), L"HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\%d", number);
  if (RegGetValueW(HKEY_LOCAL_MACHINE, key, L"~MHz", RRF_RT_REG_DWORD, NULL, &speed, &speed_size) != ERROR_SUCCESS)
    speed = 0;
  if (RegGetValueW(HKEY_LOCAL_MACHINE, key, L"ProcessorNameString", RRF_RT_REG_SZ, NULL, name, &name_size) !=
      ERROR_SUCCESS)
    wcscpy(name, L"unknown");
  (void)rota__os_narrow(name, -1, &model);
  info->model = model;
  info->speed = (int)speed;
}

int rota__os_processors(uv_cpu_info_t **infos, int *count) {
  SYSTEM_INFO system;
  GetSystemInfo(&system);
  int n = (int)system.dwNumberOfProcessors;
  ULONG size = (ULONG)n * (ULONG)sizeof(SYSTEM_PROCESSOR_PERFORMANCE_INFORMATION);
  SYSTEM_PROCESSOR_PERFORMANCE_INFORMATION *times = rota__calloc(1, size);
  uv_cpu_info_t *out = rota__calloc((size_t)n, sizeof(*out));
  int err = times == NULL || out == NULL ? UV_ENOMEM : 0;
  if (err == 0 && NtQuerySystemInformation(SystemProcessorPerformanceInformation, times, size, NULL) < 0)
    err = UV_EIO;
  for (int i = 0; i < n && err == 0; i++) {
    describe(&out[i], i);
    if (out[i].model == NULL)
      err = UV_ENOMEM;
    /* The kernel's time includes the idle time. */
    uint64_t idle = (uint64_t)times[i].IdleTime.QuadPart;
    uint64_t kernel = (uint64_t)times[i].KernelTime.QuadPart;
    out[i].cpu_times.user = (uint64_t)times[i].UserTime.QuadPart / UNITS_PER_MS;
    out[i].cpu_times.sys = (kernel > idle ? kernel - idle : 0) / UNITS_PER_MS;
    out[i].cpu_times.idle = idle / UNITS_PER_MS;
    out[i].cpu_times.irq = (uint64_t)times[i].Reserved1[1].QuadPart / UNITS_PER_MS;
  }
  rota__free(times);
  if (err < 0) {
    if (out != NULL)
      uv_free_cpu_info(out, n);
    return err;
  }
  *infos = out;
  *count = n;
  return 0;
}

/* ---- the rest ---- */

void rota__os_load(double average[3]) {
  (void)average;
}

int rota__os_uptime(double *seconds) {
  *seconds = (double)GetTickCount64() / 1000;
  return 0;
}
