/* The network interfaces that are up, an entry for each of their internet addresses.
 *
 * One block holds the array and, behind it, the names, so that there is one thing to free. */
#include <ifaddrs.h>
#include <net/if.h>
#include <stdbool.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/os/host.h"
#include "uv.h"

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
