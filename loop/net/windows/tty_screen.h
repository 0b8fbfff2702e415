/* Sequences of VT100 on a console that does not understand them: the library carries them out.
 *
 * Text is a stream: a sequence may begin in one write and end in another, so the state is the handle's. What is not a
 * sequence that is carried out here is swallowed whole, as a terminal does. */
#ifndef ROTA_NET_WINDOWS_TTY_SCREEN_H
#define ROTA_NET_WINDOWS_TTY_SCREEN_H

#include "uv.h"

/* Remembers colours and cursor of the console, which a program can ask back. The first console that is opened counts:
 * later ones may have been changed by then. */
void rota__screen_remember(HANDLE console);
/* Returns 0, or an error of the system. */
DWORD rota__screen_write(struct rota_tty_screen *screen, HANDLE console, const WCHAR *units, int count);

#endif
