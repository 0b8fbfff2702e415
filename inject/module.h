/* The modules of the process (the executable and its libraries), their segments, and the symbols that they export, read
 * from ELF.
 *
 * Everything is read from the dynamic tables, as the loader does. Section headers are not used: a stripped file may
 * have none. */
#ifndef GRAFT_MODULE_H
#define GRAFT_MODULE_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

struct graft_module {
  const char *path; /* empty: the executable */
  ElfW(Addr) base;
  const ElfW(Phdr) * segments;
  unsigned int segment_count;
  const ElfW(Sym) * symbols;
  const char *names;
  size_t names_size;
  const uint32_t *gnu_hash;  /* null: there is none */
  const uint32_t *sysv_hash; /* null: there is none */
};

enum { GRAFT_MODULES_MAX = 8 };

/* The modules that export a loop under libuv's names: uv_run or uv_default_loop. */
struct graft_search {
  struct graft_module modules[GRAFT_MODULES_MAX];
  unsigned int count;
  bool is_late;  /* this library was not there when the program started, but was loaded by it later */
  bool overflow; /* there are more such modules than GRAFT_MODULES_MAX */
};

void graft_search(struct graft_search *search);

/* The module that this address is in. False: there is none. */
bool graft_module_at(struct graft_module *module, uintptr_t address);

/* The module's path; the executable's if it has none. */
const char *graft_module_name(const struct graft_module *module);

/* Null: it exports no symbol of this name. */
const ElfW(Sym) * graft_module_find(const struct graft_module *module, const char *name);

/* A function that it defines, as seen by others. */
bool graft_symbol_is_function(const struct graft_module *module, const ElfW(Sym) * symbol);

/* How many symbols the dynamic table has, the one of index 0 included. */
uint32_t graft_module_symbol_count(const struct graft_module *module);

/* The segment that this address of the process is in; null: none of this module. */
const ElfW(Phdr) * graft_module_segment(const struct graft_module *module, uintptr_t address);

/* Patches of the first instructions of a function: a jump to another function. One file for each processor.
 *
 * The jump at the entry is the processor's short form, which has a limited range. If the target is farther away, it
 * goes to an island: memory in range that holds a long jump. The instruction that the processor requires at the target
 * of an indirect call (endbr64, bti) stays in place. */

enum {
  GRAFT_ENTRY_MAX = 16,  /* no patch is longer */
  GRAFT_ISLAND_SIZE = 16 /* bytes of one long jump */
};

struct graft_patch {
  unsigned char bytes[GRAFT_ENTRY_MAX];
  size_t length;
};

/* How far from an entry an island may lie, less room for the code and the islands themselves. */
extern const uint64_t graft_entry_reach;

/* The patch that goes from `entry` to `target`. False: the target is out of reach. */
bool graft_entry_make(struct graft_patch *patch, const unsigned char *entry, uintptr_t target);

/* How many of the bytes from `text` on, up to `size`, are padding between functions. */
size_t graft_entry_padding(const unsigned char *text, size_t size);

void graft_island_make(unsigned char island[GRAFT_ISLAND_SIZE], uintptr_t target);

/* Flushes the instruction cache for these bytes. */
void graft_entry_flush(unsigned char *from, size_t size);

/* Pages of code: patching those of the program, and making islands near them.
 *
 * Invariant: no page is writable and executable at once. A page of the program is made writable and not executable, is
 * written, and is made executable again; the program has not started yet. If the system refuses to make it executable
 * again, the page is mapped again from the program's file. */

/* One function that is redirected. */
struct graft_entry {
  const char *name;
  const struct graft_module *module;
  unsigned char *address;
  size_t size; /* of the function, as its symbol says */
  uintptr_t target;
  uintptr_t island; /* 0: the target itself is within reach */
  struct graft_patch patch;
  unsigned char original[GRAFT_ENTRY_MAX];
};

/* Makes executable islands for the entries of one module that cannot reach their targets. Returns 0 or -errno. */
int graft_islands_make(struct graft_entry *entries, size_t count);

/* Gives the islands back. */
void graft_islands_free(struct graft_entry *entries, size_t count);

/* Writes all patches, or none. The entries are sorted by address. Returns 0 or -errno; *failed is an entry of a page
 * that could not be written. */
int graft_pages_write(struct graft_entry *entries, size_t count, const struct graft_entry **failed);

/* Names by JavaScript function (ROTA_NAMES=1): the option that makes Node load rota-names.node before the program. It
 * is put into NODE_OPTIONS of this process only: the module takes it out again before the program begins, and a child
 * that is grafted gets its own. Nothing is done in a program that is not Node. */

/* Before main. */
void graft_option_set(void);

#endif
