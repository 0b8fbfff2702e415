/* A program of Windows gets one text, and its C library takes it apart:
 *   an argument with blanks is put in quotes; a quote in it gets a backslash;
 *   backslashes are as they are, unless a quote follows: then each of them is doubled. */
#include <string.h>
#include <wchar.h>

#include "loop/base/alloc.h"
#include "loop/os/windows/convert.h"
#include "loop/proc/windows/spawn.h"

WCHAR *rota__command_line_quote(const WCHAR *argument, WCHAR *target) {
  size_t length = wcslen(argument);
  if (length > 0 && wcspbrk(argument, L" \t\"") == NULL) {
    memcpy(target, argument, (length + 1) * sizeof(WCHAR));
    return target + length;
  }
  size_t backslashes = 0;
  *target++ = L'"';
  for (const WCHAR *at = argument; *at != 0; at++) {
    if (*at == L'"') /* those before it, once more, and its own */
      for (size_t i = 0; i <= backslashes; i++)
        *target++ = L'\\';
    backslashes = *at == L'\\' ? backslashes + 1 : 0;
    *target++ = *at;
  }
  while (backslashes-- > 0) /* before the closing quote */
    *target++ = L'\\';
  *target++ = L'"';
  *target = 0;
  return target;
}

/* Room for every argument quoted, each with a blank. UV_EINVAL: not WTF-8. */
static ssize_t room_for(char *const *args, ssize_t *longest) {
  ssize_t room = 1;
  *longest = 1;
  for (; *args != NULL; args++) {
    ssize_t length = uv_wtf8_length_as_utf16(*args);
    if (length < 0)
      return length;
    room += 2 * length + 3;
    if (length > *longest)
      *longest = length;
  }
  return room;
}

int rota__command_line_make(char *const *args, bool verbatim, WCHAR **line) {
  ssize_t longest;
  ssize_t room = room_for(args, &longest);
  if (room < 0)
    return (int)room;
  WCHAR *argument = rota__malloc((size_t)longest * sizeof(WCHAR));
  *line = rota__malloc((size_t)room * sizeof(WCHAR));
  if (argument == NULL || *line == NULL) {
    rota__free(argument);
    rota__free(*line);
    return UV_ENOMEM;
  }
  WCHAR *end = *line;
  *end = 0;
  for (int i = 0; args[i] != NULL; i++) {
    if (i > 0)
      *end++ = L' ';
    uv_wtf8_to_utf16(args[i], (uint16_t *)argument, (size_t)longest);
    if (verbatim) {
      wcscpy(end, argument);
      end += wcslen(end);
    } else {
      end = rota__command_line_quote(argument, end);
    }
  }
  rota__free(argument);
  return 0;
}
