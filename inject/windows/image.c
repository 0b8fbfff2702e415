#include "inject/windows/image.h"

#include <string.h>

static const IMAGE_NT_HEADERS64 *headers_of(const unsigned char *base) {
  const IMAGE_DOS_HEADER *dos = (const IMAGE_DOS_HEADER *)base;
  if (dos->e_magic != IMAGE_DOS_SIGNATURE)
    return NULL;
  const IMAGE_NT_HEADERS64 *headers = (const IMAGE_NT_HEADERS64 *)(base + dos->e_lfanew);
  bool is_native = headers->Signature == IMAGE_NT_SIGNATURE && headers->FileHeader.Machine == IMAGE_FILE_MACHINE_AMD64;
  return is_native && headers->OptionalHeader.Magic == IMAGE_NT_OPTIONAL_HDR64_MAGIC ? headers : NULL;
}

/* Null: the image has none of this kind. */
static void *directory_of(const unsigned char *base, const IMAGE_NT_HEADERS64 *headers, unsigned int which,
                          uint32_t *size) {
  const IMAGE_DATA_DIRECTORY *directory = &headers->OptionalHeader.DataDirectory[which];
  *size = directory->Size;
  return which < headers->OptionalHeader.NumberOfRvaAndSizes && directory->Size != 0
             ? (void *)(base + directory->VirtualAddress)
             : NULL;
}

static void find_text(struct graft_image *image) {
  const IMAGE_SECTION_HEADER *section = IMAGE_FIRST_SECTION(image->headers);
  for (unsigned int i = 0; i < image->headers->FileHeader.NumberOfSections; i++, section++)
    if ((section->Characteristics & IMAGE_SCN_MEM_EXECUTE) && section->Misc.VirtualSize > image->text_size) {
      image->text = image->base + section->VirtualAddress;
      image->text_size = section->Misc.VirtualSize;
    }
}

bool graft_image_read(struct graft_image *image, HMODULE module) {
  uint32_t size;
  *image = (struct graft_image){.base = (unsigned char *)module};
  image->headers = headers_of(image->base);
  if (image->headers == NULL)
    return false;
  const IMAGE_EXPORT_DIRECTORY *exports =
      directory_of(image->base, image->headers, IMAGE_DIRECTORY_ENTRY_EXPORT, &size);
  if (exports == NULL)
    return false;
  image->name_count = exports->NumberOfNames;
  image->names = (const uint32_t *)(image->base + exports->AddressOfNames);
  image->ordinals = (const uint16_t *)(image->base + exports->AddressOfNameOrdinals);
  image->addresses = (const uint32_t *)(image->base + exports->AddressOfFunctions);
  image->functions = directory_of(image->base, image->headers, IMAGE_DIRECTORY_ENTRY_EXCEPTION, &size);
  image->function_count = image->functions != NULL ? (uint32_t)(size / sizeof *image->functions) : 0;
  find_text(image);
  return true;
}

const char *graft_image_name(const struct graft_image *image, uint32_t index) {
  return (const char *)(image->base + image->names[index]);
}

unsigned char *graft_image_address(const struct graft_image *image, uint32_t index) {
  return image->base + image->addresses[image->ordinals[index]];
}

uint32_t graft_image_first(const struct graft_image *image, const char *name) {
  uint32_t low = 0, high = image->name_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (strcmp(graft_image_name(image, middle), name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

unsigned char *graft_image_find(const struct graft_image *image, const char *name) {
  uint32_t index = graft_image_first(image, name);
  return index < image->name_count && strcmp(graft_image_name(image, index), name) == 0
             ? graft_image_address(image, index)
             : NULL;
}

/* ---- functions with a frame ---- */

/* The first that begins at this offset or behind it. */
static uint32_t function_from(const struct graft_image *image, uint32_t offset) {
  uint32_t low = 0, high = image->function_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (image->functions[middle].BeginAddress < offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

size_t graft_image_function_size(const struct graft_image *image, const unsigned char *address) {
  uint32_t offset = (uint32_t)(address - image->base), index = function_from(image, offset);
  if (index == image->function_count || image->functions[index].BeginAddress != offset)
    return 0;
  return image->functions[index].EndAddress - offset;
}

bool graft_image_has_start(const struct graft_image *image, const unsigned char *address, const unsigned char *end) {
  uint32_t index = function_from(image, (uint32_t)(address - image->base) + 1);
  return index < image->function_count && image->functions[index].BeginAddress < (uint32_t)(end - image->base);
}

/* ---- what it imports ---- */

static bool write_slot(uintptr_t *slot, uintptr_t value) {
  DWORD before;
  if (!VirtualProtect(slot, sizeof *slot, PAGE_READWRITE, &before))
    return false;
  *slot = value;
  return VirtualProtect(slot, sizeof *slot, before, &before);
}

/* By its value, not by its name: the same function has other names in other system libraries. */
int graft_image_replace_import(HMODULE module, uintptr_t from, uintptr_t to) {
  unsigned char *base = (unsigned char *)module;
  const IMAGE_NT_HEADERS64 *headers = headers_of(base);
  uint32_t size;
  int replaced = 0;
  if (headers == NULL || from == 0)
    return 0;
  const IMAGE_IMPORT_DESCRIPTOR *library = directory_of(base, headers, IMAGE_DIRECTORY_ENTRY_IMPORT, &size);
  for (; library != NULL && library->Name != 0; library++)
    for (uintptr_t *slot = (uintptr_t *)(base + library->FirstThunk); *slot != 0; slot++) {
      if (*slot != from)
        continue;
      if (!write_slot(slot, to))
        return -1;
      replaced++;
    }
  return replaced;
}
