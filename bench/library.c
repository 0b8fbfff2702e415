/* Which library do the benchmark programs run on here? Prints its version and where it was loaded from. */
#include <dlfcn.h>

#include "bench.h"
#include "uv.h"

int main(void) {
  Dl_info info = {0};
  void *function = dlsym(RTLD_DEFAULT, "uv_version_string");
  bench_must(function != NULL && dladdr(function, &info) != 0, "dladdr");
  printf("%s %s\n", uv_version_string(), info.dli_fname);
  return 0;
}
