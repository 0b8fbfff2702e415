#include "inject/module.h"

#if defined(__aarch64__)

#include <string.h>

enum { WORD = 4 };

const uint64_t graft_entry_reach = (uint64_t)1 << 27;

static const uint32_t bti_c = 0xd503245f, bti_jc = 0xd50324df, paciasp = 0xd503233f, pacibsp = 0xd503237f,
                      nop = 0xd503201f, brk = 0xd4200000;

static uint32_t word_at(const unsigned char *text) {
  uint32_t word;
  memcpy(&word, text, sizeof word);
  return word;
}

static void put(struct graft_patch *patch, uint32_t word) {
  memcpy(patch->bytes + patch->length, &word, sizeof word);
  patch->length += WORD;
}

/* An instruction that signs the return address is a valid branch target, too. The patch must not sign, so bti replaces
 * it. */
static bool is_landing(uint32_t word) {
  return word == bti_c || word == bti_jc || word == paciasp || word == pacibsp;
}

bool graft_entry_make(struct graft_patch *patch, const unsigned char *entry, uintptr_t target) {
  uint32_t first = word_at(entry);
  patch->length = 0;
  if (is_landing(first))
    put(patch, first == bti_jc ? bti_jc : bti_c);
  int64_t distance = (int64_t)(target - ((uintptr_t)entry + patch->length));
  if (distance < -((int64_t)1 << 27) || distance >= (int64_t)1 << 27)
    return false;
  put(patch, 0x14000000u | ((uint32_t)(distance / WORD) & 0x03ffffffu));
  return true;
}

size_t graft_entry_padding(const unsigned char *text, size_t size) {
  size_t length = 0;
  while (length + WORD <= size) {
    uint32_t word = word_at(text + length);
    if (word != nop && word != 0 && (word & 0xffe0001fu) != brk)
      break;
    length += WORD;
  }
  return length;
}

/* ldr x16, 8; br x16; the address. From x16 a jump may go to a function that begins with bti c. */
void graft_island_make(unsigned char island[GRAFT_ISLAND_SIZE], uintptr_t target) {
  static const uint32_t jump[] = {0x58000050, 0xd61f0200};
  memcpy(island, jump, sizeof jump);
  memcpy(island + sizeof jump, &target, sizeof target);
}

void graft_entry_flush(unsigned char *from, size_t size) {
  __builtin___clear_cache((char *)from, (char *)from + size);
}

#endif
