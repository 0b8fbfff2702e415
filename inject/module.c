#include "inject/module.h"

#include <elf.h>
#include <string.h>
#include <unistd.h>

/* ---- the dynamic table ---- */

/* glibc has already added the base to these addresses, except in the kernel's own module (vDSO). */
static const void *at(const struct graft_module *module, ElfW(Addr) address) {
  return (const void *)(address < module->base ? address + module->base : address);
}

static void read_dynamic(struct graft_module *module, const ElfW(Dyn) * entry) {
  for (; entry->d_tag != DT_NULL; entry++) {
    switch (entry->d_tag) {
    case DT_SYMTAB:
      module->symbols = at(module, entry->d_un.d_ptr);
      break;
    case DT_STRTAB:
      module->names = at(module, entry->d_un.d_ptr);
      break;
    case DT_STRSZ:
      module->names_size = entry->d_un.d_val;
      break;
    case DT_GNU_HASH:
      module->gnu_hash = at(module, entry->d_un.d_ptr);
      break;
    case DT_HASH:
      module->sysv_hash = at(module, entry->d_un.d_ptr);
      break;
    default:
      break;
    }
  }
}

/* False: it has no symbols that can be looked up. The executable is the first in the loader's list. glibc gives it no
 * name; musl gives it the one by which it was started, which may be relative. */
static bool read_module(struct graft_module *module, const struct dl_phdr_info *info, bool is_first) {
  *module = (struct graft_module){.path = is_first ? "" : info->dlpi_name,
                                  .base = info->dlpi_addr,
                                  .segments = info->dlpi_phdr,
                                  .segment_count = info->dlpi_phnum};
  for (unsigned int i = 0; i < module->segment_count; i++)
    if (module->segments[i].p_type == PT_DYNAMIC)
      read_dynamic(module, (const ElfW(Dyn) *)(module->base + module->segments[i].p_vaddr));
  return module->symbols != NULL && module->names != NULL && (module->gnu_hash != NULL || module->sysv_hash != NULL);
}

/* ---- the hash tables ---- */

struct gnu_hash {
  uint32_t bucket_count, first_symbol, bloom_size, bloom_shift;
  const ElfW(Addr) * bloom;
  const uint32_t *buckets;
  const uint32_t *chains; /* by index of the symbol, less first_symbol */
};

static struct gnu_hash gnu_hash_of(const struct graft_module *module) {
  const uint32_t *words = module->gnu_hash;
  struct gnu_hash hash = {
      .bucket_count = words[0], .first_symbol = words[1], .bloom_size = words[2], .bloom_shift = words[3]};
  hash.bloom = (const ElfW(Addr) *)(words + 4);
  hash.buckets = (const uint32_t *)(hash.bloom + hash.bloom_size);
  hash.chains = hash.buckets + hash.bucket_count;
  return hash;
}

static bool is_definition(const struct graft_module *module, uint32_t index, const char *name) {
  const ElfW(Sym) *symbol = &module->symbols[index];
  return symbol->st_shndx != SHN_UNDEF && strcmp(module->names + symbol->st_name, name) == 0;
}

static const ElfW(Sym) * find_by_gnu_hash(const struct graft_module *module, const char *name) {
  struct gnu_hash hash = gnu_hash_of(module);
  uint32_t value = 5381;
  for (const char *letter = name; *letter != '\0'; letter++)
    value = value * 33 + (unsigned char)*letter;
  enum { BITS = sizeof(ElfW(Addr)) * 8 };
  if (hash.bucket_count == 0)
    return NULL;
  if (hash.bloom_size > 0) {
    ElfW(Addr) word = hash.bloom[(value / BITS) % hash.bloom_size];
    if (((word >> (value % BITS)) & (word >> ((value >> hash.bloom_shift) % BITS)) & 1) == 0)
      return NULL;
  }
  uint32_t index = hash.buckets[value % hash.bucket_count];
  if (index < hash.first_symbol)
    return NULL;
  for (;; index++) {
    uint32_t link = hash.chains[index - hash.first_symbol];
    if ((link | 1) == (value | 1) && is_definition(module, index, name))
      return &module->symbols[index];
    if (link & 1)
      return NULL;
  }
}

static const ElfW(Sym) * find_by_sysv_hash(const struct graft_module *module, const char *name) {
  const uint32_t *buckets = module->sysv_hash + 2, *chains = buckets + module->sysv_hash[0];
  uint32_t value = 0;
  if (module->sysv_hash[0] == 0)
    return NULL;
  for (const char *letter = name; *letter != '\0'; letter++) {
    value = (value << 4) + (unsigned char)*letter;
    value = (value ^ ((value & 0xf0000000u) >> 24)) & 0x0fffffffu;
  }
  for (uint32_t index = buckets[value % module->sysv_hash[0]]; index != 0; index = chains[index])
    if (is_definition(module, index, name))
      return &module->symbols[index];
  return NULL;
}

const ElfW(Sym) * graft_module_find(const struct graft_module *module, const char *name) {
  return module->gnu_hash != NULL ? find_by_gnu_hash(module, name) : find_by_sysv_hash(module, name);
}

/* A table with a GNU hash does not say how long it is: the last chain of the last bucket ends where the table ends. */
uint32_t graft_module_symbol_count(const struct graft_module *module) {
  if (module->sysv_hash != NULL)
    return module->sysv_hash[1];
  struct gnu_hash hash = gnu_hash_of(module);
  uint32_t last = 0;
  for (uint32_t i = 0; i < hash.bucket_count; i++)
    if (hash.buckets[i] > last)
      last = hash.buckets[i];
  if (last < hash.first_symbol)
    return hash.first_symbol;
  while ((hash.chains[last - hash.first_symbol] & 1) == 0)
    last++;
  return last + 1;
}

/* ---- modules ---- */

const ElfW(Phdr) * graft_module_segment(const struct graft_module *module, uintptr_t address) {
  for (unsigned int i = 0; i < module->segment_count; i++) {
    const ElfW(Phdr) *segment = &module->segments[i];
    if (segment->p_type == PT_LOAD && address - module->base - segment->p_vaddr < segment->p_memsz)
      return segment;
  }
  return NULL;
}

const char *graft_module_name(const struct graft_module *module) {
  static char path[4096];
  if (module->path[0] != '\0')
    return module->path;
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  path[length > 0 ? length : 0] = '\0';
  return length > 0 ? path : "the program";
}

bool graft_symbol_is_function(const struct graft_module *module, const ElfW(Sym) * symbol) {
  return symbol->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol->st_info) == STT_FUNC &&
         symbol->st_name < module->names_size;
}

struct place {
  struct graft_module *module;
  uintptr_t address;
  unsigned int seen;
};

static int visit_for_address(struct dl_phdr_info *info, size_t size, void *data) {
  struct place *place = data;
  (void)size;
  return read_module(place->module, info, place->seen++ == 0) &&
         graft_module_segment(place->module, place->address) != NULL;
}

bool graft_module_at(struct graft_module *module, uintptr_t address) {
  struct place place = {.module = module, .address = address};
  return dl_iterate_phdr(visit_for_address, &place) != 0;
}

struct walk {
  struct graft_search *search;
  unsigned int seen;
  bool seen_own;
};

/* In the loader's list, preloaded libraries come before the C library, and libraries that the program loads later come
 * after it. */
static void look_at_order(struct walk *walk, const struct graft_module *module) {
  if (graft_module_segment(module, (uintptr_t)graft_search) != NULL)
    walk->seen_own = true;
  if (graft_module_segment(module, (uintptr_t)dl_iterate_phdr) != NULL)
    walk->search->is_late = !walk->seen_own;
}

static int visit(struct dl_phdr_info *info, size_t size, void *data) {
  struct walk *walk = data;
  struct graft_search *search = walk->search;
  struct graft_module module;
  (void)size;
  if (!read_module(&module, info, walk->seen++ == 0))
    return 0;
  look_at_order(walk, &module);
  if (graft_module_find(&module, "uv_run") == NULL && graft_module_find(&module, "uv_default_loop") == NULL)
    return 0;
  if (search->count < GRAFT_MODULES_MAX)
    search->modules[search->count++] = module;
  else
    search->overflow = true;
  return 0;
}

void graft_search(struct graft_search *search) {
  struct walk walk = {.search = search};
  *search = (struct graft_search){0};
  dl_iterate_phdr(visit, &walk);
}
