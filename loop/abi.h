/* Assertions of sizes, alignments and offsets (loop/abi.c, loop/abi32.c). */
#ifndef ROTA_ABI_H
#define ROTA_ABI_H

#include <stddef.h>
#include <stdint.h>

#include "uv.h"

#ifdef __cplusplus
#define ABI_ASSERT(condition, text) static_assert(condition, text)
#define ABI_ALIGN(type) alignof(type)
#else
#define ABI_ASSERT(condition, text) _Static_assert(condition, text)
#define ABI_ALIGN(type) _Alignof(type)
#endif
#define ABI_SIZE(type, size, align)                                                                                    \
  ABI_ASSERT(sizeof(type) == (size) && ABI_ALIGN(type) == (align), "size or alignment of " #type)
#define ABI_OFFSET(type, field, offset) ABI_ASSERT(offsetof(type, field) == (offset), "offset of " #field " in " #type)

#endif
