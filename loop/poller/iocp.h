/* What the rooms of Windows ask of the poller on a completion port beyond poller.h: there, an operation is begun by the
 * call that belongs to it (WSARecv, ConnectNamedPipe, ...), and the port reports its end. */
#ifndef ROTA_POLLER_IOCP_H
#define ROTA_POLLER_IOCP_H

#include "loop/base/list.h"
#include "loop/poller/poller.h"
#include "uv.h"

typedef void (*rota_io_done)(struct rota_op *op, int32_t result, uint32_t bytes);

static inline struct rota_io *rota__io_of(struct rota_op *op) {
  return rota__container_of(op, struct rota_io, op);
}

/* Before each operation. `done` gets 0, or a negative UV_E*, and the number of bytes. */
static inline OVERLAPPED *rota__io_begin(struct rota_io *io, rota_io_done done) {
  io->overlapped = (OVERLAPPED){0};
  io->op.done = done;
  return &io->overlapped;
}

/* From now on, the ends of the handle's operations are reported by the port. */
int rota__iocp_attach(const struct rota_poller *poller, HANDLE handle);
/* From now on, an operation that succeeds at once is not: its call says so. */
bool rota__iocp_skip(HANDLE handle);
/* How an operation has ended, for rota__op_defer. `error` is a code of the system's, 0 for success. */
void rota__iocp_set_result(struct rota_io *io, DWORD error, uint32_t bytes);
/* Reports the end of an operation that a thread has done. From any thread. What the loop's own thread knows at once is
 * deferred instead: programs expect it in the pending phase. */
void rota__iocp_post(void *port, struct rota_io *io, DWORD error, uint32_t bytes);

#endif
