/* Zones of addresses, by the system's list of interfaces. */
#include "test.h"

#include <net/if.h>

TEST(address_ipv6_zone) {
  struct if_nameindex *interfaces = if_nameindex();
  CHECK(interfaces != NULL);
  for (struct if_nameindex *entry = interfaces; entry->if_index != 0; entry++) {
    struct sockaddr_in6 address;
    char text[128];
    snprintf(text, sizeof(text), "fe80::1%%%s", entry->if_name);
    CHECK_EQ(uv_ip6_addr(text, 1, &address), 0);
    CHECK_EQ(address.sin6_scope_id, entry->if_index);

    size_t size = sizeof(text);
    CHECK_EQ(uv_if_indextoname(entry->if_index, text, &size), 0);
    CHECK_STR(text, entry->if_name);
    CHECK_EQ(size, strlen(text));
    size_t needed = 1;
    CHECK_EQ(uv_if_indextoiid(entry->if_index, text, &needed), UV_ENOBUFS);
    CHECK_EQ(needed, size + 1);
  }
  if_freenameindex(interfaces);

  char name[UV_IF_NAMESIZE];
  size_t size = sizeof(name);
  CHECK_EQ(uv_if_indextoname((unsigned int)-1, name, &size), UV_ENXIO);
  CHECK_EQ(uv_if_indextoname(1, NULL, &size), UV_EINVAL);
  CHECK_EQ(uv_if_indextoname(1, name, NULL), UV_EINVAL);
  size = 0;
  CHECK_EQ(uv_if_indextoname(1, name, &size), UV_EINVAL);
}
