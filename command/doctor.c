/* rota doctor: tells how a program would be run on librota, or why it cannot be.
 *
 * What cannot be read from the files, the graft reports: the program is loaded with it and ends before main. */
#include "command/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ANSWER_SIZE = 4096 };

static const char *words_for(const struct program *program) {
  switch (program->way) {
  case WAY_GRAFT:
    return program->found[0] != 0 ? "it always loads its own libuv.so.1, whose functions are redirected"
                                  : "it has libuv linked in and exports it: its functions are redirected";
  case WAY_OWN:
    return "it runs on librota already";
  case WAY_PATH:
    return "it loads libuv.so.1; librota's is loaded instead";
  case WAY_LATER:
    return "it has no libuv; what it loads or starts later runs on librota, if that has one";
  case WAY_NOWHERE:
    break;
  }
  return program->reason;
}

/* The program is started with the graft, which reports what it could do, and ends the program before main. */
static int probe(const struct program *program, char answer[ANSWER_SIZE]) {
  int ends[2], status = 0;
  size_t length = 0;
  ssize_t got;
  if (pipe2(ends, O_CLOEXEC) != 0)
    return -1;
  pid_t child = fork();
  if (child == 0) {
    dup2(open("/dev/null", O_RDWR | O_CLOEXEC), STDIN_FILENO);
    dup2(ends[1], STDERR_FILENO);
    setenv(rota__settings[ROTA_SETTING_GRAFT].variable, "probe", 1);
    execl(program_file(program), program_file(program), (char *)NULL);
    _exit(COMMAND_NOT_STARTED);
  }
  close(ends[1]);
  while ((got = read(ends[0], answer + length, ANSWER_SIZE - 1 - length)) > 0)
    length += (size_t)got;
  answer[length] = 0;
  close(ends[0]);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Only when the loader has said that it takes the graft: else the program would run. */
static int tell_probe(struct program *program) {
  char answer[ANSWER_SIZE];
  enum program_way way = program->way;
  program_ask_loader(program);
  program->way = way;
  if (!program->loads_graft) {
    printf("  its loader refuses librota-graft.so, which may be built for another C library\n");
    return COMMAND_NOT_REACHED;
  }
  int code = probe(program, answer);
  fputs(answer, stdout);
  return code == 0 ? 0 : COMMAND_NOT_REACHED;
}

static void tell_backend(void) {
  char name[COMMAND_BACKEND_SIZE];
  if (command_library_backend(name))
    printf("  its loops will use %s\n", name);
}

int command_doctor(struct program *program, const struct program_paths *paths) {
  for (unsigned int i = 0; i + 1 < program->chain_length; i++)
    printf("%s: a script for %s\n", program->chain[i], program->chain[i + 1]);
  printf("%s: %s\n", program_file(program), words_for(program));
  if (program->way == WAY_NOWHERE)
    return COMMAND_NOT_REACHED;
  fflush(stdout);
  if (program->way == WAY_GRAFT && tell_probe(program) != 0)
    return COMMAND_NOT_REACHED;
  if (program->way != WAY_LATER)
    tell_backend();
  if (program->way != WAY_OWN)
    printf("  LD_PRELOAD=%s\n", paths->graft);
  if (program->way != WAY_OWN && paths->search[0] != 0)
    printf("  LD_LIBRARY_PATH=%s\n", paths->search);
  return 0;
}
