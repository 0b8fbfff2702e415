/* The console on Windows: keys that come as bytes, and sequences of VT100 on a console that does not understand them.
 * The exit status is the number of parts that failed. `make test-windows` runs it in a terminal. */
#include <fcntl.h>
#include <io.h>

#include "part.h"

static uv_loop_t loop;
static char bytes[256];
static size_t bytes_count;

/* ---- keys ---- */

static void on_bytes_room(uv_handle_t *handle, size_t size, uv_buf_t *buf) {
  (void)handle;
  (void)size;
  *buf = uv_buf_init(bytes + bytes_count, (unsigned int)(sizeof(bytes) - bytes_count));
}

/* The last key is a dot. */
static void on_bytes(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  (void)buf;
  if (nread > 0)
    bytes_count += (size_t)nread;
  if (nread < 0 || (bytes_count > 0 && bytes[bytes_count - 1] == '.'))
    uv_close((uv_handle_t *)stream, NULL);
}

struct key {
  WORD code;
  WCHAR unit;
  DWORD state;
  WORD repeats;
  int is_up;
};

static void press(HANDLE console, const struct key *key) {
  INPUT_RECORD record = {.EventType = KEY_EVENT};
  DWORD written;
  record.Event.KeyEvent = (KEY_EVENT_RECORD){.bKeyDown = !key->is_up,
                                             .wRepeatCount = key->repeats > 0 ? key->repeats : 1,
                                             .wVirtualKeyCode = key->code,
                                             .uChar.UnicodeChar = key->unit,
                                             .dwControlKeyState = key->state};
  WriteConsoleInputW(console, &record, 1, &written);
}

static int open_console(const char *name) {
  HANDLE console =
      CreateFileA(name, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING, 0, NULL);
  return console == INVALID_HANDLE_VALUE ? -1 : _open_osfhandle((intptr_t)console, 0);
}

static int keys_give(const struct key *keys, size_t count, const char *expected) {
  static const struct key dot = {.code = VK_OEM_PERIOD, .unit = '.'};
  uv_tty_t tty;
  int fd = open_console("CONIN$");
  bytes_count = 0;
  if (uv_tty_init(&loop, &tty, fd, 1) < 0)
    return 0;
  int err = uv_read_start((uv_stream_t *)&tty, on_bytes_room, on_bytes);
  if (err == 0)
    err = uv_tty_set_mode(&tty, UV_TTY_MODE_RAW);
  for (size_t i = 0; i < count; i++)
    press((HANDLE)_get_osfhandle(fd), &keys[i]);
  press((HANDLE)_get_osfhandle(fd), &dot);
  uv_run(&loop, UV_RUN_DEFAULT);
  _close(fd);
  uv_tty_reset_mode();
  size_t length = strlen(expected);
  int is_right = err == 0 && bytes_count == length + 1 && memcmp(bytes, expected, length) == 0;
  if (!is_right)
    printf("  %d, %d bytes: %.*s\n", err, (int)bytes_count, (int)bytes_count, bytes);
  return is_right;
}

#define KEYS_GIVE(keys, expected) keys_give(keys, sizeof(keys) / sizeof(keys[0]), expected)

static void test_keys(void) {
  const struct key functions[] = {{.code = VK_F1},
                                  {.code = VK_F5, .state = SHIFT_PRESSED},
                                  {.code = VK_F12, .state = LEFT_CTRL_PRESSED | SHIFT_PRESSED},
                                  {.code = VK_LEFT, .state = ENHANCED_KEY},
                                  {.code = VK_UP, .state = LEFT_CTRL_PRESSED},
                                  {.code = VK_DELETE, .state = SHIFT_PRESSED},
                                  {.code = VK_NUMPAD7},
                                  {.code = VK_NUMPAD8},
                                  {.code = VK_F1, .is_up = 1}};
  const struct key characters[] = {{.code = 'A', .unit = 'a', .repeats = 3},
                                   {.code = 'A', .unit = 0xe9, .state = LEFT_ALT_PRESSED},
                                   {.code = 'E', .unit = 0x20ac, .state = RIGHT_ALT_PRESSED | LEFT_CTRL_PRESSED},
                                   {.code = 'C', .unit = 3, .state = LEFT_CTRL_PRESSED},
                                   {.code = 0, .unit = 0xd83d},
                                   {.code = 0, .unit = 0xde00}};
  const struct key composed[] = {{.code = VK_MENU, .state = LEFT_ALT_PRESSED},
                                 {.code = VK_NUMPAD0, .state = LEFT_ALT_PRESSED},
                                 {.code = VK_NUMPAD1, .state = LEFT_ALT_PRESSED},
                                 {.code = VK_MENU, .unit = 0x20ac, .is_up = 1}};
  check("keys without a character",
        KEYS_GIVE(functions, "\x1b[[A\x1b[28~\x1b[24@\x1b[D\x1b[1;5A\x1b[3;2~\x1b[1~\x1b[A"));
  check("keys with a character", KEYS_GIVE(characters, "aaa\x1b\xc3\xa9\xe2\x82\xac\x03\xf0\x9f\x98\x80"));
  check("a character composed with Alt", KEYS_GIVE(composed, "\xe2\x82\xac"));
}

/* ---- the screen ---- */

static uv_tty_t screen;
static HANDLE screen_console;

static int show(const char *text) {
  uv_buf_t buf = uv_buf_init((char *)text, (unsigned int)strlen(text));
  return uv_try_write((uv_stream_t *)&screen, &buf, 1) == (int)buf.len;
}

/* Whether the line of the window begins with the text, and has these attributes there. */
static int line_has(int line, const char *text, WORD attributes) {
  CONSOLE_SCREEN_BUFFER_INFO info;
  WCHAR units[64];
  WORD colours[64];
  DWORD count, length = (DWORD)strlen(text);
  GetConsoleScreenBufferInfo(screen_console, &info);
  COORD place = {0, (SHORT)(info.srWindow.Top + line)};
  ReadConsoleOutputCharacterW(screen_console, units, length, place, &count);
  ReadConsoleOutputAttribute(screen_console, colours, length, place, &count);
  for (DWORD i = 0; i < length; i++)
    if (units[i] != (WCHAR)text[i] || colours[i] != attributes) {
      printf("  line %d has at %d: %lc, %x\n", line, (int)i, units[i], colours[i]);
      return 0;
    }
  return 1;
}

static int cursor_is_at(int column, int line) {
  CONSOLE_SCREEN_BUFFER_INFO info;
  GetConsoleScreenBufferInfo(screen_console, &info);
  return info.dwCursorPosition.X == column && info.dwCursorPosition.Y - info.srWindow.Top == line;
}

static void test_screen(void) {
  CONSOLE_SCREEN_BUFFER_INFO info;
  uv_tty_set_vterm_state(UV_TTY_UNSUPPORTED);
  screen_console = CreateConsoleScreenBuffer(GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                                             CONSOLE_TEXTMODE_BUFFER, NULL);
  int fd = _open_osfhandle((intptr_t)screen_console, 0);
  if (uv_tty_init(&loop, &screen, fd, 0) < 0) {
    check("a screen", 0);
    return;
  }
  GetConsoleScreenBufferInfo(screen_console, &info);
  WORD plain = info.wAttributes;
  check("the cursor moves", show("\x1b[5;4H") && cursor_is_at(3, 4) && show("\x1b[2A\x1b[C") && cursor_is_at(4, 2) &&
                                show("\x1b[99D") && cursor_is_at(0, 2) && show("\x1b[s\x1b[H\x1b[u") &&
                                cursor_is_at(0, 2));
  check("a sequence in parts", show("\x1b[") && show("1;") && show("1Hab") && line_has(0, "ab", plain));
  check("colours", show("\x1b[H\x1b[31mred\x1b[m") && line_has(0, "red", (WORD)((plain & ~7) | FOREGROUND_RED)));
  check("erasing", show("\x1b[HHello\x1b[3G\x1b[K") && line_has(0, "He   ", plain));
  check("what is unknown is not shown",
        show("\x1b[H\x1b[?1049h\x1b]0;a title\x07\x1b(Bfine\x1bP1\"x\x1b\\") && line_has(0, "fine", plain));
  check("a reset", show("\x1b[32mtext\x1b"
                        "c") &&
                       cursor_is_at(0, 0) && line_has(0, "     ", plain));
  uv_close((uv_handle_t *)&screen, NULL);
  uv_run(&loop, UV_RUN_DEFAULT);
}

int main(void) {
  uv_loop_init(&loop);
  test_keys();
  test_screen();
  check("the loop ends", uv_loop_close(&loop) == 0);
  return failures;
}
