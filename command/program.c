#include "command/program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#if defined(__aarch64__)
#define GLIBC_LOADER "/lib/ld-linux-aarch64.so.1"
#define MUSL_LOADER "/lib/ld-musl-aarch64.so.1"
#else
#define GLIBC_LOADER "/lib64/ld-linux-x86-64.so.2"
#define MUSL_LOADER "/lib/ld-musl-x86_64.so.1"
#endif

static bool is_executable(const char *path) {
  struct stat status;
  return access(path, X_OK) == 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool set_path(char path[PATH_MAX], const char *text) {
  return snprintf(path, PATH_MAX, "%s", text) < PATH_MAX;
}

bool program_find(const char *name, char path[PATH_MAX]) {
  if (strchr(name, '/') != NULL)
    return set_path(path, name) && is_executable(path);
  const char *from = getenv("PATH");
  for (from = from != NULL ? from : "/usr/bin:/bin"; *from != 0;) {
    int length = (int)strcspn(from, ":");
    int written = snprintf(path, PATH_MAX, "%.*s%s%s", length, from, length > 0 ? "/" : "", name);
    if (written < PATH_MAX && is_executable(path))
      return true;
    from += length + (from[length] == ':');
  }
  return false;
}

static void nowhere(struct program *program, const char *reason) {
  program->way = WAY_NOWHERE;
  snprintf(program->reason, sizeof program->reason, "%s", reason);
}

/* ---- scripts ---- */

/* Options and settings of env come before the program's name. */
static char *word_after_env(char *rest) {
  char *word;
  while ((word = strtok_r(NULL, " \t", &rest)) != NULL)
    if (word[0] != '-' && strchr(word, '=') == NULL)
      return word;
  return NULL;
}

/* The interpreter that a script's first line names. False: it cannot be found; `path` is its name then, or empty. */
static bool find_interpreter(const unsigned char *file, size_t size, char path[PATH_MAX]) {
  char line[PATH_MAX];
  size_t length = size - 2 < sizeof line - 1 ? size - 2 : sizeof line - 1;
  memcpy(line, file + 2, length);
  line[length] = 0;
  line[strcspn(line, "\r\n")] = 0;
  char *rest = NULL, *word = strtok_r(line, " \t", &rest);
  size_t word_length = word != NULL ? strlen(word) : 0;
  if (word_length > 4 && strcmp(word + word_length - 4, "/env") == 0)
    word = word_after_env(rest);
  if (word != NULL && program_find(word, path))
    return true;
  set_path(path, word != NULL ? word : "");
  return false;
}

/* ---- what the loader would load ---- */

/* A line is "	name => path (address)". */
static void read_loader_line(struct program *program, char *line, bool *has_librota) {
  static const char name[] = "libuv.so.1 => ";
  char *found = strstr(line, name);
  program->loads_graft |= strstr(line, "/librota-graft.so ") != NULL;
  *has_librota |= strstr(line, "librota.so.0 => ") != NULL;
  if (found == NULL)
    return;
  found += sizeof name - 1;
  found[strcspn(found, " \n")] = 0;
  set_path(program->found, found);
}

/* musl's loader does not know glibc's variable, and would run the program. */
static void become_list(const struct program *program) {
  const char *loader = program->elf.loader, *file = program_file(program);
  if (program->elf.is_musl)
    execl(loader, loader, "--list", file, (char *)NULL);
  else if (setenv("LD_TRACE_LOADED_OBJECTS", "1", 1) == 0)
    execl(file, file, (char *)NULL);
}

void program_ask_loader(struct program *program) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return;
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    become_list(program);
    _exit(127);
  }
  close(ends[1]);
  FILE *lines = fdopen(ends[0], "r");
  char line[PATH_MAX * 2];
  bool has_librota = false;
  while (lines != NULL && fgets(line, sizeof line, lines) != NULL)
    read_loader_line(program, line, &has_librota);
  if (lines != NULL)
    fclose(lines);
  while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
    continue;
  if (has_librota)
    program->way = WAY_OWN;
}

static bool is_in(const char *path, const char *directory) {
  char real[PATH_MAX];
  size_t length = strlen(directory);
  return realpath(path, real) != NULL && strncmp(real, directory, length) == 0 && real[length] == '/';
}

/* ---- the verdict on what really runs ---- */

/* For a program with more rights than its user, the loader ignores the environment. */
static bool has_more_rights(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0)
    return false;
  if ((status.st_mode & S_ISUID) && status.st_uid != geteuid())
    return true;
  if ((status.st_mode & S_ISGID) && (status.st_mode & S_IXGRP) && status.st_gid != getegid())
    return true;
  return geteuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0;
}

void program_judge(struct program *program, const struct program_paths *paths) {
  const struct program_elf *elf = &program->elf;
  if (program->way == WAY_NOWHERE)
    return;
  if (!elf->is_elf)
    return nowhere(program, "it is neither a program nor a script with an interpreter that can be found; a script's "
                            "first line names one, such as #!/usr/bin/env node");
  if (!elf->is_native)
    return nowhere(program, "it is made for another kind of processor; rota must be built for the same one");
  if (elf->is_damaged)
    return nowhere(program, "its file is damaged: it does not say where its parts are; build or copy it again");
  if (has_more_rights(program_file(program)))
    return nowhere(program, "it runs with more rights than you have (setuid, setgid or capabilities): the loader "
                            "does not preload libraries into it; a copy of it without these rights can be run");
  if (!elf->has_loader)
    return nowhere(program, "it is linked statically: librota cannot be loaded into it; link it dynamically, or "
                            "with librota.a");
  if (elf->is_ours || elf->exports_whole_loop) {
    program->way = elf->is_ours ? WAY_OWN : WAY_GRAFT;
    return;
  }
  if (elf->exports_loop)
    return nowhere(program, "it exports some of libuv's functions, but does not use libuv's loop (as Bun and Deno); "
                            "run the script with node");
  program->way = WAY_LATER;
  program_ask_loader(program);
  if (program->way == WAY_OWN)
    return;
  if (program->found[0] != 0)
    program->way = is_in(program->found, paths->library) ? WAY_PATH : WAY_GRAFT;
  else if (elf->has_hidden_loop)
    nowhere(program, "it has libuv linked in, but does not export its functions: they cannot be found; link it with "
                     "-rdynamic, or with libuv.so.1");
}

void program_lacks_libraries(struct program *program) {
  nowhere(program, program->elf.is_musl ? "it uses the C library musl, and this rota has librota for glibc only: `make "
                                          "musl` builds it for musl, and so does `make` on a system with musl"
                                        : "it uses the C library glibc, and this rota has librota for musl only: "
                                          "`make` on a system with glibc builds it for glibc");
}

/* A script whose interpreter is not there: the system would say that the script is not. */
static void lacks_interpreter(struct program *program, const char *name) {
  program->way = WAY_NOWHERE;
  snprintf(program->reason, sizeof program->reason,
           *name != 0 ? "its first line names an interpreter that cannot be found: %s; install it, or mend the line"
                      : "its first line names no interpreter%s; it must be one, such as #!/usr/bin/env node",
           name);
}

/* Reads the last file of the chain. True: it is a script, and its interpreter was added. */
static bool look_at_last(struct program *program) {
  struct stat status = {0};
  int fd = open(program_file(program), O_RDONLY | O_CLOEXEC);
  void *map = fd >= 0 && fstat(fd, &status) == 0 && status.st_size > 2
                  ? mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
                  : MAP_FAILED;
  bool is_script = false;
  if (fd >= 0)
    close(fd);
  if (map == MAP_FAILED) {
    nowhere(program, fd >= 0 && status.st_size <= 2 ? "its file has no executable code"
                                                    : "its file cannot be read; see chmod(1)");
    return false;
  }
  const unsigned char *file = map;
  size_t size = (size_t)status.st_size;
  if (file[0] == '#' && file[1] == '!' && program->chain_length < PROGRAM_CHAIN_MAX) {
    char *interpreter = program->chain[program->chain_length];
    is_script = find_interpreter(file, size, interpreter);
    if (is_script)
      program->chain_length++;
    else
      lacks_interpreter(program, interpreter);
  } else {
    struct program_elf *elf = &program->elf;
    program_elf_read(elf, file, size);
    elf->has_hidden_loop = elf->is_native && !elf->exports_loop && program_elf_contains_libuv(file, size);
  }
  munmap(map, size);
  return is_script;
}

void program_look(struct program *program, const char *path) {
  memset(program, 0, sizeof *program);
  set_path(program->chain[0], path);
  program->chain_length = 1;
  program->way = WAY_LATER;
  while (look_at_last(program))
    continue;
}

/* ---- what stands beside this program ---- */

bool program_own_directory(char directory[PATH_MAX]) {
  ssize_t length = readlink("/proc/self/exe", directory, PATH_MAX - 1);
  if (length <= 0)
    return false;
  directory[length] = 0;
  *strrchr(directory, '/') = 0;
  return true;
}

static bool find_preloaded(char path[PATH_MAX], const char *directory, const char *name) {
  return snprintf(path, PATH_MAX, "%s/%s", directory, name) < PATH_MAX && access(path, R_OK) == 0;
}

/* What is built for glibc names versions of it. */
static bool is_for_musl(const char *library) {
  struct program_elf elf = {0};
  return program_elf_read_file(&elf, library) && elf.glibc_minor == 0;
}

static bool find_libraries_in(struct program_paths *paths, const char *own, const char *below, bool for_musl) {
  char guess[PATH_MAX + 32];
  snprintf(guess, sizeof guess, "%s/../%s", own, below);
  if (realpath(guess, paths->library) == NULL)
    return false;
  snprintf(guess, sizeof guess, "%s/libuv.so.1", paths->library);
  return access(guess, R_OK) == 0 && find_preloaded(paths->graft, paths->library, "librota-graft.so") &&
         find_preloaded(paths->clock, paths->library, "librota-clock.so") && is_for_musl(guess) == for_musl;
}

static bool find_for(struct program_paths *paths, const char *own, bool for_musl) {
  static const char *const places[] = {"lib/rota", "lib", "lib/rota/musl", "musl/lib", "../lib"};
  static const char above[] = "/musl/bin";
  size_t length = strlen(own), count = sizeof places / sizeof places[0];
  /* What is above a folder may be anybody's, unless it is the one that `make musl` makes. */
  if (length < sizeof above || strcmp(own + length - (sizeof above - 1), above) != 0)
    count--;
  for (size_t i = 0; i < count; i++)
    if (find_libraries_in(paths, own, places[i], for_musl))
      return true;
  return false;
}

/* One variable is for the loaders of both C libraries, and a library for the other one would end a program. glibc's
 * loader splits it at semicolons, too; for musl's, that is a directory that does not exist. The reverse has no such
 * way: where there is glibc, too, a program on musl has the graft in its own libuv.so.1. A name with a space cannot be
 * preloaded otherwise. */
static void choose_search(struct program_paths *paths, bool for_musl) {
  static const char glibc[] = GLIBC_LOADER, musl[] = MUSL_LOADER;
  const char *library = paths->library;
  bool has_both = access(glibc, F_OK) == 0 && access(musl, F_OK) == 0;
  paths->search[0] = 0;
  if (!has_both || (for_musl && strchr(library, ' ') != NULL))
    snprintf(paths->search, sizeof paths->search, "%s", library);
  else if (!for_musl)
    snprintf(paths->search, sizeof paths->search, "%s;%s", library, library);
}

/* Beside this program. Debian's packages have a directory for what no other program may link with; a build and an
 * installation have them among the other libraries. What is built for musl has a directory of its own, where both are.
 */
bool program_find_libraries(struct program_paths *paths, bool for_musl) {
  char own[PATH_MAX];
  struct program_paths other;
  if (!program_own_directory(own) || !find_for(paths, own, for_musl))
    return false;
  snprintf(paths->other, sizeof paths->other, "%s", find_for(&other, own, !for_musl) ? other.library : "");
  choose_search(paths, for_musl);
  return true;
}
