/* The machine: its memory and processors, clocks, and random numbers. */
#include "loop/os/host.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/units.h"
#include "loop/os/clock.h"
#include "loop/os/memory.h"
#include "loop/os/windows/convert.h"
#include "uv.h"

#include <bcrypt.h>
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

/* ---- clocks ----
 *
 * The performance counter is the monotonic clock. */

/* The system's time counts units of 100 ns since 1601. */
enum { UNITS_PER_SECOND = 10000000, NS_PER_UNIT = 100 };
static const uint64_t UNITS_TO_1970 = 116444736000000000u;

uint64_t rota__os_clock_ns(void) {
  static _Atomic uint64_t kept; /* the same for every thread, so it does not matter who is first */
  uint64_t frequency = kept;
  LARGE_INTEGER now;
  if (frequency == 0) {
    LARGE_INTEGER found;
    QueryPerformanceFrequency(&found); /* neither can fail since Windows XP */
    kept = frequency = (uint64_t)found.QuadPart;
  }
  QueryPerformanceCounter(&now);
  uint64_t counted = (uint64_t)now.QuadPart;
  return counted / frequency * NS_PER_SECOND + counted % frequency * NS_PER_SECOND / frequency;
}

int rota__os_clock_read(clockid_t clock, struct timespec *now) {
  if (clock == CLOCK_MONOTONIC) {
    uint64_t ns = rota__os_clock_ns();
    now->tv_sec = (time_t)(ns / NS_PER_SECOND);
    now->tv_nsec = (long)(ns % NS_PER_SECOND);
    return 0;
  }
  if (clock != CLOCK_REALTIME)
    return UV_EINVAL;
  FILETIME time;
  GetSystemTimePreciseAsFileTime(&time);
  uint64_t units = ((uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime) - UNITS_TO_1970;
  now->tv_sec = (time_t)(units / UNITS_PER_SECOND);
  now->tv_nsec = (long)(units % UNITS_PER_SECOND * NS_PER_UNIT);
  return 0;
}

/* Sleep takes milliseconds, and may return a little early by this clock. */
void rota__os_sleep_ns(uint64_t duration_ns) {
  uint64_t end = rota__os_clock_ns() + duration_ns;
  if (duration_ns == 0)
    Sleep(0);
  for (uint64_t now = rota__os_clock_ns(); now < end; now = rota__os_clock_ns()) {
    uint64_t left_ms = (end - now + NS_PER_MS - 1) / NS_PER_MS;
    Sleep(left_ms < INFINITE ? (DWORD)left_ms : INFINITE - 1);
  }
}

struct rota_os_clock rota__os_clock = {
    .loop_ns = rota__os_clock_ns,
    .program_ns = rota__os_clock_ns,
    .read = rota__os_clock_read,
    .sleep_ns = rota__os_sleep_ns,
};

/* The processor's counter is not asked here: the system's clock is used. */
bool rota__os_cycles_trusted(void) {
  return false;
}

/* ---- pages ---- */

/* Pages that nobody has touched take no memory, but the system promises room for all of them. */
int rota__os_map(void **memory, size_t size) {
  *memory = VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  return *memory == NULL ? rota__os_last_error() : 0;
}

void rota__os_unmap(void *memory, size_t size) {
  (void)size;
  VirtualFree(memory, 0, MEM_RELEASE);
}

/* ---- random numbers ---- */

enum { PART = 1 << 30 };

int rota__os_random(void *buffer, size_t length) {
  unsigned char *at = buffer;
  while (length > 0) {
    ULONG part = length < PART ? (ULONG)length : PART;
    if (BCryptGenRandom(NULL, at, part, BCRYPT_USE_SYSTEM_PREFERRED_RNG) < 0)
      return UV_EIO;
    at += part;
    length -= part;
  }
  return 0;
}
