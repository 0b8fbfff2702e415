/* More bytes than one call can count are refused before anything happens. */
#include <fcntl.h>
#include <stdint.h>

#include "test.h"

static uv_buf_t huge = {.len = INT32_MAX};
static uv_buf_t large[2] = {{.len = 0x40000001}, {.len = 0x40000001}};

TEST(limits_of_file_writes) {
  uv_fs_t req;
  int fd = uv_fs_open(NULL, &req, "file", UV_FS_O_RDWR | UV_FS_O_CREAT, 0600, NULL);
  CHECK(fd >= 0);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(uv_fs_write(NULL, &req, fd, &huge, 1, 0, NULL), UV_EINVAL);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(uv_fs_write(NULL, &req, fd, large, 2, 0, NULL), UV_EINVAL);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(uv_fs_sendfile(NULL, &req, fd, fd, 0, INT32_MAX, NULL), UV_EINVAL);
  uv_fs_req_cleanup(&req);
  uv_fs_close(NULL, &req, fd, NULL);
  uv_fs_req_cleanup(&req);
}

TEST(limits_of_stream_and_datagram_writes) {
  uv_loop_t *loop = uv_default_loop();
  uv_tcp_t tcp;
  uv_udp_t udp;
  uv_write_t write_req;
  uv_udp_send_t send_req;
  struct sockaddr_in address;
  uv_buf_t *bufs[1] = {large};
  unsigned int nbufs[1] = {2};
  struct sockaddr *addresses[1] = {(struct sockaddr *)&address};
  CHECK_EQ(uv_ip4_addr("127.0.0.1", 9, &address), 0);
  CHECK_EQ(uv_tcp_init(loop, &tcp), 0);
  CHECK_EQ(uv_write(&write_req, (uv_stream_t *)&tcp, &huge, 1, NULL), UV_EINVAL);
  CHECK_EQ(uv_write(&write_req, (uv_stream_t *)&tcp, large, 2, NULL), UV_EINVAL);
  CHECK_EQ(uv_try_write((uv_stream_t *)&tcp, large, 2), UV_EINVAL);
  CHECK_EQ(uv_udp_init(loop, &udp), 0);
  CHECK_EQ(uv_udp_try_send(&udp, &huge, 1, addresses[0]), UV_EINVAL);
  CHECK_EQ(uv_udp_send(&send_req, &udp, large, 2, addresses[0], NULL), UV_EINVAL);
  CHECK_EQ(uv_udp_try_send2(&udp, 1, bufs, nbufs, addresses, 0), UV_EINVAL);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  test_close_default_loop();
}
