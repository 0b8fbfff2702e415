/* dl_iterate_phdr is in the C libraries of Linux, the BSDs and illumos; macOS has no such thing, and no ELF. */
#include "loop/os/memory.h"

#include <dlfcn.h>
#include <stddef.h>

bool rota__os_program_exports(const char *name) {
  return dlsym(RTLD_DEFAULT, name) != NULL;
}

#ifdef __APPLE__
bool rota__os_module_of(const void *address, struct rota_os_module *module) {
  Dl_info found;
  if (dladdr(address, &found) == 0)
    return false;
  *module = (struct rota_os_module){.base = (uintptr_t)found.dli_fbase, .path = found.dli_fname};
  return true;
}
#else
#include <string.h>

#include "loop/os/elf.h"

struct search {
  uintptr_t address;
  struct rota_os_module *module;
};

/* In a static program, musl gives it this name. */
static bool is_program(const char *name) {
  return name == NULL || strcmp(name, "/proc/self/exe") == 0;
}

static int on_module(struct dl_phdr_info *info, size_t size, void *data) {
  const struct search *search = data;
  (void)size;
  for (size_t i = 0; i < info->dlpi_phnum; i++) {
    uintptr_t start = (uintptr_t)info->dlpi_addr + (uintptr_t)info->dlpi_phdr[i].p_vaddr;
    if (info->dlpi_phdr[i].p_type != PT_LOAD || search->address - start >= info->dlpi_phdr[i].p_memsz)
      continue;
    *search->module = (struct rota_os_module){
        .base = (uintptr_t)info->dlpi_addr,
        .path = is_program(info->dlpi_name) ? "" : info->dlpi_name,
    };
    return 1;
  }
  return 0;
}

bool rota__os_module_of(const void *address, struct rota_os_module *module) {
  struct search search = {.address = (uintptr_t)address, .module = module};
  return dl_iterate_phdr(on_module, &search) == 1;
}
#endif
