/* Source maps (inject/names/source_map.c), whole and damaged: what is found of a whole one is printed; of a hundred
 * thousand damaged ones, none may be read beyond its end (the test is built with address sanitizer). */
#include "inject/names/v8.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DAMAGED = 100000, URL_SIZE = 2048, LINES = 7, COLUMNS = 60 };

static const char whole[] = "{\"version\":3,\"sources\":[\"a.ts\",\"../b.ts\",\"/c/./d/../e.ts\"],"
                            "\"sourcesContent\":[\"a\\\"b\",null,{\"x\":[1,2]}],\"names\":[\"x\"],"
                            "\"mappings\":\"AAAA,SAASA;AACA,GCCA;;gBCDA;AASA\"}";

static uint32_t draw(void) {
  static uint32_t state = 7;
  state = state * 1664525 + 1013904223;
  return state >> 8;
}

static void put_url(const char *text, size_t length, char url[URL_SIZE]) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  int at = snprintf(url, URL_SIZE, "data:application/json;base64,");
  for (size_t i = 0; i < length; i += 3) {
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; k++)
      bits = bits << 8 | (i + k < length ? (unsigned char)text[i + k] : 0);
    for (int shift = 18; shift >= 0; shift -= 6)
      url[at++] = digits[bits >> shift & 63];
  }
  url[at] = 0;
}

static void look(const char *url, int say) {
  struct names_source_map *map = names_source_map_read(url, "/srv/app/x.ts");
  for (int line = -1; map != NULL && line < LINES; line++) {
    for (int column = 0; column < COLUMNS; column += 20) {
      char file[32];
      int found = line;
      if (names_source_map_find(map, &found, column, file, sizeof file) && say)
        printf("%d:%d %s:%d\n", line, column, file, found);
    }
  }
  names_source_map_free(map);
}

int main(void) {
  static const char letters[] = "\"\\[]{},:;AZgz9";
  char url[URL_SIZE], text[sizeof whole];
  put_url(whole, sizeof whole - 1, url);
  look(url, 1);
  for (int i = 0; i < DAMAGED; i++) {
    size_t length = sizeof whole - 1;
    memcpy(text, whole, sizeof whole);
    for (uint32_t n = draw() % 4; n < 4; n++) {
      uint32_t how = draw() % 3;
      if (how == 0)
        text[draw() % length] = (char)draw();
      else if (how == 1)
        text[draw() % length] = letters[draw() % (sizeof letters - 1)];
      else
        length = 1 + draw() % length;
    }
    put_url(text, length, url);
    look(url, 0);
  }
  return 0;
}
