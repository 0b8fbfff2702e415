#include "command/live/live.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

enum {
  HEAD_MAX = 8192,
  LIST_MAX = 65536,
  URL_SIZE = 256,
  NS_PER_MS = 1000000,
  NS_PER_S = 1000000000,
  OP_CONTINUED = 0,
  OP_TEXT = 1,
  OP_CLOSE = 8,
  OP_PING = 9,
  OP_PONG = 10,
  IS_LAST = 0x80,
  IS_MASKED = 0x80,
  LENGTH_16 = 126,
  LENGTH_64 = 127
};

uint64_t live_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* ---- bytes, within the time ---- */

static bool wait_for(const struct live_inspector *inspector, short events) {
  struct pollfd entry = {.fd = inspector->fd, .events = events};
  for (;;) {
    uint64_t now = live_now_ns();
    if (now >= inspector->until_ns)
      return false;
    int n = poll(&entry, 1, (int)((inspector->until_ns - now) / NS_PER_MS) + 1);
    if (n > 0)
      return true;
    if (n < 0 && errno != EINTR)
      return false;
  }
}

static bool send_bytes(const struct live_inspector *inspector, const void *bytes, size_t length) {
  const char *at = bytes;
  while (length > 0) {
    ssize_t n = send(inspector->fd, at, length, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno != EAGAIN && errno != EINTR)
      return false;
    if (n < 0 && !wait_for(inspector, POLLOUT))
      return false;
    if (n > 0) {
      at += n;
      length -= (size_t)n;
    }
  }
  return true;
}

/* As much as there is, up to `most`. 0: the end, or out of time. */
static size_t receive_some(const struct live_inspector *inspector, void *bytes, size_t most) {
  while (wait_for(inspector, POLLIN)) {
    ssize_t n = recv(inspector->fd, bytes, most, MSG_DONTWAIT);
    if (n >= 0)
      return (size_t)n;
    if (errno != EAGAIN && errno != EINTR)
      return 0;
  }
  return 0;
}

static bool receive_bytes(const struct live_inspector *inspector, void *bytes, size_t length) {
  char *at = bytes;
  while (length > 0) {
    size_t n = receive_some(inspector, at, length);
    if (n == 0)
      return false;
    at += n;
    length -= n;
  }
  return true;
}

/* ---- HTTP ---- */

static bool connect_to(struct live_inspector *inspector, const struct live_listener *listener) {
  int err = 0;
  socklen_t length = sizeof err;
  inspector->fd = socket(listener->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (inspector->fd < 0)
    return false;
  if (connect(inspector->fd, (const struct sockaddr *)&listener->address, listener->length) == 0)
    return true;
  return errno == EINPROGRESS && wait_for(inspector, POLLOUT) &&
         getsockopt(inspector->fd, SOL_SOCKET, SO_ERROR, &err, &length) == 0 && err == 0;
}

/* Byte by byte: what follows the head belongs to the next reader. */
static bool receive_head(const struct live_inspector *inspector, char *head, const char *status) {
  size_t length = 0;
  while (length < HEAD_MAX - 1) {
    if (!receive_bytes(inspector, head + length, 1))
      return false;
    head[++length] = 0;
    if (length >= 4 && memcmp(head + length - 4, "\r\n\r\n", 4) == 0)
      return memchr(head, 0, length) == NULL && strncmp(head, "HTTP/1.", 7) == 0 && strlen(head) > 12 &&
             strncmp(head + 9, status, 3) == 0;
  }
  return false;
}

static size_t content_length(const char *head) {
  static const char name[] = "\r\nContent-Length:";
  const char *found = strcasestr(head, name);
  return found != NULL ? strtoul(found + sizeof name - 1, NULL, 10) : 0;
}

static bool request(const struct live_inspector *inspector, const char *path, const char *more) {
  char text[URL_SIZE + 512];
  int length = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n%s\r\n", path, more);
  return length < (int)sizeof text && send_bytes(inspector, text, (size_t)length);
}

/* The path of the first target's WebSocket: letters, digits and dashes. */
static bool find_target(const struct live_inspector *inspector, char path[URL_SIZE]) {
  static const char *const member[] = {"webSocketDebuggerUrl", NULL};
  char head[HEAD_MAX], url[URL_SIZE];
  if (!request(inspector, "/json/list", "") || !receive_head(inspector, head, "200"))
    return false;
  size_t length = content_length(head);
  char *list = length > 0 && length <= LIST_MAX ? malloc(length) : NULL;
  bool found =
      list != NULL && receive_bytes(inspector, list, length) && live_json_text(list, length, member, url, sizeof url);
  free(list);
  const char *at = found && strncmp(url, "ws://", 5) == 0 ? strchr(url + 5, '/') : NULL;
  if (at == NULL || at[1] == 0 || strspn(at + 1, "0123456789abcdefABCDEF-") != strlen(at + 1))
    return false;
  memcpy(path, at, strlen(at) + 1);
  return true;
}

/* ---- WebSocket (RFC 6455) ---- */

static void random_bytes(unsigned char *bytes, size_t length) {
  if (getrandom(bytes, length, 0) != (ssize_t)length)
    memset(bytes, 'r', length); /* both ends are on this machine: the mask protects nobody */
}

/* 16 bytes in base64, without a general encoder: the letters of hexadecimal digits are base64, too. */
static bool upgrade(const struct live_inspector *inspector, const char *path) {
  unsigned char bytes[11];
  char head[HEAD_MAX], key[25], more[256];
  random_bytes(bytes, sizeof bytes);
  for (size_t i = 0; i < sizeof bytes; i++)
    snprintf(key + 2 * i, 3, "%02x", bytes[i]);
  key[21] = 'A'; /* the last digit has four bits that must be zero */
  snprintf(more, sizeof more,
           "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: %.22s==\r\nSec-WebSocket-Version: 13\r\n",
           key);
  return request(inspector, path, more) && receive_head(inspector, head, "101");
}

static bool send_frame(const struct live_inspector *inspector, unsigned int kind, const char *text, size_t length) {
  unsigned char head[14] = {(unsigned char)(IS_LAST | kind)};
  size_t size = 2;
  if (length < LENGTH_16) {
    head[1] = (unsigned char)(IS_MASKED | length);
  } else if (length <= UINT16_MAX) {
    head[1] = IS_MASKED | LENGTH_16;
    head[size++] = (unsigned char)(length >> 8);
    head[size++] = (unsigned char)length;
  } else {
    head[1] = IS_MASKED | LENGTH_64;
    for (int shift = 56; shift >= 0; shift -= 8)
      head[size++] = (unsigned char)((uint64_t)length >> shift);
  }
  unsigned char *mask = head + size;
  random_bytes(mask, 4);
  size += 4;
  char *masked = malloc(length + 1);
  if (masked == NULL)
    return false;
  for (size_t i = 0; i < length; i++)
    masked[i] = (char)(text[i] ^ mask[i % 4]);
  bool sent = send_bytes(inspector, head, size) && send_bytes(inspector, masked, length);
  free(masked);
  return sent;
}

static bool receive_frame_head(const struct live_inspector *inspector, unsigned char *first, size_t *length) {
  unsigned char head[2], more[8];
  if (!receive_bytes(inspector, head, 2) || (head[1] & IS_MASKED) != 0 || (head[0] & 0x70) != 0)
    return false;
  *first = head[0];
  *length = head[1];
  size_t size = *length == LENGTH_16 ? 2 : *length == LENGTH_64 ? 8 : 0;
  if (size == 0)
    return true;
  if (!receive_bytes(inspector, more, size))
    return false;
  uint64_t value = 0;
  for (size_t i = 0; i < size; i++)
    value = value << 8 | more[i];
  *length = value <= LIVE_MESSAGE_MAX ? (size_t)value : SIZE_MAX;
  return value <= LIVE_MESSAGE_MAX;
}

/* A whole message; freed with free. Null: the end, out of time, or no WebSocket. */
static char *receive_message(const struct live_inspector *inspector, size_t *length) {
  char *message = NULL;
  *length = 0;
  for (;;) {
    unsigned char first;
    size_t size;
    if (!receive_frame_head(inspector, &first, &size) || *length + size > LIVE_MESSAGE_MAX)
      break;
    unsigned int kind = first & 0x0f;
    char *longer = realloc(message, *length + size + 1);
    if (longer == NULL)
      break;
    message = longer;
    if (!receive_bytes(inspector, message + *length, size) || kind == OP_CLOSE)
      break;
    if (kind == OP_PING && !send_frame(inspector, OP_PONG, message + *length, size))
      break;
    if (kind == OP_TEXT || kind == OP_CONTINUED)
      *length += size;
    if (kind <= OP_TEXT && (first & IS_LAST) != 0)
      return message;
  }
  free(message);
  return NULL;
}

bool live_inspector_open(struct live_inspector *inspector, const struct live_listener *listener) {
  char path[URL_SIZE];
  bool found = connect_to(inspector, listener) && find_target(inspector, path);
  live_inspector_close(inspector);
  if (!found)
    return false;
  if (connect_to(inspector, listener) && upgrade(inspector, path))
    return true;
  live_inspector_close(inspector);
  return false;
}

static bool read_answer(const char *message, size_t length, char *answer, size_t size) {
  static const char *const value[] = {"result", "result", "value", NULL};
  static const char *const thrown[] = {"result", "exceptionDetails", "exception", "description", NULL};
  static const char *const failed[] = {"error", "message", NULL};
  if (live_json_text(message, length, value, answer, size))
    return true;
  answer[0] = '-';
  return live_json_text(message, length, thrown, answer + 1, size - 1) ||
         live_json_text(message, length, failed, answer + 1, size - 1);
}

bool live_inspector_run(struct live_inspector *inspector, const char *expression, char *answer, size_t size) {
  static const char *const member[] = {"id", NULL};
  static const char text[] = "{\"id\":%d,\"method\":\"Runtime.evaluate\",\"params\":{\"expression\":%s,"
                             "\"includeCommandLineAPI\":true,\"silent\":true,\"returnByValue\":true}}";
  size_t quoted_size = 6 * strlen(expression) + 16, length;
  char *quoted = malloc(quoted_size), *message = malloc(quoted_size + sizeof text + 16);
  bool sent = false;
  if (quoted != NULL && message != NULL && live_json_quote(expression, quoted, quoted_size)) {
    int written = sprintf(message, text, ++inspector->messages, quoted);
    sent = send_frame(inspector, OP_TEXT, message, (size_t)written);
  }
  free(quoted);
  free(message);
  while (sent && (message = receive_message(inspector, &length)) != NULL) {
    long id = 0;
    bool is_ours = live_json_number(message, length, member, &id) && id == inspector->messages;
    bool is_read = is_ours && read_answer(message, length, answer, size);
    free(message);
    if (is_ours)
      return is_read;
  }
  return false;
}

void live_inspector_close(struct live_inspector *inspector) {
  if (inspector->fd >= 0)
    close(inspector->fd);
  inspector->fd = -1;
}
