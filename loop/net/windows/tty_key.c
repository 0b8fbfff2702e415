#include "loop/net/windows/tty_key.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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

int rota__key_bytes(const KEY_EVENT_RECORD *key, WCHAR *high, char bytes[ROTA_KEY_BYTES]) {
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
  int length = unit != 0 ? character(unit, high, bytes + at, ROTA_KEY_BYTES - (size_t)at)
                         : sequence(key, bytes + at, ROTA_KEY_BYTES - (size_t)at);
  bool is_first = unit != 0 && *high != 0;
  return length > 0 || (is_first && at > 0) ? at + length : 0;
}
