#include "loop/net/windows/tty_input.h"

#include <string.h>

#include "loop/base/alloc.h"
#include "loop/core/signal.h"
#include "loop/net/windows/tty_key.h"

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
  char bytes[ROTA_KEY_BYTES];
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
  reader->io = &tty->stream.read;
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
    keys->length = rota__key_bytes(&record.Event.KeyEvent, &keys->high, keys->bytes);
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
