#include "observe/name/symbol.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef char *(*demangle_fn)(const char *name, char *room, size_t *size, int *status);

/* The length of an operator's name, whose brackets must not be counted: "operator()", "operator<". 0: the text is no
 * operator. */
static size_t operator_length(const char *text) {
  static const char word[] = "operator";
  if (strncmp(text, word, sizeof word - 1) != 0)
    return 0;
  const char *sign = text + sizeof word - 1;
  if (strncmp(sign, "()", 2) == 0)
    return sizeof word - 1 + 2;
  size_t length = strspn(sign, "<>=!+-*/%^&|~,[]");
  return length == 0 ? 0 : sizeof word - 1 + length;
}

/* "(anonymous namespace)" is a part of a name; other brackets hold arguments. */
static size_t bracket_length(const char *text) {
  static const char anonymous[] = "(anonymous namespace)";
  if (strncmp(text, anonymous, sizeof anonymous - 1) == 0)
    return 0;
  size_t depth = 0, length = 0;
  do {
    size_t sign = operator_length(text + length);
    length += sign;
    if (sign > 0)
      continue;
    depth += (text[length] == '(') + (text[length] == '<');
    depth -= (text[length] == ')') + (text[length] == '>' && length > 0 && text[length - 1] != '-');
    length++;
  } while (depth > 0 && text[length] != '\0');
  return depth == 0 ? length : 0;
}

static bool shorten(const char *text, char *room, size_t size) {
  static const char thunk[] = "non-virtual thunk to ";
  size_t length = 0;
  if (strncmp(text, thunk, sizeof thunk - 1) == 0)
    text += sizeof thunk - 1;
  while (*text != '\0' && strncmp(text, " [clone ", 8) != 0) {
    size_t sign = operator_length(text);
    size_t skip = sign == 0 && (*text == '(' || *text == '<') ? bracket_length(text) : 0;
    text += skip;
    if (skip > 0)
      continue;
    size_t take = sign > 0 ? sign : 1;
    if (length + take >= size)
      return false;
    memcpy(room + length, text, take);
    length += take;
    text += take;
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

/* The demangler of the program, if it exports one; else that of the system's C++ library, if there is one. With the
 * symbols' lock. */
static demangle_fn find_demangler(void) {
  static demangle_fn found;
  static bool looked;
  if (looked)
    return found;
  looked = true;
  void *symbol = dlsym(RTLD_DEFAULT, "__cxa_demangle");
  void *library = symbol == NULL ? dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL) : NULL;
  if (library != NULL)
    symbol = dlsym(library, "__cxa_demangle");
  memcpy(&found, &symbol, sizeof found);
  return found;
}

bool rota__demangle(const char *name, char *room, size_t size) {
  demangle_fn demangle = name[0] == '_' && name[1] == 'Z' ? find_demangler() : NULL;
  int status = 0;
  if (demangle == NULL)
    return false;
  char *text = demangle(name, NULL, NULL, &status);
  bool ok = text != NULL && status == 0 && shorten(text, room, size);
  if (ok)
    drop_type(room);
  free(text);
  return ok;
}
