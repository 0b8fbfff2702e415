/* What the scenarios and the program that makes calls fail share. */
#ifndef ROTA_TEST_FAULT_H
#define ROTA_TEST_FAULT_H

#include <dlfcn.h>
#include <uv.h>

/* A scenario starts its work on the loop and returns, or returns the error that kept it from starting. It reports later
 * errors with trouble(): the first error counts, and ends the scenario by closing every handle. */
struct scenario {
  const char *name;
  int (*start)(uv_loop_t *loop);
  int (*finished)(void); /* was everything done that should be done? */
};

extern const struct scenario scenarios[]; /* ends with a null name */

void trouble(uv_loop_t *loop, int error);

/* The library that is loaded first (inject.c): the nth of the system calls that can fail in this way fails, once. */
enum fault_kind { FAULT_NONE, FAULT_NO_ROOM, FAULT_INTERRUPTED, FAULT_AGAIN };
typedef void (*fault_arm_function)(enum fault_kind kind, int n);
typedef int (*fault_count_function)(void); /* how many there were so far */
typedef const char *(*fault_name_function)(void);

/* One of its functions; null: it is not loaded. */
#ifdef FAULT_LINKED
void fault_arm(enum fault_kind kind, int n);
int fault_count(void);
const char *fault_name(void);
#define FAULT_FUNCTION(name) ((void *)name)
#else
#define FAULT_FUNCTION(name) dlsym(RTLD_DEFAULT, #name)
#endif

#endif
