/* What becomes of the events of FSEvents (loop/os/darwin/fsevents.h): which of them are of the watched directory, under
 * which name, and what their flags mean. It needs no macOS. */
#include "test.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loop/os/darwin/fsevents.h"

/* All that waits, as a text: "+name" is a place, "~name" are contents, "." is the directory itself. */
static const char *all(struct rota_os_tree *tree) {
  static char text[1024];
  struct rota_os_change change;
  size_t length = 0;
  text[0] = '\0';
  while (rota__os_tree_first(tree, &change)) {
    CHECK(change.place != change.contents);
    length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%c%s", length == 0 ? "" : " ",
                               change.place ? '+' : '~', change.name == NULL ? "." : change.name);
    CHECK(length < sizeof(text));
    rota__os_tree_drop(tree);
  }
  return text;
}

static const char *told(struct rota_os_tree *tree, const char *path, uint32_t flags) {
  bool waits = rota__os_tree_tell(tree, path, flags);
  const char *text = all(tree);
  CHECK_EQ(waits, text[0] != '\0');
  return text;
}

TEST(tree_flags_are_place_and_contents) {
  static const struct {
    uint32_t flags;
    const char *told;
  } cases[] = {
      {ROTA_TREE_CREATED | ROTA_TREE_IS_FILE, "+f"},
      {ROTA_TREE_REMOVED | ROTA_TREE_IS_FILE, "+f"},
      {ROTA_TREE_RENAMED | ROTA_TREE_IS_DIRECTORY, "+f"},
      {ROTA_TREE_MOUNT, "+f"},
      {ROTA_TREE_UNMOUNT, "+f"},
      {ROTA_TREE_MODIFIED | ROTA_TREE_IS_FILE, "~f"},
      {ROTA_TREE_INODE_CHANGED, "~f"},
      {ROTA_TREE_FINDER_CHANGED, "~f"},
      {ROTA_TREE_OWNER_CHANGED, "~f"},
      {ROTA_TREE_ATTRIBUTE_CHANGED, "~f"},
      {ROTA_TREE_MODIFIED | ROTA_TREE_INODE_CHANGED, "~f"},
      {ROTA_TREE_CREATED | ROTA_TREE_MODIFIED, "+f ~f"},
      {ROTA_TREE_RENAMED | ROTA_TREE_OWNER_CHANGED, "+f ~f"},
      {ROTA_TREE_CREATED | ROTA_TREE_MODIFIED | ROTA_TREE_REMOVED, "+f"},
      {ROTA_TREE_HISTORY_DONE, ""},
      {ROTA_TREE_IS_FILE, ""},
      {0, ""},
  };
  struct rota_os_tree *tree = rota__os_tree_make("/a/b", false);
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
    CHECK_STR(told(tree, "/a/b/f", cases[i].flags), cases[i].told);
  rota__os_tree_free(tree);
}

TEST(tree_names_are_relative) {
  struct rota_os_tree *tree = rota__os_tree_make("/a/b/", true);
  CHECK_STR(told(tree, "/a/b/c", ROTA_TREE_CREATED), "+c");
  CHECK_STR(told(tree, "/a/b/c/", ROTA_TREE_CREATED), "+c");
  CHECK_STR(told(tree, "/a/b/c/d e/f", ROTA_TREE_MODIFIED), "~c/d e/f");
  /* The directory itself, what only begins like it, and what is elsewhere. */
  CHECK_STR(told(tree, "/a/b", ROTA_TREE_INODE_CHANGED), "");
  CHECK_STR(told(tree, "/a/b/", ROTA_TREE_REMOVED), "");
  CHECK_STR(told(tree, "/a/bc", ROTA_TREE_CREATED), "");
  CHECK_STR(told(tree, "/a/bc/d", ROTA_TREE_CREATED), "");
  CHECK_STR(told(tree, "/a", ROTA_TREE_CREATED), "");
  CHECK_STR(told(tree, "/x/b/c", ROTA_TREE_CREATED), "");
  CHECK_STR(told(tree, "", ROTA_TREE_CREATED), "");
  rota__os_tree_free(tree);
}

TEST(tree_of_the_root_of_files) {
  struct rota_os_tree *tree = rota__os_tree_make("/", false);
  CHECK_STR(told(tree, "/c", ROTA_TREE_CREATED), "+c");
  CHECK_STR(told(tree, "/c/d", ROTA_TREE_CREATED), "");
  CHECK_STR(told(tree, "/", ROTA_TREE_INODE_CHANGED), "");
  CHECK_STR(told(tree, "/", ROTA_TREE_MUST_SCAN), "+.");
  rota__os_tree_free(tree);
}

TEST(tree_without_what_is_below) {
  struct rota_os_tree *tree = rota__os_tree_make("/a/b", false);
  CHECK_STR(told(tree, "/a/b/c", ROTA_TREE_CREATED | ROTA_TREE_IS_DIRECTORY), "+c");
  CHECK_STR(told(tree, "/a/b/c/", ROTA_TREE_CREATED | ROTA_TREE_IS_DIRECTORY), "+c");
  CHECK_STR(told(tree, "/a/b/c/d", ROTA_TREE_CREATED), "");
  CHECK_STR(told(tree, "/a/b/c/d/", ROTA_TREE_MUST_SCAN), "");
  rota__os_tree_free(tree);
}

TEST(tree_events_that_the_system_lost) {
  struct rota_os_tree *tree = rota__os_tree_make("/a/b", true);
  /* The directory, and those that it is in: all of it may have changed. What was known before says less. */
  CHECK(rota__os_tree_tell(tree, "/a/b/x", ROTA_TREE_CREATED));
  CHECK_STR(told(tree, "/a/b/", ROTA_TREE_MUST_SCAN), "+.");
  CHECK_STR(told(tree, "/a", ROTA_TREE_MUST_SCAN), "+.");
  CHECK_STR(told(tree, "/", ROTA_TREE_MUST_SCAN), "+.");
  CHECK_STR(told(tree, "/a/b/c", ROTA_TREE_MUST_SCAN), "+c");
  CHECK_STR(told(tree, "/a/bb", ROTA_TREE_MUST_SCAN), "");
  CHECK_STR(told(tree, "/x", ROTA_TREE_MUST_SCAN), "");
  rota__os_tree_free(tree);
}

TEST(tree_queue_has_an_end) {
  struct rota_os_tree *tree = rota__os_tree_make("/a", true);
  char path[4096];
  for (int i = 0; i < 200000; i++) {
    snprintf(path, sizeof(path), "/a/file-%d", i);
    CHECK(rota__os_tree_tell(tree, path, ROTA_TREE_CREATED));
  }
  CHECK_STR(all(tree), "+.");
  /* A name that fits into no report. */
  memset(path, 'n', sizeof(path) - 1);
  memcpy(path, "/a/", 3);
  path[sizeof(path) - 1] = '\0';
  CHECK_STR(told(tree, path, ROTA_TREE_CREATED), "+.");
  CHECK_STR(told(tree, "/a/b", ROTA_TREE_CREATED), "+b");
  rota__os_tree_free(tree);
}

/* A change stays until it is dropped: a reader without room comes again. What comes meanwhile comes after it. */
TEST(tree_first_stays) {
  struct rota_os_tree *tree = rota__os_tree_make("/a", true);
  struct rota_os_change change;
  CHECK(!rota__os_tree_first(tree, &change));
  CHECK(rota__os_tree_tell(tree, "/a/b", ROTA_TREE_CREATED | ROTA_TREE_MODIFIED));
  CHECK(rota__os_tree_first(tree, &change));
  CHECK(rota__os_tree_tell(tree, "/a/c", ROTA_TREE_REMOVED));
  CHECK_STR(change.name, "b");
  CHECK_STR(all(tree), "+b ~b +c");
  rota__os_tree_free(tree);
}

enum { TOLD = 5000 };

static void *tell_many(void *argument) {
  char path[64];
  for (int i = 0; i < TOLD; i++) {
    snprintf(path, sizeof(path), "/a/%d", i);
    rota__os_tree_tell(argument, path, ROTA_TREE_CREATED);
  }
  return NULL;
}

TEST(tree_between_two_threads) {
  struct rota_os_tree *tree = rota__os_tree_make("/a", false);
  struct rota_os_change change;
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, tell_many, tree), 0);
  for (int i = 0; i < TOLD;) {
    if (!rota__os_tree_first(tree, &change)) {
      sched_yield();
      continue;
    }
    CHECK_EQ(strtol(change.name, NULL, 10), i);
    rota__os_tree_drop(tree);
    i++;
  }
  CHECK_EQ(pthread_join(thread, NULL), 0);
  CHECK(!rota__os_tree_first(tree, &change));
  rota__os_tree_free(tree);
}
