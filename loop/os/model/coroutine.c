/* Coroutines, by the context functions of the C library: the one file of the model that needs more of the machine than
 * memory. Where there are none, rota__model_coroutine may return null: threads cannot be made then, and the loop does
 * the pool's jobs itself. */
#include <stdlib.h>
#include <ucontext.h>

#include "loop/os/model/model.h"

enum { STACK_SIZE = 256 * 1024 };

struct rota_model_coroutine {
  ucontext_t context;
  char stack[];
};

struct rota_model_coroutine *rota__model_coroutine(void (*begin)(void)) {
  struct rota_model_coroutine *coroutine = malloc(sizeof *coroutine + (begin == NULL ? 0 : STACK_SIZE));
  if (coroutine == NULL)
    return NULL;
  getcontext(&coroutine->context);
  if (begin == NULL)
    return coroutine;
  coroutine->context.uc_stack.ss_sp = coroutine->stack;
  coroutine->context.uc_stack.ss_size = STACK_SIZE;
  makecontext(&coroutine->context, begin, 0);
  return coroutine;
}

void rota__model_coroutine_switch(struct rota_model_coroutine *from, struct rota_model_coroutine *to) {
  swapcontext(&from->context, &to->context);
}

void rota__model_coroutine_free(struct rota_model_coroutine *coroutine) {
  free(coroutine);
}
