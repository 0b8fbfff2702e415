#include "see/name/symbol.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "loop/os/fd.h"
#include "loop/os/file.h"
#include "loop/os/host.h"
#include "loop/os/memory.h"
#include "loop/os/module.h"
#include "see/name/demangle.h"
#include "see/name/line.h"

enum { SLOTS = 4096, TABLE_MAX = 256 << 20, LINES_MAX = 64 << 20 };

struct function {
  uintptr_t start; /* from the library's beginning, as in its file */
  uintptr_t size;
  const char *name;
};

struct module {
  struct module *next;
  uintptr_t base;
  const char *path;
  struct function *functions; /* sorted by start */
  size_t count;
  struct rota_lines lines;
};

struct entry {
  struct entry *next;
  struct rota_symbol symbol;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *slots[SLOTS];
static struct module *modules;

static void *take(size_t size) {
  static char *chunk;
  static size_t left;
  void *memory;
  size = (size + 15) & ~(size_t)15;
  if (size > 65536)
    return rota__os_map(&memory, size) < 0 ? NULL : memory;
  if (size > left) {
    if (rota__os_map(&memory, 65536) < 0)
      return NULL;
    chunk = memory;
    left = 65536;
  }
  memory = chunk;
  chunk += size;
  left -= size;
  return memory;
}

/* ---- a file's table of symbols ---- */

static bool read_at(int fd, void *to, size_t length, uint64_t offset) {
  for (size_t done = 0; done < length;) {
    struct iovec part = {(char *)to + done, length - done};
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

static int by_start(const void *a, const void *b) {
  const struct function *left = a, *right = b;
  return left->start < right->start ? -1 : left->start > right->start;
}

static bool is_function(const ElfW(Sym) * symbol, size_t names_size) {
  return (symbol->st_info & 15) == STT_FUNC && symbol->st_shndx != SHN_UNDEF && symbol->st_value != 0 &&
         symbol->st_name < names_size;
}

static void keep_functions(struct module *module, const ElfW(Sym) * symbols, size_t n, const char *names,
                           size_t names_size) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    count += is_function(&symbols[i], names_size);
  struct function *functions = take(count * sizeof(*functions));
  if (functions == NULL)
    return;
  for (size_t i = 0; i < n; i++) {
    if (!is_function(&symbols[i], names_size))
      continue;
    functions[module->count++] = (struct function){symbols[i].st_value, symbols[i].st_size, names + symbols[i].st_name};
  }
  qsort(functions, module->count, sizeof(*functions), by_start);
  module->functions = functions;
}

static void read_names(struct module *module, int fd, const ElfW(Shdr) * sections, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= count)
      continue;
    const ElfW(Shdr) *names_section = &sections[sections[i].sh_link];
    ElfW(Sym) *symbols = read_section(fd, &sections[i]);
    char *names = read_section(fd, names_section); /* stays: the names are in it. One byte more, so they all end */
    if (symbols != NULL && names != NULL)
      keep_functions(module, symbols, sections[i].sh_size / sizeof(*symbols), names, names_section->sh_size);
    if (symbols != NULL)
      rota__os_unmap(symbols, sections[i].sh_size + 1);
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
  rota__lines_index(&module->lines, take);
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
  read_names(module, fd, sections, header.e_shnum);
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
  char *copy = take(length);
  module = take(sizeof(*module));
  if (module == NULL || copy == NULL)
    return NULL;
  memset(module, 0, sizeof(*module));
  module->base = base;
  module->path = memcpy(copy, path, length);
  module->next = modules;
  modules = module;
  int fd = rota__os_open_cloexec(path, O_RDONLY);
  if (fd >= 0) {
    read_symbols(module, fd);
    rota__os_close(fd);
  }
  return module;
}

static const struct function *find_function(const struct module *module, uintptr_t place) {
  size_t low = 0, high = module->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (module->functions[middle].start <= place)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0)
    return NULL;
  const struct function *found = &module->functions[low - 1];
  return place - found->start < (found->size == 0 ? 16 : found->size) ? found : NULL;
}

/* ---- an address ---- */

static void say(struct rota_symbol *symbol) {
  const char *library = symbol->library;
  if (library != NULL && strrchr(library, '/') != NULL)
    library = strrchr(library, '/') + 1;
  if (symbol->function != NULL)
    snprintf(symbol->text, sizeof(symbol->text), "%s", symbol->function);
  else if (library != NULL)
    snprintf(symbol->text, sizeof(symbol->text), "%s+0x%lx", library, (unsigned long)symbol->offset);
  else
    snprintf(symbol->text, sizeof(symbol->text), "0x%lx", (unsigned long)symbol->offset);
}

static const char *keep(const char *text, size_t length) {
  char *copy = take(length + 1);
  if (copy == NULL)
    return NULL;
  copy[length] = '\0';
  return memcpy(copy, text, length);
}

/* Compilers add a suffix to the names of parts that they have split off: "main.cold". Null without memory. */
static const char *readable(const char *name, bool copied) {
  char room[256];
  if (rota__demangle(name, room, sizeof(room)))
    return keep(room, strlen(room));
  size_t length = name[0] == '.' ? strlen(name) : strcspn(name, ".");
  return name[length] == '\0' && !copied ? name : keep(name, length);
}

static void find_line(struct rota_symbol *symbol, const struct module *module) {
  struct rota_line_place place;
  if (!rota__lines_find(&module->lines, symbol->place, &place))
    return;
  symbol->file = keep(place.file, strlen(place.file));
  symbol->line = place.line;
}

static void resolve(struct rota_symbol *symbol, const void *address) {
  static char program[4096];
  struct rota_os_module found;
  memset(symbol, 0, sizeof(*symbol));
  symbol->address = address;
  symbol->offset = (uintptr_t)address;
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
  const struct function *function = find_function(module, place);
  symbol->library = module->path;
  symbol->place = place;
  symbol->offset = place;
  find_line(symbol, module);
  if (function != NULL) {
    symbol->function = readable(function->name, false);
    symbol->offset = place - function->start;
    return;
  }
  Dl_info exported;
  if (dladdr(address, &exported) == 0 || exported.dli_sname == NULL)
    return;
  symbol->function = readable(exported.dli_sname, true); /* the library may be unloaded later */
  if (symbol->function != NULL)
    symbol->offset = (uintptr_t)address - (uintptr_t)exported.dli_saddr;
}

const struct rota_symbol *rota__symbol_find(const void *address) {
  size_t slot = ((uintptr_t)address >> 2) % SLOTS;
  pthread_mutex_lock(&lock);
  struct entry *entry = slots[slot];
  while (entry != NULL && entry->symbol.address != address)
    entry = entry->next;
  if (entry == NULL && (entry = take(sizeof(*entry))) != NULL) {
    resolve(&entry->symbol, address);
    say(&entry->symbol);
    entry->next = slots[slot];
    slots[slot] = entry;
  }
  pthread_mutex_unlock(&lock);
  return entry == NULL ? NULL : &entry->symbol;
}

const char *rota__symbol_text(const void *address) {
  const struct rota_symbol *symbol = rota__symbol_find(address);
  return symbol == NULL ? "?" : symbol->text;
}

void rota__symbol_print(const void *address, FILE *stream) {
  const struct rota_symbol *symbol = rota__symbol_find(address);
  if (symbol == NULL || symbol->library == NULL)
    fprintf(stream, "%p", address);
  else if (symbol->function == NULL)
    fprintf(stream, "%s+0x%lx", symbol->library, (unsigned long)symbol->place);
  else if (symbol->file != NULL)
    fprintf(stream, "%s (%s:%d)", symbol->function, symbol->file, symbol->line);
  else
    fprintf(stream, "%s+0x%lx (%s+0x%lx)", symbol->function, (unsigned long)symbol->offset, symbol->library,
            (unsigned long)symbol->place);
}

void rota__symbol_before_fork(void) {
  pthread_mutex_lock(&lock);
}

void rota__symbol_after_fork(void) {
  pthread_mutex_unlock(&lock);
}
