#include "command/alone/alone.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include "command/place.h"

enum { NOT_REACHED = 1, NOT_STARTED = 126 };

/* The C library that a program was linked with, as 36 of "GLIBC_2.36"; 0: it does not say. */
static unsigned int wanted_minor(const char *path) {
  struct program_elf elf = {0};
  struct stat status;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return 0;
  size_t size = fstat(fd, &status) == 0 ? (size_t)status.st_size : 0;
  void *bytes = size > 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
  close(fd);
  if (bytes == MAP_FAILED)
    return 0;
  program_elf_read(&elf, bytes, size);
  munmap(bytes, size);
  return elf.glibc_minor;
}

static unsigned int own_minor(void) {
#ifdef __GLIBC__
  const char *version = gnu_get_libc_version(), *point = strchr(version, '.');
  return point != NULL ? (unsigned int)strtoul(point + 1, NULL, 10) : 0;
#else
  return 0;
#endif
}

static const char engine[] = "libjavascriptcoregtk-4.1.so.0";

/* Loading it to see whether it is there would take as long as starting the runtime. */
static bool has_engine(void) {
  static const char *const places[] = {
#ifdef __x86_64__
      "/usr/lib/x86_64-linux-gnu",
#elif defined(__aarch64__)
      "/usr/lib/aarch64-linux-gnu",
#endif
      "/usr/lib64", "/usr/lib"};
  char file[128];
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    snprintf(file, sizeof file, "%s/%s", places[i], engine);
    if (access(file, R_OK) == 0)
      return true;
  }
  void *loaded = dlopen(engine, RTLD_LAZY | RTLD_LOCAL);
  if (loaded != NULL)
    dlclose(loaded);
  return loaded != NULL;
}

bool alone_find_runtime(char path[PATH_MAX], char reason[ALONE_REASON_SIZE]) {
  char own[PATH_MAX];
  if (!graft_own_directory(own) || snprintf(path, PATH_MAX, "%s/rota", own) >= PATH_MAX || access(path, X_OK) != 0) {
    snprintf(reason, ALONE_REASON_SIZE, "is not beside this program; `make runtime` builds it, from the sources");
    return false;
  }
  unsigned int wanted = wanted_minor(path), own_is = own_minor();
  if (wanted > own_is) {
    snprintf(reason, ALONE_REASON_SIZE, "needs glibc 2.%u, and this system has 2.%u", wanted, own_is);
    return false;
  }
  if (!has_engine()) {
    snprintf(reason, ALONE_REASON_SIZE, "needs %s, which this system lacks: apt-get install libjavascriptcoregtk-4.1-0",
             engine);
    return false;
  }
  return true;
}

/* The script among the arguments, if there is such a file; else null. */
static const char *script_of(int argc, char **argv) {
  int i = strcmp(argv[1], "why") == 0 ? 2 : 1;
  while (i < argc && (argv[i][0] == '-' || access(argv[i], F_OK) != 0))
    i++;
  return i < argc ? argv[i] : NULL;
}

static int refuse(int argc, char **argv, const char *reason) {
  const char *script = script_of(argc, argv), *name = alone_name();
  bool is_why = strcmp(argv[1], "why") == 0;
  if (!is_why && argv[1][0] != '-' && script != argv[1]) {
    fprintf(stderr, "rota: there is neither a command nor a script %s; %s help lists the commands\n", argv[1], name);
    return NOT_REACHED;
  }
  fprintf(stderr, "rota: %s: the runtime of rota %s\n", script != NULL ? script : argv[1], reason);
  fprintf(stderr, "The commands for your own Node work without it: %s %s -- node %s; %s help lists them.\n", name,
          is_why ? "why" : "timeline", script != NULL ? script : "app.js", name);
  return NOT_REACHED;
}

int alone_run_script(int argc, char **argv) {
  char runtime[PATH_MAX], reason[ALONE_REASON_SIZE];
  if (!alone_find_runtime(runtime, reason))
    return refuse(argc, argv, reason);
  argv[0] = runtime;
  execv(runtime, argv);
  fprintf(stderr, "rota: %s: %s\n", runtime, strerror(errno));
  return NOT_STARTED;
}
