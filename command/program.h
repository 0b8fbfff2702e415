/* What kind of program a file is, before it is started: a script and its interpreter, a program with a libuv of its
 * own, one that loads libuv.so.1, or one that cannot run on librota, and why.
 *
 * Only files are read. The loader is asked, which does not start the program either. */
#ifndef ROTA_COMMAND_PROGRAM_H
#define ROTA_COMMAND_PROGRAM_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum program_way {
  WAY_GRAFT,  /* it has a libuv that librota-graft.so can replace */
  WAY_OWN,    /* it is made for librota */
  WAY_PATH,   /* it loads libuv.so.1, and will find ours */
  WAY_LATER,  /* it has no libuv now; it may load libuv.so.1 later, or start a program that has one */
  WAY_NOWHERE /* it cannot run on librota: `reason` says why */
};

enum { PROGRAM_CHAIN_MAX = 5, PROGRAM_REASON_SIZE = 2 * PATH_MAX, PROGRAM_LOADER_SIZE = 128 };

/* How something is to be started so that it runs on librota: what is built for its C library. */
struct program_paths {
  char library[PATH_MAX];    /* the directory of our libuv.so.1 */
  char graft[PATH_MAX];      /* librota-graft.so */
  char clock[PATH_MAX];      /* librota-clock.so */
  char other[PATH_MAX];      /* the directory for the other C library; empty: there is none */
  char search[2 * PATH_MAX]; /* what is put in front of LD_LIBRARY_PATH; empty: nothing */
};

/* elf.c: what its file says. */
struct program_elf {
  bool is_elf, is_native, is_damaged, has_loader, is_musl;
  bool is_ours;             /* it exports functions of rota.h */
  bool is_node;             /* it exports Node's own start */
  bool exports_loop;        /* uv_run or uv_default_loop */
  bool exports_whole_loop;  /* all that graft.c asks for, and more than stubs */
  bool has_hidden_loop;     /* it contains text of libuv's, though it exports nothing */
  unsigned int glibc_minor; /* the newest release of glibc 2 that it wants; 0: none is named */
  char loader[PROGRAM_LOADER_SIZE];
};

struct program {
  /* The program, and if it is a script its interpreter, whose own may follow. The last is what really runs. */
  char chain[PROGRAM_CHAIN_MAX][PATH_MAX];
  unsigned int chain_length;
  struct program_elf elf; /* what the last one's file says */
  enum program_way way;
  char found[PATH_MAX]; /* the libuv.so.1 that the loader would take; empty: none */
  bool loads_graft;     /* the loader takes librota-graft.so; known when it was asked */
  char reason[PROGRAM_REASON_SIZE];
};

/* As a shell would: a path, or a name that is looked for in PATH. */
bool program_find(const char *name, char path[PATH_MAX]);

/* Asks the loader what it would load, and fills in `found` and `loads_graft`. */
void program_ask_loader(struct program *program);

/* What really runs, and what its file says. If that cannot be known, `way` is WAY_NOWHERE. */
void program_look(struct program *program, const char *path);

/* It uses another C library than the libraries that are there. */
void program_lacks_libraries(struct program *program);

/* Decides the way. The environment is already the one that the program will have: the loader is asked with it. */
void program_judge(struct program *program, const struct program_paths *paths);

/* The directory of this program, with all links followed. */
bool program_own_directory(char directory[PATH_MAX]);

/* Our libraries for one C library. False: they are not there. */
bool program_find_libraries(struct program_paths *paths, bool for_musl);

static inline const char *program_file(const struct program *program) {
  return program->chain[program->chain_length - 1];
}

/* ---- elf.c ---- */

void program_elf_read(struct program_elf *elf, const unsigned char *file, size_t size);

/* False: it cannot be read, or is no file for this processor. */
bool program_elf_read_file(struct program_elf *elf, const char *path);

/* Slow for a large file: it is read whole. */
bool program_elf_contains_libuv(const unsigned char *file, size_t size);

#endif
