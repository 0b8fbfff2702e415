#include "command/program.h"

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__aarch64__)
enum { NATIVE_MACHINE = EM_AARCH64 };
#else
enum { NATIVE_MACHINE = EM_X86_64 };
#endif

enum { PARTS_MAX = 256 };

/* A file may be damaged: nothing is read outside of it. */
struct image {
  const unsigned char *bytes;
  size_t size;
  Elf64_Phdr parts[PARTS_MAX]; /* a copy: tools that add a part put them anywhere, as Node's for single executables */
  unsigned int part_count;
};

static const void *bytes_at(const struct image *image, uint64_t offset, uint64_t length, size_t alignment) {
  bool inside = offset <= image->size && length <= image->size - offset;
  return inside && offset % alignment == 0 ? image->bytes + offset : NULL;
}

static bool open_image(struct image *image, const unsigned char *file, size_t size) {
  *image = (struct image){.bytes = file, .size = size};
  const Elf64_Ehdr *head = bytes_at(image, 0, sizeof *head, 1);
  if (head == NULL || head->e_phentsize != sizeof(Elf64_Phdr) || head->e_phnum > PARTS_MAX)
    return false;
  image->part_count = head->e_phnum;
  const void *parts = bytes_at(image, head->e_phoff, (uint64_t)head->e_phnum * sizeof(Elf64_Phdr), 1);
  if (parts != NULL)
    memcpy(image->parts, parts, head->e_phnum * sizeof(Elf64_Phdr));
  return parts != NULL;
}

static const Elf64_Phdr *part_of(const struct image *image, uint32_t type) {
  for (unsigned int i = 0; i < image->part_count; i++)
    if (image->parts[i].p_type == type)
      return &image->parts[i];
  return NULL;
}

/* What will be at this address when the file is loaded, if at least `length` bytes of it are in the file. */
static const void *loaded_at(const struct image *image, uint64_t address, uint64_t length, size_t alignment) {
  for (unsigned int i = 0; i < image->part_count; i++) {
    const Elf64_Phdr *part = &image->parts[i];
    if (part->p_type == PT_LOAD && address >= part->p_vaddr && address - part->p_vaddr < part->p_filesz)
      return bytes_at(image, part->p_offset + (address - part->p_vaddr), length, alignment);
  }
  return NULL;
}

/* ---- the dynamic table ---- */

struct table {
  uint64_t symbols, names, names_size, gnu_hash, sysv_hash;
};

static bool read_table(const struct image *image, struct table *table) {
  const Elf64_Phdr *part = part_of(image, PT_DYNAMIC);
  *table = (struct table){0};
  if (part == NULL)
    return false;
  for (uint64_t i = 0; i < part->p_filesz / sizeof(Elf64_Dyn); i++) {
    const Elf64_Dyn *entry = bytes_at(image, part->p_offset + i * sizeof *entry, sizeof *entry, _Alignof(Elf64_Dyn));
    if (entry == NULL || entry->d_tag == DT_NULL)
      break;
    switch (entry->d_tag) {
    case DT_SYMTAB:
      table->symbols = entry->d_un.d_ptr;
      break;
    case DT_STRTAB:
      table->names = entry->d_un.d_ptr;
      break;
    case DT_STRSZ:
      table->names_size = entry->d_un.d_val;
      break;
    case DT_GNU_HASH:
      table->gnu_hash = entry->d_un.d_ptr;
      break;
    case DT_HASH:
      table->sysv_hash = entry->d_un.d_ptr;
      break;
    default:
      break;
    }
  }
  return table->symbols != 0 && table->names != 0 && table->names_size != 0;
}

/* How many symbols there are. If a hash table tells the number, it is used. Else the names are assumed to follow the
 * symbols, as linkers and ELF editors write them. */
static uint64_t symbol_count(const struct image *image, const struct table *table) {
  const uint32_t *words = table->sysv_hash != 0 ? loaded_at(image, table->sysv_hash, 8, 4) : NULL;
  if (words != NULL)
    return words[1];
  words = table->gnu_hash != 0 ? loaded_at(image, table->gnu_hash, 16, 4) : NULL;
  if (words == NULL)
    return 0;
  uint32_t buckets = words[0], first = words[1], bloom = words[2], last = 0;
  uint64_t at = table->gnu_hash + 16 + (uint64_t)bloom * 8;
  for (uint32_t i = 0; i < buckets; i++) {
    const uint32_t *bucket = loaded_at(image, at + (uint64_t)i * 4, 4, 4);
    if (bucket == NULL)
      return 0;
    last = *bucket > last ? *bucket : last;
  }
  if (last < first)
    return first;
  const uint32_t *chain;
  do {
    chain = loaded_at(image, at + ((uint64_t)buckets + last++ - first) * 4, 4, 4);
  } while (chain != NULL && (*chain & 1) == 0);
  return last;
}

/* The smallest size that a real uv_run has; see graft.c. */
enum { STUB_MAX = 64 };

/* The versions of the C library that it wants are among its names. */
static void read_name(const char *name, struct program_elf *elf) {
  static const char version[] = "GLIBC_2.";
  if (strncmp(name, version, sizeof version - 1) != 0)
    return;
  unsigned int minor = (unsigned int)strtoul(name + sizeof version - 1, NULL, 10);
  elf->glibc_minor = minor > elf->glibc_minor ? minor : elf->glibc_minor;
}

static void read_exports(const struct image *image, struct program_elf *elf) {
  static const char *const wanted[] = {"uv_run", "uv_default_loop", "uv_loop_init", "uv_version", "uv_fs_open"};
  enum { WANTED = sizeof wanted / sizeof wanted[0] };
  struct table table;
  unsigned int seen = 0;
  bool is_stub = false;
  if (!read_table(image, &table))
    return;
  const char *names = loaded_at(image, table.names, table.names_size, 1);
  uint64_t count = symbol_count(image, &table);
  const Elf64_Sym *symbols = loaded_at(image, table.symbols, count * sizeof *symbols, _Alignof(Elf64_Sym));
  if (names == NULL || symbols == NULL || names[table.names_size - 1] != '\0')
    return;
  for (uint64_t at = 0; at < table.names_size; at += strlen(names + at) + 1)
    read_name(names + at, elf);
  for (uint64_t i = 1; i < count; i++) {
    const char *name = symbols[i].st_name < table.names_size ? names + symbols[i].st_name : "";
    if (symbols[i].st_shndx == SHN_UNDEF)
      continue;
    elf->is_ours |= strcmp(name, "rota_version") == 0;
    elf->is_node |= strcmp(name, "_ZN4node5StartEiPPc") == 0; /* node::Start(int, char**) */
    if (strncmp(name, "uv_", 3) != 0)
      continue;
    for (unsigned int k = 0; k < WANTED; k++)
      if (strcmp(name, wanted[k]) == 0)
        seen |= 1u << k;
    is_stub |= strcmp(name, "uv_run") == 0 && symbols[i].st_size < STUB_MAX;
  }
  elf->exports_loop = (seen & 3) != 0;
  elf->exports_whole_loop = seen == (1u << WANTED) - 1 && !is_stub;
}

void program_elf_read(struct program_elf *elf, const unsigned char *file, size_t size) {
  const Elf64_Ehdr *head = (const Elf64_Ehdr *)file;
  struct image image;
  *elf = (struct program_elf){0};
  if (size < sizeof(Elf32_Ehdr) || memcmp(file, ELFMAG, SELFMAG) != 0)
    return;
  elf->is_elf = true;
  if (file[EI_CLASS] != ELFCLASS64 || size < sizeof *head || head->e_machine != NATIVE_MACHINE)
    return;
  elf->is_native = true;
  elf->is_damaged = !open_image(&image, file, size);
  if (elf->is_damaged)
    return;
  const Elf64_Phdr *loader = part_of(&image, PT_INTERP);
  elf->has_loader = loader != NULL;
  const char *name = loader != NULL ? bytes_at(&image, loader->p_offset, loader->p_filesz, 1) : NULL;
  if (name != NULL)
    snprintf(elf->loader, sizeof elf->loader, "%.*s", (int)loader->p_filesz, name);
  elf->is_musl = strstr(elf->loader, "/ld-musl-") != NULL;
  read_exports(&image, elf);
}

bool program_elf_read_file(struct program_elf *elf, const char *path) {
  struct stat status;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  size_t size = fstat(fd, &status) == 0 ? (size_t)status.st_size : 0;
  void *bytes = size > 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
  close(fd);
  if (bytes == MAP_FAILED)
    return false;
  program_elf_read(elf, bytes, size);
  munmap(bytes, size);
  return elf->is_native && !elf->is_damaged;
}

bool program_elf_contains_libuv(const unsigned char *file, size_t size) {
  static const char text[] = "UV_THREADPOOL_SIZE"; /* the variable that libuv's pool asks for */
  return memmem(file, size, text, sizeof text) != NULL;
}
