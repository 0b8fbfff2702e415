/* Internet addresses and their text.
 *
 * An IPv6 address may name its interface after a percent sign: fe80::1%eth0. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "loop/base/text.h"
#include "loop/os/socket.h"
#include "uv.h"

enum { WORDS = 8, DOTTED_AT = 6 };

static int ipv4_text(const uint8_t *bytes, char *text, size_t size) {
  return snprintf(text, size, "%u.%u.%u.%u", bytes[0], bytes[1], bytes[2], bytes[3]);
}

/* The longest run of at least two words that are 0, the first of several: `::` stands for it. */
static size_t longest_gap(const unsigned int words[WORDS], size_t *length) {
  size_t start = WORDS;
  *length = 1;
  for (size_t i = 0; i < WORDS;) {
    size_t end = i;
    while (end < WORDS && words[end] == 0)
      end++;
    if (end - i > *length) {
      start = i;
      *length = end - i;
    }
    i = end + 1;
  }
  return start;
}

/* C libraries differ in the text of ::1.2.3.4, so none is asked. The last two words are dotted behind six words that
 * are 0, and behind five and ffff. */
static void ipv6_text(const uint8_t *bytes, char *text, size_t size) {
  unsigned int words[WORDS];
  for (size_t i = 0; i < WORDS; i++)
    words[i] = (unsigned int)bytes[2 * i] << 8 | bytes[2 * i + 1];
  size_t gap_length;
  size_t gap = longest_gap(words, &gap_length);
  bool is_dotted =
      gap == 0 && (gap_length == DOTTED_AT || (gap_length == DOTTED_AT - 1 && words[gap_length] == 0xffff));
  size_t length = 0;
  for (size_t i = 0; i < WORDS; i++) {
    if (i == gap) {
      length += (size_t)snprintf(text + length, size - length, "::");
      i += gap_length - 1;
      continue;
    }
    const char *colon = i == 0 || i == gap + gap_length ? "" : ":";
    if (is_dotted && i == DOTTED_AT) {
      length += (size_t)snprintf(text + length, size - length, "%s", colon);
      ipv4_text(bytes + 2 * (size_t)DOTTED_AT, text + length, size - length);
      return;
    }
    length += (size_t)snprintf(text + length, size - length, "%s%x", colon, words[i]);
  }
}

int uv_inet_ntop(int af, const void *src, char *dst, size_t size) {
  char text[INET6_ADDRSTRLEN];
  if (af == AF_INET)
    ipv4_text(src, text, sizeof(text));
  else if (af == AF_INET6)
    ipv6_text(src, text, sizeof(text));
  else
    return UV_EAFNOSUPPORT;
  size_t length = strlen(text);
  if (length >= size)
    return UV_ENOSPC;
  memcpy(dst, text, length + 1);
  return 0;
}

int uv_inet_pton(int af, const char *src, void *dst) {
  if (src == NULL || dst == NULL)
    return UV_EINVAL;
  if (af == AF_INET)
    return inet_pton(AF_INET, src, dst) == 1 ? 0 : UV_EINVAL;
  if (af != AF_INET6)
    return UV_EAFNOSUPPORT;

  /* The interface is not part of the address. */
  char address[INET6_ADDRSTRLEN];
  size_t length = strcspn(src, "%");
  if (length >= sizeof(address))
    return UV_EINVAL;
  memcpy(address, src, length);
  address[length] = '\0';
  return inet_pton(AF_INET6, address, dst) == 1 ? 0 : UV_EINVAL;
}

int uv_ip4_addr(const char *ip, int port, struct sockaddr_in *addr) {
  *addr = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  return uv_inet_pton(AF_INET, ip, &addr->sin_addr);
}

int uv_ip6_addr(const char *ip, int port, struct sockaddr_in6 *addr) {
  *addr = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
  const char *percent = ip == NULL ? NULL : strchr(ip, '%');
  if (percent != NULL)
    addr->sin6_scope_id = rota__os_interface_index(percent + 1); /* 0, that is any, for one that does not exist */
  return uv_inet_pton(AF_INET6, ip, &addr->sin6_addr);
}

int uv_ip4_name(const struct sockaddr_in *src, char *dst, size_t size) {
  return uv_inet_ntop(AF_INET, &src->sin_addr, dst, size);
}

int uv_ip6_name(const struct sockaddr_in6 *src, char *dst, size_t size) {
  return uv_inet_ntop(AF_INET6, &src->sin6_addr, dst, size);
}

int uv_ip_name(const struct sockaddr *src, char *dst, size_t size) {
  switch (src->sa_family) {
  case AF_INET:
    return uv_ip4_name((const struct sockaddr_in *)src, dst, size);
  case AF_INET6:
    return uv_ip6_name((const struct sockaddr_in6 *)src, dst, size);
  default:
    return UV_EAFNOSUPPORT;
  }
}

int uv_if_indextoname(unsigned int ifindex, char *buffer, size_t *size) {
  char name[ROTA_INTERFACE_NAME_SIZE];
  if (buffer == NULL || size == NULL || *size == 0)
    return UV_EINVAL;
  int err = rota__os_interface_name(ifindex, name);
  if (err != 0)
    return err;
  return rota__text_give(name, strlen(name), buffer, size);
}
