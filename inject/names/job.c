#include "inject/names/names.h"

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "rota.h"

enum { TABLE_BEFORE = 2, WORK_AT = 2 }; /* in words */

struct range {
  uintptr_t low, high;
};

/* Node's own file: the first that the loader has. */
static struct range file, code;

static int on_file(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  (void)data;
  for (unsigned int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD)
      continue;
    struct range range = {info->dlpi_addr + part->p_vaddr, info->dlpi_addr + part->p_vaddr + part->p_memsz};
    file.low = file.low == 0 || range.low < file.low ? range.low : file.low;
    file.high = range.high > file.high ? range.high : file.high;
    if (part->p_flags & PF_X && range.high - range.low > code.high - code.low)
      code = range; /* Node 22 has a second, small one */
  }
  return 1;
}

static bool is_in(const struct range *range, uintptr_t address, size_t size) {
  return address >= range->low && address < range->high && range->high - address >= size;
}

static const void *function_of(const uv_work_t *request) {
  uintptr_t table, function;
  if (!is_in(&code, (uintptr_t)request->work_cb, 1))
    return NULL; /* an addon's, which may be anything */
  memcpy(&table, (const uintptr_t *)(const void *)request - TABLE_BEFORE, sizeof table);
  if (table % sizeof table != 0 || !is_in(&file, table, (WORK_AT + 1) * sizeof function))
    return NULL;
  memcpy(&function, (const uintptr_t *)table + WORK_AT, sizeof function);
  return is_in(&code, function, 1) ? (const void *)function : NULL;
}

void names_job_start(void) {
  dl_iterate_phdr(on_file, NULL);
  if (code.low != 0)
    rota_set_job_hook(function_of);
}
