/* The engine is known by the build id that the linker has put into its library: a version number stays the same when a
 * distribution builds the library anew with another compiler or patch.
 *
 * Answers of the probes are kept in a file of the user's cache directory whose name holds two build ids, the engine's
 * and ours: either may change what a probe finds. Such a file decides where this program writes in memory, so it is
 * used only if the file and its directory belong to the user, and no one else can write there. */
#include "runtime/engine/uses/build.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIGITS_MAX = 80, NOTE_BUILD_ID = 3 };

static const char library_name[] = "libjavascriptcoregtk-4.1.so.0";
static char engine_id[DIGITS_MAX + 1], own_id[DIGITS_MAX + 1];

/* ---- build ids ---- */

static void write_digits(const unsigned char *bytes, size_t count, char *text) {
  for (size_t i = 0; i < count && i < DIGITS_MAX / 2; i++)
    snprintf(text + i * 2, 3, "%02x", bytes[i]);
}

static void read_notes(const char *at, size_t size, char *text) {
  const char *end = at + size;
  while (at + sizeof(ElfW(Nhdr)) <= end) {
    const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)at;
    const char *name = at + sizeof *note;
    const char *bytes = name + ((note->n_namesz + 3u) & ~3u);
    if (note->n_type == NOTE_BUILD_ID && note->n_namesz == 4 && memcmp(name, "GNU", 4) == 0)
      write_digits((const unsigned char *)bytes, note->n_descsz, text);
    at = bytes + ((note->n_descsz + 3u) & ~3u);
  }
}

/* The program itself is the first that is told of, and has no name. */
static int on_object(struct dl_phdr_info *object, size_t size, void *data) {
  int *count = data;
  (void)size;
  bool is_program = (*count)++ == 0;
  if (!is_program && strstr(object->dlpi_name, library_name) == NULL)
    return 0;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    if (part->p_type == PT_NOTE)
      read_notes((const char *)(object->dlpi_addr + part->p_vaddr), part->p_memsz, is_program ? own_id : engine_id);
  }
  return !is_program;
}

static void find_ids(void) {
  static bool done;
  int count = 0;
  js_engine_library();
  if (!done)
    dl_iterate_phdr(on_object, &count);
  done = true;
}

const char *js_engine_build(void) {
  find_ids();
  return engine_id;
}

/* ---- the cache ---- */

static bool is_ours_alone(int fd, mode_t type) {
  struct stat status;
  return fstat(fd, &status) == 0 && (status.st_mode & S_IFMT) == type && status.st_uid == geteuid() &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Made if need be. -1: there is no place that can be trusted. */
static int open_directory(void) {
  char path[4096];
  const char *cache = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
  const struct passwd *user = home == NULL ? getpwuid(geteuid()) : NULL;
  bool given = cache != NULL && cache[0] == '/';
  if (user != NULL)
    home = user->pw_dir;
  if (!given && (home == NULL || home[0] != '/'))
    return -1;
  int length = snprintf(path, sizeof path, "%s%s", given ? cache : home, given ? "" : "/.cache");
  if (length < 0 || (size_t)length + sizeof "/rota" > sizeof path)
    return -1;
  mkdir(path, 0700);
  memcpy(path + length, "/rota", sizeof "/rota");
  mkdir(path, 0700);
  int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd >= 0 && !is_ours_alone(fd, S_IFDIR)) {
    close(fd);
    fd = -1;
  }
  return fd;
}

static bool file_name(char *name, size_t size) {
  find_ids();
  if (engine_id[0] == 0 || own_id[0] == 0)
    return false;
  int length = snprintf(name, size, "engine-%.40s-%.40s", engine_id, own_id);
  return length > 0 && (size_t)length < size;
}

bool js_answers_recall(uint64_t *answers) {
  char name[128], text[64] = "";
  int directory = file_name(name, sizeof name) ? open_directory() : -1;
  if (directory < 0)
    return false;
  int file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  unsigned long long found = 0;
  int used = 0;
  bool good = file >= 0 && is_ours_alone(file, S_IFREG) && read(file, text, sizeof text - 1) > 0 &&
              sscanf(text, "answers %llx\n%n", &found, &used) == 1 && used > 0;
  if (file >= 0)
    close(file);
  close(directory);
  *answers = found;
  return good;
}

/* Several processes may do this at once: each writes a file of its own, and the last name wins. */
void js_answers_remember(uint64_t answers) {
  char name[128], fresh[160], text[64];
  int directory = file_name(name, sizeof name) ? open_directory() : -1;
  if (directory < 0)
    return;
  snprintf(fresh, sizeof fresh, "%s.%d", name, (int)getpid());
  int length = snprintf(text, sizeof text, "answers %016llx\n", (unsigned long long)answers);
  unlinkat(directory, fresh, 0);
  int file = openat(directory, fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file >= 0) {
    bool good = write(file, text, (size_t)length) == length;
    if (close(file) != 0 || !good || renameat(directory, fresh, directory, name) != 0)
      unlinkat(directory, fresh, 0);
  }
  close(directory);
}

/* ---- slots of the library ---- */

struct search {
  const void *function;
  void **slot;
};

static int find(struct dl_phdr_info *library, size_t size, void *data) {
  (void)size;
  struct search *search = data;
  const ElfW(Dyn) *row = NULL;
  for (int i = 0; i < library->dlpi_phnum; i++)
    if (library->dlpi_phdr[i].p_type == PT_DYNAMIC)
      row = (const ElfW(Dyn) *)(library->dlpi_addr + library->dlpi_phdr[i].p_vaddr);
  const ElfW(Rela) *changes = NULL;
  size_t bytes = 0;
  for (; row != NULL && row->d_tag != DT_NULL; row++) {
    if (row->d_tag == DT_JMPREL && js_engine_has((const void *)row->d_un.d_ptr))
      changes = (const ElfW(Rela) *)row->d_un.d_ptr;
    else if (row->d_tag == DT_PLTRELSZ)
      bytes = row->d_un.d_val;
  }
  for (size_t i = 0; changes != NULL && i < bytes / sizeof *changes; i++) {
    void **slot = (void **)(library->dlpi_addr + changes[i].r_offset);
    if (*slot == search->function)
      search->slot = slot;
  }
  return changes != NULL;
}

void **js_slot_find(const void *function) {
  struct search search = {function, NULL};
  dl_iterate_phdr(find, &search);
  return search.slot;
}

bool js_slot_replace(void **slot, const void *from, const void *to) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)slot & ~(page - 1);
  if (*slot != from || mprotect((void *)begin, page, PROT_READ | PROT_WRITE) != 0)
    return false;
  __atomic_store_n(slot, (void *)(uintptr_t)to, __ATOMIC_RELEASE);
  mprotect((void *)begin, page, PROT_READ);
  return true;
}
