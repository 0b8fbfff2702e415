/* The system and this process in it: names, numbers, priority, resources used. */
#include <stdio.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/text.h"
#include "loop/os/host.h"
#include "loop/os/windows/convert.h"
#include "uv.h"

#include <psapi.h>
#include <tlhelp32.h>

/* ---- names ---- */

/* GetVersionEx tells the version that the program's manifest asks for; the kernel's own function tells the true one. */
static int true_version(OSVERSIONINFOW *version) {
  LONG(WINAPI * ask)
  (OSVERSIONINFOW *) = __extension__(void *) GetProcAddress(GetModuleHandleW(L"ntdll.dll"), "RtlGetVersion");
  *version = (OSVERSIONINFOW){.dwOSVersionInfoSize = sizeof(*version)};
  if (ask == NULL || ask(version) != 0)
    return UV_ENOSYS;
  return 0;
}

/* The product's name (Windows 10 Pro), and the service pack. */
static void describe(const OSVERSIONINFOW *version, char *text, size_t size) {
  WCHAR product[256];
  DWORD bytes = sizeof(product);
  size_t length = size;
  text[0] = '\0';
  if (RegGetValueW(HKEY_LOCAL_MACHINE, L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion", L"ProductName",
                   RRF_RT_REG_SZ, NULL, product, &bytes) == ERROR_SUCCESS)
    (void)rota__os_narrow_give(product, -1, text, &length);
  length = strlen(text);
  if (version->szCSDVersion[0] == 0 || length + 2 > size)
    return;
  if (length > 0)
    text[length++] = ' ';
  size_t rest = size - length;
  (void)rota__os_narrow_give(version->szCSDVersion, -1, text + length, &rest);
}

static const char *machine_name(void) {
  SYSTEM_INFO info;
  GetNativeSystemInfo(&info);
  switch (info.wProcessorArchitecture) {
  case PROCESSOR_ARCHITECTURE_AMD64:
    return "x86_64";
  case PROCESSOR_ARCHITECTURE_IA64:
    return "ia64";
  case PROCESSOR_ARCHITECTURE_INTEL:
    return info.wProcessorLevel > 5 ? "i686" : "i386";
  case PROCESSOR_ARCHITECTURE_ARM:
    return "arm";
  case 12: /* PROCESSOR_ARCHITECTURE_ARM64 */
    return "arm64";
  default:
    return "unknown";
  }
}

/* The name is that of a Windows of the MinGW shells, as in libuv: programs look for it. */
int uv_os_uname(uv_utsname_t *buffer) {
  OSVERSIONINFOW version;
  if (buffer == NULL)
    return UV_EINVAL;
  int err = true_version(&version);
  if (err < 0) {
    buffer->sysname[0] = buffer->release[0] = buffer->version[0] = buffer->machine[0] = '\0';
    return err;
  }
  snprintf(buffer->sysname, sizeof(buffer->sysname), "Windows_NT");
  snprintf(buffer->release, sizeof(buffer->release), "%lu.%lu.%lu", version.dwMajorVersion, version.dwMinorVersion,
           version.dwBuildNumber);
  describe(&version, buffer->version, sizeof(buffer->version));
  rota__text_copy(buffer->machine, sizeof(buffer->machine), machine_name());
  return 0;
}

int uv_os_gethostname(char *buffer, size_t *size) {
  WCHAR name[UV_MAXHOSTNAMESIZE];
  DWORD room = UV_MAXHOSTNAMESIZE;
  if (buffer == NULL || size == NULL || *size == 0)
    return UV_EINVAL;
  if (!GetComputerNameExW(ComputerNamePhysicalDnsHostname, name, &room))
    return rota__os_last_error();
  return rota__os_narrow_give(name, -1, buffer, size);
}

/* ---- processes ---- */

uv_pid_t uv_os_getpid(void) {
  return (uv_pid_t)GetCurrentProcessId();
}

uv_pid_t uv_os_getppid(void) {
  uv_pid_t parent = -1;
  DWORD self = GetCurrentProcessId();
  PROCESSENTRY32W entry = {.dwSize = sizeof(entry)};
  HANDLE all = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
  if (all == INVALID_HANDLE_VALUE)
    return -1;
  for (BOOL more = Process32FirstW(all, &entry); more; more = Process32NextW(all, &entry))
    if (entry.th32ProcessID == self)
      parent = (uv_pid_t)entry.th32ParentProcessID;
  CloseHandle(all);
  return parent;
}

static const struct {
  int priority; /* down to this */
  DWORD class;
} priorities[] = {
    {UV_PRIORITY_LOW, IDLE_PRIORITY_CLASS},      {UV_PRIORITY_BELOW_NORMAL, BELOW_NORMAL_PRIORITY_CLASS},
    {UV_PRIORITY_NORMAL, NORMAL_PRIORITY_CLASS}, {UV_PRIORITY_ABOVE_NORMAL, ABOVE_NORMAL_PRIORITY_CLASS},
    {UV_PRIORITY_HIGH, HIGH_PRIORITY_CLASS},     {UV_PRIORITY_HIGHEST, REALTIME_PRIORITY_CLASS},
};

enum { PRIORITIES = sizeof(priorities) / sizeof(priorities[0]) };

static int open_process(uv_pid_t pid, DWORD rights, HANDLE *process) {
  *process = OpenProcess(rights, FALSE, pid == 0 ? GetCurrentProcessId() : (DWORD)pid);
  if (*process != NULL)
    return 0;
  return GetLastError() == ERROR_INVALID_PARAMETER ? UV_ESRCH : rota__os_last_error();
}

int uv_os_getpriority(uv_pid_t pid, int *priority) {
  HANDLE process;
  if (priority == NULL)
    return UV_EINVAL;
  int err = open_process(pid, PROCESS_QUERY_LIMITED_INFORMATION, &process);
  if (err < 0)
    return err;
  DWORD found = GetPriorityClass(process);
  err = found == 0 ? rota__os_last_error() : UV_EINVAL;
  for (int i = 0; i < PRIORITIES && found != 0; i++) {
    if (priorities[i].class != found)
      continue;
    *priority = priorities[i].priority;
    err = 0;
  }
  CloseHandle(process);
  return err;
}

int uv_os_setpriority(uv_pid_t pid, int priority) {
  HANDLE process;
  int i = 0;
  if (priority < UV_PRIORITY_HIGHEST || priority > UV_PRIORITY_LOW)
    return UV_EINVAL;
  while (i < PRIORITIES - 1 && priority < priorities[i].priority)
    i++;
  int err = open_process(pid, PROCESS_SET_INFORMATION, &process);
  if (err < 0)
    return err;
  if (!SetPriorityClass(process, priorities[i].class))
    err = rota__os_last_error();
  CloseHandle(process);
  return err;
}

/* ---- load and resources ---- */

/* Windows does not count it. */
void uv_loadavg(double avg[3]) {
  avg[0] = avg[1] = avg[2] = 0;
}

int uv_uptime(double *uptime) {
  return rota__os_uptime(uptime);
}

static uv_timeval_t duration(const FILETIME *time) {
  uint64_t us = ((uint64_t)time->dwHighDateTime << 32 | time->dwLowDateTime) / 10;
  return (uv_timeval_t){.tv_sec = (long)(us / 1000000), .tv_usec = (long)(us % 1000000)};
}

int uv_getrusage(uv_rusage_t *rusage) {
  FILETIME created, exited, kernel, user;
  PROCESS_MEMORY_COUNTERS memory;
  IO_COUNTERS io;
  HANDLE self = GetCurrentProcess();
  if (!GetProcessTimes(self, &created, &exited, &kernel, &user) ||
      !GetProcessMemoryInfo(self, &memory, sizeof(memory)) || !GetProcessIoCounters(self, &io))
    return rota__os_last_error();
  *rusage = (uv_rusage_t){
      .ru_utime = duration(&user),
      .ru_stime = duration(&kernel),
      .ru_maxrss = memory.PeakWorkingSetSize / 1024,
      .ru_majflt = memory.PageFaultCount,
      .ru_inblock = io.ReadOperationCount,
      .ru_oublock = io.WriteOperationCount,
  };
  return 0;
}

int uv_getrusage_thread(uv_rusage_t *rusage) {
  FILETIME created, exited, kernel, user;
  if (!GetThreadTimes(GetCurrentThread(), &created, &exited, &kernel, &user))
    return rota__os_last_error();
  *rusage = (uv_rusage_t){.ru_utime = duration(&user), .ru_stime = duration(&kernel)};
  return 0;
}
