/* Large memory of a thread that most threads never use. A _Thread_local array would be zeroed, and so touched, when any
 * thread starts: the engine's, the pool's, the main thread of a program that prints a line. */
#ifndef JS_THREAD_MEMORY_H
#define JS_THREAD_MEMORY_H

#include <stddef.h>

/* *place, a _Thread_local pointer, or new zeroed memory of that size, which it then is. It is freed when the thread
 * ends. NULL: there is no memory. */
void *js_thread_memory(void **place, size_t size);

#endif
