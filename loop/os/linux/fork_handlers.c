/* Whether a library has handlers for forks of its own, which it expects to run in the children that it starts: uvloop
 * runs a Python program's `preexec_fn` in one. A library that calls pthread_atfork has a relocation with that name.
 *
 * Only libraries are asked. A program has that relocation also for what is linked into it (OpenSSL in Node), and would
 * lose the spawn that does not copy its memory. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "loop/os/elf.h"
#include "loop/os/memory.h"
#include "loop/os/process.h"

struct search {
  uintptr_t base;
  bool found;
};

/* The symbols and relocations of one file. */
struct file {
  uintptr_t base;
  const ElfW(Sym) * symbols;
  const char *names;
  uintptr_t tables[3]; /* of relocations */
  size_t sizes[3];
  size_t steps[3]; /* the size of one of them */
};

/* glibc has made addresses of most entries; other C libraries leave what is in the file. */
static uintptr_t address_of(const struct file *file, const ElfW(Dyn) * entry) {
  uintptr_t value = (uintptr_t)entry->d_un.d_ptr;
  return value < file->base ? file->base + value : value;
}

static void read_entry(struct file *file, const ElfW(Dyn) * entry) {
  enum { RELA, REL, PLT };
  switch (entry->d_tag) {
  case DT_SYMTAB:
    file->symbols = (const void *)address_of(file, entry);
    break;
  case DT_STRTAB:
    file->names = (const void *)address_of(file, entry);
    break;
  case DT_RELA:
    file->tables[RELA] = address_of(file, entry);
    break;
  case DT_RELASZ:
    file->sizes[RELA] = entry->d_un.d_val;
    break;
  case DT_REL:
    file->tables[REL] = address_of(file, entry);
    break;
  case DT_RELSZ:
    file->sizes[REL] = entry->d_un.d_val;
    break;
  case DT_JMPREL:
    file->tables[PLT] = address_of(file, entry);
    break;
  case DT_PLTRELSZ:
    file->sizes[PLT] = entry->d_un.d_val;
    break;
  case DT_PLTREL:
    file->steps[PLT] = entry->d_un.d_val == DT_RELA ? sizeof(ElfW(Rela)) : sizeof(ElfW(Rel));
    break;
  default:
    break;
  }
}

static bool is_handler(const char *name) {
  return strcmp(name, "pthread_atfork") == 0 || strcmp(name, "__register_atfork") == 0;
}

static bool refers_to_handlers(const struct file *file) {
  if (file->symbols == NULL || file->names == NULL)
    return false;
  for (int i = 0; i < 3; i++) {
    if (file->tables[i] == 0 || file->steps[i] == 0)
      continue;
    for (size_t at = 0; at < file->sizes[i]; at += file->steps[i]) {
      const ElfW(Rel) *relocation = (const void *)(file->tables[i] + at); /* ElfW(Rela) begins as it does */
      size_t symbol = sizeof(void *) == 8 ? ELF64_R_SYM(relocation->r_info) : ELF32_R_SYM(relocation->r_info);
      if (symbol != 0 && is_handler(file->names + file->symbols[symbol].st_name))
        return true;
    }
  }
  return false;
}

static int on_file(struct dl_phdr_info *info, size_t size, void *data) {
  struct search *search = data;
  struct file file = {
      .base = (uintptr_t)info->dlpi_addr,
      .steps = {sizeof(ElfW(Rela)), sizeof(ElfW(Rel)), 0},
  };
  (void)size;
  if (file.base != search->base)
    return 0;
  for (size_t i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_DYNAMIC)
      continue;
    const ElfW(Dyn) *entry = (const void *)((uintptr_t)info->dlpi_addr + (uintptr_t)info->dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; entry++)
      read_entry(&file, entry);
  }
  search->found = refers_to_handlers(&file);
  return 1;
}

bool rota__os_has_fork_handlers(const void *code) {
  struct rota_os_module module;
  if (code == NULL || !rota__os_module_of(code, &module) || module.path[0] == '\0')
    return false;
  struct search search = {.base = module.base};
  dl_iterate_phdr(on_file, &search);
  return search.found;
}
