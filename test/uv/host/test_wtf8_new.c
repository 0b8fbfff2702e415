/* UTF-16 to WTF-8 and back. */
#include "test.h"

/* One to four bytes, a pair, surrogates alone in every place. */
static const uint16_t sample[] = {'a',    0x7F,   0x80,   0x7FF,  0x800,  0xD83D, 0xDCA9, 0xD800, 'b',
                                  0xDC00, 0xD800, 0xD800, 0xDC00, 0xFFFF, 0xDBFF, 0xDFFF, 0xD83D, 0};
static const char sample_wtf8[] = "a\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xF0\x9F\x92\xA9\xED\xA0\x80"
                                  "b\xED\xB0\x80\xED\xA0\x80\xF0\x90\x80\x80\xEF\xBF\xBF\xF4\x8F\xBF\xBF\xED\xA0\xBD";
enum { SAMPLE_UNITS = sizeof(sample) / sizeof(sample[0]) - 1, SAMPLE_BYTES = sizeof(sample_wtf8) - 1 };

TEST(wtf8_from_utf16) {
  CHECK_EQ(uv_utf16_length_as_wtf8(sample, -1), SAMPLE_BYTES);
  CHECK_EQ(uv_utf16_length_as_wtf8(sample, SAMPLE_UNITS), SAMPLE_BYTES);
  CHECK_EQ(uv_utf16_length_as_wtf8(sample, 0), 0);

  size_t length = 0;
  CHECK_EQ(uv_utf16_to_wtf8(sample, -1, NULL, &length), 0);
  CHECK_EQ(length, SAMPLE_BYTES);

  char *text = NULL;
  length = 0;
  CHECK_EQ(uv_utf16_to_wtf8(sample, -1, &text, &length), 0);
  CHECK_EQ(length, SAMPLE_BYTES);
  CHECK_STR(text, sample_wtf8);
  free(text);

  text = NULL;
  CHECK_EQ(uv_utf16_to_wtf8(sample, -1, &text, NULL), 0);
  CHECK_STR(text, sample_wtf8);
  free(text);
}

TEST(wtf8_with_a_zero_inside) {
  static const uint16_t units[] = {'a', 0, 'b'};
  char buffer[8];
  char *text = buffer;
  size_t length = 7;
  CHECK_EQ(uv_utf16_to_wtf8(units, 3, &text, &length), 0);
  CHECK_EQ(length, 3);
  CHECK(memcmp(buffer, "a\0b", 4) == 0);
}

TEST(wtf8_into_every_room) {
  for (size_t room = 0; room <= SAMPLE_BYTES; room++) {
    char buffer[SAMPLE_BYTES + 2];
    char *text = buffer;
    size_t length = room;
    memset(buffer, '#', sizeof(buffer));
    int err = uv_utf16_to_wtf8(sample, SAMPLE_UNITS, &text, &length);
    CHECK_EQ(err, room == SAMPLE_BYTES ? 0 : UV_ENOBUFS);
    CHECK_EQ(length, SAMPLE_BYTES);
    CHECK_EQ(buffer[room + 1], '#');
    CHECK(strlen(buffer) <= room);
    CHECK(memcmp(buffer, sample_wtf8, strlen(buffer)) == 0);
  }
}

TEST(wtf8_to_utf16) {
  uint16_t units[SAMPLE_UNITS + 1];
  CHECK_EQ(uv_wtf8_length_as_utf16(sample_wtf8), SAMPLE_UNITS + 1);
  uv_wtf8_to_utf16(sample_wtf8, units, SAMPLE_UNITS + 1);
  CHECK(memcmp(units, sample, sizeof(units)) == 0);
  CHECK_EQ(uv_wtf8_length_as_utf16(""), 1);
  uv_wtf8_to_utf16("", units, 1);
  CHECK_EQ(units[0], 0);
}

TEST(wtf8_that_is_none) {
  static const char *const bad[] = {"\xFF",
                                    "\x80",
                                    "a\xC0\x80",
                                    "\xC3",
                                    "\xE0\x80\x80",
                                    "\xE2\x82",
                                    "\xE2(\xA1",
                                    "\xF0\x90",
                                    "\xF0\x8F\xBF\xBF",
                                    "\xF4\x90\x80\x80",
                                    "\xF8\x88\x80",
                                    "\xE2\x82\xC0"};
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
    CHECK_EQ(uv_wtf8_length_as_utf16(bad[i]), UV_EINVAL);
}
