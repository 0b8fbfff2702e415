/* The system, its network interfaces, and libraries that are loaded. */
#include <dlfcn.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "loop/base/alloc.h"
#include "loop/base/text.h"
#include "loop/os/host.h"
#include "loop/os/process.h"
#include "uv.h"

/* ---- the system ----
 *
 * The system and this process in it: names, numbers, load, resources used. */

int uv_os_uname(uv_utsname_t *buffer) {
  if (buffer == NULL)
    return UV_EINVAL;
  struct utsname name;
  int err = rota__os_uname(&name);
  if (err != 0) {
    /* It is set in any case: callers print it without checking the error. */
    buffer->sysname[0] = buffer->release[0] = buffer->version[0] = buffer->machine[0] = '\0';
    return err;
  }
  rota__text_copy(buffer->sysname, sizeof(buffer->sysname), name.sysname);
  rota__text_copy(buffer->release, sizeof(buffer->release), name.release);
  rota__text_copy(buffer->version, sizeof(buffer->version), name.version);
  rota__text_copy(buffer->machine, sizeof(buffer->machine), name.machine);
  return 0;
}

int uv_os_gethostname(char *buffer, size_t *size) {
  char name[UV_MAXHOSTNAMESIZE];
  if (buffer == NULL || size == NULL || *size == 0)
    return UV_EINVAL;
  int err = rota__os_hostname(name, sizeof(name));
  if (err != 0)
    return err;
  return rota__text_give(name, strlen(name), buffer, size);
}

uv_pid_t uv_os_getpid(void) {
  return rota__os_process_id();
}

uv_pid_t uv_os_getppid(void) {
  return getppid();
}

int uv_os_getpriority(uv_pid_t pid, int *priority) {
  if (priority == NULL)
    return UV_EINVAL;
  return rota__os_priority(pid, priority);
}

int uv_os_setpriority(uv_pid_t pid, int priority) {
  if (priority < UV_PRIORITY_HIGHEST || priority > UV_PRIORITY_LOW)
    return UV_EINVAL;
  return rota__os_set_priority(pid, priority);
}

void uv_loadavg(double avg[3]) {
  rota__os_load(avg);
}

int uv_uptime(double *uptime) {
  return rota__os_uptime(uptime);
}

static void give_usage(const struct rusage *usage, uv_rusage_t *out) {
  *out = (uv_rusage_t){
      .ru_utime = {.tv_sec = usage->ru_utime.tv_sec, .tv_usec = usage->ru_utime.tv_usec},
      .ru_stime = {.tv_sec = usage->ru_stime.tv_sec, .tv_usec = usage->ru_stime.tv_usec},
      .ru_maxrss = (uint64_t)usage->ru_maxrss,
      .ru_ixrss = (uint64_t)usage->ru_ixrss,
      .ru_idrss = (uint64_t)usage->ru_idrss,
      .ru_isrss = (uint64_t)usage->ru_isrss,
      .ru_minflt = (uint64_t)usage->ru_minflt,
      .ru_majflt = (uint64_t)usage->ru_majflt,
      .ru_nswap = (uint64_t)usage->ru_nswap,
      .ru_inblock = (uint64_t)usage->ru_inblock,
      .ru_oublock = (uint64_t)usage->ru_oublock,
      .ru_msgsnd = (uint64_t)usage->ru_msgsnd,
      .ru_msgrcv = (uint64_t)usage->ru_msgrcv,
      .ru_nsignals = (uint64_t)usage->ru_nsignals,
      .ru_nvcsw = (uint64_t)usage->ru_nvcsw,
      .ru_nivcsw = (uint64_t)usage->ru_nivcsw,
  };
}

int uv_getrusage(uv_rusage_t *rusage) {
  struct rusage usage;
  int err = rota__os_rusage(&usage);
  if (err == 0)
    give_usage(&usage, rusage);
  return err;
}

int uv_getrusage_thread(uv_rusage_t *rusage) {
  struct rusage usage;
  int err = rota__os_rusage_thread(&usage);
  if (err == 0)
    give_usage(&usage, rusage);
  return err;
}

/* ---- network interfaces ----
 *
 * The network interfaces that are up, an entry for each of their internet addresses.
 *
 * One block holds the array and, behind it, the names, so that there is one thing to free. */

static bool is_wanted(const struct ifaddrs *entry) {
  unsigned int up = IFF_UP | IFF_RUNNING;
  if ((entry->ifa_flags & up) != up || entry->ifa_addr == NULL)
    return false;
  return entry->ifa_addr->sa_family == AF_INET || entry->ifa_addr->sa_family == AF_INET6;
}

/* An alias (eth0:1) has the hardware address of the interface that it stands for (eth0). */
static bool is_same_device(const char *alias, const char *device) {
  size_t length = strlen(device);
  return strncmp(alias, device, length) == 0 && (alias[length] == '\0' || alias[length] == ':');
}

static void find_hardware_address(const struct ifaddrs *list, const char *name, char address[6]) {
  for (const struct ifaddrs *entry = list; entry != NULL; entry = entry->ifa_next) {
    const void *found = rota__os_hardware_address(entry);
    if (found == NULL || !is_same_device(name, entry->ifa_name))
      continue;
    memcpy(address, found, 6);
    return;
  }
}

static void fill(uv_interface_address_t *out, const struct ifaddrs *list, const struct ifaddrs *entry) {
  bool is_ipv4 = entry->ifa_addr->sa_family == AF_INET;
  size_t size = is_ipv4 ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
  memcpy(&out->address, entry->ifa_addr, size);
  if (entry->ifa_netmask != NULL)
    memcpy(&out->netmask, entry->ifa_netmask, size);
  out->is_internal = (entry->ifa_flags & IFF_LOOPBACK) != 0;
  find_hardware_address(list, entry->ifa_name, out->phys_addr);
}

int uv_interface_addresses(uv_interface_address_t **addresses, int *count) {
  struct ifaddrs *list;
  *addresses = NULL;
  *count = 0;
  int err = rota__os_interfaces(&list);
  if (err != 0)
    return err;

  size_t wanted = 0;
  size_t name_bytes = 0;
  for (const struct ifaddrs *entry = list; entry != NULL; entry = entry->ifa_next) {
    if (!is_wanted(entry))
      continue;
    wanted++;
    name_bytes += strlen(entry->ifa_name) + 1;
  }
  if (wanted == 0) {
    freeifaddrs(list);
    return 0;
  }

  uv_interface_address_t *out = rota__calloc(1, wanted * sizeof(*out) + name_bytes);
  if (out == NULL) {
    freeifaddrs(list);
    return UV_ENOMEM;
  }
  *addresses = out;
  char *name = (char *)(out + wanted);
  for (const struct ifaddrs *entry = list; entry != NULL; entry = entry->ifa_next) {
    if (!is_wanted(entry))
      continue;
    fill(out, list, entry);
    size_t size = strlen(entry->ifa_name) + 1;
    out->name = memcpy(name, entry->ifa_name, size);
    name += size;
    out++;
  }
  *count = (int)wanted;
  freeifaddrs(list);
  return 0;
}

void uv_free_interface_addresses(uv_interface_address_t *addresses, int count) {
  (void)count;
  rota__free(addresses);
}

/* ---- libraries ----
 *
 * The loader keeps the text of an error for the thread's next call only, so each library keeps its own copy. */

static int remember_error(uv_lib_t *lib) {
  rota__free(lib->errmsg);
  lib->errmsg = NULL;
  const char *message = dlerror();
  if (message == NULL)
    return 0;
  lib->errmsg = rota__strdup(message);
  return -1;
}

int uv_dlopen(const char *filename, uv_lib_t *lib) {
  dlerror(); /* forget earlier ones */
  lib->errmsg = NULL;
  lib->handle = dlopen(filename, RTLD_LAZY);
  return lib->handle != NULL ? 0 : remember_error(lib);
}

void uv_dlclose(uv_lib_t *lib) {
  rota__free(lib->errmsg);
  lib->errmsg = NULL;
  if (lib->handle == NULL)
    return;
  dlclose(lib->handle);
  lib->handle = NULL;
}

/* The value of a symbol may be null, so only the loader's error text tells whether it was found. */
int uv_dlsym(uv_lib_t *lib, const char *name, void **ptr) {
  dlerror();
  *ptr = dlsym(lib->handle, name);
  if (*ptr != NULL)
    return 0;
  return remember_error(lib);
}

const char *uv_dlerror(const uv_lib_t *lib) {
  return lib->errmsg != NULL ? lib->errmsg : "no error";
}
