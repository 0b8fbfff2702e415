#include "inject/windows/plan.h"

#include <stdio.h>
#include <string.h>

enum { ISLAND_SIZE = 16 };

/* ---- islands: memory in reach of a short jump, which holds the long one ---- */

/* Behind the image, where nothing is mapped; its own code is in reach from there. */
static unsigned char *allocate_near(const struct graft_image *program, size_t size) {
  SYSTEM_INFO system;
  MEMORY_BASIC_INFORMATION region;
  GetSystemInfo(&system);
  uintptr_t step = system.dwAllocationGranularity, image_size = program->headers->OptionalHeader.SizeOfImage;
  uintptr_t at = (uintptr_t)program->base + image_size, limit = (uintptr_t)program->base + INT32_MAX - size;
  while (at < limit && VirtualQuery((void *)at, &region, sizeof region) == sizeof region) {
    uintptr_t end = (uintptr_t)region.BaseAddress + region.RegionSize;
    at = (at + step - 1) / step * step;
    if (region.State == MEM_FREE && at + size <= end) {
      unsigned char *got = VirtualAlloc((void *)at, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
      if (got != NULL)
        return got;
      at += step;
    } else {
      at = end;
    }
  }
  return NULL;
}

/* jmp *0(%rip), and the address. */
static void make_island(unsigned char *island, uintptr_t target) {
  static const unsigned char jump[] = {0xff, 0x25, 0, 0, 0, 0};
  memcpy(island, jump, sizeof jump);
  memcpy(island + sizeof jump, &target, sizeof target);
}

static unsigned char *make_islands(struct graft_plan *plan, const struct graft_image *program) {
  size_t size = plan->count * ISLAND_SIZE;
  DWORD before;
  unsigned char *islands = allocate_near(program, size);
  if (islands == NULL)
    return NULL;
  for (size_t i = 0; i < plan->count; i++) {
    plan->entries[i].island = islands + i * ISLAND_SIZE;
    make_island(islands + i * ISLAND_SIZE, plan->entries[i].target);
  }
  if (VirtualProtect(islands, size, PAGE_EXECUTE_READ, &before) &&
      FlushInstructionCache(GetCurrentProcess(), islands, size))
    return islands;
  VirtualFree(islands, 0, MEM_RELEASE);
  return NULL;
}

/* ---- the program's pages ---- */

enum { GAP_MAX = 1 << 16 };

/* Entries that lie near each other, and are written at once: from `first` up to `end`. */
struct run {
  struct graft_entry *first, *end;
};

static struct run run_from(struct graft_entry *first, struct graft_entry *end) {
  struct run run = {first, first + 1};
  while (run.end < end && run.end->address - run.end[-1].address < GAP_MAX)
    run.end++;
  return run;
}

/* This cannot be undone: the program cannot run without its code. */
static void lost(void) {
  fputs("rota: graft: the program's code lost its execute permission, and the system does not restore it\n", stderr);
  TerminateProcess(GetCurrentProcess(), 127);
}

static void write_jump(struct graft_entry *entry) {
  int32_t distance = (int32_t)(entry->island - (entry->address + GRAFT_JUMP_SIZE));
  memcpy(entry->original, entry->address, GRAFT_JUMP_SIZE);
  entry->address[0] = 0xe9;
  memcpy(entry->address + 1, &distance, sizeof distance);
}

/* False: the system does not let the pages be written, and nothing has changed. */
static bool write_run(const struct run *run, bool back) {
  unsigned char *from = run->first->address;
  size_t size = (size_t)(run->end[-1].address + GRAFT_JUMP_SIZE - from);
  DWORD before, now;
  if (!VirtualProtect(from, size, PAGE_READWRITE, &before))
    return false;
  for (struct graft_entry *entry = run->first; entry < run->end; entry++)
    if (back)
      memcpy(entry->address, entry->original, GRAFT_JUMP_SIZE);
    else
      write_jump(entry);
  if (!VirtualProtect(from, size, before, &now))
    lost();
  FlushInstructionCache(GetCurrentProcess(), from, size);
  return true;
}

bool graft_plan_write(struct graft_plan *plan, const struct graft_image *program) {
  struct graft_entry *done = plan->entries, *end = plan->entries + plan->count;
  unsigned char *islands = make_islands(plan, program);
  if (islands == NULL)
    return graft_plan_refuse(plan, "executable memory cannot be allocated near its code (error %lu)", GetLastError());
  while (done < end) {
    struct run run = run_from(done, end);
    if (!write_run(&run, false))
      break;
    done = run.end;
  }
  if (done == end)
    return true;
  graft_plan_refuse(plan, "the system does not let its code be written (error %lu)", GetLastError());
  for (struct graft_entry *entry = plan->entries; entry < done;) {
    struct run run = run_from(entry, done);
    if (!write_run(&run, true))
      lost();
    entry = run.end;
  }
  VirtualFree(islands, 0, MEM_RELEASE);
  return false;
}
