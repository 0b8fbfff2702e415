/* Everything that is read from a file is checked against its size: it may be damaged. */
#include "observe/name/windows/image.h"

#include <stdlib.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/text.h"
#include "loop/os/windows/convert.h"

enum { PATH_UNITS = 1024, SYMBOL_SIZE = 18, SHORT_NAME = 8, LEAF_MAX = 4096 };

/* An entry of COFF's table. It is not aligned in the file. */
struct symbol {
  char name[SHORT_NAME];
  uint32_t value; /* in its section */
  int16_t section;
  uint16_t type;
  uint8_t class, more; /* so many entries follow that belong to it */
};

static struct rota_image *images;

/* ---- the file ---- */

static bool is_inside(const struct rota_image *image, uint64_t offset, uint64_t length) {
  return offset <= image->size && length <= image->size - offset;
}

static void map_file(struct rota_image *image, const WCHAR *path) {
  LARGE_INTEGER size;
  HANDLE file = CreateFileW(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL, OPEN_EXISTING, 0, NULL);
  if (file == INVALID_HANDLE_VALUE)
    return;
  HANDLE mapping = GetFileSizeEx(file, &size) ? CreateFileMappingW(file, NULL, PAGE_READONLY, 0, 0, NULL) : NULL;
  if (mapping != NULL) {
    image->file = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0);
    image->size = image->file == NULL ? 0 : (size_t)size.QuadPart;
    CloseHandle(mapping);
  }
  CloseHandle(file);
}

static const char *long_name(const struct rota_image *image, uint32_t offset) {
  bool ends = offset < image->names_size && memchr(image->names + offset, 0, image->names_size - offset) != NULL;
  return ends ? image->names + offset : NULL;
}

/* A section's name of more than eight bytes is "/123": where it is among the names. */
static bool section_is(const struct rota_image *image, const IMAGE_SECTION_HEADER *section, const char *name) {
  char digits[SHORT_NAME] = {0};
  if (section->Name[0] != '/')
    return false;
  memcpy(digits, section->Name + 1, SHORT_NAME - 1);
  const char *found = long_name(image, (uint32_t)strtoul(digits, NULL, 10));
  return found != NULL && strcmp(found, name) == 0;
}

static struct rota_line_section find_section(const struct rota_image *image, const char *name) {
  for (unsigned int i = 0; i < image->section_count; i++) {
    const IMAGE_SECTION_HEADER *section = &image->sections[i];
    size_t used =
        section->Misc.VirtualSize < section->SizeOfRawData ? section->Misc.VirtualSize : section->SizeOfRawData;
    if (section_is(image, section, name) && is_inside(image, section->PointerToRawData, used))
      return (struct rota_line_section){image->file + section->PointerToRawData, used};
  }
  return (struct rota_line_section){NULL, 0};
}

static void find_tables(struct rota_image *image) {
  const IMAGE_DOS_HEADER *dos = (const IMAGE_DOS_HEADER *)image->file;
  if (!is_inside(image, 0, sizeof(*dos)) || dos->e_magic != IMAGE_DOS_SIGNATURE || dos->e_lfanew < 0 ||
      dos->e_lfanew % 4 != 0 || !is_inside(image, (uint64_t)dos->e_lfanew, sizeof(IMAGE_NT_HEADERS64)))
    return;
  const IMAGE_NT_HEADERS64 *head = (const IMAGE_NT_HEADERS64 *)(image->file + dos->e_lfanew);
  uint64_t sections_at = (uint64_t)dos->e_lfanew + offsetof(IMAGE_NT_HEADERS64, OptionalHeader);
  sections_at += head->FileHeader.SizeOfOptionalHeader;
  uint64_t sections_size = (uint64_t)head->FileHeader.NumberOfSections * sizeof(IMAGE_SECTION_HEADER);
  uint64_t symbols_at = head->FileHeader.PointerToSymbolTable;
  uint64_t symbols_size = (uint64_t)head->FileHeader.NumberOfSymbols * SYMBOL_SIZE;
  if (head->Signature != IMAGE_NT_SIGNATURE || head->OptionalHeader.Magic != IMAGE_NT_OPTIONAL_HDR64_MAGIC ||
      !is_inside(image, sections_at, sections_size))
    return;
  image->linked_at = head->OptionalHeader.ImageBase;
  image->sections = (const IMAGE_SECTION_HEADER *)(image->file + sections_at);
  image->section_count = head->FileHeader.NumberOfSections;
  if (symbols_at == 0 || !is_inside(image, symbols_at, symbols_size))
    return;
  image->symbols = image->file + symbols_at;
  image->symbol_count = head->FileHeader.NumberOfSymbols;
  image->names = (const char *)image->symbols + symbols_size; /* begin with their own size, in four bytes */
  image->names_size = image->size - (size_t)(symbols_at + symbols_size);
}

struct rota_image *rota__image_of(const void *address) {
  const DWORD how = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
  WCHAR path[PATH_UNITS];
  HMODULE module;
  if (!GetModuleHandleExW(how, (const WCHAR *)address, &module))
    return NULL;
  struct rota_image *image = images;
  while (image != NULL && image->module != module)
    image = image->next;
  DWORD length = image != NULL ? 0 : GetModuleFileNameW(module, path, PATH_UNITS);
  if (length == 0 || length >= PATH_UNITS || (image = rota__calloc(1, sizeof(*image))) == NULL)
    return image;
  if (rota__os_narrow(path, (ssize_t)length, &image->path) < 0) {
    rota__free(image);
    return NULL;
  }
  image->module = module;
  map_file(image, path);
  find_tables(image);
  image->lines.line = find_section(image, ".debug_line");
  image->lines.line_str = find_section(image, ".debug_line_str");
  rota__lines_index(&image->lines, rota__malloc);
  image->has_pdb = image->symbols == NULL && rota__pdb_load(module, path);
  image->next = images;
  images = image;
  return image;
}

/* ---- functions ---- */

static bool is_function(const struct rota_image *image, const struct symbol *symbol) {
  const unsigned int kind = 0x20; /* what the type says of a function */
  return symbol->type == kind && symbol->section > 0 && (unsigned int)symbol->section <= image->section_count;
}

/* The last one that begins at this place or before it. */
static bool symbol_before(const struct rota_image *image, uint32_t place, struct symbol *found, uint32_t *start) {
  bool any = false;
  struct symbol symbol;
  for (uint64_t i = 0; i < image->symbol_count; i += 1 + (uint64_t)symbol.more) {
    memcpy(&symbol, image->symbols + i * SYMBOL_SIZE, SYMBOL_SIZE);
    if (!is_function(image, &symbol))
      continue;
    uint32_t at = image->sections[symbol.section - 1].VirtualAddress + symbol.value;
    if (at > place || (any && at < *start))
      continue;
    *found = symbol;
    *start = at;
    any = true;
  }
  return any;
}

/* Where the function begins that the address is in, by the tables for unwinding; a function that calls none need not be
 * in them. */
static uint32_t start_of(const struct rota_image *image, const void *address) {
  DWORD64 base;
  const RUNTIME_FUNCTION *entry = RtlLookupFunctionEntry((DWORD64)(uintptr_t)address, &base, NULL);
  return entry != NULL && base == (DWORD64)(uintptr_t)image->module ? entry->BeginAddress : 0;
}

static void take_name(const struct rota_image *image, const struct symbol *symbol,
                      struct rota_image_function *function) {
  uint32_t parts[2]; /* a long name: zero, and where it is among the names */
  memcpy(parts, symbol->name, sizeof(parts));
  const char *name = parts[0] == 0 ? long_name(image, parts[1]) : NULL;
  if (name != NULL)
    rota__text_copy(function->name, sizeof(function->name), name);
  else if (parts[0] != 0)
    snprintf(function->name, sizeof(function->name), "%.*s", SHORT_NAME, symbol->name);
  else
    function->name[0] = '\0';
}

/* A directory of the image in memory. */
static const void *directory(const struct rota_image *image, int which) {
  const unsigned char *base = (const unsigned char *)image->module;
  const IMAGE_NT_HEADERS64 *head = (const IMAGE_NT_HEADERS64 *)(base + ((const IMAGE_DOS_HEADER *)base)->e_lfanew);
  uint32_t at = head->OptionalHeader.DataDirectory[which].VirtualAddress;
  return at == 0 ? NULL : base + at;
}

/* An exported function that begins there. */
static bool exported_at(const struct rota_image *image, uint32_t start, struct rota_image_function *function) {
  const unsigned char *base = (const unsigned char *)image->module;
  const IMAGE_EXPORT_DIRECTORY *exports = directory(image, IMAGE_DIRECTORY_ENTRY_EXPORT);
  if (exports == NULL)
    return false;
  const uint32_t *names = (const uint32_t *)(base + exports->AddressOfNames);
  const uint16_t *numbers = (const uint16_t *)(base + exports->AddressOfNameOrdinals);
  const uint32_t *functions = (const uint32_t *)(base + exports->AddressOfFunctions);
  for (uint32_t i = 0; i < exports->NumberOfNames; i++) {
    if (functions[numbers[i]] != start)
      continue;
    rota__text_copy(function->name, sizeof(function->name), (const char *)base + names[i]);
    function->start = start;
    return true;
  }
  return false;
}

bool rota__image_function(const struct rota_image *image, const void *address, struct rota_image_function *function) {
  struct symbol symbol;
  if (image->has_pdb && rota__pdb_function(image->module, address, function))
    return true;
  uint32_t place = (uint32_t)((uintptr_t)address - (uintptr_t)image->module);
  uint32_t start = start_of(image, address);
  if (image->symbols != NULL && symbol_before(image, place, &symbol, &function->start) &&
      (start != 0 ? function->start >= start : place - function->start < LEAF_MAX)) {
    take_name(image, &symbol, function);
    return function->name[0] != '\0';
  }
  return exported_at(image, start != 0 ? start : place, function);
}

bool rota__image_line(const struct rota_image *image, const void *address, struct rota_line_place *found) {
  uint64_t place = (uint64_t)((uintptr_t)address - (uintptr_t)image->module);
  if (image->has_pdb)
    return rota__pdb_line(address, found);
  return rota__lines_find(&image->lines, image->linked_at + place, found);
}
