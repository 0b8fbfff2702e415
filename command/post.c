/* A URL that is told of blocks: http, on this machine unless its host was named by an option of its own. What a block
 * tells are names and paths of a service: they are not to leave the machine by a mistake in a URL or in the DNS. So the
 * addresses are looked at, and not the name. */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "command/internal.h"

enum { TIMEOUT_SECONDS = 10, ANSWER_SIZE = 64 };

/* ---- reading ---- */

/* Without the URL, in which there may be a password. */
static bool refuse(const char *why) {
  fprintf(stderr, "rota watch: --post: %s\n", why);
  return false;
}

static bool is_loopback(const struct sockaddr *address) {
  if (address->sa_family == AF_INET)
    return ntohl(((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr) >> 24 == 127;
  return address->sa_family == AF_INET6 &&
         IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr);
}

/* Null: there are none, or one of them is another machine's. Freed with freeaddrinfo. */
static struct addrinfo *look_up(const struct command_url *url, const char **why) {
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV}, *all = NULL;
  int err = getaddrinfo(url->host, url->port, &hints, &all);
  if (err != 0) {
    *why = gai_strerror(err);
    return NULL;
  }
  for (struct addrinfo *each = all; each != NULL && !url->is_anywhere; each = each->ai_next)
    if (!is_loopback(each->ai_addr)) {
      *why = "this is another machine; --post-host=HOST allows it";
      freeaddrinfo(all);
      return NULL;
    }
  return all;
}

static bool copy(char *to, size_t size, const char *from, size_t length) {
  if (length == 0 || length >= size)
    return false;
  memcpy(to, from, length);
  to[length] = 0;
  return true;
}

bool command_url_read(const char *text, const char *allowed_host, struct command_url *url) {
  static const char scheme[] = "http://";
  const char *why = NULL;
  if (strncmp(text, scheme, sizeof scheme - 1) != 0)
    return refuse("must begin with http://; https is for a proxy on this machine");
  const char *host = text + sizeof scheme - 1;
  size_t whole = strcspn(host, "/?#");
  bool is_bracketed = host[0] == '[';
  size_t length = is_bracketed ? strcspn(host, "]") : strcspn(host, ":/?#");
  const char *behind = host + length + (is_bracketed && length < whole);
  const char *port = *behind == ':' ? behind + 1 : "80";
  size_t digits = strspn(port, "0123456789");
  url->path = host + whole;
  if (memchr(host, '@', whole) != NULL || strpbrk(text, " \t\r\n#") != NULL || length > whole ||
      (*behind == ':' ? behind + 1 + digits : behind) != url->path ||
      !copy(url->host, sizeof url->host, host + is_bracketed, length - is_bracketed) ||
      !copy(url->port, sizeof url->port, port, digits) || atoi(url->port) > 65535)
    return refuse("must be http://HOST:PORT/PATH");
  url->is_anywhere = allowed_host != NULL;
  if (allowed_host != NULL && strcmp(allowed_host, url->host) != 0)
    return refuse("its host is not that of --post-host");
  struct addrinfo *addresses = look_up(url, &why);
  if (addresses == NULL)
    return refuse(why);
  freeaddrinfo(addresses);
  return true;
}

/* ---- posting ---- */

static int connect_to(const struct addrinfo *addresses) {
  const struct timeval timeout = {.tv_sec = TIMEOUT_SECONDS};
  for (; addresses != NULL; addresses = addresses->ai_next) {
    int fd = socket(addresses->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
      continue;
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout); /* for connect, too */
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
    if (connect(fd, addresses->ai_addr, addresses->ai_addrlen) == 0)
      return fd;
    int err = errno;
    close(fd);
    errno = err;
  }
  return -1;
}

static bool send_all(int fd, const char *text, size_t length) {
  while (length > 0) {
    ssize_t n = send(fd, text, length, MSG_NOSIGNAL);
    if (n < 0 && errno != EINTR)
      return false;
    text += n < 0 ? 0 : n;
    length -= n < 0 ? 0 : (size_t)n;
  }
  return true;
}

/* The beginning of the answer: HTTP/1.1 204 */
static const char *read_status(int fd) {
  static char why[64];
  char answer[ANSWER_SIZE + 1];
  size_t length = 0;
  while (length < ANSWER_SIZE) {
    ssize_t n = recv(fd, answer + length, ANSWER_SIZE - length, 0);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      break;
    length += (size_t)n;
  }
  answer[length] = 0;
  int status = strncmp(answer, "HTTP/1.", 7) == 0 && length > 12 ? atoi(answer + 8) : 0;
  if (status >= 200 && status < 300)
    return NULL;
  if (status != 0)
    snprintf(why, sizeof why, "it answered %d", status);
  else
    snprintf(why, sizeof why, "no answer of HTTP");
  return why;
}

const char *command_url_post(const struct command_url *url, const char *text, size_t length) {
  const char *why = NULL;
  struct addrinfo *addresses = look_up(url, &why);
  if (addresses == NULL)
    return why;
  int fd = connect_to(addresses);
  why = fd < 0 ? strerror(errno) : NULL;
  freeaddrinfo(addresses);
  if (fd < 0)
    return why;
  char head[1024];
  bool is_v6 = strchr(url->host, ':') != NULL;
  int size = snprintf(head, sizeof head,
                      "POST %s%s HTTP/1.1\r\nHost: %s%s%s:%s\r\nContent-Type: application/json\r\n"
                      "Content-Length: %zu\r\nConnection: close\r\n\r\n",
                      url->path[0] == '/' ? "" : "/", url->path, is_v6 ? "[" : "", url->host, is_v6 ? "]" : "",
                      url->port, length);
  if (size < 0 || (size_t)size >= sizeof head)
    why = "the path is too long";
  else if (!send_all(fd, head, (size_t)size) || !send_all(fd, text, length))
    why = strerror(errno);
  else
    why = read_status(fd);
  close(fd);
  return why;
}
