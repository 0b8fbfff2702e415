/* Where metrics are served, as a user says it (setting.h). */
#include <string.h>

#include "settings/setting.h"

enum { PORT_MOST = 65535 };

static bool read_number(const char *text, size_t length, unsigned int most, unsigned int *number) {
  *number = 0;
  if (length == 0 || length > 5)
    return false;
  for (size_t i = 0; i < length; i++) {
    if (text[i] < '0' || text[i] > '9')
      return false;
    *number = *number * 10 + (unsigned int)(text[i] - '0');
  }
  return *number <= most;
}

static bool is_ipv4(const char *host, size_t length) {
  unsigned int number;
  for (int part = 0; part < 4; part++) {
    const char *dot = memchr(host, '.', length);
    size_t digits = dot == NULL ? length : (size_t)(dot - host);
    if ((dot == NULL) != (part == 3) || digits > 3 || !read_number(host, digits, 255, &number))
      return false;
    host += digits + 1;
    length -= dot == NULL ? length : digits + 1;
  }
  return true;
}

/* By its letters: who listens to it reads it. */
static bool is_ipv6(const char *host, size_t length) {
  return length >= 2 && memchr(host, ':', length) != NULL && strspn(host, "0123456789abcdefABCDEF:.") >= length;
}

static bool read_host(const char *host, size_t length, struct rota_endpoint *endpoint) {
  static const char own[] = "127.0.0.1";
  if (length == 0 || (length == 9 && memcmp(host, "localhost", length) == 0)) {
    memcpy(endpoint->host, own, sizeof own);
    return true;
  }
  bool has_brackets = length > 2 && host[0] == '[' && host[length - 1] == ']';
  if (has_brackets) {
    host++;
    length -= 2;
  }
  if (length >= sizeof endpoint->host || !(has_brackets ? is_ipv6(host, length) : is_ipv4(host, length)))
    return false;
  memcpy(endpoint->host, host, length);
  endpoint->host[length] = '\0';
  return true;
}

static bool read_address(const char *text, size_t length, struct rota_endpoint *endpoint) {
  const char *colon = text + length;
  while (colon > text && colon[-1] != ':')
    colon--;
  size_t host_length = colon > text ? (size_t)(colon - text) - 1 : 0;
  if (endpoint->listens || !read_host(text, host_length, endpoint) ||
      !read_number(colon, (size_t)(text + length - colon), PORT_MOST, &endpoint->port))
    return false;
  return endpoint->listens = true;
}

bool rota__setting_read_endpoint(const char *text, struct rota_endpoint *endpoint) {
  *endpoint = (struct rota_endpoint){0};
  if (strcmp(text, "1") == 0)
    text = rota__settings[ROTA_SETTING_METRICS].usual;
  while (true) {
    size_t length = strcspn(text, ",");
    if (length == 4 && memcmp(text, "otlp", length) == 0 && !endpoint->pushes)
      endpoint->pushes = true;
    else if (!read_address(text, length, endpoint))
      return false;
    if (text[length] == '\0')
      return true;
    text += length + 1;
  }
}
