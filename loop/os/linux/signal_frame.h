/* Stacks that go through the handler of a signal.
 *
 * Between a handler and what it interrupted stands the frame that the kernel made. An unwinder must know where that
 * frame has the registers. glibc's code that ends a handler has a table of that; musl's has none, and on x86 LLVM's
 * unwinder does not recognize the frame by itself: the stack would end there. So a handler that looks at its own stack
 * gets an end with a table. */
#ifndef ROTA_OS_LINUX_SIGNAL_FRAME_H
#define ROTA_OS_LINUX_SIGNAL_FRAME_H

/* For a signal whose handler, with SA_SIGINFO, is installed already. Where nothing needs to be done, nothing is. */
void rota__os_signal_frame_describe(int signum);

#endif
