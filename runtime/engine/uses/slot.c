#include "runtime/engine/uses/slot.h"

#include "runtime/engine/uses/build.h"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

struct search {
  const void *function;
  void **slot;
};

static int find(struct dl_phdr_info *library, size_t size, void *data) {
  (void)size;
  struct search *search = data;
  const ElfW(Dyn) *row = NULL;
  for (int i = 0; i < library->dlpi_phnum; i++)
    if (library->dlpi_phdr[i].p_type == PT_DYNAMIC)
      row = (const ElfW(Dyn) *)(library->dlpi_addr + library->dlpi_phdr[i].p_vaddr);
  const ElfW(Rela) *changes = NULL;
  size_t bytes = 0;
  for (; row != NULL && row->d_tag != DT_NULL; row++) {
    if (row->d_tag == DT_JMPREL && js_engine_has((const void *)row->d_un.d_ptr))
      changes = (const ElfW(Rela) *)row->d_un.d_ptr;
    else if (row->d_tag == DT_PLTRELSZ)
      bytes = row->d_un.d_val;
  }
  for (size_t i = 0; changes != NULL && i < bytes / sizeof *changes; i++) {
    void **slot = (void **)(library->dlpi_addr + changes[i].r_offset);
    if (*slot == search->function)
      search->slot = slot;
  }
  return changes != NULL;
}

void **js_slot_find(const void *function) {
  struct search search = {function, NULL};
  dl_iterate_phdr(find, &search);
  return search.slot;
}

bool js_slot_replace(void **slot, const void *from, const void *to) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)slot & ~(page - 1);
  if (*slot != from || mprotect((void *)begin, page, PROT_READ | PROT_WRITE) != 0)
    return false;
  __atomic_store_n(slot, (void *)(uintptr_t)to, __ATOMIC_RELEASE);
  mprotect((void *)begin, page, PROT_READ);
  return true;
}
