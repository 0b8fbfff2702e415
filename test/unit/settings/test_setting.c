/* Values of settings: what is taken, and what is refused. */
#include <string.h>

#include "settings/setting.h"
#include "test.h"

static bool takes(enum rota_setting setting, const char *text, unsigned long long wanted) {
  unsigned long long number = 0;
  return rota__setting_read_number(setting, text, &number) && number == wanted;
}

static bool refuses(enum rota_setting setting, const char *text) {
  unsigned long long number;
  return !rota__setting_read_number(setting, text, &number);
}

TEST(setting_numbers_are_digits_in_a_range) {
  static const char *const wrong[] = {
      "", "0", "-1", "+1", " 1", "1 ", "1x", "0x10", "1e3", "10001", "18446744073709551617"};
  CHECK(takes(ROTA_SETTING_SAMPLES, "1", 1) && takes(ROTA_SETTING_SAMPLES, "10000", 10000));
  CHECK(takes(ROTA_SETTING_WATCHDOG, "086400000", 86400000));
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
    CHECK(refuses(ROTA_SETTING_SAMPLES, wrong[i]));
}

TEST(setting_seed_is_any_number_of_64_bits) {
  CHECK(takes(ROTA_SETTING_SCHEDULE_SEED, "0", 0));
  CHECK(takes(ROTA_SETTING_SCHEDULE_SEED, "18446744073709551615", ~0ull));
  CHECK(refuses(ROTA_SETTING_SCHEDULE_SEED, "18446744073709551616"));
  CHECK(refuses(ROTA_SETTING_SCHEDULE_SEED, "seven"));
}

TEST(setting_words_are_those_of_the_table) {
  unsigned int bits;
  CHECK(rota__setting_read_words(ROTA_SETTING_SCHEDULE_WITHOUT, "late,read", &bits));
  CHECK_EQ(bits, 1u << ROTA_CHOICE_LATE | 1u << ROTA_CHOICE_READ);
  CHECK(rota__setting_read_words(ROTA_SETTING_SCHEDULE_FAULTS, "disk,net", &bits));
  CHECK_EQ(bits, 1u << ROTA_GROUP_DISK | 1u << ROTA_GROUP_NET);
  CHECK(rota__setting_read_words(ROTA_SETTING_SCHEDULE_FAULTS, "all", &bits));
  CHECK_EQ(bits, (1u << ROTA_GROUP_COUNT) - 1);
  CHECK(!rota__setting_read_words(ROTA_SETTING_SCHEDULE_WITHOUT, "all", &bits));
  CHECK(!rota__setting_read_words(ROTA_SETTING_SCHEDULE_WITHOUT, "lat", &bits));
  CHECK(!rota__setting_read_words(ROTA_SETTING_SCHEDULE_WITHOUT, "late,,read", &bits));
}

static const char *nearest_of(const char *word) {
  static const char *const names[] = {"trace", "stats", "watch", "--samples", "--black-box"};
  struct rota_nearest nearest = rota__nearest_begin(word);
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    rota__nearest_offer(&nearest, names[i]);
  return nearest.best != NULL ? nearest.best : "";
}

TEST(setting_misspelt_word_has_a_nearest_name) {
  CHECK(strcmp(nearest_of("trcae"), "trace") == 0);
  CHECK(strcmp(nearest_of("stat"), "stats") == 0);
  CHECK(strcmp(nearest_of("--smaples=5"), "--samples") == 0);
  CHECK(strcmp(nearest_of("--blackbox"), "--black-box") == 0);
  CHECK(strcmp(nearest_of("nothing"), "") == 0);
  CHECK(strcmp(nearest_of(""), "") == 0);
  CHECK(strcmp(nearest_of("a word that is longer than any name of an option could be"), "") == 0);
}
