#include "inject/agent/agent.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "inject/names/v8.h"

enum { STACK_SIZE = 256 << 10 };

pthread_mutex_t agent_lock = PTHREAD_MUTEX_INITIALIZER;
static struct agent *current;

struct agent *agent_current(void) {
  return current;
}

static void free_agent(struct agent *agent) {
  if (agent->fd >= 0)
    close(agent->fd);
  free(agent->first_stack);
  free(agent->look.text);
  free(agent->walk);
  free(agent->record.ring);
  agent_names_free(agent->names);
  free(agent);
}

void agent_release(struct agent *agent, bool *done) {
  pthread_mutex_lock(&agent_lock);
  *done = true;
  bool is_last = agent->is_thread_done && agent->are_handles_done;
  pthread_mutex_unlock(&agent_lock);
  if (is_last)
    free_agent(agent);
}

bool agent_owns(const struct agent *agent, const void *handle) {
  return handle == &agent->wake || handle == &agent->prepare || handle == &agent->check || handle == &agent->timer ||
         handle == &agent->probe;
}

/* ---- the end, on the loop's thread ---- */

void agent_part_closed(struct agent *agent) {
  if (--agent->open_parts > 0)
    return;
  if (agent->has_cleanup)
    napi_remove_async_cleanup_hook(agent->cleanup);
  agent_release(agent, &agent->are_handles_done);
}

static void on_closed(uv_handle_t *handle) {
  agent_part_closed(handle->data);
}

static void close_handles(struct agent *agent) {
  uv_handle_t *handles[] = {(uv_handle_t *)&agent->wake, (uv_handle_t *)&agent->prepare, (uv_handle_t *)&agent->check,
                            (uv_handle_t *)&agent->timer};
  for (size_t i = 0; i < sizeof handles / sizeof handles[0]; i++)
    uv_close(handles[i], on_closed);
  agent_pool_stop(agent);
}

void agent_end(const char *reason) {
  struct agent *agent = current;
  if (agent == NULL)
    return;
  agent_record_stop(agent, agent->loop);
  pthread_mutex_lock(&agent_lock);
  current = NULL;
  agent->loop = NULL;
  agent->isolate = NULL;
  if (!agent->is_thread_done) {
    agent_send(agent->fd, '-', reason, strlen(reason));
    shutdown(agent->fd, SHUT_RDWR);
  }
  pthread_mutex_unlock(&agent_lock);
  close_handles(agent);
}

static void on_cleanup(napi_async_cleanup_hook_handle handle, void *data) {
  struct agent *agent = data;
  agent->cleanup = handle;
  if (current == agent)
    agent_end("it has ended");
}

/* The command has gone. */
void agent_on_wake(uv_async_t *handle) {
  struct agent *agent = handle->data;
  pthread_mutex_lock(&agent_lock);
  bool is_over = agent->is_thread_done;
  pthread_mutex_unlock(&agent_lock);
  if (is_over)
    agent_end("");
}

/* ---- the beginning ---- */

/* The command listens; who it is the kernel tells. */
static int connect_to_command(const char *name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  struct ucred peer;
  socklen_t length = sizeof peer;
  int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0)
    return -1;
  strncpy(address.sun_path, name, sizeof address.sun_path - 1);
  if (connect(fd, (const struct sockaddr *)&address, sizeof address) != 0 ||
      getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0 || (peer.uid != geteuid() && peer.uid != 0)) {
    close(fd);
    return -1;
  }
  return fd;
}

static bool start_thread(struct agent *agent) {
  pthread_t thread;
  pthread_attr_t attributes;
  sigset_t all, before;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, STACK_SIZE);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are the program's business */
  int err = pthread_create(&thread, &attributes, agent_thread, agent);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return err == 0;
}

static bool init_handles(struct agent *agent) {
  if (uv_async_init(agent->loop, &agent->wake, agent_on_wake) != 0)
    return false;
  uv_prepare_init(agent->loop, &agent->prepare);
  uv_check_init(agent->loop, &agent->check);
  uv_timer_init(agent->loop, &agent->timer);
  agent->wake.data = agent->prepare.data = agent->check.data = agent->timer.data = agent;
  agent->open_parts = 4;
  uv_unref((uv_handle_t *)&agent->wake);
  return true;
}

const char *agent_begin(napi_env env, const char *name, int client, int process) {
  agent_end(""); /* one whose command is gone, in a loop that has not come round since */
  if (!names_v8_find())
    return "this Node lacks what rota asks V8 for; Node 18 and later have it";
  struct agent *agent = calloc(1, sizeof *agent);
  if (agent == NULL)
    return "there is no memory";
  agent->env = env;
  agent->isolate = names_v8_isolate();
  agent->fd = connect_to_command(name);
  agent->client = client;
  agent->process = process;
  agent->thread = (int)syscall(SYS_gettid);
  if (agent->fd < 0 || napi_get_uv_event_loop(env, &agent->loop) != NAPI_OK || !init_handles(agent)) {
    if (agent->fd >= 0)
      close(agent->fd);
    free(agent);
    return "its agent cannot reach rota";
  }
  agent->has_cleanup = napi_add_async_cleanup_hook(env, on_cleanup, agent, &agent->cleanup) == NAPI_OK;
  agent->first_stack = agent_take_stack(agent, false);
  agent_measure_start(agent);
  agent_pool_start(agent);
  pthread_mutex_lock(&agent_lock);
  current = agent;
  pthread_mutex_unlock(&agent_lock);
  if (start_thread(agent))
    return NULL;
  agent->is_thread_done = true;
  agent_end("");
  return "it can have no further thread";
}
