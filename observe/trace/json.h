/* A text buffer of fixed size for a file, with fast functions that append numbers and strings.
 *
 * The caller must check the room first: no single append is longer than ROTA_JSON_ROOM, and long strings are cut. */
#ifndef ROTA_TRACE_JSON_H
#define ROTA_TRACE_JSON_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { ROTA_JSON_SIZE = 256 * 1024, ROTA_JSON_ROOM = 8192, ROTA_JSON_END_ROOM = 256, ROTA_JSON_STRING_MAX = 1000 };

struct rota_json {
  size_t length;
  char text[ROTA_JSON_SIZE + ROTA_JSON_END_ROOM];
};

static inline void rota__json_put(struct rota_json *json, const char *text, size_t length) {
  memcpy(json->text + json->length, text, length);
  json->length += length;
}

/* For string literals: the length is known when it is compiled. */
#define rota__json_literal(json, text) rota__json_put(json, text, sizeof(text) - 1)

void rota__json_number(struct rota_json *json, uint64_t number);
void rota__json_signed(struct rota_json *json, int64_t number);
void rota__json_microseconds(struct rota_json *json, uint64_t ns); /* with three decimals */
void rota__json_string(struct rota_json *json, const char *text);  /* quoted and escaped */
void rota__json_hex(struct rota_json *json, uint64_t number);      /* quoted: "0x12" */

#endif
