/* Keys of the console as bytes: what a terminal of Unix sends for them.
 *
 * A character is itself, in UTF-8; Alt puts ESC before it. A key without a character is a sequence of VT100, those of
 * Cygwin's terminal, which programs on libuv know. Keys of the number pad that compose a character with Alt give
 * nothing: the character comes when Alt is let go. */
#ifndef ROTA_NET_WINDOWS_TTY_KEY_H
#define ROTA_NET_WINDOWS_TTY_KEY_H

#include "uv.h"

enum { ROTA_KEY_BYTES = 12 };

/* The first half of a pair of surrogates waits in `high` for the second; 0: none waits. Returns the number of bytes, 0
 * if the key has none. */
int rota__key_bytes(const KEY_EVENT_RECORD *key, WCHAR *high, char bytes[ROTA_KEY_BYTES]);

#endif
