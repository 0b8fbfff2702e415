#include "inject/module.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

static uintptr_t page_size(void) {
  return (uintptr_t)sysconf(_SC_PAGESIZE);
}

static uintptr_t page_of(uintptr_t address) {
  return address & ~(page_size() - 1);
}

static uintptr_t page_after(uintptr_t address) {
  return page_of(address + page_size() - 1);
}

/* ---- islands ---- */

struct span {
  uintptr_t from, to;
};

static struct span span_of_module(const struct graft_module *module) {
  struct span span = {.from = UINTPTR_MAX, .to = 0};
  for (unsigned int i = 0; i < module->segment_count; i++) {
    const ElfW(Phdr) *segment = &module->segments[i];
    if (segment->p_type != PT_LOAD)
      continue;
    uintptr_t from = module->base + segment->p_vaddr, to = from + segment->p_memsz;
    span.from = from < span.from ? from : span.from;
    span.to = to > span.to ? to : span.to;
  }
  return (struct span){.from = page_of(span.from), .to = page_after(span.to)};
}

static void *map_at(uintptr_t address, size_t size) {
  void *got =
      mmap((void *)address, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == MAP_FAILED)
    return NULL;
  if ((uintptr_t)got == address)
    return got;
  munmap(got, size); /* an older kernel ignores the flag and takes the address as a hint */
  return NULL;
}

/* Tries below the module first: the heap is above the executable and grows. Above, it tries from far to near for the
 * same reason. `text` must be in range. */
static unsigned char *map_near(struct span module, struct span text, size_t size) {
  const uintptr_t step = 1 << 16, lowest = 1 << 16, room = size + page_size();
  uintptr_t floor = text.to > graft_entry_reach + lowest ? page_after(text.to - graft_entry_reach + room) : lowest;
  uintptr_t ceiling = page_of(text.from + graft_entry_reach - room);
  void *got = NULL;
  for (uintptr_t at = module.from - size - step; got == NULL && at >= floor && at < module.from; at -= step)
    got = map_at(at, size);
  for (uintptr_t at = ceiling - size; got == NULL && at > module.to; at -= step)
    got = map_at(at, size);
  return got;
}

int graft_islands_make(struct graft_entry *entries, size_t count) {
  struct span text = {.from = UINTPTR_MAX, .to = 0};
  size_t far = 0;
  for (size_t i = 0; i < count; i++) {
    uintptr_t address = (uintptr_t)entries[i].address;
    text.from = address < text.from ? address : text.from;
    text.to = address + GRAFT_ENTRY_MAX > text.to ? address + GRAFT_ENTRY_MAX : text.to;
    entries[i].island = 0;
    far += !graft_entry_make(&entries[i].patch, entries[i].address, entries[i].target);
  }
  if (far == 0)
    return 0;
  size_t size = page_after(far * GRAFT_ISLAND_SIZE);
  unsigned char *islands = map_near(span_of_module(entries[0].module), text, size), *next = islands;
  if (islands == NULL)
    return -ENOMEM;
  for (size_t i = 0; i < count; i++) {
    if (graft_entry_make(&entries[i].patch, entries[i].address, entries[i].target))
      continue;
    graft_island_make(next, entries[i].target);
    entries[i].island = (uintptr_t)next;
    next += GRAFT_ISLAND_SIZE;
    if (!graft_entry_make(&entries[i].patch, entries[i].address, entries[i].island))
      goto fail;
  }
  if (mprotect(islands, size, PROT_READ | PROT_EXEC) != 0)
    goto fail;
  graft_entry_flush(islands, size);
  return 0;
fail:;
  int err = errno != 0 ? -errno : -ENOMEM;
  graft_islands_free(entries, count);
  return err;
}

void graft_islands_free(struct graft_entry *entries, size_t count) {
  uintptr_t last = 0;
  for (size_t i = 0; i < count; i++) {
    uintptr_t page = page_of(entries[i].island);
    if (page != last && page != 0)
      munmap((void *)page, page_size());
    last = page;
    entries[i].island = 0;
  }
}

/* ---- the program's pages ---- */

#if defined(__aarch64__) && defined(HWCAP2_BTI)
/* Pages with checked indirect calls keep that protection. PROT_BTI on pages that did not have it would break calls; the
 * module's property note tells what the loader has set. */
enum { PROPERTY_NOTE = 0x6474e553, PROPERTY_BTI = 0x10, PROTECT_BTI = 0x10 };

static int branch_protection(const struct graft_module *module) {
  for (unsigned int i = 0; (getauxval(AT_HWCAP2) & HWCAP2_BTI) && i < module->segment_count; i++) {
    const ElfW(Phdr) *segment = &module->segments[i];
    const uint32_t *words = (const uint32_t *)(module->base + segment->p_vaddr);
    /* A note (sizes, type, "GNU"), then properties: kind, size, value. 0xc0000000 has the bit of BTI as its lowest. */
    if (segment->p_type == PROPERTY_NOTE && segment->p_memsz >= 28 && words[4] == 0xc0000000u && (words[6] & 1))
      return PROTECT_BTI;
  }
  return 0;
}
#else
static int branch_protection(const struct graft_module *module) {
  (void)module;
  return 0;
}
#endif

static int map_from_file(const struct graft_module *module, uintptr_t from, size_t size, int protection) {
  const ElfW(Phdr) *segment = graft_module_segment(module, from);
  if (segment == NULL)
    segment = graft_module_segment(module, from + size - 1);
  int fd = open(module->path[0] != '\0' ? module->path : "/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (segment == NULL || fd < 0)
    return -1;
  off_t offset = (off_t)(segment->p_offset + (from - module->base - segment->p_vaddr));
  void *got = mmap((void *)from, size, protection, MAP_PRIVATE | MAP_FIXED, fd, offset);
  close(fd);
  return got == MAP_FAILED ? -1 : 0;
}

/* A run of adjacent or nearly adjacent pages, with their entries. A few extra pages cost less than more system calls.
 */
enum { GAP_PAGES = 16 };

struct run {
  struct graft_entry *first, *end;
  uintptr_t from, to;
};

static const ElfW(Phdr) * segment_of(const struct graft_entry *entry) {
  return graft_module_segment(entry->module, (uintptr_t)entry->address);
}

static struct run run_from(struct graft_entry *first, struct graft_entry *end) {
  struct run run = {.first = first, .end = first + 1};
  run.from = page_of((uintptr_t)first->address);
  run.to = page_after((uintptr_t)first->address + first->patch.length);
  while (run.end < end && segment_of(run.end) == segment_of(first) &&
         page_of((uintptr_t)run.end->address) <= run.to + GAP_PAGES * page_size()) {
    run.to = page_after((uintptr_t)run.end->address + run.end->patch.length);
    run.end++;
  }
  return run;
}

/* This error cannot be undone: the program cannot run without its code. */
static _Noreturn void lost(const struct run *run) {
  fprintf(stderr, "rota: graft: %s: %s lost its execute permission, and the system does not restore it\n",
          graft_module_name(run->first->module), run->first->name);
  _exit(127);
}

static int write_run(const struct run *run, bool back) {
  const struct graft_module *module = run->first->module;
  int protection = PROT_EXEC | ((segment_of(run->first)->p_flags & PF_R) ? PROT_READ : 0) | branch_protection(module);
  size_t size = run->to - run->from;
  if (mprotect((void *)run->from, size, PROT_READ | PROT_WRITE) != 0)
    return -errno;
  for (struct graft_entry *entry = run->first; entry < run->end; entry++)
    memcpy(entry->address, back ? entry->original : entry->patch.bytes, entry->patch.length);
  if (mprotect((void *)run->from, size, protection) == 0) {
    graft_entry_flush((unsigned char *)run->from, size);
    return 0;
  }
  int err = -errno;
  if (map_from_file(module, run->from, size, protection) != 0)
    lost(run);
  return back ? 0 : err; /* the file has the original, too */
}

int graft_pages_write(struct graft_entry *entries, size_t count, const struct graft_entry **failed) {
  struct graft_entry *end = entries + count, *done = entries;
  int err = 0;
  for (struct graft_entry *entry = entries; entry < end; entry++)
    memcpy(entry->original, entry->address, entry->patch.length);
  while (done < end) {
    struct run run = run_from(done, end);
    err = write_run(&run, false);
    if (err != 0) {
      *failed = run.first;
      break;
    }
    done = run.end;
  }
  if (err == 0)
    return 0;
  for (struct graft_entry *entry = entries; entry < done;) {
    struct run run = run_from(entry, done);
    if (write_run(&run, true) != 0)
      lost(&run);
    entry = run.end;
  }
  return err;
}
