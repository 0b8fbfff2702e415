#include "loop/os/windows/convert.h"

#include <stdbool.h>
#include <string.h>
#include <wchar.h>

#include "loop/base/alloc.h"

enum { LONGEST_PLAIN = 247, LONGEST = 32767, PREFIX = 8 /* \\?\UNC\ */ };

int rota__os_wide(const char *text, WCHAR **wide) {
  ssize_t length = uv_wtf8_length_as_utf16(text);
  if (length < 0)
    return (int)length;
  *wide = rota__malloc((size_t)length * sizeof(WCHAR));
  if (*wide == NULL)
    return UV_ENOMEM;
  uv_wtf8_to_utf16(text, (uint16_t *)*wide, (size_t)length);
  return 0;
}

int rota__os_narrow(const WCHAR *wide, ssize_t length, char **text) {
  *text = NULL;
  return uv_utf16_to_wtf8((const uint16_t *)wide, length, text, NULL);
}

int rota__os_narrow_give(const WCHAR *wide, ssize_t length, char *buffer, size_t *size) {
  size_t room = *size - 1; /* the NUL is not counted there */
  int err = uv_utf16_to_wtf8((const uint16_t *)wide, length, &buffer, &room);
  *size = err == UV_ENOBUFS ? room + 1 : room;
  return err;
}

int rota__os_wide_text(struct rota_os_wide *wide, const char *text) {
  ssize_t length = uv_wtf8_length_as_utf16(text);
  wide->text = wide->small;
  if (length < 0)
    return (int)length;
  if (length > ROTA_WIDE_SMALL) {
    wide->text = rota__malloc((size_t)length * sizeof(WCHAR));
    if (wide->text == NULL)
      return UV_ENOMEM;
  }
  uv_wtf8_to_utf16(text, (uint16_t *)wide->text, (size_t)length);
  return 0;
}

static bool is_slash(WCHAR unit) {
  return unit == L'\\' || unit == L'/';
}

/* \\?\ and \\.\ and \??\: what follows is for the system as it is. */
static bool has_prefix(const WCHAR *path) {
  return is_slash(path[0]) && (is_slash(path[1]) || path[1] == L'?') && (path[2] == L'?' || path[2] == L'.') &&
         is_slash(path[3]);
}

/* Replaces the path by its absolute form, with the prefix. */
static int make_long(struct rota_os_wide *wide) {
  DWORD room = GetFullPathNameW(wide->text, 0, NULL, NULL);
  if (room == 0)
    return rota__os_last_error();
  WCHAR *whole = rota__malloc(((size_t)room + PREFIX) * sizeof(WCHAR));
  if (whole == NULL)
    return UV_ENOMEM;
  DWORD length = GetFullPathNameW(wide->text, room, whole + PREFIX, NULL);
  if (length == 0 || length >= room) {
    int err = rota__os_last_error();
    rota__free(whole);
    return err;
  }
  const WCHAR *prefix = L"\\\\?\\";
  WCHAR *rest = whole + PREFIX;
  if (is_slash(rest[0]) && is_slash(rest[1])) { /* a server and its share */
    prefix = L"\\\\?\\UNC\\";
    rest += 2;
    length -= 2;
  }
  size_t prefix_length = wcslen(prefix);
  memmove(whole + prefix_length, rest, ((size_t)length + 1) * sizeof(WCHAR));
  memcpy(whole, prefix, prefix_length * sizeof(WCHAR));
  rota__os_wide_free(wide);
  wide->text = whole;
  return 0;
}

int rota__os_wide_path(struct rota_os_wide *wide, const char *path) {
  int err = rota__os_wide_text(wide, path);
  if (err < 0 || wcsnlen(wide->text, LONGEST_PLAIN + 1) <= LONGEST_PLAIN || has_prefix(wide->text))
    return err;
  /* The system counts the bytes of a path in 16 bits, and would take the rest for the whole. */
  err = wcsnlen(wide->text, LONGEST + 1) > LONGEST - PREFIX ? UV_ENAMETOOLONG : make_long(wide);
  if (err < 0)
    rota__os_wide_free(wide);
  return err;
}

void rota__os_wide_free(struct rota_os_wide *wide) {
  if (wide->text != wide->small)
    rota__free(wide->text);
  wide->text = wide->small;
}
