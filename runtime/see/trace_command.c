/* rota trace [-o file] [--] program [arguments]: runs a program that uses libuv on our libuv.so.1, with its trace on.
 *
 * The library is looked for beside this program (../lib). What the loader would do with the program is asked before it
 * is started, so that one which cannot be traced is told of instead of running without a trace. */
#include "runtime/see/trace.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

static int fail(const char *program, const char *what) {
  fprintf(stderr, "rota: %s: %s\n", program, what);
  return 1;
}

/* ---- looking for things ---- */

static bool is_executable(const char *path) {
  struct stat status;
  return access(path, X_OK) == 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool find_program(const char *name, char *path) {
  if (strchr(name, '/') != NULL) {
    snprintf(path, PATH_SIZE, "%s", name);
    return is_executable(path);
  }
  const char *from = getenv("PATH");
  for (from = from != NULL ? from : "/usr/bin:/bin"; *from != 0;) {
    size_t length = strcspn(from, ":");
    snprintf(path, PATH_SIZE, "%.*s/%s", (int)length, from, name);
    if (is_executable(path))
      return true;
    from += length + (from[length] == ':');
  }
  return false;
}

/* The directory of our libuv.so.1: of a build, or of an installation. */
static bool find_library(char *directory) {
  char own[PATH_SIZE], guess[PATH_SIZE + 32];
  ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
  if (length <= 0)
    return false;
  own[length] = 0;
  char *slash = strrchr(own, '/');
  *slash = 0;
  snprintf(guess, sizeof guess, "%s/../lib", own);
  if (realpath(guess, directory) == NULL)
    return false;
  snprintf(guess, sizeof guess, "%s/libuv.so.1", directory);
  return access(guess, R_OK) == 0;
}

/* ---- what a program is ---- */

enum kind { KIND_DYNAMIC, KIND_OWN_COPY, KIND_STATIC, KIND_SCRIPT, KIND_OTHER };

static bool within(size_t size, uint64_t offset, uint64_t length) {
  return offset <= size && length <= size - offset;
}

/* Does the file itself define uv_run? */
static bool defines_loop(const unsigned char *file, size_t size, const Elf64_Ehdr *head) {
  if (!within(size, head->e_shoff, (uint64_t)head->e_shnum * sizeof(Elf64_Shdr)))
    return false;
  const Elf64_Shdr *sections = (const Elf64_Shdr *)(file + head->e_shoff);
  for (unsigned i = 0; i < head->e_shnum; i++) {
    const Elf64_Shdr *table = &sections[i];
    if ((table->sh_type != SHT_DYNSYM && table->sh_type != SHT_SYMTAB) || table->sh_link >= head->e_shnum)
      continue;
    const Elf64_Shdr *text = &sections[table->sh_link];
    if (!within(size, table->sh_offset, table->sh_size) || !within(size, text->sh_offset, text->sh_size))
      continue;
    const Elf64_Sym *symbols = (const Elf64_Sym *)(file + table->sh_offset);
    for (size_t k = 0; k < table->sh_size / sizeof *symbols; k++)
      if (symbols[k].st_shndx != SHN_UNDEF && symbols[k].st_name + sizeof "uv_run" <= text->sh_size &&
          strcmp((const char *)file + text->sh_offset + symbols[k].st_name, "uv_run") == 0)
        return true;
  }
  return false;
}

static bool has_loader(const unsigned char *file, size_t size, const Elf64_Ehdr *head) {
  if (!within(size, head->e_phoff, (uint64_t)head->e_phnum * sizeof(Elf64_Phdr)))
    return false;
  const Elf64_Phdr *parts = (const Elf64_Phdr *)(file + head->e_phoff);
  for (unsigned i = 0; i < head->e_phnum; i++)
    if (parts[i].p_type == PT_INTERP)
      return true;
  return false;
}

/* A script's interpreter takes its place in `path`. */
static enum kind kind_of_file(char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  enum kind kind = KIND_OTHER;
  if (fd < 0)
    return kind;
  unsigned char *file = fstat(fd, &status) == 0 && status.st_size > 0
                            ? mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
                            : MAP_FAILED;
  close(fd);
  if (file == MAP_FAILED)
    return kind;
  size_t size = (size_t)status.st_size;
  const Elf64_Ehdr *head = (const Elf64_Ehdr *)file;
  if (size > 2 && file[0] == '#' && file[1] == '!') {
    char line[PATH_SIZE];
    size_t length = size - 2 < sizeof line - 1 ? size - 2 : sizeof line - 1;
    memcpy(line, file + 2, length);
    line[length] = 0;
    line[strcspn(line, "\n")] = 0;
    char *rest = line, *word = strtok_r(rest, " \t", &rest);
    if (word != NULL && strstr(word, "/env") != NULL)
      word = strtok_r(NULL, " \t", &rest);
    if (word != NULL && find_program(word, path))
      kind = KIND_SCRIPT;
  } else if (size > sizeof *head && memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 &&
             head->e_ident[EI_CLASS] == ELFCLASS64) {
    kind = defines_loop(file, size, head) ? KIND_OWN_COPY : has_loader(file, size, head) ? KIND_DYNAMIC : KIND_STATIC;
  }
  munmap(file, size);
  return kind;
}

/* ---- what the loader would take ---- */

enum link { LINK_NONE, LINK_OURS, LINK_OTHER };

/* The loader lists what it finds instead of starting the program. */
static enum link ask_loader(const char *path, const char *directory, char *found) {
  int ends[2];
  enum link answer = LINK_NONE;
  if (pipe(ends) != 0)
    return answer;
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    setenv("LD_TRACE_LOADED_OBJECTS", "1", 1);
    execl(path, path, (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  FILE *lines = fdopen(ends[0], "r");
  char line[PATH_SIZE * 2];
  while (lines != NULL && fgets(line, sizeof line, lines) != NULL) {
    char *arrow = strstr(line, "libuv.so.1 => ");
    if (arrow == NULL)
      continue;
    arrow += strlen("libuv.so.1 => ");
    arrow[strcspn(arrow, " \n")] = 0;
    snprintf(found, PATH_SIZE, "%.4000s", arrow);
    answer = strncmp(arrow, directory, strlen(directory)) == 0 ? LINK_OURS : LINK_OTHER;
  }
  if (lines != NULL)
    fclose(lines);
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
    continue;
  return answer;
}

/* ---- the command ---- */

static void put_in_front(const char *directory) {
  const char *before = getenv("LD_LIBRARY_PATH");
  char *value = malloc(strlen(directory) + (before != NULL ? strlen(before) : 0) + 2);
  if (value == NULL)
    return;
  sprintf(value, before != NULL && *before != 0 ? "%s:%s" : "%s", directory, before);
  setenv("LD_LIBRARY_PATH", value, 1);
  free(value);
}

static void set_file(const char *file) {
  char path[PATH_SIZE * 2], here[PATH_SIZE];
  if (file[0] == '/' || getcwd(here, sizeof here) == NULL)
    snprintf(path, sizeof path, "%.4000s", file);
  else
    snprintf(path, sizeof path, "%.4000s/%.4000s", here, file);
  setenv("ROTA_TRACE", path, 1);
}

static int print_usage(FILE *stream) {
  fputs("Usage: rota trace [-o trace.json] [--] program [arguments]\n\n"
        "Runs a program that uses libuv.so.1 on rota's, and writes what its loop does into a file that Perfetto and\n"
        "`rota timeline` open.\n",
        stream);
  return stream == stdout ? 0 : 9;
}

int js_trace_command(int argc, char **argv) {
  const char *output = "trace.json";
  char path[PATH_SIZE], looked_at[PATH_SIZE], directory[PATH_SIZE], found[PATH_SIZE] = "";
  int i = 1;
  for (; i < argc && argv[i][0] == '-'; i++) {
    if (strcmp(argv[i], "--") == 0) {
      i++;
      break;
    }
    if (strcmp(argv[i], "-h") == 0 || strcmp(argv[i], "--help") == 0)
      return print_usage(stdout);
    if (strcmp(argv[i], "-o") != 0 || i + 1 >= argc) {
      fprintf(stderr, "rota: trace: bad option: %s\n", argv[i]);
      return 9;
    }
    output = argv[++i];
  }
  if (i >= argc)
    return print_usage(stderr);
  if (!find_program(argv[i], path))
    return fail(argv[i], "there is no such program");
  if (!find_library(directory))
    return fail("libuv.so.1", "not found beside rota (../lib); `make` builds it, `make install` installs it");
  put_in_front(directory);
  snprintf(looked_at, sizeof looked_at, "%s", path);
  enum kind kind = kind_of_file(looked_at);
  if (kind == KIND_SCRIPT)
    kind = kind_of_file(looked_at);
  if (kind == KIND_OWN_COPY)
    return fail(looked_at,
                "it carries its own copy of libuv, as Node's official builds do, so that ours cannot take its "
                "place: there would be no trace. Debian's node uses the system's libuv.so.1, and can be traced.");
  if (kind == KIND_STATIC)
    return fail(looked_at, "it is linked statically, so that our libuv.so.1 cannot take the place of any");
  if (kind == KIND_DYNAMIC) {
    enum link link = ask_loader(looked_at, directory, found);
    if (link == LINK_OTHER) {
      fprintf(stderr, "rota: %s: it insists on %s (by its run path), so that ours cannot take its place\n", looked_at,
              found);
      return 1;
    }
    if (link == LINK_NONE)
      fprintf(
          stderr,
          "rota: %s: it is not linked with libuv.so.1; there will be a trace only if it loads that later, or starts a "
          "program that does\n",
          looked_at);
  }
  set_file(output);
  execv(path, argv + i);
  fprintf(stderr, "rota: %s: %s\n", path, strerror(errno));
  return 126;
}
