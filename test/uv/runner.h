/* What the runners of the tests share: the register of tests, and a run of one of them in this process. */
#ifndef ROTA_TEST_UV_RUNNER_H
#define ROTA_TEST_UV_RUNNER_H

#include <stdbool.h>

#include "test.h"

enum { TEST_SKIPPED = 77 }; /* the exit status of a test that has skipped itself */

extern struct test_entry *test_entries; /* by name */

/* Where this program is: an absolute path, which must stay. */
void test_set_program(const char *path);
/* Runs the test or the helper that the arguments name (--run, --helper), if they do, and gives the exit status. */
bool test_was_asked_for_one(int argc, char **argv, int *status);
/* Whether the name or the file of the test contains one of the filters, or there are none. Helpers are not wanted. */
bool test_is_wanted(const struct test_entry *entry, char **filters, int filter_count);
/* Prints name and file of those that are wanted. */
void test_list(char **filters, int filter_count);

#endif
