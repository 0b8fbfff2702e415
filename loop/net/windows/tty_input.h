/* The console's input.
 *
 * It is waited for by a thread of the handle's own, because the console cannot be read in the background. That thread
 * also reads lines: what it has read waits in its buffer until the reader asks for it; only then does it read on. In
 * raw mode the loop's thread reads, and makes bytes of keys (tty_key.h): keys that come together are reported together.
 */
#ifndef ROTA_NET_WINDOWS_TTY_INPUT_H
#define ROTA_NET_WINDOWS_TTY_INPUT_H

#include "loop/net/windows/stream.h"

/* As in struct rota_stream_kind. */
DWORD rota__tty_wait(uv_stream_t *stream);
ssize_t rota__tty_receive(uv_stream_t *stream, const uv_buf_t *buf);
/* The console's mode has changed already. */
void rota__tty_set_raw(uv_tty_t *tty, bool is_raw);
/* Ends the thread, if there is one. */
void rota__tty_end_reader(uv_tty_t *tty);

#endif
