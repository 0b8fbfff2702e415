/* The console as a terminal.
 *
 * Output is text in UTF-8, which the console gets in UTF-16. The console itself understands the sequences of VT100; one
 * that does not is helped (tty_screen.h). It is written at once: a console does not make a program wait for long.
 *
 * Input is in tty_input.h. */
#include "loop/net/windows/stream.h"

#include <io.h>
#include <string.h>

#include "loop/os/windows/convert.h"

enum { OUTPUT_UNITS = 2048 };

#ifndef ENABLE_VIRTUAL_TERMINAL_INPUT
#define ENABLE_VIRTUAL_TERMINAL_INPUT 0x0200
#endif
#ifndef ENABLE_VIRTUAL_TERMINAL_PROCESSING
#define ENABLE_VIRTUAL_TERMINAL_PROCESSING 0x0004
#endif

/* The mode of the console before a program changed it, for uv_tty_reset_mode, and the input that it belongs to. */
static SRWLOCK console_lock = SRWLOCK_INIT;
static HANDLE changed_console;
static DWORD mode_before;
static uv_tty_vtermstate_t vterm_state = UV_TTY_UNSUPPORTED;
static bool vterm_is_set;

static uv_tty_t *tty_of(uv_stream_t *stream) {
  return (uv_tty_t *)stream;
}

/* ---- output ---- */

/* How many of these bytes are whole characters. */
static size_t whole(const unsigned char *text, size_t length) {
  size_t back = 0;
  while (back < 3 && back < length && (text[length - 1 - back] & 0xC0) == 0x80)
    back++;
  if (back == length)
    return length;
  unsigned char lead = text[length - 1 - back];
  size_t needs = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  return needs > back + 1 ? length - 1 - back : length;
}

static bool console_understands(void) {
  AcquireSRWLockShared(&console_lock);
  bool understands = vterm_state == UV_TTY_SUPPORTED;
  ReleaseSRWLockShared(&console_lock);
  return understands;
}

static DWORD put_units(uv_tty_t *tty, const WCHAR *units, int count) {
  DWORD written;
  if (!console_understands())
    return rota__screen_write(&tty->tty.screen, tty->tty.handle, units, count);
  return WriteConsoleW(tty->tty.handle, units, (DWORD)count, &written, NULL) ? 0 : GetLastError();
}

static DWORD put(uv_tty_t *tty, const char *text, size_t length) {
  WCHAR units[OUTPUT_UNITS];
  while (length > 0) {
    size_t part = length < OUTPUT_UNITS ? length : whole((const unsigned char *)text, OUTPUT_UNITS);
    int count = MultiByteToWideChar(CP_UTF8, 0, text, (int)part, units, OUTPUT_UNITS);
    DWORD error = count > 0 ? put_units(tty, units, count) : 0;
    if (error != 0)
      return error;
    text += part;
    length -= part;
  }
  return 0;
}

/* A character may come in parts: its beginning waits for the rest. */
static DWORD write_text(uv_tty_t *tty, const uv_buf_t *bufs, unsigned int nbufs) {
  DWORD error = 0;
  for (unsigned int i = 0; i < nbufs && error == 0; i++) {
    const char *text = bufs[i].base;
    size_t length = bufs[i].len;
    while (tty->tty.begun_length > 0 && length > 0) {
      tty->tty.begun[tty->tty.begun_length++] = *text++;
      length--;
      /* No character is longer than this: what is not one is shown as the console likes. */
      if (tty->tty.begun_length < sizeof(tty->tty.begun) &&
          whole((const unsigned char *)tty->tty.begun, tty->tty.begun_length) != tty->tty.begun_length)
        continue;
      error = put(tty, tty->tty.begun, tty->tty.begun_length);
      tty->tty.begun_length = 0;
    }
    size_t now = whole((const unsigned char *)text, length);
    if (error == 0)
      error = put(tty, text, now);
    memcpy(tty->tty.begun, text + now, length - now);
    tty->tty.begun_length = length > 0 ? (unsigned char)(length - now) : tty->tty.begun_length;
  }
  return error;
}

static DWORD tty_send(uv_stream_t *stream, uv_write_t *req, const uv_buf_t *bufs, unsigned int nbufs) {
  (void)req;
  return write_text(tty_of(stream), bufs, nbufs);
}

static int tty_try_send(uv_stream_t *stream, const uv_buf_t *bufs, unsigned int nbufs) {
  DWORD error = write_text(tty_of(stream), bufs, nbufs);
  return error == 0 ? (int)rota__stream_bytes(bufs, nbufs) : rota__os_translate((int)error);
}

static DWORD tty_shut(uv_stream_t *stream, uv_shutdown_t *req) {
  (void)stream;
  (void)req;
  return 0;
}

/* ---- life ---- */

static void tty_release(uv_stream_t *stream) {
  uv_tty_t *tty = tty_of(stream);
  rota__tty_end_reader(tty);
  CloseHandle(tty->tty.handle);
  tty->tty.handle = INVALID_HANDLE_VALUE;
}

static int tty_fd(const uv_handle_t *handle) {
  return (int)(intptr_t)((const uv_tty_t *)handle)->tty.handle;
}

static const struct rota_stream_kind tty_kind = {
    .handle = {.type = UV_TTY, .close = rota__stream_class_close, .finish = rota__stream_class_finish, .fd = tty_fd},
    .wait = rota__tty_wait,
    .receive = rota__tty_receive,
    .send = tty_send,
    .try_send = tty_try_send,
    .shut = tty_shut,
    .release = tty_release,
};

/* Whether the console understands the sequences of VT100: it is told to. */
static void find_vterm(HANDLE console) {
  DWORD mode;
  AcquireSRWLockExclusive(&console_lock);
  bool understands =
      GetConsoleMode(console, &mode) && SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
  if (!vterm_is_set)
    vterm_state = understands ? UV_TTY_SUPPORTED : UV_TTY_UNSUPPORTED;
  ReleaseSRWLockExclusive(&console_lock);
}

int uv_tty_init(uv_loop_t *loop, uv_tty_t *tty, uv_file fd, int readable) {
  HANDLE given, own;
  DWORD mode, events;
  (void)readable; /* the console tells */
  int err = rota__os_handle_of(fd, &given);
  if (err < 0)
    return err;
  if (!GetConsoleMode(given, &mode))
    return UV_EINVAL;
  bool is_input = GetNumberOfConsoleInputEvents(given, &events);
  if (!DuplicateHandle(GetCurrentProcess(), given, GetCurrentProcess(), &own, 0, FALSE, DUPLICATE_SAME_ACCESS))
    return rota__os_last_error();
  if (!is_input) {
    find_vterm(own);
    rota__screen_remember(own);
  }
  rota__stream_init(loop, (uv_stream_t *)tty, &tty_kind);
  tty->io.state |= ROTA_STATE_SKIPS; /* no port knows of the console */
  tty->tty = (struct rota_tty){.handle = own, .is_input = is_input, .mode = UV_TTY_MODE_NORMAL};
  tty->flags |= is_input ? ROTA_STREAM_READABLE : ROTA_STREAM_WRITABLE;
  return 0;
}

/* ---- modes ---- */

static int set_mode(HANDLE console, DWORD mode) {
  AcquireSRWLockExclusive(&console_lock);
  if (changed_console == NULL && GetConsoleMode(console, &mode_before))
    changed_console = console;
  bool done = SetConsoleMode(console, mode);
  ReleaseSRWLockExclusive(&console_lock);
  return done ? 0 : rota__os_last_error();
}

int uv_tty_set_mode(uv_tty_t *tty, uv_tty_mode_t mode) {
  static const DWORD modes[] = {
      [UV_TTY_MODE_NORMAL] = ENABLE_ECHO_INPUT | ENABLE_LINE_INPUT | ENABLE_PROCESSED_INPUT,
      [UV_TTY_MODE_RAW] = ENABLE_WINDOW_INPUT,
      [UV_TTY_MODE_RAW_VT] = ENABLE_WINDOW_INPUT | ENABLE_VIRTUAL_TERMINAL_INPUT,
  };
  if (!tty->tty.is_input || rota__handle_is_closing((uv_handle_t *)tty))
    return UV_EINVAL;
  if (mode == UV_TTY_MODE_IO)
    return UV_ENOTSUP;
  if ((unsigned int)mode >= sizeof(modes) / sizeof(modes[0]))
    return UV_EINVAL;
  if ((int)mode == tty->tty.mode)
    return 0;
  int err = set_mode(tty->tty.handle, modes[mode]);
  if (err == 0) {
    tty->tty.mode = (int)mode;
    rota__tty_set_raw(tty, mode != UV_TTY_MODE_NORMAL);
  }
  return err;
}

/* The mode belongs to the console, which a program may have opened by its name: the standard input may be something
 * else, and the handle that changed the mode may be closed. */
static int restore(void) {
  HANDLE console = CreateFileW(L"CONIN$", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                               OPEN_EXISTING, 0, NULL);
  if (console == INVALID_HANDLE_VALUE)
    return rota__os_last_error();
  int err = SetConsoleMode(console, mode_before) ? 0 : rota__os_last_error();
  CloseHandle(console);
  return err;
}

int uv_tty_reset_mode(void) {
  AcquireSRWLockExclusive(&console_lock);
  int err = changed_console == NULL ? 0 : restore();
  changed_console = NULL;
  ReleaseSRWLockExclusive(&console_lock);
  return err;
}

int uv_tty_get_winsize(uv_tty_t *tty, int *width, int *height) {
  CONSOLE_SCREEN_BUFFER_INFO info;
  if (!GetConsoleScreenBufferInfo(tty->tty.handle, &info))
    return rota__os_last_error();
  *width = info.dwSize.X;
  *height = info.srWindow.Bottom - info.srWindow.Top + 1;
  return 0;
}

void uv_tty_set_vterm_state(uv_tty_vtermstate_t state) {
  AcquireSRWLockExclusive(&console_lock);
  vterm_is_set = true;
  vterm_state = state;
  ReleaseSRWLockExclusive(&console_lock);
}

int uv_tty_get_vterm_state(uv_tty_vtermstate_t *state) {
  AcquireSRWLockExclusive(&console_lock);
  *state = vterm_state;
  ReleaseSRWLockExclusive(&console_lock);
  return 0;
}

uv_handle_type uv_guess_handle(uv_file file) {
  HANDLE handle;
  DWORD mode;
  if (file < 0 || rota__os_handle_of(file, &handle) < 0)
    return UV_UNKNOWN_HANDLE;
  switch (GetFileType(handle)) {
  case FILE_TYPE_CHAR:
    return GetConsoleMode(handle, &mode) ? UV_TTY : UV_FILE;
  case FILE_TYPE_PIPE:
    return UV_NAMED_PIPE;
  case FILE_TYPE_DISK:
    return UV_FILE;
  default:
    return UV_UNKNOWN_HANDLE;
  }
}
