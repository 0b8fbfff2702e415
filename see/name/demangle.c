#include "see/name/demangle.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef char *(*demangle_fn)(const char *name, char *room, size_t *size, int *status);

/* "(anonymous namespace)" is a part of a name, and so are operators; other brackets hold arguments. */
static size_t bracket_length(const char *text) {
  static const char anonymous[] = "(anonymous namespace)";
  if (strncmp(text, anonymous, sizeof anonymous - 1) == 0)
    return 0;
  size_t depth = 0, length = 0;
  do {
    depth += (text[length] == '(') + (text[length] == '<');
    depth -= (text[length] == ')') + (text[length] == '>' && length > 0 && text[length - 1] != '-');
    length++;
  } while (depth > 0 && text[length] != '\0');
  return depth == 0 ? length : 0;
}

static bool shorten(const char *text, char *room, size_t size) {
  size_t length = 0;
  if (strstr(text, "operator") != NULL)
    return false;
  while (*text != '\0') {
    size_t skip = *text == '(' || *text == '<' ? bracket_length(text) : 0;
    text += skip;
    if (skip > 0)
      continue;
    if (length + 1 >= size)
      return false;
    room[length++] = *text++;
  }
  room[length] = '\0';
  return length > 0;
}

/* A function's type stands before the names of templates' instances: "void node::f<int>(int)". */
static void drop_type(char *name) {
  char *space = strrchr(name, ' ');
  if (space != NULL && strstr(name, "(anonymous") == NULL && strchr(name, '{') == NULL && strchr(name, '[') == NULL)
    memmove(name, space + 1, strlen(space + 1) + 1);
}

bool rota__demangle(const char *name, char *room, size_t size) {
  demangle_fn demangle;
  void *found = name[0] == '_' && name[1] == 'Z' ? dlsym(RTLD_DEFAULT, "__cxa_demangle") : NULL;
  int status = 0;
  if (found == NULL)
    return false;
  memcpy(&demangle, &found, sizeof demangle);
  char *text = demangle(name, NULL, NULL, &status);
  bool ok = text != NULL && status == 0 && shorten(text, room, size);
  if (ok)
    drop_type(room);
  free(text);
  return ok;
}
