/* Prints in which order a program calls its functions for the first time.
 *
 *     first_calls PROGRAM ARGUMENT... <addresses
 *
 * Standard input has the addresses of functions in PROGRAM's file, in hexadecimal, one in each line. Each gets a
 * breakpoint when the program raises SIGWINCH for the first time, and loses it when it is hit: so the program runs at
 * full speed, and a line is printed for each function once. A further SIGWINCH prints "mark". Threads are followed;
 * children are not, so the program must not start any. Ends with the program's exit code; 126: the system forbids to
 * trace.
 *
 * For x86-64 only: a breakpoint is one byte there, and the instruction pointer is behind it. */
#include <elf.h>
#include <inttypes.h>
#include <link.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FUNCTIONS_MAX = 20000, BREAKPOINT = 0xcc, CANNOT_TRACE = 126 };

static struct function {
  uint64_t address; /* in the file */
  long word;        /* what stood there */
} functions[FUNCTIONS_MAX];
static size_t count;
static uint64_t base; /* where the file's address 0 is in the process; 0 if the program has a fixed place */
static bool armed;

static int compare(const void *a, const void *b) {
  uint64_t first = ((const struct function *)a)->address, second = ((const struct function *)b)->address;
  return first < second ? -1 : first > second;
}

/* A function may have several names: its address is taken once. */
static void read_functions(void) {
  size_t all = 0;
  while (all < FUNCTIONS_MAX && scanf("%" SCNx64, &functions[all].address) == 1)
    all++;
  qsort(functions, all, sizeof *functions, compare);
  for (size_t i = 0; i < all; i++)
    if (count == 0 || functions[i].address != functions[count - 1].address)
      functions[count++].address = functions[i].address;
}

static struct function *function_at(uint64_t address) {
  struct function wanted = {address, 0};
  return bsearch(&wanted, functions, count, sizeof *functions, compare);
}

/* The first mapping of a program that can be anywhere is the file's begin. */
static void find_base(pid_t process, const char *program) {
  char name[64], line[512];
  FILE *file = fopen(program, "r");
  ElfW(Ehdr) head;
  if (file == NULL || fread(&head, sizeof head, 1, file) != 1)
    exit(2);
  fclose(file);
  if (head.e_type != ET_DYN)
    return;
  snprintf(name, sizeof name, "/proc/%d/maps", process);
  file = fopen(name, "r");
  if (file == NULL || fgets(line, sizeof line, file) == NULL)
    exit(2);
  fclose(file);
  base = strtoull(line, NULL, 16);
}

/* Breakpoints of neighbours may share a word, so the byte alone is changed. */
static void set_byte(pid_t thread, uint64_t address, long byte) {
  long word = ptrace(PTRACE_PEEKTEXT, thread, base + address, NULL);
  word = (word & ~0xffL) | byte;
  if (ptrace(PTRACE_POKETEXT, thread, base + address, word) != 0)
    exit(2);
}

static void arm(pid_t thread) {
  armed = true;
  for (size_t i = 0; i < count; i++) {
    functions[i].word = ptrace(PTRACE_PEEKTEXT, thread, base + functions[i].address, NULL);
    set_byte(thread, functions[i].address, BREAKPOINT);
  }
}

/* False: the trap is not one of ours. A second thread may have met the breakpoint before it was taken away. */
static bool hit(pid_t thread) {
  struct user_regs_struct registers;
  ptrace(PTRACE_GETREGS, thread, NULL, &registers);
  struct function *function = function_at(registers.rip - 1 - base);
  if (!armed || function == NULL)
    return false;
  if ((ptrace(PTRACE_PEEKTEXT, thread, registers.rip - 1, NULL) & 0xff) == BREAKPOINT) {
    set_byte(thread, function->address, function->word & 0xff);
    printf("%" PRIx64 "\n", function->address);
  }
  registers.rip--;
  ptrace(PTRACE_SETREGS, thread, NULL, &registers);
  return true;
}

/* Returns the signal that the thread shall get. */
static int stopped(pid_t thread, int status) {
  int signal = WSTOPSIG(status);
  if (status >> 16 != 0 || (signal == SIGSTOP && thread != 0))
    return 0; /* a thread begins */
  if (signal == SIGTRAP)
    return hit(thread) ? 0 : SIGTRAP;
  if (signal != SIGWINCH)
    return signal;
  if (armed)
    puts("mark");
  else
    arm(thread);
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  read_functions();
  pid_t child = fork();
  if (child == 0) {
    personality(ADDR_NO_RANDOMIZE);
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
      _exit(CANNOT_TRACE);
    execv(argv[1], argv + 1);
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
    return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
  find_base(child, argv[1]);
  ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL);
  ptrace(PTRACE_CONT, child, NULL, NULL);
  for (pid_t thread; (thread = waitpid(-1, &status, __WALL)) > 0;) {
    if (WIFSTOPPED(status))
      ptrace(PTRACE_CONT, thread, NULL, (void *)(intptr_t)stopped(thread, status));
    else if (thread == child)
      return fflush(stdout) != 0 ? 2 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  return 2;
}
