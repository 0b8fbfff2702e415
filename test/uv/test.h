/* The harness of the tests that see the library as any program does: through uv.h alone.
 *
 *   TEST(timer_never_early) { ... CHECK_EQ(uv_timer_start(...), 0); ... }
 *
 * A test registers itself, runs in a process and an empty working directory of its own, and fails at the first check
 * that does not hold. Its output is shown only when it fails. A test that needs another process runs this program
 * again: HELPER(name) is such a program's main function, and is started with the arguments { test_program(),
 * "--helper", "name", ... }. */
#ifndef ROTA_TEST_UV_TEST_H
#define ROTA_TEST_UV_TEST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uv.h>

struct test_entry {
  const char *name;
  const char *file;
  void (*run)(void);
  int (*help)(int argc, char **argv); /* a helper rather than a test: argv[0] is the helper's name */
  struct test_entry *next;
};

void test_register(struct test_entry *entry);
void test_fail(const char *file, int line, const char *format, ...)
    __attribute__((noreturn, cold, format(printf, 3, 4)));
void test_skip(const char *reason) __attribute__((noreturn, cold));
const char *test_program(void); /* the absolute path of this program */
/* Closes every handle of the default loop, runs the callbacks, and checks that the loop can be closed. A test that used
 * the default loop ends with it, so that the leak checker finds nothing. */
void test_close_default_loop(void);
/* The number of descriptors that this process has open. */
int test_count_descriptors(void);

#define TEST(test_name)                                                                                                \
  static void test_name(void);                                                                                         \
  static struct test_entry test_name##_entry = {#test_name, __FILE__, test_name, NULL, NULL};                          \
  __attribute__((constructor)) static void test_name##_register(void) {                                                \
    test_register(&test_name##_entry);                                                                                 \
  }                                                                                                                    \
  static void test_name(void)

#define HELPER(helper_name)                                                                                            \
  static int helper_name(int argc, char **argv);                                                                       \
  static struct test_entry helper_name##_entry = {#helper_name, __FILE__, NULL, helper_name, NULL};                    \
  __attribute__((constructor)) static void helper_name##_register(void) {                                              \
    test_register(&helper_name##_entry);                                                                               \
  }                                                                                                                    \
  static int helper_name(int argc __attribute__((unused)), char **argv __attribute__((unused)))

#define SKIP(reason) test_skip(reason)

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition))                                                                                                  \
      test_fail(__FILE__, __LINE__, "%s", #condition);                                                                 \
  } while (0)

#define CHECK_EQ(left, right)                                                                                          \
  do {                                                                                                                 \
    long long test_left = (long long)(left);                                                                           \
    long long test_right = (long long)(right);                                                                         \
    if (test_left != test_right)                                                                                       \
      test_fail(__FILE__, __LINE__, "%s == %s: %lld, not %lld", #left, #right, test_left, test_right);                 \
  } while (0)

#define CHECK_STR(left, right)                                                                                         \
  do {                                                                                                                 \
    const char *test_left = (left);                                                                                    \
    const char *test_right = (right);                                                                                  \
    if (test_left == NULL || test_right == NULL || strcmp(test_left, test_right) != 0)                                 \
      test_fail(__FILE__, __LINE__, "%s == %s: \"%s\", not \"%s\"", #left, #right, test_left ? test_left : "(null)",   \
                test_right ? test_right : "(null)");                                                                   \
  } while (0)

#endif
