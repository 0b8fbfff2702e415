/* Internet addresses and their text. */
#include "test.h"

TEST(address_ipv4) {
  struct sockaddr_in address;
  char text[INET_ADDRSTRLEN];
  CHECK_EQ(uv_ip4_addr("192.168.0.1", 8080, &address), 0);
  CHECK_EQ(address.sin_family, AF_INET);
  CHECK_EQ(ntohs(address.sin_port), 8080);
  CHECK_EQ(uv_ip4_name(&address, text, sizeof(text)), 0);
  CHECK_STR(text, "192.168.0.1");
  CHECK_EQ(uv_ip_name((struct sockaddr *)&address, text, sizeof(text)), 0);
  CHECK_STR(text, "192.168.0.1");

  static const char *const bad[] = {"255.255.255*000", "255.255.255.256", "2555.0.0.0", "255",     "",
                                    "01.2.3.4",        "1.2.3.4.5",       "1.2.3.",     "1.2.3.4 "};
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
    CHECK_EQ(uv_ip4_addr(bad[i], 1, &address), UV_EINVAL);
}

TEST(address_text_needs_room) {
  char text[16] = "as before";
  CHECK_EQ(uv_inet_ntop(AF_INET, "\xFF\xFF\xFF\xFF", text, sizeof(text) - 1), UV_ENOSPC);
  CHECK_EQ(uv_inet_ntop(AF_INET, "\xFF\xFF\xFF\xFF", text, sizeof(text)), 0);
  CHECK_STR(text, "255.255.255.255");
}

TEST(address_of_another_family) {
  struct sockaddr_storage address = {.ss_family = AF_UNIX};
  char text[64];
  CHECK_EQ(uv_ip_name((struct sockaddr *)&address, text, sizeof(text)), UV_EAFNOSUPPORT);
  CHECK_EQ(uv_inet_pton(42, "127.0.0.1", text), UV_EAFNOSUPPORT);
  CHECK_EQ(uv_inet_ntop(42, &address, text, sizeof(text)), UV_EAFNOSUPPORT);
  CHECK_EQ(uv_inet_pton(AF_INET, NULL, text), UV_EINVAL);
  CHECK_EQ(uv_inet_pton(AF_INET, "127.0.0.1", NULL), UV_EINVAL);
}

TEST(address_ipv6) {
  static const char *const good[] = {"::",
                                     "::1",
                                     "fe80::1",
                                     "fe80::2acf:daff:fedd:342a",
                                     "fe80:0:0:0:2acf:daff:1.2.3.4",
                                     "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255"};
  static const char *const bad[] = {":::1",
                                    "abcde::1",
                                    "fe80:0:0:0:2acf:daff:fedd:342a:5678",
                                    "fe80:0:0:0:2acf:daff:abcd:1.2.3.4",
                                    "fe80:0:0:2acf:daff:1.2.3.4.5",
                                    "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255.255"};
  static const char *const zones[] = {"", "%en1", "%%%%", "%en1:1.2.3.4"};
  struct in6_addr address;
  char text[128];
  for (size_t zone = 0; zone < 4; zone++) {
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
      snprintf(text, sizeof(text), "%s%s", good[i], zones[zone]);
      CHECK_EQ(uv_inet_pton(AF_INET6, text, &address), 0);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
      snprintf(text, sizeof(text), "%s%s", bad[i], zones[zone]);
      CHECK_EQ(uv_inet_pton(AF_INET6, text, &address), UV_EINVAL);
    }
  }
}

TEST(address_ipv6_text) {
  static const char *const pairs[][2] = {{"0:0:0:0:0:0:0:1", "::1"},           {"::0102:0304", "::1.2.3.4"},
                                         {"::ffff:1.2.3.4", "::ffff:1.2.3.4"}, {"1:0:2::", "1:0:2::"},
                                         {"1:0:0:2:0:0:0:3", "1:0:0:2::3"},    {"1:2:3:4:5:6:0:8", "1:2:3:4:5:6:0:8"},
                                         {"FE80::ABCD", "fe80::abcd"}};
  for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
    struct sockaddr_in6 address;
    char text[INET6_ADDRSTRLEN];
    CHECK_EQ(uv_ip6_addr(pairs[i][0], 0, &address), 0);
    CHECK_EQ(uv_ip_name((struct sockaddr *)&address, text, sizeof(text)), 0);
    CHECK_STR(text, pairs[i][1]);
  }
}
