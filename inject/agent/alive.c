#include "inject/agent/agent.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED_MAX = 40, KINDS_MAX = 64, NAME_SIZE = 48 };

/* What keeps a loop alive: handles that are active and referenced, and requests. */
struct survey {
  const struct agent *agent;
  FILE *out;
  unsigned int keeping, listed, others;
};

/* ---- handles ---- */

typedef int (*get_name)(const uv_tcp_t *handle, struct sockaddr *address, int *length);

static bool format_address(get_name get, const uv_tcp_t *handle, char *text, size_t size) {
  struct sockaddr_storage address;
  int length = sizeof address;
  char host[INET6_ADDRSTRLEN] = "";
  text[0] = 0;
  if (get(handle, (struct sockaddr *)&address, &length) != 0)
    return false;
  if (address.ss_family == AF_INET6) {
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)&address;
    inet_ntop(AF_INET6, &six->sin6_addr, host, sizeof host);
    snprintf(text, size, "[%s]:%u", host, ntohs(six->sin6_port));
  } else {
    const struct sockaddr_in *four = (const struct sockaddr_in *)&address;
    inet_ntop(AF_INET, &four->sin_addr, host, sizeof host);
    snprintf(text, size, "%s:%u", host, ntohs(four->sin_port));
  }
  return true;
}

static void print_tcp(const uv_tcp_t *handle, FILE *out) {
  char own[INET6_ADDRSTRLEN + 16], peer[INET6_ADDRSTRLEN + 16];
  bool has_own = format_address(uv_tcp_getsockname, handle, own, sizeof own);
  if (format_address(uv_tcp_getpeername, handle, peer, sizeof peer))
    fprintf(out, "%s, connected to %s", own, peer);
  else
    fprintf(out, has_own ? "listening on %s" : "%s", own);
}

static void print_handle(uv_handle_t *handle, FILE *out) {
  uv_os_fd_t fd;
  fprintf(out, "  %-10s ", uv_handle_type_name(handle->type));
  if (handle->type == UV_TCP)
    print_tcp((const uv_tcp_t *)handle, out);
  else if (handle->type == UV_TIMER)
    fprintf(out, "due in %llu ms: the next of setTimeout and setInterval",
            (unsigned long long)uv_timer_get_due_in((const uv_timer_t *)handle));
  else if (handle->type == UV_PROCESS)
    fprintf(out, "process %d", (int)uv_process_get_pid((const uv_process_t *)handle));
  else if (handle->type == UV_SIGNAL)
    fprintf(out, "signal %d", ((const uv_signal_t *)handle)->signum);
  else if (uv_fileno(handle, &fd) == 0)
    fprintf(out, "descriptor %d", fd);
  fputc('\n', out);
}

static void on_handle(uv_handle_t *handle, void *data) {
  struct survey *survey = data;
  if (agent_owns(survey->agent, handle))
    return;
  if (!uv_is_active(handle) || !uv_has_ref(handle)) {
    survey->others++;
    return;
  }
  survey->keeping++;
  if (survey->listed < LISTED_MAX) {
    survey->listed++;
    print_handle(handle, survey->out);
  }
}

/* ---- what Node says that they are for ---- */

struct kind {
  char name[NAME_SIZE];
  unsigned int count;
};

static void count_kind(struct kind *kinds, const char *name) {
  for (int i = 0; i < KINDS_MAX; i++) {
    if (kinds[i].count == 0)
      snprintf(kinds[i].name, sizeof kinds[i].name, "%s", name);
    if (strcmp(kinds[i].name, name) == 0) {
      kinds[i].count++;
      return;
    }
  }
}

/* process.getActiveResourcesInfo(): an array of names. */
static bool read_resources(napi_env env, struct kind *kinds) {
  napi_value global, process, function, names, name;
  uint32_t count;
  int type;
  if (napi_get_global(env, &global) != NAPI_OK ||
      napi_get_named_property(env, global, "process", &process) != NAPI_OK ||
      napi_get_named_property(env, process, "getActiveResourcesInfo", &function) != NAPI_OK ||
      napi_typeof(env, function, &type) != NAPI_OK || type != NAPI_FUNCTION ||
      napi_call_function(env, process, function, 0, NULL, &names) != NAPI_OK ||
      napi_get_array_length(env, names, &count) != NAPI_OK)
    return false;
  for (uint32_t i = 0; i < count; i++) {
    char text[NAME_SIZE];
    size_t length;
    napi_handle_scope scope;
    if (napi_open_handle_scope(env, &scope) != NAPI_OK)
      return false;
    if (napi_get_element(env, names, i, &name) == NAPI_OK &&
        napi_get_value_string_utf8(env, name, text, sizeof text, &length) == NAPI_OK)
      count_kind(kinds, text);
    napi_close_handle_scope(env, scope);
  }
  return true;
}

static void print_resources(napi_env env, FILE *out) {
  struct kind kinds[KINDS_MAX] = {{{0}, 0}};
  napi_handle_scope scope;
  napi_value thrown;
  if (napi_open_handle_scope(env, &scope) != NAPI_OK)
    return;
  bool is_read = read_resources(env, kinds);
  if (!is_read)
    napi_get_and_clear_last_exception(env, &thrown);
  napi_close_handle_scope(env, scope);
  for (int i = 0; is_read && i < KINDS_MAX && kinds[i].count > 0; i++)
    fprintf(out, "%s %u %s", i == 0 ? "  Node calls what is active:" : ",", kinds[i].count, kinds[i].name);
  if (is_read && kinds[0].count > 0)
    fputc('\n', out);
}

char *agent_describe_handles(struct agent *agent) {
  char *list = NULL, *text = NULL;
  size_t list_size, size;
  struct survey survey = {.agent = agent, .out = open_memstream(&list, &list_size)};
  if (survey.out == NULL)
    return NULL;
  uv_walk(agent->loop, on_handle, &survey);
  fclose(survey.out);
  FILE *out = open_memstream(&text, &size);
  if (out != NULL) {
    unsigned int requests = agent->loop->active_reqs.count - agent->pool.is_queued;
    fprintf(out, "rota: the loop of process %d is %s", agent->process,
            survey.keeping + requests > 0 ? "kept alive by" : "not kept alive by anything");
    if (survey.keeping + requests > 0)
      fprintf(out, " %u handle%s and %u request%s (files, names, connections, writes)", survey.keeping,
              survey.keeping == 1 ? "" : "s", requests, requests == 1 ? "" : "s");
    fprintf(out, ":\n%s", list);
    if (survey.keeping > survey.listed)
      fprintf(out, "  and %u more handles\n", survey.keeping - survey.listed);
    fprintf(out, "  %u more handles do not keep it alive\n", survey.others);
    print_resources(agent->env, out);
    fclose(out);
  }
  free(list);
  return text;
}

/* The way in has left a setImmediate that is soon done (command/live/way.c), and is none of the program's. */
void agent_walk_if_wanted(struct agent *agent) {
  enum { ITERATIONS = 6 };
  if (!atomic_load_explicit(&agent->wants_walk, memory_order_relaxed) ||
      atomic_load_explicit(&agent->measure.beats, memory_order_relaxed) < ITERATIONS)
    return;
  atomic_store(&agent->wants_walk, false);
  char *walk = agent_describe_handles(agent);
  pthread_mutex_lock(&agent_lock);
  free(agent->walk);
  agent->walk = walk;
  agent->has_walked = true;
  pthread_mutex_unlock(&agent_lock);
}
