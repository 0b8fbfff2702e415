#include "observe/name/symbol.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "loop/os/elf.h"
#include "loop/os/file.h"
#include "loop/os/memory.h"
#include "loop/os/process.h"
#include "observe/name/line.h"

enum { TABLE_MAX = 256 << 20, LINES_MAX = 64 << 20, BUCKETS = 1 << 16, NAME_MAX_BYTES = 1024 };

/* Functions of a file by their addresses. A large program has 100,000 of them, and a run asks for some hundred: they
 * are neither sorted nor are their names read, but each is put into the bucket of its address. */
struct functions {
  const ElfW(Sym) * symbols; /* null: there are none */
  uint64_t names_at, names_size;
  uintptr_t low;                 /* the least address */
  unsigned shift;                /* so many bytes, as a power of two, are in a bucket */
  uint32_t *buckets, *following; /* the first symbol of a bucket, and the next one of the same; numbers from 1 */
};

struct function {
  uintptr_t start; /* from the library's beginning, as in its file */
  char name[NAME_MAX_BYTES];
};

struct module {
  struct module *next;
  uintptr_t base;
  const char *path;
  struct rota_os_file_identity identity; /* the file may be replaced before a name is read from it */
  struct functions functions;
  struct rota_lines lines;
};

static struct module *modules;

/* ---- a file's table of symbols ---- */

static bool read_at(int fd, void *to, size_t length, uint64_t offset) {
  for (size_t done = 0; done < length;) {
    uv_buf_t part = {.base = (char *)to + done, .len = length - done};
    ssize_t n = rota__os_read_at(fd, &part, 1, (int64_t)(offset + done));
    if (n <= 0)
      return false;
    done += (size_t)n;
  }
  return true;
}

/* A copy of a section: the file may be replaced while it is read. */
static void *read_section(int fd, const ElfW(Shdr) * section) {
  void *memory;
  if (section->sh_size == 0 || section->sh_size > TABLE_MAX || rota__os_map(&memory, section->sh_size + 1) < 0)
    return NULL;
  if (read_at(fd, memory, section->sh_size, section->sh_offset))
    return memory;
  rota__os_unmap(memory, section->sh_size + 1);
  return NULL;
}

static bool is_function(const ElfW(Sym) * symbol, size_t names_size) {
  return (symbol->st_info & 15) == STT_FUNC && symbol->st_shndx != SHN_UNDEF && symbol->st_value != 0 &&
         symbol->st_name < names_size;
}

static void keep_functions(struct functions *functions, const ElfW(Sym) * symbols, size_t n) {
  uintptr_t low = UINTPTR_MAX, high = 0;
  for (size_t i = 0; i < n; i++) {
    if (!is_function(&symbols[i], functions->names_size))
      continue;
    low = symbols[i].st_value < low ? symbols[i].st_value : low;
    high = symbols[i].st_value > high ? symbols[i].st_value : high;
  }
  functions->buckets = rota__symbol_take(BUCKETS * sizeof(uint32_t));
  functions->following = rota__symbol_take(n * sizeof(uint32_t));
  if (high == 0 || functions->buckets == NULL || functions->following == NULL)
    return;
  functions->low = low;
  while ((high - low) >> functions->shift >= BUCKETS)
    functions->shift++;
  for (size_t i = 0; i < n; i++) {
    if (!is_function(&symbols[i], functions->names_size))
      continue;
    uint32_t *bucket = &functions->buckets[(symbols[i].st_value - low) >> functions->shift];
    functions->following[i] = *bucket;
    *bucket = (uint32_t)i + 1;
  }
  functions->symbols = symbols;
}

static void read_functions(struct functions *functions, int fd, const ElfW(Shdr) * sections, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= count)
      continue;
    const ElfW(Shdr) *names = &sections[sections[i].sh_link];
    functions->names_at = names->sh_offset;
    functions->names_size = names->sh_size;
    ElfW(Sym) *symbols = read_section(fd, &sections[i]);
    if (symbols != NULL)
      keep_functions(functions, symbols, sections[i].sh_size / sizeof(*symbols));
    break;
  }
}

/* Both sections stay as long as the process. */
static void read_lines(struct module *module, int fd, const ElfW(Shdr) * sections, size_t count, size_t names_at) {
  char *names = names_at < count ? read_section(fd, &sections[names_at]) : NULL;
  for (size_t i = 0; names != NULL && i < count; i++) {
    bool usable = sections[i].sh_type == SHT_PROGBITS && !(sections[i].sh_flags & SHF_COMPRESSED) &&
                  sections[i].sh_size <= LINES_MAX && sections[i].sh_name < sections[names_at].sh_size;
    const char *name = usable ? names + sections[i].sh_name : "";
    struct rota_line_section *place = strcmp(name, ".debug_line") == 0       ? &module->lines.line
                                      : strcmp(name, ".debug_line_str") == 0 ? &module->lines.line_str
                                                                             : NULL;
    if (place != NULL && (place->data = read_section(fd, &sections[i])) != NULL)
      place->size = sections[i].sh_size;
  }
  if (names != NULL)
    rota__os_unmap(names, sections[names_at].sh_size + 1);
  rota__lines_index(&module->lines, rota__symbol_take);
}

static void read_symbols(struct module *module, int fd) {
  ElfW(Ehdr) header;
  if (!read_at(fd, &header, sizeof(header), 0) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) || header.e_shoff == 0)
    return;
  size_t size = (size_t)header.e_shnum * sizeof(ElfW(Shdr));
  void *memory;
  if (header.e_shentsize != sizeof(ElfW(Shdr)) || size == 0 || rota__os_map(&memory, size) < 0)
    return;
  const ElfW(Shdr) *sections = memory;
  if (!read_at(fd, memory, size, header.e_shoff))
    goto out;
  read_functions(&module->functions, fd, sections, header.e_shnum);
  read_lines(module, fd, sections, header.e_shnum, header.e_shstrndx);
out:
  rota__os_unmap(memory, size);
}

static struct module *find_module(uintptr_t base, const char *path) {
  struct module *module = modules;
  while (module != NULL && !(module->base == base && strcmp(module->path, path) == 0))
    module = module->next;
  if (module != NULL)
    return module;
  size_t length = strlen(path) + 1;
  char *copy = rota__symbol_take(length);
  module = rota__symbol_take(sizeof(*module));
  if (module == NULL || copy == NULL)
    return NULL;
  memset(module, 0, sizeof(*module));
  module->base = base;
  module->path = memcpy(copy, path, length);
  module->next = modules;
  modules = module;
  int fd = rota__os_open_cloexec(path, O_RDONLY);
  if (fd >= 0) {
    rota__os_file_identify(fd, &module->identity);
    read_symbols(module, fd);
    rota__os_close(fd);
  }
  return module;
}

/* The last symbol that begins at this place or before it. */
static const ElfW(Sym) * symbol_before(const struct functions *functions, uintptr_t place) {
  if (functions->symbols == NULL || place < functions->low)
    return NULL;
  size_t bucket = (place - functions->low) >> functions->shift;
  const ElfW(Sym) *found = NULL;
  for (size_t i = bucket < BUCKETS ? bucket + 1 : BUCKETS; found == NULL && i-- > 0;) {
    for (uint32_t at = functions->buckets[i]; at != 0; at = functions->following[at - 1]) {
      const ElfW(Sym) *symbol = &functions->symbols[at - 1];
      if (symbol->st_value <= place && (found == NULL || symbol->st_value > found->st_value))
        found = symbol;
    }
  }
  return found;
}

static bool find_function(const struct module *module, uintptr_t place, struct function *function) {
  const ElfW(Sym) *symbol = symbol_before(&module->functions, place);
  if (symbol == NULL || place - symbol->st_value >= (symbol->st_size == 0 ? 16 : symbol->st_size))
    return false;
  function->start = symbol->st_value;
  int fd = rota__os_open_cloexec(module->path, O_RDONLY);
  if (fd < 0)
    return false;
  uint64_t left = module->functions.names_size - symbol->st_name;
  size_t length = left < sizeof(function->name) - 1 ? (size_t)left : sizeof(function->name) - 1;
  bool known = rota__os_file_is(fd, &module->identity) &&
               read_at(fd, function->name, length, module->functions.names_at + symbol->st_name);
  function->name[length] = '\0'; /* a longer one is cut off */
  rota__os_close(fd);
  return known;
}

/* ---- an address ---- */

/* A copy: the library may be unloaded later. Compilers add a suffix to the names of parts that they have split off:
 * "main.cold". Null without memory. */
static const char *readable(const char *name) {
  char room[256];
  if (rota__demangle(name, room, sizeof(room)))
    return rota__symbol_keep(room, strlen(room));
  return rota__symbol_keep(name, name[0] == '.' ? strlen(name) : strcspn(name, "."));
}

static void find_line(struct rota_symbol *symbol, const struct module *module) {
  struct rota_line_place place;
  if (!rota__lines_find(&module->lines, symbol->place, &place))
    return;
  symbol->file = rota__symbol_keep(place.file, strlen(place.file));
  symbol->line = place.line;
}

const char rota__symbol_separator = '/';

void rota__symbol_resolve(struct rota_symbol *symbol, const void *address) {
  static char program[4096];
  struct rota_os_module found;
  if (address == NULL || !rota__os_module_of(address, &found))
    return;
  const char *path = found.path;
  if (path[0] == '\0') { /* the program itself */
    if (program[0] == '\0')
      rota__os_program_path(program, sizeof(program) - 1);
    path = program;
  }
  struct module *module = find_module(found.base, path);
  if (module == NULL)
    return;
  uintptr_t place = (uintptr_t)address - module->base;
  struct function function;
  symbol->library = module->path;
  symbol->place = place;
  symbol->offset = place;
  find_line(symbol, module);
  if (find_function(module, place, &function)) {
    symbol->function = readable(function.name);
    symbol->offset = place - function.start;
    return;
  }
  Dl_info exported;
  if (dladdr(address, &exported) == 0 || exported.dli_sname == NULL)
    return;
  symbol->function = readable(exported.dli_sname);
  if (symbol->function != NULL)
    symbol->offset = (uintptr_t)address - (uintptr_t)exported.dli_saddr;
}
