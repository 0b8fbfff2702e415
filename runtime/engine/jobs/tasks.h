/* The engine's own deferred tasks on its thread: the end of a WebAssembly compilation, callbacks of a
 * FinalizationRegistry, sweeping of free memory.
 *
 * Debian's engine hands such tasks to the main context of GLib that its thread had when the engine was made. The loop
 * does not run that context; these functions do so in small steps. */
#ifndef JS_ENGINE_TASKS_H
#define JS_ENGINE_TASKS_H

#include <stdbool.h>

/* Called in each thread before it makes its engine: else its tasks could not be reached. -> 0, or UV_EMFILE: GLib ends
 * the process when it gets no descriptor for its context, so a worker does not ask it while there are too few. */
int js_tasks_own(bool is_worker);
/* A descriptor that can be read when tasks have come, or times of tasks have changed. */
int js_tasks_descriptor(void);
/* Does what is due. -> milliseconds until something else is, or -1. JavaScript may have run. */
int js_tasks_run(void);

#endif
