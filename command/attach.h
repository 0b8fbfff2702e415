/* rota attach: asks a process that runs on librota for statistics, for what keeps it alive, or for a trace, while it
 * runs. observe/attach/attach.h has the other side, and the packets. */
#ifndef GRAFT_ATTACH_H
#define GRAFT_ATTACH_H

/* The exit code. argv[1] is "attach". */
int graft_attach(int argc, char **argv);

#endif
