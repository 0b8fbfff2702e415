/* The binding `identity`: the user and groups of the process, and execve. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "rota.h"
#include "runtime/bind/binding.h"
#include "runtime/permission/permission.h"

/* A user or group is a number, or a name that is looked up; -1: there is no such name. */
static long find_user(JSContextRef context, JSValueRef value) {
  if (JSValueIsNumber(context, value))
    return (long)js_to_integer(context, value);
  char *name = js_to_text(context, value, NULL);
  struct passwd entry, *found = NULL;
  char space[8192];
  if (name != NULL)
    getpwnam_r(name, &entry, space, sizeof space, &found);
  free(name);
  return found != NULL ? (long)found->pw_uid : -1;
}

static long find_group(JSContextRef context, JSValueRef value) {
  if (JSValueIsNumber(context, value))
    return (long)js_to_integer(context, value);
  char *name = js_to_text(context, value, NULL);
  struct group entry, *found = NULL;
  char space[8192];
  if (name != NULL)
    getgrnam_r(name, &entry, space, sizeof space, &found);
  free(name);
  return found != NULL ? (long)found->gr_gid : -1;
}

/* set(which, id) -> 0, 1 when the name is unknown, or a negative error; which is one of `identity` */
static JSValueRef set(JSContextRef context, struct js_frame *frame) {
  int which = (int)js_to_integer(context, js_arg(context, frame, 0));
  JSValueRef value = js_arg(context, frame, 1);
  long id =
      which == JS_IDENTITY_UID || which == JS_IDENTITY_EUID ? find_user(context, value) : find_group(context, value);
  if (id < 0)
    return js_number(context, 1);
  int result = which == JS_IDENTITY_UID    ? setuid((uid_t)id)
               : which == JS_IDENTITY_EUID ? seteuid((uid_t)id)
               : which == JS_IDENTITY_GID  ? setgid((gid_t)id)
                                           : setegid((gid_t)id);
  return js_number(context, result == 0 ? 0 : -errno);
}

/* setGroups(list) -> 0, a negative error, or 1 + the index of a name that is unknown */
static JSValueRef set_groups(JSContextRef context, struct js_frame *frame) {
  JSObjectRef list = (JSObjectRef)js_arg(context, frame, 0);
  size_t count = (size_t)js_to_integer(context, js_get(context, list, "length"));
  gid_t *groups = calloc(count + 1, sizeof *groups);
  if (groups == NULL)
    return js_number(context, UV_ENOMEM);
  for (size_t i = 0; i < count; i++) {
    long id = find_group(context, JSObjectGetPropertyAtIndex(context, list, (unsigned)i, NULL));
    if (id < 0) {
      free(groups);
      return js_number(context, (double)i + 1);
    }
    groups[i] = (gid_t)id;
  }
  int result = setgroups(count, groups) == 0 ? 0 : -errno;
  free(groups);
  return js_number(context, result);
}

/* initGroups(user, group) -> 0, a negative error, 1 for an unknown user, 2 for an unknown group */
static JSValueRef init_groups(JSContextRef context, struct js_frame *frame) {
  JSValueRef user = js_arg(context, frame, 0);
  long group = find_group(context, js_arg(context, frame, 1));
  if (group < 0)
    return js_number(context, 2);
  long id = find_user(context, user);
  struct passwd entry, *found = NULL;
  char space[8192];
  if (id >= 0)
    getpwuid_r((uid_t)id, &entry, space, sizeof space, &found);
  if (found == NULL)
    return js_number(context, 1);
  return js_number(context, initgroups(found->pw_name, (gid_t)group) == 0 ? 0 : -errno);
}

static void free_list(char **texts) {
  for (char **text = texts; text != NULL && *text != NULL; text++)
    free(*text);
  free(texts);
}

static char **text_list(JSContextRef context, JSObjectRef list) {
  size_t count = (size_t)js_to_integer(context, js_get(context, list, "length"));
  char **texts = calloc(count + 1, sizeof *texts);
  for (size_t i = 0; texts != NULL && i < count; i++)
    texts[i] = js_to_text(context, JSObjectGetPropertyAtIndex(context, list, (unsigned)i, NULL), NULL);
  return texts;
}

/* Standard streams stay open. */
static int replace_process(const char *path, char **arguments, char **environment) {
  for (int fd = 0; fd < 3; fd++) {
    int flags = fcntl(fd, F_GETFD);
    if (flags >= 0)
      fcntl(fd, F_SETFD, flags & ~FD_CLOEXEC);
  }
  rota_trace_flush();
  execve(path, arguments, environment);
  return -errno;
}

/* execve(path, arguments, environment) -> a negative error; it does not return otherwise. */
static JSValueRef execute(JSContextRef context, struct js_frame *frame) {
  char *path = js_to_text(context, js_arg(context, frame, 0), NULL);
  char **arguments = text_list(context, (JSObjectRef)js_arg(context, frame, 1));
  char **environment = text_list(context, (JSObjectRef)js_arg(context, frame, 2));
  bool has_all = path != NULL && arguments != NULL && environment != NULL;
  bool refused = has_all && js_refused(context, JS_SCOPE_CHILD, path);
  int err = has_all && !refused ? replace_process(path, arguments, environment) : UV_ENOMEM;
  free(path);
  free_list(arguments);
  free_list(environment);
  return refused ? NULL : js_number(context, err);
}

/* threadUsage() -> [user, system] in microseconds, of the calling thread */
static JSValueRef thread_usage(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  struct rusage usage;
  getrusage(RUSAGE_THREAD, &usage);
  JSValueRef pair[] = {js_number(context, (double)usage.ru_utime.tv_sec * 1e6 + (double)usage.ru_utime.tv_usec),
                       js_number(context, (double)usage.ru_stime.tv_sec * 1e6 + (double)usage.ru_stime.tv_usec)};
  return js_array(context, 2, pair);
}

JSObjectRef js_binding_identity(struct js_env *env) {
  static const struct js_method methods[] = {
      {"set", set, 2},        {"setGroups", set_groups, 1},     {"initGroups", init_groups, 2},
      {"execve", execute, 3}, {"threadUsage", thread_usage, 0}, {NULL, NULL, 0},
  };
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  return binding;
}
