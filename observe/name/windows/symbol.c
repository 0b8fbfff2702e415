/* What is at an address, on Windows (image.h). Names of C++ stay as the compiler has written them. */
#include "observe/name/symbol.h"

#include <string.h>

#include "observe/name/windows/image.h"

const char rota__symbol_separator = '\\';

void rota__symbol_resolve(struct rota_symbol *symbol, const void *address) {
  struct rota_image_function function;
  struct rota_line_place line;
  const struct rota_image *image = address == NULL ? NULL : rota__image_of(address);
  if (image == NULL)
    return;
  symbol->library = image->path;
  symbol->place = (uintptr_t)address - (uintptr_t)image->module;
  symbol->offset = symbol->place;
  if (rota__image_line(image, address, &line) &&
      (symbol->file = rota__symbol_keep(line.file, strlen(line.file))) != NULL)
    symbol->line = line.line;
  if (!rota__image_function(image, address, &function))
    return;
  /* Compilers add a suffix to the names of parts that they have split off: "main.cold". */
  size_t length = function.name[0] == '.' ? strlen(function.name) : strcspn(function.name, ".");
  symbol->function = rota__symbol_keep(function.name, length);
  if (symbol->function != NULL)
    symbol->offset = symbol->place - function.start;
}
