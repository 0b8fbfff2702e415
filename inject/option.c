#include "inject/module.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inject/names/option.h"

enum { FORBIDS_MAX = 32 };

/* A word that ends with the text or with a space. Node takes _ for -. */
static bool forbids_addons(const char *argument) {
  static const char *const options[] = {"--permission", "--permission-audit", "--experimental-permission",
                                        "--no-addons"};
  char word[FORBIDS_MAX];
  snprintf(word, sizeof word, "%.*s", (int)strcspn(argument, " "), argument);
  for (char *at = word; *at != 0; at++)
    if (*at == '_')
      *at = '-';
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
    if (strcmp(word, options[i]) == 0)
      return true;
  return false;
}

static bool any_forbids(const char *options) {
  for (; options != NULL && *options != 0; options += strcspn(options, " "), options += strspn(options, " "))
    if (forbids_addons(options))
      return true;
  return false;
}

/* A Node that may load no addons would not start with one. */
static bool is_forbidden(const char *options) {
  char arguments[4096];
  FILE *file = fopen("/proc/self/cmdline", "re");
  size_t length = file == NULL ? 0 : fread(arguments, 1, sizeof arguments - 1, file);
  if (file != NULL)
    fclose(file);
  arguments[length] = 0;
  /* Behind -- they are the program's. */
  for (size_t i = 0; i < length && strcmp(arguments + i, "--") != 0; i += strlen(arguments + i) + 1)
    if (forbids_addons(arguments + i))
      return true;
  return any_forbids(options);
}

/* Names were asked for, and there will be none: the user should learn why. */
static bool has_leave(const char *options) {
  if (!is_forbidden(options))
    return true;
  fputs(
      "rota: names: this Node may not load addons (--permission, --no-addons): its functions of C++ are shown instead "
      "of JavaScript's\n",
      stderr);
  return false;
}

static bool find_beside(const void *address, char path[PATH_MAX]) {
  Dl_info found;
  char near[PATH_MAX];
  const char *slash = address != NULL && dladdr(address, &found) != 0 ? strrchr(found.dli_fname, '/') : NULL;
  if (slash == NULL ||
      snprintf(near, sizeof near, "%.*s/rota-names.node", (int)(slash - found.dli_fname), found.dli_fname) >= PATH_MAX)
    return false;
  return realpath(near, path) != NULL && access(path, R_OK) == 0;
}

/* Beside librota, which fits the program's C library, or beside this library, if librota is part of the program. */
static bool find_module(char path[PATH_MAX]) {
  static const char anchor;
  return find_beside(dlsym(RTLD_DEFAULT, "rota_version"), path) || find_beside(&anchor, path);
}

/* rota's own runtime has Node-API, too, and names its functions itself. */
static bool is_node(void) {
  return dlsym(RTLD_DEFAULT, "napi_run_script") != NULL && dlsym(RTLD_DEFAULT, "node_module_register") != NULL;
}

void graft_option_set(void) {
  const char *wanted = getenv("ROTA_NAMES"), *before = getenv("NODE_OPTIONS");
  char path[PATH_MAX], option[PATH_MAX + 32];
  if (wanted == NULL || strcmp(wanted, "1") != 0 || !is_node() || !has_leave(before) || !find_module(path) ||
      !names_option(option, sizeof option, path))
    return;
  size_t length = strlen(option);
  if (before == NULL) {
    setenv("NODE_OPTIONS", option, 1);
  } else if (strncmp(before, option, length) != 0) {
    char *both = malloc(length + strlen(before) + 2);
    if (both == NULL)
      return;
    sprintf(both, "%s %s", option, before);
    setenv("NODE_OPTIONS", both, 1);
    free(both);
  }
}
