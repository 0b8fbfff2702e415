/* For loops that wait for another thread, briefly. */
#ifndef ROTA_BASE_SPIN_H
#define ROTA_BASE_SPIN_H

static inline void rota__spin_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ volatile("yield");
#endif
}

#endif
