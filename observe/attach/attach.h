/* rota attach: another process of the same user asks this one for statistics, for what keeps its loops alive, and for a
 * trace, while it runs.
 *
 * ROTA_ATTACH=1 asks for it: a thread that sleeps, and a listening socket, from the first loop on. A library must not
 * have these in every program. Until somebody asks, the loops are not touched: they run without an observer, at full
 * speed. The thread does not need the loops, so it answers also if they are blocked.
 *
 * The socket is in the kernel's own table of names (`rota-attach.<process id>`): there is no file to protect or to
 * remove. The name can be taken by others, so both sides ask the kernel who the other one is. The process talks to its
 * own user and to root only; the client checks that it talks to the process that it was told. Packets:
 *
 *   to the process    "stats <ms>", "why", "trace <ms>" with the descriptor of the file
 *   from the process  "+text" for standard output, "!text" for standard error, "-text" an error, "." the end
 */
#ifndef ROTA_ATTACH_ATTACH_H
#define ROTA_ATTACH_ATTACH_H

int rota__attach_start(void);
/* In a child after fork: the socket is the parent's, and the thread does not exist. It is started again at the first
 * loop. */
void rota__attach_before_fork(void);
void rota__attach_after_fork_in_parent(void);
void rota__attach_after_fork_in_child(void);
void rota__attach_resume(void);

#endif
