/* The tests of test/uv on Windows: lists them, or runs one, in this process. tools/test-windows runs all, each in a
 * process and a folder of its own. */
#include "runner.h"

int test_count_descriptors(void) {
  DWORD count = 0;
  CHECK(GetProcessHandleCount(GetCurrentProcess(), &count));
  return (int)count;
}

int main(int argc, char **argv) {
  static char path[4096];
  int status;
  if (GetModuleFileNameA(NULL, path, sizeof(path)) == 0)
    return 2;
  test_set_program(path);
  if (test_was_asked_for_one(argc, argv, &status))
    return status;
  test_list(argv + 1, argc - 1);
  return 0;
}
