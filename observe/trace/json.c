#include "observe/trace/writer.h"

static const char pairs[201] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748"
    "4950515253545556575859606162636465666768697071727374757677787980818283848586878889909192939495969798"
    "99";

void rota__json_number(struct rota_json *json, uint64_t number) {
  char digits[20];
  size_t at = sizeof(digits);
  while (number >= 100) {
    at -= 2;
    memcpy(digits + at, pairs + number % 100 * 2, 2);
    number /= 100;
  }
  if (number >= 10) {
    at -= 2;
    memcpy(digits + at, pairs + number * 2, 2);
  } else {
    digits[--at] = (char)('0' + number);
  }
  rota__json_put(json, digits + at, sizeof(digits) - at);
}

void rota__json_signed(struct rota_json *json, int64_t number) {
  if (number < 0)
    rota__json_literal(json, "-");
  rota__json_number(json, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

void rota__json_microseconds(struct rota_json *json, uint64_t ns) {
  uint64_t rest = ns % 1000;
  char decimals[4] = {'.', (char)('0' + rest / 100), (char)('0' + rest / 10 % 10), (char)('0' + rest % 10)};
  rota__json_number(json, ns / 1000);
  rota__json_put(json, decimals, sizeof(decimals));
}

/* Bytes that are not ASCII are copied: names are usually UTF-8. Long strings are cut between two characters. */
void rota__json_string(struct rota_json *json, const char *text) {
  static const char hex[] = "0123456789abcdef";
  size_t length = strnlen(text, ROTA_JSON_STRING_MAX);
  while (text[length] != '\0' && length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80)
    length--;
  rota__json_literal(json, "\"");
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c == '"' || c == '\\') {
      char escaped[2] = {'\\', (char)c};
      rota__json_put(json, escaped, 2);
    } else if (c < 0x20) {
      char escaped[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
      rota__json_put(json, escaped, 6);
    } else {
      rota__json_put(json, (const char *)&c, 1);
    }
  }
  rota__json_literal(json, "\"");
}

void rota__json_hex(struct rota_json *json, uint64_t number) {
  static const char hex[] = "0123456789abcdef";
  char digits[16];
  size_t at = sizeof(digits);
  do {
    digits[--at] = hex[number & 15];
    number >>= 4;
  } while (number != 0);
  rota__json_literal(json, "\"0x");
  rota__json_put(json, digits + at, sizeof(digits) - at);
  rota__json_literal(json, "\"");
}
