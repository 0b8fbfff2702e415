/* The system, its network interfaces, and libraries that are loaded. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/text.h"
#include "loop/os/host.h"
#include "loop/os/windows/convert.h"
#include "uv.h"

#include <iphlpapi.h>
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

/* ---- network interfaces ----
 *
 * The network interfaces that are up, an entry for each of their internet addresses.
 *
 * One block holds the array and, behind it, the names, so that there is one thing to free. */

enum { FIRST_SIZE = 15 * 1024, BITS = 8 };

/* The prefixes are not asked for: an address has the length of its own, and with a route that has none wine fails. */
static int ask(IP_ADAPTER_ADDRESSES **list) {
  const ULONG flags = GAA_FLAG_SKIP_ANYCAST | GAA_FLAG_SKIP_MULTICAST | GAA_FLAG_SKIP_DNS_SERVER;
  ULONG size = FIRST_SIZE;
  *list = NULL;
  for (;;) {
    *list = rota__realloc_or_free(*list, size);
    if (*list == NULL)
      return UV_ENOMEM;
    ULONG result = GetAdaptersAddresses(AF_UNSPEC, flags, NULL, *list, &size);
    if (result == ERROR_SUCCESS)
      return 0;
    if (result == ERROR_BUFFER_OVERFLOW)
      continue; /* size is what it needs */
    rota__free(*list);
    *list = NULL;
    if (result == ERROR_NO_DATA || result == ERROR_ADDRESS_NOT_ASSOCIATED)
      return 0; /* there are none */
    return result == ERROR_INVALID_PARAMETER ? UV_ENOBUFS : rota__os_translate((int)result);
  }
}

static bool is_wanted(const IP_ADAPTER_ADDRESSES *adapter, const IP_ADAPTER_UNICAST_ADDRESS *address) {
  int family = address->Address.lpSockaddr->sa_family;
  return adapter->OperStatus == IfOperStatusUp && (family == AF_INET || family == AF_INET6);
}

static void make_mask(unsigned char *bytes, size_t size, unsigned int prefix) {
  for (size_t i = 0; i < size; i++) {
    unsigned int here = prefix < BITS ? prefix : BITS;
    bytes[i] = (unsigned char)(0xff00u >> here);
    prefix -= here;
  }
}

static void fill(uv_interface_address_t *out, const IP_ADAPTER_ADDRESSES *adapter,
                 const IP_ADAPTER_UNICAST_ADDRESS *address) {
  const struct sockaddr *from = address->Address.lpSockaddr;
  if (from->sa_family == AF_INET) {
    memcpy(&out->address.address4, from, sizeof(struct sockaddr_in));
    out->netmask.netmask4.sin_family = AF_INET;
    make_mask((unsigned char *)&out->netmask.netmask4.sin_addr, 4, address->OnLinkPrefixLength);
  } else {
    memcpy(&out->address.address6, from, sizeof(struct sockaddr_in6));
    out->netmask.netmask6.sin6_family = AF_INET6;
    make_mask((unsigned char *)&out->netmask.netmask6.sin6_addr, 16, address->OnLinkPrefixLength);
  }
  out->is_internal = adapter->IfType == IF_TYPE_SOFTWARE_LOOPBACK;
  if (adapter->PhysicalAddressLength == sizeof(out->phys_addr))
    memcpy(out->phys_addr, adapter->PhysicalAddress, sizeof(out->phys_addr));
}

static int make(const IP_ADAPTER_ADDRESSES *list, uv_interface_address_t **addresses, int *count) {
  size_t wanted = 0, name_bytes = 0;
  for (const IP_ADAPTER_ADDRESSES *adapter = list; adapter != NULL; adapter = adapter->Next) {
    for (const IP_ADAPTER_UNICAST_ADDRESS *at = adapter->FirstUnicastAddress; at != NULL; at = at->Next)
      wanted += is_wanted(adapter, at);
    name_bytes += uv_utf16_length_as_wtf8((const uint16_t *)adapter->FriendlyName, -1) + 1;
  }
  if (wanted == 0)
    return 0;
  uv_interface_address_t *out = rota__calloc(1, wanted * sizeof(*out) + name_bytes);
  if (out == NULL)
    return UV_ENOMEM;
  *addresses = out;
  *count = (int)wanted;
  char *name = (char *)(out + wanted);
  for (const IP_ADAPTER_ADDRESSES *adapter = list; adapter != NULL; adapter = adapter->Next) {
    size_t length = uv_utf16_length_as_wtf8((const uint16_t *)adapter->FriendlyName, -1);
    (void)uv_utf16_to_wtf8((const uint16_t *)adapter->FriendlyName, -1, &name, &length);
    for (const IP_ADAPTER_UNICAST_ADDRESS *at = adapter->FirstUnicastAddress; at != NULL; at = at->Next) {
      if (!is_wanted(adapter, at))
        continue;
      fill(out, adapter, at);
      out++->name = name;
    }
    name += length + 1;
  }
  return 0;
}

int uv_interface_addresses(uv_interface_address_t **addresses, int *count) {
  IP_ADAPTER_ADDRESSES *list;
  *addresses = NULL;
  *count = 0;
  int err = ask(&list);
  if (err == 0)
    err = make(list, addresses, count);
  rota__free(list);
  return err;
}

void uv_free_interface_addresses(uv_interface_address_t *addresses, int count) {
  (void)count;
  rota__free(addresses);
}

/* ---- libraries ----
 *
 * Shared libraries, and what the system says when one cannot be loaded. */

/* The system's words; some name the file as %1. */
static char *message_of(DWORD code, const char *filename) {
  WCHAR *wide = NULL;
  char *text = NULL;
  FormatMessageW(FORMAT_MESSAGE_ALLOCATE_BUFFER | FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL,
                 code, MAKELANGID(LANG_NEUTRAL, SUBLANG_DEFAULT), (WCHAR *)&wide, 0, NULL);
  if (wide != NULL) {
    (void)rota__os_narrow(wide, -1, &text);
    LocalFree(wide);
  }
  const char *words = text != NULL ? text : "error";
  int length = snprintf(NULL, 0, "%s: %s (%lu)", filename, words, code);
  char *message = rota__malloc((size_t)length + 1);
  if (message != NULL)
    snprintf(message, (size_t)length + 1, "%s: %s (%lu)", filename, words, code);
  rota__free(text);
  return message;
}

static int remember(uv_lib_t *lib, const char *filename, DWORD code) {
  rota__free(lib->errmsg);
  lib->errmsg = code == ERROR_SUCCESS ? NULL : message_of(code, filename);
  return code == ERROR_SUCCESS ? 0 : -1;
}

int uv_dlopen(const char *filename, uv_lib_t *lib) {
  struct rota_os_wide path;
  lib->handle = NULL;
  lib->errmsg = NULL;
  /* As it is: a name without a folder is searched for. */
  int err = rota__os_wide_text(&path, filename);
  if (err < 0)
    return remember(lib, filename, err == UV_ENOMEM ? ERROR_NOT_ENOUGH_MEMORY : ERROR_INVALID_NAME);
  lib->handle = LoadLibraryExW(path.text, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
  DWORD code = lib->handle == NULL ? GetLastError() : ERROR_SUCCESS;
  rota__os_wide_free(&path);
  return remember(lib, filename, code);
}

void uv_dlclose(uv_lib_t *lib) {
  rota__free(lib->errmsg);
  lib->errmsg = NULL;
  if (lib->handle != NULL)
    FreeLibrary(lib->handle);
  lib->handle = NULL;
}

int uv_dlsym(uv_lib_t *lib, const char *name, void **ptr) {
  *ptr = __extension__(void *) GetProcAddress(lib->handle, name);
  return remember(lib, name, *ptr == NULL ? GetLastError() : ERROR_SUCCESS);
}

const char *uv_dlerror(const uv_lib_t *lib) {
  return lib->errmsg != NULL ? lib->errmsg : "no error";
}
