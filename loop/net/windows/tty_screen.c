/* Sequences of VT100 on a console that does not understand them: the library carries them out.
 *
 * Text is a stream: a sequence may begin in one write and end in another, so the state is the handle's. What is not a
 * sequence that is carried out here is swallowed whole, as a terminal does. */
#include "loop/net/windows/stream.h"

#include <stdbool.h>
#include <string.h>

enum {
  BELL = 0x07,
  ESCAPE = 0x1b,
  /* Of the second set of controls. */
  DEVICE_STRING = 0x90,
  START_OF_STRING = 0x98,
  CONTROL_SEQUENCE = 0x9b,
  STRING_END = 0x9c,
  SYSTEM_STRING = 0x9d,
  PRIVATE_STRING = 0x9e,
  PROGRAM_STRING = 0x9f,
};

/* Where in a sequence the text is. */
enum state {
  TEXT,
  AFTER_ESCAPE,
  IN_ESCAPE,           /* after a byte such as '(' that says what the last one means */
  IN_SEQUENCE,         /* after ESC [ */
  IN_STRING,           /* up to its end: BEL, or ESC \ */
  IN_STRING_QUOTED,    /* strings for programs may quote what would end them */
  AFTER_BACKSLASH,     /* in quotes */
  IN_STRING_AT_ESCAPE, /* it ends if a backslash follows */
};

enum { PARAMETERS_MAX = 4 };

static SRWLOCK lock = SRWLOCK_INIT;
static bool is_known;
static WORD first_attributes;
static CONSOLE_CURSOR_INFO first_cursor;

void rota__screen_remember(HANDLE console) {
  CONSOLE_SCREEN_BUFFER_INFO info;
  AcquireSRWLockExclusive(&lock);
  if (!is_known && GetConsoleScreenBufferInfo(console, &info) && GetConsoleCursorInfo(console, &first_cursor)) {
    first_attributes = info.wAttributes;
    is_known = true;
  }
  ReleaseSRWLockExclusive(&lock);
}

/* ---- the cursor ---- */

static SHORT within(int value, int lowest, int highest) {
  return (SHORT)(value < lowest ? lowest : value > highest ? highest : value);
}

/* Column and line in the window, from 0. */
static void move_to(HANDLE console, const CONSOLE_SCREEN_BUFFER_INFO *info, int column, int line) {
  COORD place = {within(column, 0, info->dwSize.X - 1),
                 within(info->srWindow.Top + line, info->srWindow.Top, info->srWindow.Bottom)};
  SetConsoleCursorPosition(console, place);
}

static void save_cursor(struct rota_tty_screen *screen, HANDLE console) {
  CONSOLE_SCREEN_BUFFER_INFO info;
  if (!GetConsoleScreenBufferInfo(console, &info))
    return;
  screen->saved_column = info.dwCursorPosition.X;
  screen->saved_line = (short)(info.dwCursorPosition.Y - info.srWindow.Top);
  screen->saved_attributes = info.wAttributes;
  screen->has_saved = 1;
}

static void restore_cursor(const struct rota_tty_screen *screen, HANDLE console, bool with_colours) {
  CONSOLE_SCREEN_BUFFER_INFO info;
  if (!screen->has_saved || !GetConsoleScreenBufferInfo(console, &info))
    return;
  move_to(console, &info, screen->saved_column, screen->saved_line);
  if (with_colours)
    SetConsoleTextAttribute(console, screen->saved_attributes);
}

static void show_cursor(HANDLE console, bool is_shown) {
  CONSOLE_CURSOR_INFO info;
  if (!GetConsoleCursorInfo(console, &info))
    return;
  info.bVisible = is_shown;
  SetConsoleCursorInfo(console, &info);
}

/* A block, or something thin: a console's cursor has a height only. */
static void shape_cursor(HANDLE console, unsigned int shape) {
  CONSOLE_CURSOR_INFO info;
  if (shape > 6 || !GetConsoleCursorInfo(console, &info))
    return;
  info.dwSize = shape == 0 ? first_cursor.dwSize : shape <= 2 ? 100 : 25;
  SetConsoleCursorInfo(console, &info);
}

/* ---- erasing ---- */

static void fill(HANDLE console, const CONSOLE_SCREEN_BUFFER_INFO *info, COORD from, COORD to) {
  DWORD done, cells = (DWORD)((to.Y - from.Y) * info->dwSize.X + to.X - from.X + 1);
  FillConsoleOutputCharacterW(console, L' ', cells, from, &done);
  FillConsoleOutputAttribute(console, info->wAttributes, cells, from, &done);
}

/* 0: from the cursor on; 1: up to the cursor; 2: all. */
static void erase(HANDLE console, unsigned int part, bool is_line) {
  CONSOLE_SCREEN_BUFFER_INFO info;
  if (part > 2 || !GetConsoleScreenBufferInfo(console, &info))
    return;
  COORD cursor = info.dwCursorPosition;
  COORD from = {0, is_line ? cursor.Y : info.srWindow.Top};
  COORD to = {(SHORT)(info.dwSize.X - 1), is_line ? cursor.Y : info.srWindow.Bottom};
  fill(console, &info, part == 0 ? cursor : from, part == 1 ? cursor : to);
}

static void reset(struct rota_tty_screen *screen, HANDLE console) {
  CONSOLE_SCREEN_BUFFER_INFO info;
  SetConsoleTextAttribute(console, first_attributes);
  SetConsoleCursorInfo(console, &first_cursor);
  screen->has_saved = 0;
  if (!GetConsoleScreenBufferInfo(console, &info))
    return;
  move_to(console, &info, 0, 0);
  erase(console, 2, false);
}

/* ---- colours ---- */

enum {
  FOREGROUND = FOREGROUND_RED | FOREGROUND_GREEN | FOREGROUND_BLUE,
  BACKGROUND = BACKGROUND_RED | BACKGROUND_GREEN | BACKGROUND_BLUE,
};

/* A terminal's colours have red in the lowest bit, a console's have blue there. */
static WORD colour_of(unsigned int n) {
  return (WORD)(((n & 1) ? FOREGROUND_RED : 0) | ((n & 2) ? FOREGROUND_GREEN : 0) | ((n & 4) ? FOREGROUND_BLUE : 0));
}

static WORD swapped(WORD attributes) {
  return (WORD)((attributes & ~0xff) | ((attributes & 0x0f) << 4) | ((attributes & 0xf0) >> 4));
}

static WORD with_foreground(WORD attributes, WORD colour) {
  return (WORD)((attributes & ~FOREGROUND) | colour);
}

static WORD with_background(WORD attributes, WORD colour) {
  return (WORD)((attributes & ~BACKGROUND) | (colour << 4));
}

static WORD plain_style(WORD attributes, unsigned int code) {
  switch (code) {
  case 0:
    return first_attributes;
  case 1:
    return attributes | FOREGROUND_INTENSITY;
  case 5:
    return attributes | BACKGROUND_INTENSITY;
  case 2:
    return attributes & (WORD) ~(FOREGROUND_INTENSITY | BACKGROUND_INTENSITY);
  case 21:
  case 22:
    return attributes & (WORD)~FOREGROUND_INTENSITY;
  case 25:
    return attributes & (WORD)~BACKGROUND_INTENSITY;
  case 39:
    return (WORD)((attributes & ~(FOREGROUND | FOREGROUND_INTENSITY)) |
                  (first_attributes & (FOREGROUND | FOREGROUND_INTENSITY)));
  case 49:
    return (WORD)((attributes & ~(BACKGROUND | BACKGROUND_INTENSITY)) |
                  (first_attributes & (BACKGROUND | BACKGROUND_INTENSITY)));
  default:
    break;
  }
  if (code >= 30 && code <= 37)
    return with_foreground(attributes, colour_of(code - 30));
  if (code >= 40 && code <= 47)
    return with_background(attributes, colour_of(code - 40));
  if (code >= 90 && code <= 97)
    return with_foreground(attributes, colour_of(code - 90)) | FOREGROUND_INTENSITY;
  if (code >= 100 && code <= 107)
    return with_background(attributes, colour_of(code - 100)) | BACKGROUND_INTENSITY;
  return attributes;
}

/* While it is reversed, the console's colours are those that are seen: the program means the other way round. */
static WORD style(WORD attributes, unsigned int code) {
  bool reversed = attributes & COMMON_LVB_REVERSE_VIDEO;
  if (code == 0)
    return first_attributes;
  if (code == 7)
    return reversed ? attributes : swapped(attributes) | COMMON_LVB_REVERSE_VIDEO;
  if (code == 27)
    return reversed ? swapped(attributes & (WORD)~COMMON_LVB_REVERSE_VIDEO) : attributes;
  return reversed ? swapped(plain_style(swapped(attributes), code)) : plain_style(attributes, code);
}

static void set_style(const struct rota_tty_screen *screen, HANDLE console) {
  CONSOLE_SCREEN_BUFFER_INFO info;
  if (!GetConsoleScreenBufferInfo(console, &info))
    return;
  WORD attributes = info.wAttributes;
  for (int i = 0; i < screen->count; i++)
    attributes = style(attributes, screen->parameters[i]);
  SetConsoleTextAttribute(console, screen->count > 0 ? attributes : first_attributes);
}

/* ---- sequences ---- */

static void move(const struct rota_tty_screen *screen, HANDLE console, char last) {
  CONSOLE_SCREEN_BUFFER_INFO info;
  if (!GetConsoleScreenBufferInfo(console, &info))
    return;
  int n = screen->count > 0 && screen->parameters[0] > 0 ? screen->parameters[0] : 1;
  int second = screen->count > 1 && screen->parameters[1] > 0 ? screen->parameters[1] : 1;
  int column = info.dwCursorPosition.X, line = info.dwCursorPosition.Y - info.srWindow.Top;
  switch (last) {
  case 'A':
    move_to(console, &info, column, line - n);
    break;
  case 'B':
    move_to(console, &info, column, line + n);
    break;
  case 'C':
    move_to(console, &info, column + n, line);
    break;
  case 'D':
    move_to(console, &info, column - n, line);
    break;
  case 'E':
    move_to(console, &info, 0, line + n);
    break;
  case 'F':
    move_to(console, &info, 0, line - n);
    break;
  case 'G':
    move_to(console, &info, n - 1, line);
    break;
  default: /* H, f */
    move_to(console, &info, second - 1, n - 1);
    break;
  }
}

static void plain_sequence(struct rota_tty_screen *screen, HANDLE console, char last) {
  unsigned int first = screen->count > 0 ? screen->parameters[0] : 0;
  if (strchr("ABCDEFGHf", last) != NULL)
    move(screen, console, last);
  else if (last == 'J' || last == 'K')
    erase(console, first, last == 'K');
  else if (last == 'm')
    set_style(screen, console);
  else if (last == 's')
    save_cursor(screen, console);
  else if (last == 'u')
    restore_cursor(screen, console, false);
}

static void sequence(struct rota_tty_screen *screen, HANDLE console, char last) {
  unsigned int first = screen->count > 0 ? screen->parameters[0] : 0;
  if (screen->is_bad)
    return;
  if (screen->mark == 0 && screen->between == 0)
    plain_sequence(screen, console, last);
  else if (screen->mark == '?' && screen->between == 0 && first == 25 && (last == 'l' || last == 'h'))
    show_cursor(console, last == 'h');
  else if (screen->mark == 0 && screen->between == ' ' && last == 'q')
    shape_cursor(console, screen->count > 0 ? first : 1);
}

static void begin_sequence(struct rota_tty_screen *screen) {
  screen->state = IN_SEQUENCE;
  screen->count = 0;
  screen->mark = screen->between = 0;
  screen->is_bad = 0;
}

static void add_digit(struct rota_tty_screen *screen, unsigned int digit) {
  if (screen->count == 0)
    screen->parameters[screen->count++] = 0;
  unsigned int value = screen->parameters[screen->count - 1] * 10u + digit;
  if (value > 0xFFFF || screen->between != 0)
    screen->is_bad = 1;
  screen->parameters[screen->count - 1] = (unsigned short)value;
}

static void add_parameter(struct rota_tty_screen *screen) {
  if (screen->count == 0)
    screen->parameters[screen->count++] = 0;
  if (screen->count == PARAMETERS_MAX || screen->between != 0)
    screen->is_bad = 1;
  else
    screen->parameters[screen->count++] = 0;
}

static void in_sequence(struct rota_tty_screen *screen, HANDLE console, WCHAR unit) {
  if (unit >= '0' && unit <= '9') {
    add_digit(screen, (unsigned int)(unit - '0'));
  } else if (unit == ';') {
    add_parameter(screen);
  } else if (unit >= 0x3a && unit <= 0x3f) { /* a mark stands before the parameters */
    screen->is_bad |= screen->mark != 0 || screen->count > 0 || screen->between != 0;
    screen->mark = (char)unit;
  } else if (unit >= 0x20 && unit <= 0x2f) {
    screen->is_bad |= screen->between != 0;
    screen->between = (char)unit;
  } else if (unit >= 0x40 && unit <= 0x7e) {
    screen->state = TEXT;
    sequence(screen, console, (char)unit);
  } else {
    screen->state = TEXT; /* no byte of a sequence: it ends without effect */
  }
}

static void begin_string(struct rota_tty_screen *screen, bool may_quote) {
  screen->state = IN_STRING;
  screen->mark = may_quote;
}

static void in_string(struct rota_tty_screen *screen, WCHAR unit) {
  if (unit == BELL || unit == STRING_END)
    screen->state = TEXT;
  else if (unit == ESCAPE)
    screen->state = IN_STRING_AT_ESCAPE;
  else if (unit == '"' && screen->mark)
    screen->state = IN_STRING_QUOTED;
}

static void in_quotes(struct rota_tty_screen *screen, WCHAR unit) {
  if (screen->state == AFTER_BACKSLASH)
    screen->state = IN_STRING_QUOTED;
  else if (unit == '\\')
    screen->state = AFTER_BACKSLASH;
  else if (unit == '"')
    screen->state = IN_STRING;
}

static void after_escape(struct rota_tty_screen *screen, HANDLE console, WCHAR unit) {
  screen->state = TEXT;
  if (unit == '[')
    begin_sequence(screen);
  else if (unit == ESCAPE)
    screen->state = AFTER_ESCAPE;
  else if (unit == 'P' || unit == 'X' || unit == ']')
    begin_string(screen, false);
  else if (unit == '^' || unit == '_')
    begin_string(screen, true);
  else if (unit == '7')
    save_cursor(screen, console);
  else if (unit == '8')
    restore_cursor(screen, console, true);
  else if (unit == 'c')
    reset(screen, console);
  else if (unit >= 0x20 && unit <= 0x2f)
    screen->state = IN_ESCAPE;
}

/* Whether the unit is text, which the console shows. */
static bool is_text(struct rota_tty_screen *screen, WCHAR unit) {
  if (unit != ESCAPE && (unit < 0x80 || unit > 0x9f))
    return true;
  if (unit == ESCAPE)
    screen->state = AFTER_ESCAPE;
  else if (unit == CONTROL_SEQUENCE)
    begin_sequence(screen);
  else if (unit == DEVICE_STRING || unit == START_OF_STRING || unit == SYSTEM_STRING)
    begin_string(screen, false);
  else if (unit == PRIVATE_STRING || unit == PROGRAM_STRING)
    begin_string(screen, true);
  return false;
}

static void step(struct rota_tty_screen *screen, HANDLE console, WCHAR unit) {
  switch ((enum state)screen->state) {
  case AFTER_ESCAPE:
    after_escape(screen, console, unit);
    break;
  case IN_ESCAPE:
    screen->state = unit >= 0x20 && unit <= 0x2f ? IN_ESCAPE : TEXT;
    break;
  case IN_SEQUENCE:
    in_sequence(screen, console, unit);
    break;
  case IN_STRING_AT_ESCAPE:
    screen->state = unit == '\\' ? TEXT : IN_STRING;
    break;
  case IN_STRING_QUOTED:
  case AFTER_BACKSLASH:
    in_quotes(screen, unit);
    break;
  default:
    in_string(screen, unit);
    break;
  }
}

static DWORD show(HANDLE console, const WCHAR *from, const WCHAR *to) {
  DWORD written;
  return to == from || WriteConsoleW(console, from, (DWORD)(to - from), &written, NULL) ? 0 : GetLastError();
}

DWORD rota__screen_write(struct rota_tty_screen *screen, HANDLE console, const WCHAR *units, int count) {
  const WCHAR *end = units + count;
  DWORD error = 0;
  while (units < end && error == 0) {
    const WCHAR *from = units;
    if (screen->state != TEXT) {
      step(screen, console, *units++);
      continue;
    }
    while (units < end && is_text(screen, *units))
      units++;
    error = show(console, from, units);
    if (units < end)
      units++; /* it has begun a sequence */
  }
  return error;
}
