/* The network interfaces that are up, an entry for each of their internet addresses.
 *
 * One block holds the array and, behind it, the names, so that there is one thing to free. */
#include <stdbool.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/os/windows/convert.h"
#include "uv.h"

#include <iphlpapi.h>

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
