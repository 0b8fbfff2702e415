/* UDP: flags of descriptors. */
#include "test_net.h"

TEST(udp_open_makes_a_descriptor_that_does_not_block) {
  uv_udp_t udp;
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  CHECK_EQ(uv_udp_init(uv_default_loop(), &udp), 0);
  CHECK_EQ(uv_udp_open(&udp, fd), 0);
  CHECK(fcntl(fd, F_GETFL) & O_NONBLOCK);
  test_close_default_loop();
}
