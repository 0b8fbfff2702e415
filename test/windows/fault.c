/* What is missing, on Windows: each scenario is run once for every allocation that it makes, which fails, and once for
 * every handle, thread and operation that it asks the system for (the library's table of imports is replaced here). It
 * must end, with errors in libuv's terms, and leave no memory and no handles behind.
 *
 * A line for each part; the exit status is the number of parts that failed. With a word, only the scenario of that
 * name. */
#include "part.h"

#include <fcntl.h>

enum {
  LIMIT_OF_A_RUN_MS = 20000,
  FILES_MAX = 8,
  MANY_BUFFERS = 1100,
  LATE_MS_MAX = 200,
  HANDLES_MAX = 1024,
  LACK_MS = 300
};

/* ---- what fails ---- */

static volatile LONG calls;     /* since the run has begun */
static volatile LONG fails_at;  /* 0: none */
static volatile LONG fails_all; /* every call from that one on */
static volatile LONG live;      /* blocks of memory */
static volatile LONG kind;      /* which calls are counted */

enum { COUNT_MEMORY, COUNT_SYSTEM };

static int fails(LONG counted) {
  if (kind != counted)
    return 0;
  LONG n = InterlockedIncrement(&calls);
  return fails_at > 0 && (n == fails_at || (fails_all && n > fails_at));
}

static void *test_malloc(size_t size) {
  void *block = fails(COUNT_MEMORY) ? NULL : malloc(size);
  if (block != NULL)
    InterlockedIncrement(&live);
  return block;
}

static void *test_calloc(size_t count, size_t size) {
  void *block = fails(COUNT_MEMORY) ? NULL : calloc(count, size);
  if (block != NULL)
    InterlockedIncrement(&live);
  return block;
}

static void *test_realloc(void *block, size_t size) {
  void *grown = fails(COUNT_MEMORY) ? NULL : realloc(block, size);
  if (grown != NULL && block == NULL)
    InterlockedIncrement(&live);
  return grown;
}

static void test_free(void *block) {
  if (block != NULL)
    InterlockedDecrement(&live);
  free(block);
}

/* ---- calls of the system ---- */

static HANDLE WINAPI create_file(const WCHAR *name, DWORD access, DWORD share, SECURITY_ATTRIBUTES *security, DWORD how,
                                 DWORD flags, HANDLE like) {
  if (!fails(COUNT_SYSTEM))
    return CreateFileW(name, access, share, security, how, flags, like);
  SetLastError(ERROR_TOO_MANY_OPEN_FILES);
  return INVALID_HANDLE_VALUE;
}

static HANDLE WINAPI create_pipe(const WCHAR *name, DWORD open, DWORD mode, DWORD max, DWORD out, DWORD in, DWORD ms,
                                 SECURITY_ATTRIBUTES *security) {
  if (!fails(COUNT_SYSTEM))
    return CreateNamedPipeW(name, open, mode, max, out, in, ms, security);
  SetLastError(ERROR_TOO_MANY_OPEN_FILES);
  return INVALID_HANDLE_VALUE;
}

static HANDLE WINAPI create_port(HANDLE handle, HANDLE port, ULONG_PTR key, DWORD threads) {
  if (!fails(COUNT_SYSTEM))
    return CreateIoCompletionPort(handle, port, key, threads);
  SetLastError(ERROR_NOT_ENOUGH_MEMORY);
  return NULL;
}

static HANDLE WINAPI create_event(SECURITY_ATTRIBUTES *security, BOOL manual, BOOL state, const WCHAR *name) {
  if (!fails(COUNT_SYSTEM))
    return CreateEventW(security, manual, state, name);
  SetLastError(ERROR_NOT_ENOUGH_MEMORY);
  return NULL;
}

static HANDLE WINAPI create_thread(SECURITY_ATTRIBUTES *security, SIZE_T stack, LPTHREAD_START_ROUTINE entry,
                                   void *argument, DWORD flags, DWORD *id) {
  if (!fails(COUNT_SYSTEM))
    return CreateThread(security, stack, entry, argument, flags, id);
  SetLastError(ERROR_NOT_ENOUGH_MEMORY);
  return NULL;
}

static BOOL WINAPI queue_work(LPTHREAD_START_ROUTINE entry, void *argument, ULONG flags) {
  if (!fails(COUNT_SYSTEM))
    return QueueUserWorkItem(entry, argument, flags);
  SetLastError(ERROR_NOT_ENOUGH_MEMORY);
  return FALSE;
}

static SOCKET WSAAPI make_socket(int family, int type, int protocol, WSAPROTOCOL_INFOW *info, GROUP group,
                                 DWORD flags) {
  if (!fails(COUNT_SYSTEM))
    return WSASocketW(family, type, protocol, info, group, flags);
  WSASetLastError(WSAEMFILE);
  return INVALID_SOCKET;
}

static BOOL WINAPI duplicate(HANDLE from, HANDLE handle, HANDLE to, HANDLE *made, DWORD access, BOOL inherit,
                             DWORD options) {
  if (!fails(COUNT_SYSTEM))
    return DuplicateHandle(from, handle, to, made, access, inherit, options);
  SetLastError(ERROR_TOO_MANY_OPEN_FILES);
  return FALSE;
}

static BOOL WINAPI create_process(const WCHAR *file, WCHAR *line, SECURITY_ATTRIBUTES *process,
                                  SECURITY_ATTRIBUTES *thread, BOOL inherit, DWORD flags, void *variables,
                                  const WCHAR *folder, STARTUPINFOW *start, PROCESS_INFORMATION *made) {
  if (!fails(COUNT_SYSTEM))
    return CreateProcessW(file, line, process, thread, inherit, flags, variables, folder, start, made);
  SetLastError(ERROR_NOT_ENOUGH_MEMORY);
  return FALSE;
}

static BOOL WINAPI register_wait(HANDLE *wait, HANDLE object, WAITORTIMERCALLBACK callback, void *context, ULONG ms,
                                 ULONG flags) {
  if (!fails(COUNT_SYSTEM))
    return RegisterWaitForSingleObject(wait, object, callback, context, ms, flags);
  SetLastError(ERROR_NOT_ENOUGH_MEMORY);
  return FALSE;
}

static BOOL WINAPI watch_folder(HANDLE folder, void *buffer, DWORD length, BOOL deep, DWORD filter, DWORD *bytes,
                                OVERLAPPED *overlapped, LPOVERLAPPED_COMPLETION_ROUTINE routine) {
  if (!fails(COUNT_SYSTEM))
    return ReadDirectoryChangesW(folder, buffer, length, deep, filter, bytes, overlapped, routine);
  SetLastError(ERROR_NOT_ENOUGH_MEMORY);
  return FALSE;
}

static HANDLE WINAPI find_first(const WCHAR *name, FINDEX_INFO_LEVELS level, void *found, FINDEX_SEARCH_OPS search,
                                void *filter, DWORD flags) {
  if (!fails(COUNT_SYSTEM))
    return FindFirstFileExW(name, level, found, search, filter, flags);
  SetLastError(ERROR_TOO_MANY_OPEN_FILES);
  return INVALID_HANDLE_VALUE;
}

static const struct {
  const char *name;
  void *function;
} replaced[] = {
    {"CreateFileW", create_file},
    {"CreateNamedPipeW", create_pipe},
    {"CreateIoCompletionPort", create_port},
    {"CreateEventW", create_event},
    {"CreateThread", create_thread},
    {"QueueUserWorkItem", queue_work},
    {"WSASocketW", make_socket},
    {"DuplicateHandle", duplicate},
    {"CreateProcessW", create_process},
    {"RegisterWaitForSingleObject", register_wait},
    {"ReadDirectoryChangesW", watch_folder},
    {"FindFirstFileExW", find_first},
};

static void replace_import(const char *name, void **place) {
  DWORD before;
  for (size_t i = 0; i < sizeof(replaced) / sizeof(replaced[0]); i++)
    if (strcmp(name, replaced[i].name) == 0 && VirtualProtect(place, sizeof(*place), PAGE_READWRITE, &before)) {
      *place = replaced[i].function;
      VirtualProtect(place, sizeof(*place), before, &before);
    }
}

/* What librota.dll calls, this program answers. */
static void replace_imports(void) {
  char *module = (char *)GetModuleHandleA("librota.dll");
  const IMAGE_NT_HEADERS *head = (const IMAGE_NT_HEADERS *)(module + ((const IMAGE_DOS_HEADER *)module)->e_lfanew);
  DWORD at = head->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_IMPORT].VirtualAddress;
  for (const IMAGE_IMPORT_DESCRIPTOR *from = (const IMAGE_IMPORT_DESCRIPTOR *)(module + at); from->Name != 0; from++) {
    const IMAGE_THUNK_DATA *names = (const IMAGE_THUNK_DATA *)(module + from->OriginalFirstThunk);
    void **places = (void **)(module + from->FirstThunk);
    for (size_t i = 0; names[i].u1.AddressOfData != 0; i++)
      if (!IMAGE_SNAP_BY_ORDINAL(names[i].u1.Ordinal))
        replace_import(((const IMAGE_IMPORT_BY_NAME *)(module + names[i].u1.AddressOfData))->Name, &places[i]);
  }
}

/* ---- what the scenarios share ---- */

static uv_loop_t loop;
static int strange; /* an error that libuv would not give */
static int last_strange;

static int note(ssize_t err) {
  if (err < 0 &&
      (uv_err_name((int)err) == NULL || err == UV_UNKNOWN || strcmp(uv_err_name((int)err), "UNKNOWN") == 0)) {
    strange++;
    last_strange = (int)err;
  }
  return (int)err;
}

static void close_one(uv_handle_t *handle, void *unused) {
  (void)unused;
  if (!uv_is_closing(handle))
    uv_close(handle, NULL);
}

static void close_all(void) {
  uv_walk(&loop, close_one, NULL);
}

/* An error ends the scenario. */
static int ended(ssize_t err) {
  if (note(err) >= 0)
    return 0;
  close_all();
  return 1;
}

static void alloc(uv_handle_t *handle, size_t size, uv_buf_t *buf) {
  static char bytes[65536];
  (void)handle;
  (void)size;
  *buf = uv_buf_init(bytes, sizeof(bytes));
}

static void on_read_all(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  (void)stream;
  (void)buf;
  ended(nread);
}

static void on_write(uv_write_t *req, int status) {
  (void)req;
  note(status);
}

static void on_shutdown(uv_shutdown_t *req, int status) {
  (void)req;
  ended(status);
}

/* ---- streams ---- */

static uv_tcp_t tcp_listener, tcp_client, tcp_peer, tcp_passed;
static uv_pipe_t pipe_listener, pipe_client, pipe_peer;
static uv_connect_t connect_req;
static uv_write_t write_reqs[2];
static uv_shutdown_t shutdown_req;
static char pipe_name[64];

static void send_all(uv_stream_t *stream) {
  static uv_buf_t bufs[MANY_BUFFERS];
  uv_buf_t one = uv_buf_init("hello", 5);
  for (int i = 0; i < MANY_BUFFERS; i++)
    bufs[i] = uv_buf_init("x", 1);
  if (!ended(uv_write(&write_reqs[0], stream, bufs, MANY_BUFFERS, on_write)) &&
      !ended(uv_write(&write_reqs[1], stream, &one, 1, on_write)))
    ended(uv_shutdown(&shutdown_req, stream, on_shutdown));
}

static void on_connect(uv_connect_t *req, int status) {
  if (!ended(status) && !ended(uv_read_start(req->handle, alloc, on_read_all)))
    send_all(req->handle);
}

static void on_tcp_connection(uv_stream_t *server, int status) {
  if (ended(status))
    return;
  if (!ended(uv_accept(server, (uv_stream_t *)&tcp_peer)))
    ended(uv_read_start((uv_stream_t *)&tcp_peer, alloc, on_read_all));
}

static int listen_tcp(struct sockaddr_in *address, uv_connection_cb cb) {
  int length = sizeof(*address);
  uv_ip4_addr("127.0.0.1", 0, address);
  int err = uv_tcp_init(&loop, &tcp_listener);
  if (err == 0)
    err = uv_tcp_bind(&tcp_listener, (const struct sockaddr *)address, 0);
  if (err == 0)
    err = uv_listen((uv_stream_t *)&tcp_listener, 8, cb);
  if (err == 0)
    err = uv_tcp_getsockname(&tcp_listener, (struct sockaddr *)address, &length);
  return err;
}

static void run_tcp(void) {
  struct sockaddr_in address;
  uv_tcp_init(&loop, &tcp_client);
  uv_tcp_init(&loop, &tcp_peer);
  if (!ended(listen_tcp(&address, on_tcp_connection)))
    ended(uv_tcp_connect(&connect_req, &tcp_client, (const struct sockaddr *)&address, on_connect));
}

static void on_pipe_connection(uv_stream_t *server, int status) {
  if (ended(status))
    return;
  if (!ended(uv_accept(server, (uv_stream_t *)&pipe_peer)))
    ended(uv_read_start((uv_stream_t *)&pipe_peer, alloc, on_read_all));
}

static int listen_pipe(int ipc, uv_connection_cb cb) {
  static int count;
  snprintf(pipe_name, sizeof(pipe_name), "\\\\.\\pipe\\rota-fault-%d-%d", (int)uv_os_getpid(), ++count);
  uv_pipe_init(&loop, &pipe_listener, 0);
  uv_pipe_init(&loop, &pipe_client, ipc);
  uv_pipe_init(&loop, &pipe_peer, ipc);
  int err = uv_pipe_bind(&pipe_listener, pipe_name);
  return err < 0 ? err : uv_listen((uv_stream_t *)&pipe_listener, 8, cb);
}

static void run_pipe(void) {
  if (!ended(listen_pipe(0, on_pipe_connection)))
    uv_pipe_connect(&connect_req, &pipe_client, pipe_name, on_connect);
}

/* Both ends are in this process; a listener goes over. */
static void on_frame(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  (void)buf;
  if (ended(nread))
    return;
  if (nread == 0 || uv_pipe_pending_count((uv_pipe_t *)stream) == 0)
    return;
  if (!ended(uv_accept(stream, (uv_stream_t *)&tcp_passed)))
    close_all();
}

static void on_ipc_connection(uv_stream_t *server, int status) {
  if (ended(status))
    return;
  if (!ended(uv_accept(server, (uv_stream_t *)&pipe_peer)))
    ended(uv_read_start((uv_stream_t *)&pipe_peer, alloc, on_frame));
}

static void on_ipc_write(uv_write_t *req, int status) {
  (void)req;
  ended(status);
}

static void on_ipc_connect(uv_connect_t *req, int status) {
  uv_buf_t buf = uv_buf_init("x", 1);
  if (!ended(status))
    ended(uv_write2(&write_reqs[0], req->handle, &buf, 1, (uv_stream_t *)&tcp_listener, on_ipc_write));
}

static void on_nobody(uv_stream_t *server, int status) {
  (void)server;
  note(status);
}

static void run_ipc(void) {
  struct sockaddr_in address;
  uv_tcp_init(&loop, &tcp_passed);
  if (!ended(listen_tcp(&address, on_nobody)) && !ended(listen_pipe(1, on_ipc_connection)))
    uv_pipe_connect(&connect_req, &pipe_client, pipe_name, on_ipc_connect);
}

/* Ends that wait: threads read and write. */
static void run_waiting_pipe(void) {
  uv_file ends[2];
  uv_fs_t req;
  if (note(uv_pipe(ends, 0, 0)) < 0)
    return;
  uv_pipe_init(&loop, &pipe_peer, 0);
  uv_pipe_init(&loop, &pipe_client, 0);
  if (note(uv_pipe_open(&pipe_peer, ends[0])) < 0)
    uv_fs_close(NULL, &req, ends[0], NULL);
  else
    ended(uv_read_start((uv_stream_t *)&pipe_peer, alloc, on_read_all));
  if (ended(uv_pipe_open(&pipe_client, ends[1])))
    uv_fs_close(NULL, &req, ends[1], NULL);
  else if (!uv_is_closing((uv_handle_t *)&pipe_client))
    send_all((uv_stream_t *)&pipe_client);
}

/* ---- datagrams ---- */

static uv_udp_t udp_one, udp_two;
static uv_udp_send_t send_req;

static void on_datagram(uv_udp_t *udp, ssize_t nread, const uv_buf_t *buf, const struct sockaddr *from,
                        unsigned int flags) {
  (void)udp;
  (void)buf;
  (void)flags;
  if (!ended(nread) && from != NULL)
    close_all();
}

static void on_sent(uv_udp_send_t *req, int status) {
  (void)req;
  ended(status);
}

static void run_udp(void) {
  struct sockaddr_in address;
  int length = sizeof(address);
  uv_buf_t bufs[2] = {uv_buf_init("hello", 5), uv_buf_init("world", 5)};
  uv_ip4_addr("127.0.0.1", 0, &address);
  uv_udp_init(&loop, &udp_one);
  uv_udp_init(&loop, &udp_two);
  if (!ended(uv_udp_bind(&udp_one, (const struct sockaddr *)&address, 0)) &&
      !ended(uv_udp_getsockname(&udp_one, (struct sockaddr *)&address, &length)) &&
      !ended(uv_udp_recv_start(&udp_one, alloc, on_datagram)))
    ended(uv_udp_send(&send_req, &udp_two, bufs, 2, (const struct sockaddr *)&address, on_sent));
}

/* ---- files ---- */

static uv_fs_t fs_reqs[FILES_MAX];

static void on_fs(uv_fs_t *req) {
  note(req->result);
  if (req->fs_type == UV_FS_SCANDIR) {
    uv_dirent_t entry;
    while (uv_fs_scandir_next(req, &entry) == 0)
      continue;
  }
  uv_fs_req_cleanup(req);
}

static void begin_fs(int err, uv_fs_t *req) {
  if (note(err) < 0)
    uv_fs_req_cleanup(req);
}

static void run_files(void) {
  uv_fs_t req;
  char bytes[16];
  uv_buf_t bufs[6];
  for (int i = 0; i < 6; i++)
    bufs[i] = uv_buf_init("x", 1);
  int fd = note(uv_fs_open(NULL, &req, "rota-fault.txt", UV_FS_O_CREAT | UV_FS_O_RDWR, 0600, NULL));
  uv_fs_req_cleanup(&req);
  if (fd >= 0) {
    note(uv_fs_write(NULL, &req, fd, bufs, 6, 0, NULL));
    uv_fs_req_cleanup(&req);
    uv_buf_t into = uv_buf_init(bytes, sizeof(bytes));
    note(uv_fs_read(NULL, &req, fd, &into, 1, 0, NULL));
    uv_fs_req_cleanup(&req);
    uv_fs_close(NULL, &req, fd, NULL);
    uv_fs_req_cleanup(&req);
  }
  note(uv_fs_copyfile(NULL, &req, "rota-fault.txt", "rota-fault-copy.txt", 0, NULL));
  uv_fs_req_cleanup(&req);
  note(uv_fs_opendir(NULL, &req, ".", NULL));
  uv_dir_t *dir = req.ptr;
  int is_open = req.result == 0;
  uv_fs_req_cleanup(&req);
  if (is_open) {
    uv_dirent_t entries[4];
    dir->dirents = entries;
    dir->nentries = 4;
    note(uv_fs_readdir(NULL, &req, dir, NULL));
    uv_fs_req_cleanup(&req);
    uv_fs_closedir(NULL, &req, dir, NULL);
    uv_fs_req_cleanup(&req);
  }
  begin_fs(uv_fs_stat(&loop, &fs_reqs[0], "rota-fault.txt", on_fs), &fs_reqs[0]);
  begin_fs(uv_fs_scandir(&loop, &fs_reqs[1], ".", 0, on_fs), &fs_reqs[1]);
  begin_fs(uv_fs_realpath(&loop, &fs_reqs[2], "rota-fault.txt", on_fs), &fs_reqs[2]);
  begin_fs(uv_fs_rename(&loop, &fs_reqs[3], "rota-fault-copy.txt", "rota-fault-new.txt", on_fs), &fs_reqs[3]);
  begin_fs(uv_fs_statfs(&loop, &fs_reqs[4], ".", on_fs), &fs_reqs[4]);
  begin_fs(uv_fs_access(&loop, &fs_reqs[5], "rota-fault.txt", 0, on_fs), &fs_reqs[5]);
  begin_fs(uv_fs_utime(&loop, &fs_reqs[6], "rota-fault.txt", 1, 1, on_fs), &fs_reqs[6]);
  begin_fs(uv_fs_lstat(&loop, &fs_reqs[7], "rota-nowhere.txt", on_fs), &fs_reqs[7]);
}

/* ---- watching ---- */

static uv_fs_event_t event;
static uv_fs_poll_t poller;
static uv_timer_t late;

static void on_event(uv_fs_event_t *handle, const char *name, int events, int status) {
  (void)handle;
  (void)name;
  (void)events;
  note(status);
  close_all();
}

static void on_poll(uv_fs_poll_t *handle, int status, const uv_stat_t *before, const uv_stat_t *now) {
  (void)handle;
  (void)before;
  (void)now;
  note(status);
}

static void on_late(uv_timer_t *timer) {
  (void)timer;
  close_all();
}

static void run_watch(void) {
  uv_fs_t req;
  uv_fs_event_init(&loop, &event);
  uv_fs_poll_init(&loop, &poller);
  uv_timer_init(&loop, &late);
  uv_timer_start(&late, on_late, LATE_MS_MAX, 0);
  note(uv_fs_poll_start(&poller, on_poll, "rota-fault.txt", 50));
  if (ended(uv_fs_event_start(&event, on_event, ".", UV_FS_EVENT_RECURSIVE)))
    return;
  int fd = note(uv_fs_open(NULL, &req, "rota-fault-watched.txt", UV_FS_O_CREAT | UV_FS_O_RDWR, 0600, NULL));
  uv_fs_req_cleanup(&req);
  if (fd >= 0)
    uv_fs_close(NULL, &req, fd, NULL);
  uv_fs_unlink(NULL, &req, "rota-fault-watched.txt", NULL);
  uv_fs_req_cleanup(&req);
}

/* ---- processes ---- */

static uv_process_t process;

static void on_exit_of(uv_process_t *handle, int64_t status, int signal) {
  (void)handle;
  (void)status;
  (void)signal;
  close_all();
}

static void run_spawn(void) {
  char path[4096];
  size_t size = sizeof(path);
  uv_pipe_init(&loop, &pipe_client, 0);
  uv_pipe_init(&loop, &pipe_peer, 0);
  if (ended(uv_exepath(path, &size)))
    return;
  char *args[] = {path, "--nothing", "an argument", NULL};
  char *variables[] = {"NAME=value", "OTHER=", NULL};
  uv_stdio_container_t stdio[3] = {
      {.flags = UV_CREATE_PIPE | UV_READABLE_PIPE, .data.stream = (uv_stream_t *)&pipe_client},
      {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&pipe_peer},
      {.flags = UV_IGNORE}};
  uv_process_options_t options = {.file = path,
                                  .args = args,
                                  .env = variables,
                                  .cwd = ".",
                                  .exit_cb = on_exit_of,
                                  .stdio = stdio,
                                  .stdio_count = 3};
  ended(uv_spawn(&loop, &process, &options));
}

/* ---- the host ---- */

static void do_work(uv_work_t *req) {
  (void)req;
}

static void after_work(uv_work_t *req, int status) {
  (void)req;
  note(status);
}

static void on_address(uv_getaddrinfo_t *req, int status, struct addrinfo *found) {
  (void)req;
  note(status);
  uv_freeaddrinfo(found);
}

static void on_name(uv_getnameinfo_t *req, int status, const char *host, const char *service) {
  (void)req;
  (void)host;
  (void)service;
  note(status);
}

static void run_host(void) {
  static uv_work_t work;
  static uv_getaddrinfo_t address_req;
  static uv_getnameinfo_t name_req;
  static uv_async_t async;
  char text[1024];
  size_t size = sizeof(text);
  uv_env_item_t *items;
  uv_cpu_info_t *cpus;
  uv_interface_address_t *interfaces;
  uv_passwd_t user;
  uv_lib_t library;
  struct sockaddr_in address;
  int count;
  if (note(uv_os_environ(&items, &count)) == 0)
    uv_os_free_environ(items, count);
  if (note(uv_cpu_info(&cpus, &count)) == 0)
    uv_free_cpu_info(cpus, count);
  if (note(uv_interface_addresses(&interfaces, &count)) == 0)
    uv_free_interface_addresses(interfaces, count);
  if (note(uv_os_get_passwd(&user)) == 0)
    uv_os_free_passwd(&user);
  note(uv_os_setenv("ROTA_FAULT", "value"));
  size = sizeof(text);
  note(uv_os_getenv("ROTA_FAULT", text, &size));
  size = sizeof(text);
  note(uv_os_homedir(text, &size));
  size = sizeof(text);
  note(uv_os_tmpdir(text, &size));
  size = sizeof(text);
  note(uv_cwd(text, &size));
  note(uv_chdir("."));
  note(uv_set_process_title("rota"));
  note(uv_get_process_title(text, sizeof(text)));
  uv_dlopen("rota-no-such.dll", &library);
  uv_dlclose(&library);
  note(uv_async_init(&loop, &async, NULL));
  uv_unref((uv_handle_t *)&async);
  note(uv_queue_work(&loop, &work, do_work, after_work));
  note(uv_getaddrinfo(&loop, &address_req, on_address, "127.0.0.1", "80", NULL));
  uv_ip4_addr("127.0.0.1", 80, &address);
  note(uv_getnameinfo(&loop, &name_req, on_name, (const struct sockaddr *)&address, NI_NUMERICHOST | NI_NUMERICSERV));
}

/* ---- the runs ---- */

static const struct scenario {
  const char *name;
  void (*run)(void);
} scenarios[] = {
    {"tcp", run_tcp},     {"udp", run_udp},     {"pipe", run_pipe}, {"waiting", run_waiting_pipe}, {"ipc", run_ipc},
    {"files", run_files}, {"watch", run_watch}, {"host", run_host}, {"spawn", run_spawn},
};

static int is_late;

static void on_run_limit(uv_timer_t *timer) {
  (void)timer;
  is_late = 1;
  close_all();
}

/* What the loop cannot do without, it tries again: it must go on when there is memory. */
static void on_lack_is_over(uv_timer_t *timer) {
  (void)timer;
  InterlockedExchange(&fails_at, 0);
}

static int run_once(const struct scenario *scenario) {
  static uv_timer_t limit, lack;
  InterlockedExchange(&calls, 0);
  int err = note(uv_loop_init(&loop));
  if (err < 0)
    return 1;
  uv_timer_init(&loop, &limit);
  uv_timer_start(&limit, on_run_limit, LIMIT_OF_A_RUN_MS, 0);
  uv_unref((uv_handle_t *)&limit);
  uv_timer_init(&loop, &lack);
  if (fails_all)
    uv_timer_start(&lack, on_lack_is_over, LACK_MS, 0);
  uv_unref((uv_handle_t *)&lack);
  scenario->run();
  uv_run(&loop, UV_RUN_DEFAULT);
  LONG failing = InterlockedExchange(&fails_at, 0);
  close_all();
  uv_run(&loop, UV_RUN_DEFAULT);
  InterlockedExchange(&fails_at, failing);
  return uv_loop_close(&loop) == 0;
}

/* Wine does not count them (GetProcessHandleCount gives 0). */
static DWORD handles(void) {
  DWORD count = 0, flags;
  for (uintptr_t handle = 4; handle < 4 * HANDLES_MAX; handle += 4)
    count += GetHandleInformation((HANDLE)handle, &flags) != 0;
  return count;
}

/* Threads of the system that have done something for the library may end later: the count is waited for. */
static int handles_settle(DWORD at_most) {
  for (int i = 0; i < 100 && handles() > at_most; i++)
    uv_sleep(20);
  return handles() <= at_most;
}

static void run_faults(const struct scenario *scenario, LONG counted, int all) {
  static const char *kinds[] = {"memory", "handles"};
  char part[128];
  int is_closed = 1, is_leaking = 0;
  kind = counted;
  fails_at = 0;
  fails_all = all;
  strange = is_late = 0;
  for (int i = 0; i < 2; i++) /* what is made once and kept */
    is_closed &= run_once(scenario);
  LONG count = calls, live_before = live, n;
  DWORD handles_before = handles();
  for (n = 1; n <= count && !is_late && is_closed && !is_leaking; n++) {
    InterlockedExchange(&fails_at, n);
    is_closed &= run_once(scenario);
    InterlockedExchange(&fails_at, 0);
    is_leaking = live > live_before;
  }
  int settles = handles_settle(handles_before + 4);
  snprintf(part, sizeof(part), "%s without %s%s", scenario->name, kinds[counted], all ? " from then on" : "");
  check(part, is_closed && !is_late && !strange && !is_leaking && settles && (count > 0 || counted == COUNT_SYSTEM));
  if (!is_closed || is_late || strange || is_leaking || !settles)
    printf("  call %ld of %ld: %s%s%s; strange errors %d (%d); blocks %ld, were %ld; handles %lu, were %lu\n", n - 1,
           count, is_closed ? "" : "the loop is not closed ", is_late ? "it does not end " : "",
           is_leaking ? "it leaks" : "", strange, last_strange, live, live_before, handles(), handles_before);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--nothing") == 0)
    return 0;
  if (uv_replace_allocator(test_malloc, test_realloc, test_calloc, test_free) != 0)
    return 1;
  replace_imports();
  for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
    if (argc > 1 && strcmp(argv[1], scenarios[i].name) != 0)
      continue;
    run_faults(&scenarios[i], COUNT_MEMORY, 0);
    run_faults(&scenarios[i], COUNT_MEMORY, 1);
    run_faults(&scenarios[i], COUNT_SYSTEM, 0);
    run_faults(&scenarios[i], COUNT_SYSTEM, 1);
  }
  remove_file("rota-fault.txt");
  remove_file("rota-fault-copy.txt");
  remove_file("rota-fault-new.txt");
  return failures;
}
