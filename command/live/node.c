#include "command/live/live.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/program.h"
#include "uv.h"

enum { HANDLES_MAX = 4096, MODULES_MAX = 3, SECTIONS_MAX = 1024 };

/* A file that the process has in memory: its executable, or the library that has Node or libuv. */
struct module {
  uint64_t begin; /* where its first bytes are */
  const unsigned char *bytes;
  size_t size;
};

static bool map_file(const char *path, struct module *module) {
  struct stat status;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  module->size = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ? (size_t)status.st_size : 0;
  void *bytes = module->size > 0 ? mmap(NULL, module->size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
  close(fd);
  module->bytes = bytes;
  return bytes != MAP_FAILED;
}

static bool is_wanted_library(const char *path) {
  const char *name = strrchr(path, '/');
  return name != NULL && (strncmp(name, "/libnode.so", 11) == 0 || strncmp(name, "/libuv.so", 9) == 0);
}

/* Maps what may contain Node or libuv, the executable first. Its files are seen as it sees them, in a container too. */
static size_t open_modules(pid_t process, struct module modules[MODULES_MAX]) {
  char path[PATH_MAX + 64], line[PATH_MAX + 200];
  struct stat executable;
  size_t count = 0;
  snprintf(path, sizeof path, "/proc/%d/exe", (int)process);
  bool has_executable = stat(path, &executable) == 0 && map_file(path, &modules[0]);
  snprintf(path, sizeof path, "/proc/%d/maps", (int)process);
  FILE *maps = fopen(path, "re");
  if (has_executable)
    modules[count++].begin = 0;
  while (maps != NULL && count < MODULES_MAX && fgets(line, sizeof line, maps) != NULL) {
    uint64_t begin, offset, inode;
    char *name = strchr(line, '/');
    if (name == NULL || sscanf(line, "%" SCNx64 "-%*x %*s %" SCNx64 " %*s %" SCNu64, &begin, &offset, &inode) != 3 ||
        offset != 0)
      continue;
    name[strcspn(name, "\n")] = 0;
    if (has_executable && inode == executable.st_ino && modules[0].begin == 0)
      modules[0].begin = begin;
    snprintf(path, sizeof path, "/proc/%d/root%s", (int)process, name);
    if (is_wanted_library(name) && map_file(path, &modules[count]))
      modules[count++].begin = begin;
  }
  if (maps != NULL)
    fclose(maps);
  return count;
}

static void close_modules(struct module *modules, size_t count) {
  for (size_t i = 0; i < count; i++)
    munmap((void *)(uintptr_t)modules[i].bytes, modules[i].size);
}

const char *live_find_not_node(pid_t process) {
  struct module modules[MODULES_MAX];
  bool is_node = false;
  size_t count = open_modules(process, modules);
  for (size_t i = 0; i < count && !is_node; i++) {
    struct program_elf elf;
    program_elf_read(&elf, modules[i].bytes, modules[i].size);
    is_node = elf.is_node;
  }
  close_modules(modules, count);
  if (is_node)
    return NULL;
  if (count == 0)
    return "the system does not show its program: attach as its user, or as root with the capability SYS_PTRACE";
  return "it is not Node, and does not run on librota; start it with rota run --attach -- program";
}

/* ---- libuv's tree of signal handles ---- */

/* The address of a local variable, by the table that strip(1) removes. The compiler may have put a number behind the
 * name. 0: it is not told. */
static uint64_t find_variable(const struct module *module, const char *name) {
  const Elf64_Ehdr *head = (const Elf64_Ehdr *)module->bytes;
  size_t length = strlen(name), size = module->size;
  if (size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64 ||
      head->e_shentsize != sizeof(Elf64_Shdr) || head->e_shnum > SECTIONS_MAX || head->e_shoff > size ||
      head->e_shoff % 8 != 0 || head->e_shnum * sizeof(Elf64_Shdr) > size - head->e_shoff)
    return 0;
  const Elf64_Shdr *sections = (const Elf64_Shdr *)(module->bytes + head->e_shoff);
  for (unsigned int i = 0; i < head->e_shnum; i++) {
    const Elf64_Shdr *table = &sections[i];
    if (table->sh_type != SHT_SYMTAB || table->sh_link >= head->e_shnum)
      continue;
    const Elf64_Shdr *names = &sections[table->sh_link];
    if (table->sh_offset > size || table->sh_size > size - table->sh_offset || table->sh_offset % 8 != 0 ||
        names->sh_offset > size || names->sh_size > size - names->sh_offset || names->sh_size == 0 ||
        module->bytes[names->sh_offset + names->sh_size - 1] != 0)
      continue;
    const Elf64_Sym *symbols = (const Elf64_Sym *)(module->bytes + table->sh_offset);
    const char *texts = (const char *)module->bytes + names->sh_offset;
    for (uint64_t k = 0; k < table->sh_size / sizeof *symbols; k++) {
      const Elf64_Sym *symbol = &symbols[k];
      const char *found = symbol->st_name < names->sh_size ? texts + symbol->st_name : "";
      if (ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT && symbol->st_size == sizeof(void *) &&
          strncmp(found, name, length) == 0 && (found[length] == 0 || found[length] == '.'))
        return symbol->st_value + (head->e_type == ET_DYN ? module->begin : 0);
    }
  }
  return 0;
}

static bool read_memory(int memory, uint64_t address, void *bytes, size_t size) {
  return pread(memory, bytes, size, (off_t)address) == (ssize_t)size;
}

/* A handle in the tree is a uv_signal_t, whose offsets are libuv's ABI. The tree may change while it is read: the
 * number of steps is limited, and what cannot be read ends it. */
static enum live_handler look_into_tree(int memory, uint64_t root, int signum, const char **why) {
  uint64_t handles[64], address;
  size_t waiting = 0;
  if (!read_memory(memory, root, &address, sizeof address)) {
    *why = "its memory may not be read (/proc/PID/mem: see kernel.yama.ptrace_scope, or attach as root)";
    return LIVE_HANDLER_UNKNOWN;
  }
  if (address != 0)
    handles[waiting++] = address;
  for (int steps = 0; waiting > 0; steps++) {
    uv_signal_t handle;
    if (steps == HANDLES_MAX || waiting + 2 > sizeof handles / sizeof handles[0] ||
        !read_memory(memory, handles[--waiting], &handle, sizeof handle)) {
      *why = "its signal handles change while they are looked at; try again";
      return LIVE_HANDLER_UNKNOWN;
    }
    if (handle.signum == signum)
      return LIVE_HANDLER_PROGRAM;
    uint64_t links[2];
    memcpy(links, (const char *)&handle + offsetof(uv_signal_t, signum) + sizeof(void *), sizeof links);
    for (int i = 0; i < 2; i++)
      if (links[i] != 0)
        handles[waiting++] = links[i];
  }
  return LIVE_HANDLER_NODE;
}

enum live_handler live_who_handles(pid_t process, int signum, const char **why) {
  struct module modules[MODULES_MAX];
  char name[40];
  enum live_handler handler = LIVE_HANDLER_UNKNOWN;
  uint64_t root = 0;
  size_t count = open_modules(process, modules);
  for (size_t i = 0; i < count && root == 0; i++)
    root = find_variable(&modules[i], "uv__signal_tree");
  close_modules(modules, count);
  *why = "its program has no symbols (they were stripped)";
  if (root == 0)
    return handler;
  snprintf(name, sizeof name, "/proc/%d/mem", (int)process);
  int memory = open(name, O_RDONLY | O_CLOEXEC);
  *why = "its memory may not be read (/proc/PID/mem: see kernel.yama.ptrace_scope, or attach as root)";
  if (memory < 0)
    return handler;
  handler = look_into_tree(memory, root, signum, why);
  close(memory);
  return handler;
}
