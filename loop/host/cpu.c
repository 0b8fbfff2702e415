/* Processors: what they are, and how many of them a program should use. */
#include "loop/base/alloc.h"
#include "loop/os/host.h"
#include "loop/os/thread.h"
#include "uv.h"

int uv_cpumask_size(void) {
  return rota__os_cpu_mask_size();
}

unsigned int uv_available_parallelism(void) {
  int count = rota__os_allowed_cpus();
  if (count < 1) /* refused: more processors than a mask has bits, or a sandbox */
    count = rota__os_online_cpus();
  double quota;
  if (rota__os_cpu_quota(&quota) && quota < count)
    count = (int)quota;
  return count < 1 ? 1 : (unsigned int)count;
}

int uv_cpu_info(uv_cpu_info_t **cpu_infos, int *count) {
  *cpu_infos = NULL;
  *count = 0;
  return rota__os_processors(cpu_infos, count);
}

void uv_free_cpu_info(uv_cpu_info_t *cpu_infos, int count) {
  for (int i = 0; i < count; i++)
    rota__free((char *)cpu_infos[i].model);
  rota__free(cpu_infos);
}
