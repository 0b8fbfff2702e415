/* The licences of what the program is made of: the text that runtime/tools/notice wrote, for `rota --licenses`. */
#include "runtime/order/env.h"

#include <stdio.h>

#ifndef JS_NOTICE
#define JS_NOTICE "/dev/null" /* for checks of this file alone: the build names the real one */
#endif

__asm__(".section .rodata\n"
        "js_notice_begin:\n"
        ".incbin \"" JS_NOTICE "\"\n"
        "js_notice_end:\n"
        ".previous\n");
extern const char js_notice_begin[], js_notice_end[];

int js_notice_print(void) {
  size_t length = (size_t)(js_notice_end - js_notice_begin);
  return fwrite(js_notice_begin, 1, length, stdout) == length && fflush(stdout) == 0 ? 0 : 1;
}
