#include "inject/module.h"

#if defined(__x86_64__)

#include <string.h>

enum { JUMP_SIZE = 5, ENDBR_SIZE = 4 };

const uint64_t graft_entry_reach = (uint64_t)1 << 31;

static const unsigned char endbr64[ENDBR_SIZE] = {0xf3, 0x0f, 0x1e, 0xfa};

bool graft_entry_make(struct graft_patch *patch, const unsigned char *entry, uintptr_t target) {
  patch->length = 0;
  if (memcmp(entry, endbr64, ENDBR_SIZE) == 0) {
    memcpy(patch->bytes, endbr64, ENDBR_SIZE);
    patch->length = ENDBR_SIZE;
  }
  int64_t distance = (int64_t)(target - ((uintptr_t)entry + patch->length + JUMP_SIZE));
  if (distance < INT32_MIN || distance > INT32_MAX)
    return false;
  int32_t near = (int32_t)distance;
  patch->bytes[patch->length] = 0xe9;
  memcpy(patch->bytes + patch->length + 1, &near, sizeof near);
  patch->length += JUMP_SIZE;
  return true;
}

/* The long forms of nop are made of prefixes (66, 2e) and 0f 1f with an address that is not used. */
static size_t nop_length(const unsigned char *text, size_t size) {
  static const unsigned char tails[] = {[0x00] = 3, [0x40] = 4, [0x44] = 5, [0x80] = 7, [0x84] = 8};
  if (text[0] == 0x90 || text[0] == 0xcc)
    return 1;
  size_t prefixes = 0;
  while (prefixes < size && (text[prefixes] == 0x66 || text[prefixes] == 0x2e))
    prefixes++;
  const unsigned char *from = text + prefixes;
  size_t rest = size - prefixes;
  if (rest >= 1 && prefixes > 0 && from[0] == 0x90)
    return prefixes + 1;
  if (rest < 3 || from[0] != 0x0f || from[1] != 0x1f || from[2] >= sizeof tails || tails[from[2]] == 0)
    return 0;
  return tails[from[2]] <= rest ? prefixes + tails[from[2]] : 0;
}

size_t graft_entry_padding(const unsigned char *text, size_t size) {
  size_t length = 0;
  while (length < size) {
    size_t nop = nop_length(text + length, size - length);
    if (nop == 0)
      break;
    length += nop;
  }
  return length;
}

/* notrack jmp *0(%rip), and the address. With notrack the target needs no endbr64. */
void graft_island_make(unsigned char island[GRAFT_ISLAND_SIZE], uintptr_t target) {
  static const unsigned char jump[] = {0x3e, 0xff, 0x25, 0x01, 0x00, 0x00, 0x00, 0xcc};
  memcpy(island, jump, sizeof jump);
  memcpy(island + sizeof jump, &target, sizeof target);
}

void graft_entry_flush(unsigned char *from, size_t size) {
  __builtin___clear_cache((char *)from, (char *)from + size);
}

#endif
