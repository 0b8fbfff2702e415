/* librota-graft.so: replaces the libuv that is linked into a program by librota.
 *
 * Preloaded (LD_PRELOAD), it looks before main for a module that exports libuv's functions, as Node's official binaries
 * do, and patches each of these functions with a jump to librota's function of the same name. It is all or nothing: a
 * program that ran partly on its own loop and partly on ours would fail in obscure ways. So everything is checked first
 * (plan), and an error while writing is undone. A program without libuv is not changed, without a message.
 *
 * ROTA_GRAFT: 0 does nothing; say prints one line if a libuv was not replaced, with the reason; require makes that an
 * error and exits; verbose also prints what was done; probe does the same and ends the program before main. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inject/module.h"
#include "uv/version.h"

enum { ENTRIES_MAX = 1024, STUB_MAX = 64, NOP_MAX = 32, NEAR = 1 << 20, EXIT_REFUSED = 127 };

static struct graft_entry entries[ENTRIES_MAX];
static char reason[512];
static unsigned int version; /* of the libuv that was found: major, minor and patch, a byte each */

static bool refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
static bool refuse(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  return false;
}

/* ---- what the program has ---- */

static const ElfW(Sym) * function_of(const struct graft_module *module, const char *name) {
  const ElfW(Sym) *symbol = graft_module_find(module, name);
  return symbol != NULL && ELF64_ST_TYPE(symbol->st_info) == STT_FUNC ? symbol : NULL;
}

/* Bun exports all the names, but most of its functions only abort; Deno exports some of them. */
static bool is_whole(const struct graft_module *module) {
  static const char *const wanted[] = {"uv_run", "uv_loop_init", "uv_default_loop", "uv_version", "uv_fs_open"};
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
    if (function_of(module, wanted[i]) == NULL)
      return refuse("it exports some of libuv's names, but not %s: it does not use libuv's loop", wanted[i]);
  if (function_of(module, "uv_run")->st_size < STUB_MAX)
    return refuse("it exports libuv's names, but its uv_run is a stub: it does not use libuv's loop");
  return true;
}

/* Structs have kept their sizes since 1.42, the oldest version that was tried. A newer version than ours is accepted if
 * it has no function that librota lacks; that is checked later. */
static bool is_known_version(const struct graft_module *module) {
  unsigned int (*ask)(void);
  uintptr_t address = module->base + function_of(module, "uv_version")->st_value;
  memcpy(&ask, &address, sizeof ask);
  version = ask();
  if (version >> 16 != UV_VERSION_MAJOR || (version >> 8 & 0xff) < 42)
    return refuse("its libuv is version %u.%u.%u; only versions 1.42 and later of libuv 1 can be replaced",
                  version >> 16, version >> 8 & 0xff, version & 0xff);
  return true;
}

/* Constructors of libraries may have run before ours and made a loop, which shows as an epoll descriptor. No code of
 * the executable has run. */
static bool has_no_loop(const struct graft_module *module) {
  if (module->path[0] == '\0')
    return true;
  DIR *directory = opendir("/proc/self/fd");
  if (directory == NULL)
    return refuse("it is not known whether it has a loop already: /proc/self/fd: %s", strerror(errno));
  char target[64];
  const struct dirent *file;
  bool found = false;
  while (!found && (file = readdir(directory)) != NULL) {
    ssize_t length = readlinkat(dirfd(directory), file->d_name, target, sizeof target - 1);
    target[length > 0 ? length : 0] = '\0';
    found = strcmp(target, "anon_inode:[eventpoll]") == 0;
  }
  closedir(directory);
  return found ? refuse("a loop seems to exist already: there is an epoll descriptor") : true;
}

/* ---- the plan ---- */

static bool fits(const struct graft_entry *entry) {
  if (entry->patch.length <= entry->size)
    return true;
  const ElfW(Phdr) *segment = graft_module_segment(entry->module, (uintptr_t)entry->address);
  uintptr_t segment_end = entry->module->base + segment->p_vaddr + segment->p_filesz;
  uintptr_t function_end = (uintptr_t)entry->address + entry->size;
  size_t more = entry->patch.length - entry->size, room = segment_end - function_end;
  return graft_entry_padding((const unsigned char *)function_end, room < NOP_MAX ? room : NOP_MAX) >= more;
}

static bool add(size_t *count, const struct graft_module *module, const ElfW(Sym) * symbol, uintptr_t target) {
  const char *name = module->names + symbol->st_name;
  uintptr_t address = module->base + symbol->st_value;
  const ElfW(Phdr) *segment = graft_module_segment(module, address);
  if (segment == NULL || (segment->p_flags & PF_X) == 0 || symbol->st_size == 0)
    return refuse("its %s is not a function that can be redirected", name);
  if (*count >= ENTRIES_MAX)
    return refuse("it exports more than %d functions of libuv's names", ENTRIES_MAX);
  entries[(*count)++] = (struct graft_entry){
      .name = name, .module = module, .address = (unsigned char *)address, .size = symbol->st_size, .target = target};
  return true;
}

static bool has_prefix(const char *name) {
  return name[0] == 'u' && name[1] == 'v' && name[2] == '_';
}

/* Each function of ours that the module has, too. */
static bool add_known(const struct graft_module *module, const struct graft_module *library, size_t *count) {
  uint32_t symbols = graft_module_symbol_count(library);
  for (uint32_t i = 1; i < symbols; i++) {
    const ElfW(Sym) *own = &library->symbols[i];
    const char *name = library->names + own->st_name;
    if (!has_prefix(name) || !graft_symbol_is_function(library, own))
      continue;
    const ElfW(Sym) *symbol = function_of(module, name);
    if (symbol != NULL && !add(count, module, symbol, library->base + own->st_value))
      return false;
  }
  return true;
}

static int by_address(const void *a, const void *b) {
  const struct graft_entry *left = a, *right = b;
  return left->address < right->address ? -1 : left->address > right->address;
}

/* A linker that folds equal functions gives two names the same entry, which cannot jump to two places. */
static bool are_apart(const struct graft_entry *from, size_t count) {
  for (size_t i = 1; i < count; i++) {
    const struct graft_entry *before = &from[i - 1], *entry = &from[i];
    if (before->address == entry->address && before->target != entry->target)
      return refuse("its %s and %s are the same function", before->name, entry->name);
    if (before->address != entry->address && before->address + before->patch.length > entry->address)
      return refuse("its %s is too short for a jump", before->name);
  }
  return true;
}

/* Node 20 has added a function to its libuv, and calls it before it gives up rights (setuid): whether the loop has a
 * ring with a kernel thread, which would keep the rights. librota has none. */
static int has_no_such_ring(void) {
  return 0;
}

/* A function that librota lacks. Internal names (uv__) do not count: only libuv's own public functions call them. The
 * exception are those that Node has added. */
static bool add_unknown(const struct graft_module *module, const ElfW(Sym) * symbol, size_t *count) {
  const char *name = module->names + symbol->st_name;
  if (strcmp(name, "uv__node_patch_is_using_io_uring") == 0)
    return add(count, module, symbol, (uintptr_t)has_no_such_ring);
  if (name[3] == '_' && strncmp(name, "uv__node_", 9) != 0)
    return true;
  return refuse("it exports %s, which librota does not have", name);
}

/* Looks for functions of libuv that librota lacks, near those that it has: a linker puts the parts of a library side by
 * side. Reading the names of all symbols would take as long as everything else together. */
static bool look_for_unknown(const struct graft_module *module, const struct graft_module *library, size_t begin,
                             size_t *count) {
  uintptr_t low = (uintptr_t)entries[begin].address - module->base;
  uintptr_t span = (uintptr_t)(entries[*count - 1].address - entries[begin].address) + 2 * (uintptr_t)NEAR;
  uint32_t symbols = graft_module_symbol_count(module);
  low = low > NEAR ? low - NEAR : 0;
  for (uint32_t i = 1; i < symbols; i++) {
    const ElfW(Sym) *symbol = &module->symbols[i];
    if (symbol->st_value - low > span || !graft_symbol_is_function(module, symbol))
      continue;
    const char *name = module->names + symbol->st_name;
    if (has_prefix(name) && graft_module_find(library, name) == NULL && !add_unknown(module, symbol, count))
      return false;
  }
  return true;
}

/* Adds the module's functions behind the first *count entries. */
static bool plan(const struct graft_module *module, const struct graft_module *library, size_t *count) {
  size_t begin = *count;
  if (!add_known(module, library, count))
    return false;
  struct graft_entry *own = entries + begin;
  qsort(own, *count - begin, sizeof *own, by_address);
  size_t known = *count;
  if (!look_for_unknown(module, library, begin, count))
    return false;
  size_t own_count = *count - begin;
  if (*count > known)
    qsort(own, own_count, sizeof *own, by_address);
  int err = graft_islands_make(own, own_count);
  if (err != 0)
    return refuse("executable memory cannot be allocated near its code: %s", strerror(-err));
  if (!are_apart(own, own_count))
    return false;
  for (size_t i = 0; i < own_count; i++)
    if (!fits(&own[i]))
      return refuse("its %s is too short for a jump", own[i].name);
  return true;
}

/* ---- the graft ---- */

static bool is_ours(const struct graft_module *module) {
  return graft_module_find(module, "rota_version") != NULL;
}

/* This library may be loaded into a program with another C library than the one that it is built for: it needs only
 * what glibc and musl have alike. librota fits one of them. */
static bool is_of_the_other_kind(void) {
  bool has_glibc = dlsym(RTLD_DEFAULT, "gnu_get_libc_version") != NULL;
#ifdef __GLIBC__
  return !has_glibc;
#else
  return has_glibc;
#endif
}

static bool find_library(char path[PATH_MAX]) {
  if (is_of_the_other_kind()) {
    const char *others = secure_getenv("ROTA_OTHER_PARTS");
    return (others != NULL && snprintf(path, PATH_MAX, "%s/librota.so.0", others) < PATH_MAX) ||
           refuse("its C library is not the one that this rota is built for (glibc or musl)");
  }
  Dl_info own;
  const char *slash = dladdr((void *)entries, &own) != 0 ? strrchr(own.dli_fname, '/') : NULL;
  return (slash != NULL &&
          snprintf(path, PATH_MAX, "%.*s/librota.so.0", (int)(slash - own.dli_fname), own.dli_fname) < PATH_MAX) ||
         refuse("the directory of librota-graft.so is not known");
}

/* Without RTLD_DEEPBIND: librota must use the executable's copies of the C library's data, such as `environ`. With
 * RTLD_GLOBAL: the functions of rota.h can be looked up. */
static void *open_library(void) {
  char path[PATH_MAX];
  if (!find_library(path))
    return NULL;
  void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  if (library == NULL)
    refuse("librota.so.0 cannot be loaded from the directory of librota-graft.so: %s", dlerror());
  return library;
}

static bool can_begin(const struct graft_search *search) {
  if (search->is_late)
    return refuse("librota-graft.so was loaded too late: it must be preloaded (LD_PRELOAD)");
  if (search->overflow)
    return refuse("more than %d of its libraries have a libuv", GRAFT_MODULES_MAX);
  for (unsigned int i = 0; i < search->count; i++) {
    const struct graft_module *module = &search->modules[i];
    if (!is_whole(module) || !is_known_version(module) || !has_no_loop(module))
      return false;
  }
  return true;
}

/* The program may read the clock before it makes a loop. If time is to be virtual, it begins here. */
static void begin_steering(void *library) {
  unsigned int (*steering)(void);
  void *function = dlsym(library, "rota_steering");
  memcpy(&steering, &function, sizeof steering);
  (void)steering();
}

/* The table of a large program's symbols has been read from one end to the other, and need not stay in memory: its
 * pages are those of the file, and come back when somebody looks. Where the loader may have written, nothing is done.
 */
static void let_go_of_symbols(const struct graft_module *module) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)module->symbols;
  uintptr_t end = begin + graft_module_symbol_count(module) * sizeof(ElfW(Sym));
  const ElfW(Phdr) *segment = graft_module_segment(module, begin);
  begin = (begin + page - 1) & ~(page - 1);
  end &= ~(page - 1);
  if (segment != NULL && (segment->p_flags & PF_W) == 0 && begin < end &&
      graft_module_segment(module, end - 1) == segment)
    madvise((void *)begin, end - begin, MADV_DONTNEED);
}

static bool graft_all(const struct graft_search *search, size_t *count) {
  if (!can_begin(search))
    return false;
  void *handle = open_library();
  if (handle == NULL)
    return false;
  struct graft_module library;
  bool ok = graft_module_at(&library, (uintptr_t)dlsym(handle, "rota_version"));
  for (unsigned int i = 0; ok && i < search->count; i++)
    ok = plan(&search->modules[i], &library, count);
  const struct graft_entry *failed;
  int err = ok ? graft_pages_write(entries, *count, &failed) : 0;
  for (unsigned int i = 0; i < search->count; i++)
    let_go_of_symbols(&search->modules[i]);
  if (ok && err == 0) {
    begin_steering(handle);
    return true;
  }
  if (ok)
    refuse("the page of its %s cannot be written: %s", failed->name, strerror(-err));
  graft_islands_free(entries, *count);
  dlclose(handle);
  return false;
}

static bool how_is(const char *word) {
  const char *how = secure_getenv("ROTA_GRAFT");
  return how != NULL && strcmp(how, word) == 0;
}

static void finish(const struct graft_search *search, bool ok, size_t count) {
  const char *name = graft_module_name(&search->modules[0]);
  bool probes = how_is("probe");
  if (ok && (probes || how_is("verbose")))
    fprintf(stderr, "rota: graft: %s: libuv %u.%u.%u: %zu functions are redirected to librota\n", name, version >> 16,
            version >> 8 & 0xff, version & 0xff, count);
  if (!ok && secure_getenv("ROTA_GRAFT") != NULL)
    fprintf(stderr, "rota: graft: %s: it stays on its own libuv: %s\n", name, reason);
  if (probes)
    _exit(ok ? 0 : EXIT_REFUSED);
  if (!ok && how_is("require"))
    _exit(EXIT_REFUSED);
}

__attribute__((constructor)) static void graft(void) {
  struct graft_search search;
  size_t count = 0;
  if (how_is("0"))
    return;
  graft_search(&search);
  unsigned int foreign = 0;
  for (unsigned int i = 0; i < search.count; i++)
    if (!is_ours(&search.modules[i]))
      search.modules[foreign++] = search.modules[i];
  bool is_on_ours = search.count > foreign;
  search.count = foreign;
  bool ok = foreign > 0 && graft_all(&search, &count);
  if (foreign > 0)
    finish(&search, ok, count);
  if (ok || is_on_ours)
    graft_option_set();
}
