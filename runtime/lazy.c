/* Libraries that are loaded when one of their functions is first called (runtime/tools/lazy makes the functions).
 *
 * Each function jumps through a slot of its own. While the slot is empty, the jump leads here, with the function's
 * number on the stack. The arguments are saved while the real function is looked up; then it is entered as if it had
 * been called directly. */
#include "runtime/engine/uses/build.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#ifdef __x86_64__

extern void *js_lazy_slots[];
extern const char js_lazy_names[];     /* a byte for the library, then the name; 255 at the end */
extern const char js_lazy_libraries[]; /* one after the other; an empty one at the end */

enum { LIBRARIES_MAX = 32, ENGINE = 0, END = 255, DESCRIPTORS = 8 };

/* A program that has used up its descriptors does not know that it needs another one here. */
static void *load_beyond_limit(const char *name) {
  struct rlimit limit, more;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
    return NULL;
  more = limit;
  more.rlim_cur = limit.rlim_cur < limit.rlim_max - DESCRIPTORS ? limit.rlim_cur + DESCRIPTORS : limit.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &more) != 0)
    return NULL;
  void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  setrlimit(RLIMIT_NOFILE, &limit);
  return library;
}

static void *load(unsigned number) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static void *loaded[LIBRARIES_MAX];
  const char *name = js_lazy_libraries;
  for (unsigned i = 0; i < number; i++)
    name += strlen(name) + 1;
  pthread_mutex_lock(&lock);
  if (loaded[number] == NULL)
    loaded[number] = number == ENGINE ? js_engine_library() : dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (loaded[number] == NULL)
    loaded[number] = load_beyond_limit(name);
  void *library = loaded[number];
  pthread_mutex_unlock(&lock);
  if (library == NULL) {
    fprintf(stderr, "rota: %s\n", dlerror());
    _Exit(127);
  }
  return library;
}

/* From js_lazy_first only. */
__attribute__((used, visibility("hidden"))) void *js_lazy_find(unsigned index);
void *js_lazy_find(unsigned index) {
  const char *row = js_lazy_names;
  for (unsigned i = 0; i < index && (unsigned char)*row != END; i++)
    row += strlen(row + 1) + 2;
  void *library = load((unsigned char)*row), *function = dlsym(library, row + 1);
  if (function == NULL) {
    fprintf(stderr, "rota: %s\n", dlerror());
    _Exit(127);
  }
  __atomic_store_n(&js_lazy_slots[index], function, __ATOMIC_RELEASE);
  return function;
}

/* On the stack: the function's number, and where its caller goes on. Eight words of registers and eight vectors are
 * kept; with these the stack is aligned for a call. */
__asm__(".text\n"
        ".globl js_lazy_first\n"
        ".hidden js_lazy_first\n"
        ".type js_lazy_first, @function\n"
        "js_lazy_first:\n"
        "  .cfi_startproc\n"
        "  .cfi_def_cfa_offset 16\n"
        "  pushq %rax\n  pushq %rdi\n  pushq %rsi\n  pushq %rdx\n  pushq %rcx\n  pushq %r8\n  pushq %r9\n  pushq %r10\n"
        "  .cfi_def_cfa_offset 80\n"
        "  subq $128, %rsp\n"
        "  .cfi_def_cfa_offset 208\n"
        "  movups %xmm0, (%rsp)\n  movups %xmm1, 16(%rsp)\n  movups %xmm2, 32(%rsp)\n  movups %xmm3, 48(%rsp)\n"
        "  movups %xmm4, 64(%rsp)\n  movups %xmm5, 80(%rsp)\n  movups %xmm6, 96(%rsp)\n  movups %xmm7, 112(%rsp)\n"
        "  movl 192(%rsp), %edi\n"
        "  call js_lazy_find\n"
        "  movq %rax, %r11\n"
        "  movups (%rsp), %xmm0\n  movups 16(%rsp), %xmm1\n  movups 32(%rsp), %xmm2\n  movups 48(%rsp), %xmm3\n"
        "  movups 64(%rsp), %xmm4\n  movups 80(%rsp), %xmm5\n  movups 96(%rsp), %xmm6\n  movups 112(%rsp), %xmm7\n"
        "  addq $128, %rsp\n"
        "  .cfi_def_cfa_offset 80\n"
        "  popq %r10\n  popq %r9\n  popq %r8\n  popq %rcx\n  popq %rdx\n  popq %rsi\n  popq %rdi\n  popq %rax\n"
        "  .cfi_def_cfa_offset 16\n"
        "  addq $8, %rsp\n"
        "  .cfi_def_cfa_offset 8\n"
        "  jmp *%r11\n"
        "  .cfi_endproc\n"
        ".size js_lazy_first, . - js_lazy_first\n");

#endif
