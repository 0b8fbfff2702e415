/* The format of programs and libraries. Where the system's is another one, these few declarations let code compile that
 * looks for it, and finds that a file does not have it. */
#ifndef ROTA_OS_ELF_H
#define ROTA_OS_ELF_H

#ifndef __APPLE__
#include <elf.h>
#include <link.h>
#if defined(__NetBSD__) || defined(__OpenBSD__)
#include <link_elf.h>
#endif
#ifndef ElfW
#define ElfW(type) Elf64_##type
#endif
#ifndef SHF_COMPRESSED
#define SHF_COMPRESSED (1 << 11)
#endif
#else
#include <stdint.h>

#define ElfW(type) struct rota_elf_##type
#define ELFMAG "\177ELF"
enum { SELFMAG = 4, EI_CLASS = 4, ELFCLASS32 = 1, ELFCLASS64 = 2, STT_FUNC = 2, SHN_UNDEF = 0 };
enum { SHT_PROGBITS = 1, SHT_SYMTAB = 2, SHF_COMPRESSED = 1 << 11 };

struct rota_elf_Ehdr {
  unsigned char e_ident[16];
  uint16_t e_type, e_machine;
  uint32_t e_version;
  uint64_t e_entry, e_phoff, e_shoff;
  uint32_t e_flags;
  uint16_t e_ehsize, e_phentsize, e_phnum, e_shentsize, e_shnum, e_shstrndx;
};

struct rota_elf_Shdr {
  uint32_t sh_name, sh_type;
  uint64_t sh_flags, sh_addr, sh_offset, sh_size;
  uint32_t sh_link, sh_info;
  uint64_t sh_addralign, sh_entsize;
};

struct rota_elf_Sym {
  uint32_t st_name;
  unsigned char st_info, st_other;
  uint16_t st_shndx;
  uint64_t st_value, st_size;
};
#endif

#endif
