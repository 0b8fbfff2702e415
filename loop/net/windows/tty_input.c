/* The console's input.
 *
 * It is waited for by a thread of the handle's own, because the console cannot be read in the background. That thread
 * also reads lines: what it has read waits in its buffer until the reader asks for it; only then does it read on. In
 * raw mode the loop's thread reads, and makes bytes of keys (below): keys that come together are reported together.
 */
#include "loop/net/windows/stream.h"

#include <stdio.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/core/signal.h"

/* ---- keys ----
 *
 * Keys of the console as bytes: what a terminal of Unix sends for them.
 *
 * A character is itself, in UTF-8; Alt puts ESC before it. A key without a character is a sequence of VT100, those of
 * Cygwin's terminal, which programs on libuv know. Keys of the number pad that compose a character with Alt give
 * nothing: the character comes when Alt is let go. */

enum { KEY_BYTES = 12 };

enum { ESCAPE = 0x1b };

static const DWORD ALT = LEFT_ALT_PRESSED | RIGHT_ALT_PRESSED;
static const DWORD CONTROL = LEFT_CTRL_PRESSED | RIGHT_CTRL_PRESSED;

/* Keys whose sequence has a parameter for shift and control: ESC [ 1 ; 2 D, or ESC [ 5 ; 2 ~. */
struct moving_key {
  WORD key;
  WORD on_pad;
  char number; /* 1: the sequence ends with a letter, and has the number only if there is a parameter */
  char last;
};

static const struct moving_key moving_keys[] = {
    {VK_INSERT, VK_NUMPAD0, '2', '~'}, {VK_END, VK_NUMPAD1, '4', '~'},    {VK_DOWN, VK_NUMPAD2, '1', 'B'},
    {VK_NEXT, VK_NUMPAD3, '6', '~'},   {VK_LEFT, VK_NUMPAD4, '1', 'D'},   {VK_CLEAR, VK_NUMPAD5, '1', 'G'},
    {VK_RIGHT, VK_NUMPAD6, '1', 'C'},  {VK_HOME, VK_NUMPAD7, '1', '~'},   {VK_UP, VK_NUMPAD8, '1', 'A'},
    {VK_PRIOR, VK_NUMPAD9, '5', '~'},  {VK_DELETE, VK_DECIMAL, '3', '~'},
};

static const struct moving_key *find_moving_key(WORD key) {
  for (size_t i = 0; i < sizeof(moving_keys) / sizeof(moving_keys[0]); i++)
    if (moving_keys[i].key == key || moving_keys[i].on_pad == key)
      return &moving_keys[i];
  return NULL;
}

/* Without the flag of enhanced keys, it is the number pad's; its point composes nothing. */
static bool composes(const KEY_EVENT_RECORD *key) {
  const struct moving_key *moving = find_moving_key(key->wVirtualKeyCode);
  return (key->dwControlKeyState & LEFT_ALT_PRESSED) && !(key->dwControlKeyState & ENHANCED_KEY) && moving != NULL &&
         moving->key != VK_DELETE;
}

static int moving_sequence(const struct moving_key *key, DWORD state, char *to, size_t room) {
  int parameter = 1 + ((state & SHIFT_PRESSED) ? 1 : 0) + ((state & CONTROL) ? 4 : 0);
  if (parameter > 1)
    return snprintf(to, room, "\x1b[%c;%d%c", key->number, parameter, key->last);
  if (key->last == '~')
    return snprintf(to, room, "\x1b[%c~", key->number);
  return snprintf(to, room, "\x1b[%c", key->last);
}

/* F1 to F12: the numbers are those of the VT220, which leave gaps; with shift a key has the number of the tenth after
 * it. */
static int function_sequence(int n, DWORD state, char *to, size_t room) {
  static const unsigned char numbers[] = {11, 12, 13, 14, 15, 17, 18, 19, 20, 21,
                                          23, 24, 25, 26, 28, 29, 31, 32, 33, 34};
  bool shift = state & SHIFT_PRESSED, control = state & CONTROL;
  if (n < 5 && !shift && !control)
    return snprintf(to, room, "\x1b[[%c", 'A' + n);
  if (n >= 10)
    return snprintf(to, room, "\x1b[%d%c", numbers[n], shift ? (control ? '@' : '$') : (control ? '^' : '~'));
  return snprintf(to, room, "\x1b[%d%c", numbers[shift ? n + 10 : n], control ? '^' : '~');
}

static int sequence(const KEY_EVENT_RECORD *key, char *to, size_t room) {
  const struct moving_key *moving = find_moving_key(key->wVirtualKeyCode);
  if (moving != NULL)
    return moving_sequence(moving, key->dwControlKeyState, to, room);
  if (key->wVirtualKeyCode >= VK_F1 && key->wVirtualKeyCode <= VK_F12)
    return function_sequence(key->wVirtualKeyCode - VK_F1, key->dwControlKeyState, to, room);
  return 0;
}

/* A half that has lost the other one becomes the sign for what is no character. */
static int character(WCHAR unit, WCHAR *high, char *to, size_t room) {
  WCHAR units[2] = {*high, unit};
  bool is_second = *high != 0 && unit >= 0xDC00 && unit <= 0xDFFF;
  *high = 0;
  if (!is_second && unit >= 0xD800 && unit <= 0xDBFF) {
    *high = unit;
    return 0;
  }
  return WideCharToMultiByte(CP_UTF8, 0, is_second ? units : &units[1], is_second ? 2 : 1, to, (int)room, NULL, NULL);
}

/* The first half of a pair of surrogates waits in `high` for the second; 0: none waits. Returns the number of bytes, 0
 * if the key has none. */
static int key_bytes(const KEY_EVENT_RECORD *key, WCHAR *high, char bytes[KEY_BYTES]) {
  WCHAR unit = key->uChar.UnicodeChar;
  bool alt = (key->dwControlKeyState & ALT) != 0;
  bool alt_is_let_go = !key->bKeyDown && key->wVirtualKeyCode == VK_MENU && unit != 0;
  if ((!key->bKeyDown && !alt_is_let_go) || composes(key))
    return 0;
  /* Control and Alt together are AltGr, which makes characters. */
  bool prefix = alt && (unit == 0 || (key->bKeyDown && !(key->dwControlKeyState & CONTROL)));
  bool is_second = unit >= 0xDC00 && unit <= 0xDFFF && *high != 0; /* its prefix came with the first half */
  int at = prefix && !is_second ? 1 : 0;
  bytes[0] = ESCAPE;
  int length = unit != 0 ? character(unit, high, bytes + at, KEY_BYTES - (size_t)at)
                         : sequence(key, bytes + at, KEY_BYTES - (size_t)at);
  bool is_first = unit != 0 && *high != 0;
  return length > 0 || (is_first && at > 0) ? at + length : 0;
}

/* ---- reading ---- */

enum { INPUT_UNITS = 2048, RECORDS = 64 };

/* Keys that were read from the console, and the bytes of the key that is being handed over. */
struct keys {
  INPUT_RECORD records[RECORDS];
  DWORD record;
  DWORD record_count;
  WCHAR high;
  WORD repeats; /* how often the bytes come again */
  int at;
  int length;
  char bytes[KEY_BYTES];
};

struct rota_tty_reader {
  HANDLE thread;
  HANDLE console;
  HANDLE go;  /* an event: read */
  HANDLE end; /* an event: no more */
  void *port;
  struct rota_io *io;
  volatile LONG asked; /* the loop expects a report */
  volatile LONG is_raw;
  struct keys keys;
  int at;
  int length;
  char bytes[INPUT_UNITS * 3]; /* lines */
};

/* The mode may change while the thread waits: it looks at it when something has come. */
static DWORD read_console(struct rota_tty_reader *reader) {
  HANDLE input[2] = {reader->end, reader->console};
  WCHAR units[INPUT_UNITS];
  DWORD count = 0;
  reader->at = reader->length = 0;
  for (;;) {
    if (WaitForMultipleObjects(2, input, FALSE, INFINITE) == WAIT_OBJECT_0)
      return ERROR_OPERATION_ABORTED;
    if (InterlockedCompareExchange(&reader->is_raw, 0, 0))
      return 0; /* the loop reads */
    if (ReadConsoleW(reader->console, units, INPUT_UNITS, &count, NULL))
      break;
    if (GetLastError() != ERROR_OPERATION_ABORTED)
      return GetLastError();
  }
  reader->length = WideCharToMultiByte(CP_UTF8, 0, units, (int)count, reader->bytes, sizeof(reader->bytes), NULL, NULL);
  return 0;
}

/* Every question is answered, also one that came just before the end: the stream is not closed before. */
static DWORD CALLBACK reader_main(void *argument) {
  struct rota_tty_reader *reader = argument;
  HANDLE start[2] = {reader->end, reader->go};
  bool ends;
  do {
    ends = WaitForMultipleObjects(2, start, FALSE, INFINITE) != WAIT_OBJECT_0 + 1;
    if (InterlockedExchange(&reader->asked, 0)) {
      DWORD error = read_console(reader);
      rota__iocp_post(reader->port, reader->io, error, 0);
    }
  } while (!ends);
  return 0;
}

static void free_reader(struct rota_tty_reader *reader) {
  if (reader->go != NULL)
    CloseHandle(reader->go);
  if (reader->end != NULL)
    CloseHandle(reader->end);
  rota__free(reader);
}

static struct rota_tty_reader *reader_of(uv_tty_t *tty) {
  struct rota_tty_reader *reader = tty->tty.reader;
  if (reader != NULL)
    return reader;
  reader = rota__calloc(1, sizeof(*reader));
  if (reader == NULL)
    return NULL;
  reader->console = tty->tty.handle;
  reader->port = rota__stream_port((uv_stream_t *)tty);
  reader->io = &tty->io.read;
  reader->is_raw = tty->tty.mode != UV_TTY_MODE_NORMAL;
  reader->go = CreateEventW(NULL, FALSE, FALSE, NULL);
  reader->end = CreateEventW(NULL, TRUE, FALSE, NULL);
  if (reader->go != NULL && reader->end != NULL)
    reader->thread = CreateThread(NULL, 65536, reader_main, reader, 0, NULL);
  if (reader->thread == NULL) {
    free_reader(reader);
    return NULL;
  }
  tty->tty.reader = reader;
  return reader;
}

static bool has_bytes(const struct rota_tty_reader *reader) {
  const struct keys *keys = &reader->keys;
  return reader->at < reader->length || keys->at < keys->length || keys->repeats > 0 ||
         keys->record < keys->record_count;
}

DWORD rota__tty_wait(uv_stream_t *stream) {
  uv_tty_t *tty = (uv_tty_t *)stream;
  struct rota_tty_reader *reader = tty->tty.is_input ? reader_of(tty) : NULL;
  if (reader == NULL)
    return ERROR_NOT_ENOUGH_MEMORY;
  if (has_bytes(reader))
    return 0;
  InterlockedExchange(&reader->asked, 1);
  SetEvent(reader->go);
  return ERROR_IO_PENDING;
}

/* The console is read without waiting: only as many records as it has. */
static bool next_record(struct rota_tty_reader *reader, INPUT_RECORD *record) {
  struct keys *keys = &reader->keys;
  DWORD there = 0;
  if (keys->record == keys->record_count) {
    keys->record = keys->record_count = 0;
    if (!reader->is_raw || !GetNumberOfConsoleInputEvents(reader->console, &there) || there == 0 ||
        !ReadConsoleInputW(reader->console, keys->records, there < RECORDS ? there : RECORDS, &keys->record_count) ||
        keys->record_count == 0)
      return false;
  }
  *record = keys->records[keys->record++];
  return true;
}

/* The bytes of the next key that has some. */
static bool next_key(struct rota_tty_reader *reader) {
  struct keys *keys = &reader->keys;
  INPUT_RECORD record;
  if (keys->repeats > 0) {
    keys->repeats--;
    keys->at = 0;
    return true;
  }
  while (next_record(reader, &record)) {
    if (record.EventType == WINDOW_BUFFER_SIZE_EVENT)
      rota__signal_raise(SIGWINCH);
    if (record.EventType != KEY_EVENT)
      continue;
    keys->at = 0;
    keys->length = key_bytes(&record.Event.KeyEvent, &keys->high, keys->bytes);
    if (keys->length == 0)
      continue;
    keys->repeats = record.Event.KeyEvent.wRepeatCount > 1 ? record.Event.KeyEvent.wRepeatCount - 1 : 0;
    return true;
  }
  return false;
}

/* Copies what fits, and returns how many bytes that are. */
static size_t hand_over(char *to, size_t room, const char *bytes, int length, int *at) {
  size_t left = (size_t)(length - *at);
  size_t n = left < room ? left : room;
  memcpy(to, bytes + *at, n);
  *at += (int)n;
  return n;
}

ssize_t rota__tty_receive(uv_stream_t *stream, const uv_buf_t *buf) {
  struct rota_tty_reader *reader = ((uv_tty_t *)stream)->tty.reader;
  struct keys *keys = &reader->keys;
  size_t got = hand_over(buf->base, buf->len, reader->bytes, reader->length, &reader->at);
  while (got < buf->len && (keys->at < keys->length || next_key(reader)))
    got += hand_over(buf->base + got, buf->len - got, keys->bytes, keys->length, &keys->at);
  return got > 0 ? (ssize_t)got : UV_EAGAIN;
}

/* A thread that waits for a line is woken by the end of a line. */
void rota__tty_end_reader(uv_tty_t *tty) {
  struct rota_tty_reader *reader = tty->tty.reader;
  INPUT_RECORD enter = {.EventType = KEY_EVENT};
  DWORD written;
  if (reader == NULL)
    return;
  enter.Event.KeyEvent =
      (KEY_EVENT_RECORD){.bKeyDown = TRUE, .wRepeatCount = 1, .wVirtualKeyCode = VK_RETURN, .uChar.UnicodeChar = L'\r'};
  SetEvent(reader->end);
  while (WaitForSingleObject(reader->thread, 20) == WAIT_TIMEOUT)
    if (!CancelSynchronousIo(reader->thread))
      WriteConsoleInputW(reader->console, &enter, 1, &written);
  CloseHandle(reader->thread);
  free_reader(reader);
  tty->tty.reader = NULL;
}

/* A thread that waits for a line must look at the mode again. */
void rota__tty_set_raw(uv_tty_t *tty, bool is_raw) {
  struct rota_tty_reader *reader = tty->tty.reader;
  if (reader != NULL && InterlockedExchange(&reader->is_raw, is_raw) != is_raw)
    CancelSynchronousIo(reader->thread);
}
