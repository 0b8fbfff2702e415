/* The console, between its files. */
#ifndef ROTA_NET_WINDOWS_TTY_H
#define ROTA_NET_WINDOWS_TTY_H

#include "loop/net/windows/stream.h"

/* ---- input: tty_input.c ---- */

/* As in struct rota_stream_kind. */
DWORD rota__tty_wait(uv_stream_t *stream);
ssize_t rota__tty_receive(uv_stream_t *stream, const uv_buf_t *buf);
/* The console's mode has changed already. */
void rota__tty_set_raw(uv_tty_t *tty, bool is_raw);
/* Ends the thread, if there is one. */
void rota__tty_end_reader(uv_tty_t *tty);

/* ---- output: tty_screen.c ---- */

/* Remembers colours and cursor of the console, which a program can ask back. The first console that is opened counts:
 * later ones may have been changed by then. */
void rota__screen_remember(HANDLE console);
/* Returns 0, or an error of the system. */
DWORD rota__screen_write(struct rota_tty_screen *screen, HANDLE console, const WCHAR *units, int count);

#endif
