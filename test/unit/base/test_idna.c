/* Host names in ASCII. The encoded labels are those of RFC 3492, section 7.1, and of UTS 46. */
#include "test.h"

#include "loop/base/text.h"

static ssize_t convert(const char *name, char *buffer, size_t size) {
  return rota__idna_to_ascii(name, name + strlen(name), buffer, buffer + size);
}

TEST(idna_names) {
  static const char *const pairs[][2] = {
      {".", "."},
      {".com", ".com"},
      {"example", "example"},
      {"example-", "example-"},
      {"example.com.", "example.com."},
      {"-> $1.00 <-", "-> $1.00 <-"},
      {"straße.de", "xn--strae-oqa.de"},
      {"mañana.com", "xn--maana-pta.com"},
      {"mañana。com", "xn--maana-pta.com"},
      {"mañana．com", "xn--maana-pta.com"},
      {"mañana｡com", "xn--maana-pta.com"},
      {"café.café.com", "xn--caf-dma.xn--caf-dma.com"},
      {"☃-⌘.com", "xn----dqo34k.com"},
      {"💩.la", "xn--ls8h.la"},
      {"ü", "xn--tda"},
      {".ü", ".xn--tda"},
      {"ü.ü.", "xn--tda.xn--tda."},
      {"他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"},
      {"ليهمابتكلموشعربي؟", "xn--egbpdaj6bu4bxfgehfvwxn"},
      {"なぜみんな日本語を話してくれないのか", "xn--n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa"},
      {"세계의모든사람들이한국어를이해한다면얼마나좋을까",
       "xn--989aomsvi5e83db1d2a355cv1e0vak1dwrv93d5xbh15a0dt30a5jpsd879ccm6fea98c"},
      {"почемужеонинеговорятпорусски", "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l"},
      {"TạisaohọkhôngthểchỉnóitiếngViệt", "xn--TisaohkhngthchnitingVit-kjcr8268qyxafd2f1b9g"},
      {"3年B組金八先生", "xn--3B-ww4c5e180e575a65lsy2b"},
      {"安室奈美恵-with-SUPER-MONKEYS", "xn---with-SUPER-MONKEYS-pc58ag80a8qai00g7n9n"},
      {"βόλος.com", "xn--nxasmm1c.com"},
      {"نامه‌ای.com", "xn--mgba3gch31f060k.com"},
  };
  for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
    char once[256];
    char twice[256];
    CHECK_EQ(convert(pairs[i][0], once, sizeof(once)), strlen(pairs[i][1]) + 1);
    CHECK_STR(once, pairs[i][1]);
    CHECK_EQ(convert(once, twice, sizeof(twice)), strlen(once) + 1);
    CHECK_STR(twice, once);
  }
}

TEST(idna_names_that_are_none) {
  static const char *const bad[] = {
      "", "\xC0\x80\xC1\x80", "\xC0\x80\xC1\x80.com", "a\xED\xA0\x80.com", "\xF4\x90\x80\x80", "a\xE2\x82", "\xFE"};
  char buffer[64];
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
    CHECK_EQ(convert(bad[i], buffer, sizeof(buffer)), UV_EINVAL);
}

TEST(idna_into_every_room) {
  static const char expected[] = "xn--maana-pta.xn--tda.com";
  for (size_t room = 0; room <= sizeof(expected) + 1; room++) {
    char buffer[sizeof(expected) + 2];
    memset(buffer, '#', sizeof(buffer));
    ssize_t length = convert("mañana.ü.com", buffer, room);
    CHECK_EQ(length, room < sizeof(expected) ? UV_EINVAL : (ssize_t)sizeof(expected));
    CHECK_EQ(buffer[room], '#');
  }
}
