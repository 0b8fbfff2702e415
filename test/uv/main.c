/* Runs the registered tests, each in a process group, a session of output and a directory of its own.
 *
 * Invariant: at most `jobs` children exist; each is killed with its whole group when it ends or when its time is up,
 * before it is reaped, so the group's number cannot have been given to anybody else.
 * The runner itself uses nothing of the library: a broken loop must not break the report. */
#include "runner.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SHOWN_OUTPUT_MAX = 6000 };

struct job {
  struct test_entry *test;
  pid_t pid;
  int output_fd;
  double started_s;
  bool timed_out;
  char directory[PATH_MAX];
};

static int passed, failed, skipped;

int test_count_descriptors(void) {
  DIR *directory = opendir("/proc/self/fd");
  int count = 0;
  if (directory == NULL)
    test_fail(__FILE__, __LINE__, "/proc/self/fd cannot be read");
  while (readdir(directory) != NULL)
    count++;
  closedir(directory);
  return count - 3; /* ".", ".." and the directory itself */
}

static double now_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where) {
  (void)where;
  (void)status;
  if (kind == FTW_DNR && chmod(path, 0700) == 0)
    return 0; /* it could not be looked into: it can be now, in the second round */
  remove(path);
  return 0;
}

static void remove_tree(const char *path) {
  int round;
  for (round = 0; round < 2 && access(path, F_OK) == 0; round++)
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* A test runs in another directory, where a relative path of the libraries would lead nowhere. */
static void make_library_path_absolute(void) {
  const char *path = getenv("LD_LIBRARY_PATH");
  char all[8 * PATH_MAX] = "", one[PATH_MAX], copy[8 * PATH_MAX];
  char *part, *rest;
  if (path == NULL)
    return;
  snprintf(copy, sizeof copy, "%s", path);
  for (rest = copy; (part = strsep(&rest, ":")) != NULL;) {
    if (*part == '\0' || realpath(part, one) == NULL)
      continue;
    if (all[0] != '\0')
      strncat(all, ":", sizeof all - strlen(all) - 1);
    strncat(all, one, sizeof all - strlen(all) - 1);
  }
  setenv("LD_LIBRARY_PATH", all, 1);
}

static void become_test(const struct job *job) {
  sigset_t none;
  char *arguments[] = {(char *)test_program(), "--run", (char *)job->test->name, NULL};
  int null_fd = open("/dev/null", O_RDONLY);
  setpgid(0, 0);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  if (null_fd < 0 || dup2(null_fd, 0) < 0 || dup2(job->output_fd, 1) < 0 || dup2(job->output_fd, 2) < 0)
    _exit(2);
  if (null_fd > 2)
    close(null_fd);
  if (chdir(job->directory) != 0)
    _exit(2);
  execv(test_program(), arguments);
  _exit(2);
}

static void start_job(struct job *job, struct test_entry *test) {
  const char *base = getenv("TMPDIR");
  memset(job, 0, sizeof *job);
  job->test = test;
  snprintf(job->directory, sizeof job->directory, "%s/rota-test-XXXXXX", base != NULL ? base : "/tmp");
  if (mkdtemp(job->directory) == NULL) {
    perror(job->directory);
    exit(2);
  }
  job->output_fd = memfd_create("output of a test", MFD_CLOEXEC);
  if (job->output_fd < 0) {
    perror("the file for a test's output");
    exit(2);
  }
  fflush(NULL);
  job->started_s = now_s();
  job->pid = fork();
  if (job->pid < 0) {
    perror("fork");
    exit(2);
  }
  if (job->pid == 0)
    become_test(job);
  setpgid(job->pid, job->pid); /* both do it, since either may be first */
}

static void show_output(int fd) {
  char text[SHOWN_OUTPUT_MAX + 1];
  off_t length = lseek(fd, 0, SEEK_END);
  off_t start = length > SHOWN_OUTPUT_MAX ? length - SHOWN_OUTPUT_MAX : 0;
  ssize_t n = pread(fd, text, SHOWN_OUTPUT_MAX, start);
  char *line, *rest;
  if (n <= 0)
    return;
  text[n] = '\0';
  if (start > 0)
    printf("    ... (%lld bytes before)\n", (long long)start);
  for (rest = text; (line = strsep(&rest, "\n")) != NULL;)
    if (*line != '\0')
      printf("    %s\n", line);
}

static void end_job(struct job *job, double timeout_s) {
  int status;
  kill(-job->pid, SIGKILL); /* what it left behind; the test itself is not reaped yet */
  while (waitpid(job->pid, &status, 0) < 0 && errno == EINTR)
    ;
  if (!job->timed_out && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    passed++;
  } else if (!job->timed_out && WIFEXITED(status) && WEXITSTATUS(status) == TEST_SKIPPED) {
    skipped++;
    printf("  skipped: %s\n", job->test->name);
    show_output(job->output_fd);
  } else {
    failed++;
    if (job->timed_out)
      printf("  FAILED: %s: not done after %g s\n", job->test->name, timeout_s);
    else if (WIFSIGNALED(status))
      printf("  FAILED: %s: killed by %s\n", job->test->name, strsignal(WTERMSIG(status)));
    else
      printf("  FAILED: %s: exit status %d\n", job->test->name, WEXITSTATUS(status));
    show_output(job->output_fd);
  }
  fflush(stdout);
  close(job->output_fd);
  remove_tree(job->directory);
  job->pid = 0;
}

static bool has_ended(const struct job *job) {
  siginfo_t info;
  info.si_pid = 0;
  return waitid(P_PID, (id_t)job->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == job->pid;
}

static bool is_in_file(const char *path, const char *name) {
  char line[1000];
  size_t length = strlen(name);
  bool found = false;
  FILE *file = path != NULL ? fopen(path, "r") : NULL;
  if (file == NULL)
    return false;
  while (!found && fgets(line, sizeof line, file) != NULL)
    found = strncmp(line, name, length) == 0 && (line[length] == '\t' || line[length] == '\n');
  fclose(file);
  return found;
}

static int usage(void) {
  fprintf(stderr,
          "usage: runner [-j jobs] [-t seconds] [-x file of names to leave out] [-l] [part of a name or file]...\n"
          "  -l  lists the tests\n");
  return 2;
}

static int run_all(int job_count, double timeout_s, const char *left_out_path, char **filters, int filter_count) {
  struct job jobs[64];
  struct test_entry *next = test_entries;
  int i, running = 0, left_out = 0;
  sigset_t child_signal;
  const struct timespec pause = {0, 100 * 1000 * 1000};

  sigemptyset(&child_signal);
  sigaddset(&child_signal, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child_signal, NULL);
  memset(jobs, 0, sizeof jobs);
  while (next != NULL || running > 0) {
    for (i = 0; i < job_count; i++) {
      if (jobs[i].pid != 0 && !jobs[i].timed_out && now_s() - jobs[i].started_s > timeout_s) {
        jobs[i].timed_out = true;
        kill(-jobs[i].pid, SIGKILL);
      }
      if (jobs[i].pid != 0 && has_ended(&jobs[i])) {
        end_job(&jobs[i], timeout_s);
        running--;
      }
      for (; jobs[i].pid == 0 && next != NULL; next = next->next) {
        if (!test_is_wanted(next, filters, filter_count))
          continue;
        if (is_in_file(left_out_path, next->name)) {
          left_out++;
          continue;
        }
        start_job(&jobs[i], next);
        running++;
      }
    }
    if (running > 0)
      sigtimedwait(&child_signal, NULL, &pause);
  }
  if (left_out > 0)
    printf("  not run, because their difference is known: %d\n", left_out);
  printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
  return failed > 0;
}

int main(int argc, char **argv) {
  int option, job_count = 2 * (int)sysconf(_SC_NPROCESSORS_ONLN); /* most of them wait most of their time */
  double timeout_s = 60;
  const char *left_out_path = NULL;
  bool list = false;
  static char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);

  if (length < 0) {
    perror("/proc/self/exe");
    return 2;
  }
  path[length] = '\0';
  test_set_program(path);
  if (test_was_asked_for_one(argc, argv, &option))
    return option;

  while ((option = getopt(argc, argv, "j:t:x:l")) != -1) {
    if (option == 'j')
      job_count = atoi(optarg);
    else if (option == 't')
      timeout_s = atof(optarg);
    else if (option == 'x')
      left_out_path = optarg;
    else if (option == 'l')
      list = true;
    else
      return usage();
  }
  if (job_count < 1 || job_count > 64 || timeout_s <= 0)
    return usage();
  if (list) {
    test_list(argv + optind, argc - optind);
    return 0;
  }
  make_library_path_absolute();
  return run_all(job_count, timeout_s, left_out_path, argv + optind, argc - optind);
}
