/* A program with a libuv of a few functions, with special properties that are chosen when it is compiled. It prints the
 * result of uv_version: 1.52 if it was grafted, and its own version if not. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef VERSION
#define VERSION 0x012c00 /* 1.44.0 */
#endif
#define SHOWN __attribute__((visibility("default"), noinline, noclone))

/* Long enough for no stub. */
#ifdef STUB
SHOWN int uv_run(void *loop, int mode) {
  (void)loop;
  return mode;
}
#else
SHOWN int uv_run(void *loop, int mode) {
  char text[64];
  snprintf(text, sizeof text, "%p %d", loop, mode);
  for (size_t i = 0; i < sizeof text; i++)
    mode += text[i] * (mode ^ 5) + (text[i] << 3);
  return mode;
}
#endif

SHOWN int uv_loop_init(void *loop) {
  return loop == NULL ? -1 : 0;
}

SHOWN void *uv_default_loop(void) {
  return NULL;
}

SHOWN unsigned int uv_version(void) {
  return VERSION;
}

SHOWN int uv_fs_open(void) {
  return -1;
}

#ifdef UNKNOWN
SHOWN int uv_brand_new(void) {
  return 1;
}
#endif

#ifdef FOLDED /* two names for one function, as some linkers make them */
SHOWN void *uv_handle_get_data(void *handle) {
  return *(void **)handle;
}
extern __attribute__((visibility("default"), alias("uv_handle_get_data"))) void *uv_handle_get_loop(void *handle);
#endif

/* Shorter than a jump: with room after it, and without. */
#ifdef SHORT
__asm__(".text\n.p2align 4\n.globl uv_stop\n.type uv_stop, @function\nuv_stop:\nret\n.size uv_stop, 1\n.p2align 4\n");
#endif
#ifdef TIGHT
__asm__(".text\n.p2align 4\n.globl uv_stop\n.type uv_stop, @function\nuv_stop:\nret\n.size uv_stop, 1\n"
        ".globl uv_ref\n.type uv_ref, @function\nuv_ref:\nret\n.size uv_ref, 1\n.p2align 4\n");
#endif

#ifdef LIBRARY
#ifdef EARLY /* what a library does that makes its loop in a constructor */
__attribute__((constructor)) static void make_loop(void) {
  epoll_create1(EPOLL_CLOEXEC);
}
#endif
#else
int main(void) {
  unsigned int (*volatile version)(void) = uv_version;
  unsigned char first[4];
  memcpy(first, (void *)version, sizeof first);
  printf("%u.%u %s\n", version() >> 16, version() >> 8 & 0xff,
         memcmp(first, "\xf3\x0f\x1e\xfa", 4) == 0 ? "endbr64" : "no endbr64");
  return 0;
}
#endif
