/* The poller on a completion port: Windows.
 *
 * Operations of sockets, pipes and directories are begun where they belong to. The port reports their ends, and wait
 * hands them to the loop as it does with the operations of a ring. Sockets of others (uv_poll) are watched: an
 * operation of the driver of sockets (AFD) ends when one of the events has come, and is begun again before the next
 * wait, so that a watch is level-triggered.
 *
 * Invariant: a row is in the table, or its operation is under way and the row is freed when it ends. An operation that
 * is under way is for the events `asked`. */
#include "loop/poller/iocp.h"

#include <limits.h>
#include <poll.h>
#include <winternl.h>

#include "loop/base/alloc.h"
#include "loop/base/table.h"
#include "loop/base/units.h"
#include "loop/os/windows/convert.h"

enum { ENTRIES_MAX = 256 };

/* The driver's interface, which is not in the headers. */
enum {
  AFD_POLL = 0x00012024, /* the code of the operation */
  AFD_RECEIVE = 0x0001,
  AFD_RECEIVE_EXPEDITED = 0x0002,
  AFD_SEND = 0x0004,
  AFD_DISCONNECT = 0x0008,
  AFD_ABORT = 0x0010,
  AFD_LOCAL_CLOSE = 0x0020,
  AFD_ACCEPT = 0x0080,
  AFD_CONNECT_FAIL = 0x0100,
};

struct afd_poll {
  LARGE_INTEGER timeout;
  ULONG count;
  ULONG exclusive;
  HANDLE handle;
  ULONG events;
  NTSTATUS status;
};

struct row {
  struct rota_io io; /* without a `done`: that is how wait knows it */
  int fd;            /* the socket */
  SOCKET base;       /* the one below the layers that other products may have put on top of it */
  uint32_t generation;
  unsigned int events; /* as poll(2); 0: not watched */
  unsigned int asked;  /* what the operation is under way for; 0: none is */
  bool is_forgotten;
  struct rota_link again; /* linked while the operation is to be begun before the next wait */
  struct afd_poll poll;
};

struct iocp_poller {
  struct rota_poller base;
  HANDLE afd;        /* null: not opened yet */
  struct row **rows; /* by socket */
  size_t capacity;
  size_t under_way;
  struct rota_link again;
  _Atomic bool is_woken; /* a wake-up is in the port */
  OVERLAPPED_ENTRY entries[ENTRIES_MAX];
};

static struct iocp_poller *self_of(struct rota_poller *poller) {
  return rota__container_of(poller, struct iocp_poller, base);
}

/* ---- operations ---- */

int rota__iocp_attach(const struct rota_poller *poller, HANDLE handle) {
  return CreateIoCompletionPort(handle, poller->port, 0, 0) != NULL ? 0 : rota__os_last_error();
}

bool rota__iocp_skip(HANDLE handle) {
  return SetFileCompletionNotificationModes(handle, FILE_SKIP_COMPLETION_PORT_ON_SUCCESS);
}

/* A code of the system's as a status: the way back is in `outcome`. */
static ULONG_PTR as_status(DWORD error) {
  return error == 0 ? 0 : 0xC0070000u | (error & 0xFFFFu);
}

void rota__iocp_set_result(struct rota_io *io, DWORD error, uint32_t bytes) {
  io->overlapped.Internal = as_status(error);
  io->overlapped.InternalHigh = bytes;
}

void rota__iocp_post(void *port, struct rota_io *io, DWORD error, uint32_t bytes) {
  rota__iocp_set_result(io, error, bytes);
  /* It fails only if the system has no memory left for an entry of the queue. */
  while (!PostQueuedCompletionStatus(port, bytes, 0, &io->overlapped))
    Sleep(1);
}

/* Statuses of sockets, for which the system's own translation gives codes of the network redirector. */
static int outcome(ULONG_PTR status) {
  static const struct {
    uint32_t status;
    int err;
  } known[] = {
      {0xC0000120, UV_ECANCELED},     /* STATUS_CANCELLED */
      {0xC0000236, UV_ECONNREFUSED},  /* STATUS_CONNECTION_REFUSED */
      {0xC000020D, UV_ECONNRESET},    /* STATUS_CONNECTION_RESET */
      {0xC000013B, UV_ECONNRESET},    /* STATUS_LOCAL_DISCONNECT */
      {0xC000013C, UV_ECONNRESET},    /* STATUS_REMOTE_DISCONNECT */
      {0xC0000241, UV_ECONNABORTED},  /* STATUS_CONNECTION_ABORTED */
      {0xC000023C, UV_ENETUNREACH},   /* STATUS_NETWORK_UNREACHABLE */
      {0xC000023D, UV_EHOSTUNREACH},  /* STATUS_HOST_UNREACHABLE */
      {0xC000023E, UV_ECONNRESET},    /* STATUS_PROTOCOL_UNREACHABLE */
      {0xC000023F, UV_ECONNRESET},    /* STATUS_PORT_UNREACHABLE */
      {0xC00000B5, UV_ETIMEDOUT},     /* STATUS_IO_TIMEOUT */
      {0xC0000207, UV_EADDRNOTAVAIL}, /* STATUS_INVALID_ADDRESS_COMPONENT */
      {0xC0000141, UV_EADDRNOTAVAIL}, /* STATUS_INVALID_ADDRESS */
      {0xC000020A, UV_EADDRINUSE},    /* STATUS_ADDRESS_ALREADY_EXISTS */
      {0xC000014B, UV_EOF},           /* STATUS_PIPE_BROKEN */
      {0xC00000B1, UV_EOF},           /* STATUS_PIPE_CLOSING */
      {0xC00000B0, UV_EOF},           /* STATUS_PIPE_DISCONNECTED */
      {0xC0000011, UV_EOF},           /* STATUS_END_OF_FILE */
      {0x80000005, UV_EMSGSIZE},      /* STATUS_BUFFER_OVERFLOW */
      {0xC0000023, UV_EMSGSIZE},      /* STATUS_BUFFER_TOO_SMALL */
      {0xC0000128, UV_ECANCELED},     /* STATUS_FILE_CLOSED */
      {0xC0000008, UV_ECANCELED},     /* STATUS_INVALID_HANDLE: it was closed meanwhile */
  };
  uint32_t code = (uint32_t)status;
  if (code < 0x80000000u)
    return 0;
  if ((code & 0xFFFF0000u) == 0xC0070000u)
    return rota__os_translate((int)(code & 0xFFFFu));
  for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
    if (known[i].status == code)
      return known[i].err;
  return rota__os_translate((int)RtlNtStatusToDosError((NTSTATUS)code));
}

void rota__iocp_call_back(struct rota_op *op) {
  const struct rota_io *io = rota__io_of(op);
  op->done(op, outcome(io->overlapped.Internal), (uint32_t)io->overlapped.InternalHigh);
}

/* ---- watching sockets ---- */

static int open_afd(struct iocp_poller *self) {
  static WCHAR name[] = L"\\Device\\Afd\\Rota";
  UNICODE_STRING text = {sizeof(name) - sizeof(WCHAR), sizeof(name), name};
  OBJECT_ATTRIBUTES attributes = {.Length = sizeof(attributes), .ObjectName = &text};
  IO_STATUS_BLOCK status;
  if (self->afd != NULL)
    return 0;
  HANDLE afd;
  NTSTATUS err =
      NtCreateFile(&afd, SYNCHRONIZE, &attributes, &status, NULL, 0, FILE_SHARE_READ | FILE_SHARE_WRITE, 1, 0, NULL, 0);
  if (err != 0)
    return rota__os_translate((int)RtlNtStatusToDosError(err));
  int attached = rota__iocp_attach(&self->base, afd);
  if (attached < 0) {
    CloseHandle(afd);
    return attached;
  }
  self->afd = afd;
  return 0;
}

static ULONG to_afd(unsigned int events) {
  ULONG wanted = AFD_ABORT | AFD_LOCAL_CLOSE | AFD_CONNECT_FAIL;
  if (events & POLLIN)
    wanted |= AFD_RECEIVE | AFD_DISCONNECT | AFD_ACCEPT;
  if (events & POLLOUT)
    wanted |= AFD_SEND;
  if (events & POLLPRI)
    wanted |= AFD_RECEIVE_EXPEDITED;
  if (events & ROTA_WATCH_PEER_SHUT)
    wanted |= AFD_DISCONNECT;
  return wanted;
}

static unsigned int from_afd(ULONG events) {
  unsigned int came = 0;
  if (events & (AFD_RECEIVE | AFD_DISCONNECT | AFD_ACCEPT | AFD_ABORT))
    came |= POLLIN;
  if (events & (AFD_SEND | AFD_CONNECT_FAIL | AFD_ABORT))
    came |= POLLOUT;
  if (events & AFD_RECEIVE_EXPEDITED)
    came |= POLLPRI;
  if (events & (AFD_DISCONNECT | AFD_ABORT))
    came |= ROTA_WATCH_PEER_SHUT;
  return came;
}

static int begin(struct iocp_poller *self, struct row *row) {
  rota__io_begin(&row->io, NULL);
  row->poll = (struct afd_poll){.timeout.QuadPart = INT64_MAX, .count = 1, .handle = (HANDLE)row->base};
  row->poll.events = to_afd(row->events);
  IO_STATUS_BLOCK *status = (IO_STATUS_BLOCK *)&row->io.overlapped;
  status->Status = 0x103; /* STATUS_PENDING */
  NTSTATUS err = NtDeviceIoControlFile(self->afd, NULL, NULL, &row->io.overlapped, status, AFD_POLL, &row->poll,
                                       sizeof(row->poll), &row->poll, sizeof(row->poll));
  if (err < 0)
    return outcome((uint32_t)err);
  row->asked = row->events;
  self->under_way++;
  return 0;
}

static void stop(struct iocp_poller *self, struct row *row) {
  rota__list_remove(&row->again);
  if (row->asked != 0)
    CancelIoEx(self->afd, &row->io.overlapped);
}

static void iocp_forget(struct rota_poller *poller, int fd) {
  struct iocp_poller *self = self_of(poller);
  if ((size_t)fd >= self->capacity || self->rows[fd] == NULL)
    return;
  struct row *row = self->rows[fd];
  self->rows[fd] = NULL;
  stop(self, row);
  row->events = 0;
  row->is_forgotten = true;
  if (row->asked == 0)
    rota__free(row);
}

static SOCKET base_of(SOCKET socket) {
  SOCKET base = INVALID_SOCKET;
  DWORD bytes;
  if (WSAIoctl(socket, SIO_BASE_HANDLE, NULL, 0, &base, sizeof(base), &bytes, NULL, NULL) != 0)
    return socket;
  return base;
}

int rota__iocp_accepts(int fd) {
  int type, length = sizeof(type);
  return getsockopt((SOCKET)(intptr_t)fd, SOL_SOCKET, SO_TYPE, (char *)&type, &length) == 0
             ? 0
             : rota__os_translate(WSAGetLastError());
}

static int make_row(struct iocp_poller *self, int fd, struct row **made) {
  if ((size_t)fd >= self->capacity) {
    struct row **rows = rota__table_grow(self->rows, &self->capacity, (size_t)fd, sizeof(struct row *));
    if (rows == NULL)
      return UV_ENOMEM;
    self->rows = rows;
  }
  struct row *row = self->rows[fd];
  if (row == NULL) {
    row = rota__calloc(1, sizeof(*row));
    if (row == NULL)
      return UV_ENOMEM;
    rota__list_init(&row->again);
    row->fd = fd;
    row->base = base_of((SOCKET)(intptr_t)fd);
    self->rows[fd] = row;
  }
  *made = row;
  return 0;
}

static int iocp_watch(struct rota_poller *poller, int fd, unsigned int events, uint32_t generation) {
  struct iocp_poller *self = self_of(poller);
  unsigned int wanted = events & (POLLIN | POLLOUT | POLLPRI | ROTA_WATCH_PEER_SHUT);
  struct row *row = NULL;
  if (wanted == 0) {
    iocp_forget(poller, fd);
    return 0;
  }
  int err = open_afd(self);
  if (err == 0)
    err = make_row(self, fd, &row);
  if (err < 0)
    return err;
  row->generation = generation;
  row->events = wanted;
  if (row->asked == 0) {
    rota__list_remove(&row->again);
    err = begin(self, row);
    if (err < 0)
      iocp_forget(poller, fd);
    return err;
  }
  if (row->asked != wanted) /* when it has ended, it is begun with the new events */
    CancelIoEx(self->afd, &row->io.overlapped);
  return 0;
}

/* The operation of a watch has ended. Returns whether there is something to report. */
static bool take_watch(struct iocp_poller *self, struct row *row, struct rota_ready *out) {
  bool succeeded = outcome(row->io.overlapped.Internal) == 0 && row->poll.count > 0;
  unsigned int events = succeeded ? from_afd(row->poll.events) & (row->events | POLLERR) : 0;
  self->under_way--;
  row->asked = 0;
  if (row->is_forgotten) {
    rota__free(row);
    return false;
  }
  if (succeeded && (row->poll.events & AFD_LOCAL_CLOSE)) {
    iocp_forget(&self->base, row->fd);
    return false;
  }
  rota__list_append(&self->again, &row->again);
  out->op = NULL;
  out->u.watch.fd = row->fd;
  out->u.watch.generation = row->generation;
  out->u.watch.events = events;
  return events != 0;
}

static void begin_again(struct iocp_poller *self) {
  struct rota_link again;
  rota__list_take(&again, &self->again);
  while (!rota__list_empty(&again)) {
    struct row *row = rota__container_of(rota__list_first(&again), struct row, again);
    rota__list_remove(&row->again);
    if (row->asked == 0 && row->events != 0 && begin(self, row) < 0)
      iocp_forget(&self->base, row->fd); /* its owner has closed it */
  }
}

/* ---- waiting ---- */

static DWORD to_ms(int64_t timeout_ns) {
  if (timeout_ns < 0)
    return INFINITE;
  if (timeout_ns >= INT_MAX * (int64_t)NS_PER_MS)
    return INT_MAX;
  return (DWORD)((timeout_ns + NS_PER_MS - 1) / NS_PER_MS); /* never early */
}

static int take(struct iocp_poller *self, const OVERLAPPED_ENTRY *entry, struct rota_ready *out) {
  if (entry->lpOverlapped == NULL) {
    atomic_store(&self->is_woken, false);
    *out = (struct rota_ready){.u.watch.fd = ROTA_READY_WOKEN};
    return 1;
  }
  struct rota_io *io = rota__container_of(entry->lpOverlapped, struct rota_io, overlapped);
  if (io->op.done == NULL)
    return take_watch(self, rota__container_of(io, struct row, io), out);
  out->op = &io->op;
  out->u.completion.result = outcome(io->overlapped.Internal);
  out->u.completion.flags = entry->dwNumberOfBytesTransferred;
  return 1;
}

static int iocp_wait(struct rota_poller *poller, int64_t timeout_ns, struct rota_ready *out, int out_max) {
  struct iocp_poller *self = self_of(poller);
  ULONG count = 0;
  ULONG entries_max = (ULONG)(out_max < ENTRIES_MAX ? out_max : ENTRIES_MAX);
  if (!rota__list_empty(&self->again))
    begin_again(self);
  if (!GetQueuedCompletionStatusEx(poller->port, self->entries, entries_max, &count, to_ms(timeout_ns), FALSE)) {
    DWORD error = GetLastError();
    return error == WAIT_TIMEOUT ? 0 : rota__os_translate((int)error);
  }
  int n = 0;
  for (ULONG i = 0; i < count; i++)
    n += take(self, &self->entries[i], &out[n]);
  return n;
}

/* Wake-ups that nobody has seen are one, at the place of the first. */
static void iocp_wake(struct rota_poller *poller) {
  if (!atomic_exchange(&self_of(poller)->is_woken, true) && !PostQueuedCompletionStatus(poller->port, 0, 0, NULL))
    atomic_store(&self_of(poller)->is_woken, false);
}

/* ---- the rest of the interface ---- */

static void iocp_flush(struct rota_poller *poller) {
  begin_again(self_of(poller));
}

/* A port is no descriptor, and cannot be polled. */
static int iocp_fd(struct rota_poller *poller) {
  (void)poller;
  return -1;
}

/* What the port still has: the system writes into the rows until their operations have ended, and what was posted and
 * has lost its owner is freed by its own function. */
static void drain(struct iocp_poller *self) {
  struct rota_ready ready[ENTRIES_MAX];
  int n;
  do {
    n = iocp_wait(&self->base, self->under_way > 0 ? -1 : 0, ready, ENTRIES_MAX);
    for (int i = 0; i < n; i++)
      if (ready[i].op != NULL)
        ready[i].op->done(ready[i].op, ready[i].u.completion.result, ready[i].u.completion.flags);
  } while (n > 0 || (n == 0 && self->under_way > 0));
}

static void iocp_close(struct rota_poller *poller) {
  struct iocp_poller *self = self_of(poller);
  for (size_t fd = 0; fd < self->capacity; fd++)
    iocp_forget(poller, (int)fd);
  drain(self);
  if (self->afd != NULL)
    CloseHandle(self->afd);
  CloseHandle(poller->port);
  rota__free(self->rows);
  rota__free(self);
}

static const struct rota_poller_ops iocp_ops = {
    .name = "iocp",
    .watch = iocp_watch,
    .forget = iocp_forget,
    .wait = iocp_wait,
    .flush = iocp_flush,
    .wake = iocp_wake,
    .fd = iocp_fd,
    .close = iocp_close,
};

static INIT_ONCE sockets_once = INIT_ONCE_STATIC_INIT;

static BOOL CALLBACK start_sockets(INIT_ONCE *once, void *unused, void **unused_too) {
  (void)once;
  (void)unused;
  (void)unused_too;
  WSADATA data;
  return WSAStartup(MAKEWORD(2, 2), &data) == 0;
}

int rota__iocp_open(struct rota_poller **poller) {
  if (!InitOnceExecuteOnce(&sockets_once, start_sockets, NULL, NULL))
    return UV_ENETDOWN;
  struct iocp_poller *self = rota__calloc(1, sizeof(*self));
  if (self == NULL)
    return UV_ENOMEM;
  self->base.ops = &iocp_ops;
  rota__list_init(&self->again);
  self->base.port = CreateIoCompletionPort(INVALID_HANDLE_VALUE, NULL, 0, 1);
  if (self->base.port == NULL) {
    int err = rota__os_last_error();
    rota__free(self);
    return err;
  }
  *poller = &self->base;
  return 0;
}
