/* Which loaded file an address belongs to: the program, or one of its libraries. */
#ifndef ROTA_OS_MODULE_H
#define ROTA_OS_MODULE_H

#include <stdbool.h>
#include <stdint.h>

struct rota_os_module {
  uintptr_t base;   /* what an address in the file is moved by */
  const char *path; /* empty: the program itself. Valid while it is loaded */
};

/* The program, or a library that it was linked with, exports this symbol. */
bool rota__os_program_exports(const char *name);
bool rota__os_module_of(const void *address, struct rota_os_module *module);

#endif
