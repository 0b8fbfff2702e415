/* The title of the process: that of its console; without one, what was set last, or the program's path. */
#include <string.h>
#include <wchar.h>

#include "loop/base/alloc.h"
#include "loop/base/text.h"
#include "loop/os/windows/convert.h"
#include "uv.h"

enum { LONGEST = 8192 };

static struct {
  SRWLOCK lock;
  char *text; /* null: neither set nor asked for yet */
} title = {.lock = SRWLOCK_INIT};

/* The arguments are not in memory that others read. */
char **uv_setup_args(int argc, char **argv) {
  (void)argc;
  return argv;
}

int uv_set_process_title(const char *new_title) {
  WCHAR *wide;
  char *copy;
  int err = rota__os_wide(new_title, &wide);
  if (err < 0)
    return err;
  if (wcslen(wide) >= LONGEST)
    wide[LONGEST - 1] = 0;
  err = rota__os_narrow(wide, -1, &copy);
  if (err == 0 && !SetConsoleTitleW(wide) && GetConsoleWindow() != NULL) {
    err = rota__os_last_error();
    rota__free(copy);
  }
  rota__free(wide);
  if (err < 0)
    return err;
  AcquireSRWLockExclusive(&title.lock);
  rota__free(title.text);
  title.text = copy;
  ReleaseSRWLockExclusive(&title.lock);
  return 0;
}

static int ask_console(void) {
  WCHAR wide[LONGEST];
  wide[0] = 0;
  DWORD length = GetConsoleTitleW(wide, LONGEST);
  if (length == 0) /* there is no console: the program's file says what it is */
    length = GetModuleFileNameW(NULL, wide, LONGEST);
  return rota__os_narrow(wide, (ssize_t)length, &title.text);
}

int uv_get_process_title(char *buffer, size_t size) {
  if (buffer == NULL || size == 0)
    return UV_EINVAL;
  AcquireSRWLockExclusive(&title.lock);
  int err = title.text == NULL ? ask_console() : 0;
  if (err == 0)
    err = rota__text_give(title.text, strlen(title.text), buffer, &size);
  ReleaseSRWLockExclusive(&title.lock);
  return err;
}
