/* The binding `os`: information about the system. */
#include <gnu/libc-version.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/bind/binding.h"

static JSValueRef home(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  char path[4096];
  size_t size = sizeof path;
  int err = uv_os_homedir(path, &size);
  return err == 0 ? js_text(context, path, size) : js_number(context, err);
}

static JSValueRef host_name(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  char name[UV_MAXHOSTNAMESIZE];
  size_t size = sizeof name;
  int err = uv_os_gethostname(name, &size);
  return err == 0 ? js_string(context, name) : js_number(context, err);
}

static JSValueRef uname_part(JSContextRef context, int part) {
  uv_utsname_t name;
  int err = uv_os_uname(&name);
  if (err != 0)
    return js_number(context, err);
  const char *const parts[] = {name.sysname, name.release, name.version, name.machine};
  return js_string(context, parts[part]);
}

static JSValueRef type(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  return uname_part(context, 0);
}

static JSValueRef release(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  return uname_part(context, 1);
}

static JSValueRef version(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  return uname_part(context, 2);
}

static JSValueRef machine(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  return uname_part(context, 3);
}

static JSValueRef uptime(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  double seconds = 0;
  int err = uv_uptime(&seconds);
  return js_number(context, err == 0 ? seconds : err);
}

static JSValueRef free_memory(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  return js_number(context, (double)uv_get_free_memory());
}

static JSValueRef total_memory(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  return js_number(context, (double)uv_get_total_memory());
}

static JSValueRef load_average(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  double load[3];
  uv_loadavg(load);
  JSValueRef values[] = {js_number(context, load[0]), js_number(context, load[1]), js_number(context, load[2])};
  return js_array(context, 3, values);
}

static JSValueRef parallelism(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  return js_number(context, uv_available_parallelism());
}

static JSValueRef processors(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  uv_cpu_info_t *infos;
  int count;
  JSObjectRef list = js_array(context, 0, NULL);
  if (uv_cpu_info(&infos, &count) != 0)
    return list;
  for (int i = 0; i < count; i++) {
    JSObjectRef times = js_object(context), row = js_object(context);
    js_set(context, times, "user", js_number(context, (double)infos[i].cpu_times.user));
    js_set(context, times, "nice", js_number(context, (double)infos[i].cpu_times.nice));
    js_set(context, times, "sys", js_number(context, (double)infos[i].cpu_times.sys));
    js_set(context, times, "idle", js_number(context, (double)infos[i].cpu_times.idle));
    js_set(context, times, "irq", js_number(context, (double)infos[i].cpu_times.irq));
    js_set(context, row, "model", js_string(context, infos[i].model));
    js_set(context, row, "speed", js_number(context, infos[i].speed));
    js_set(context, row, "times", times);
    JSObjectSetPropertyAtIndex(context, list, (unsigned)i, row, NULL);
  }
  uv_free_cpu_info(infos, count);
  return list;
}

static JSValueRef interfaces(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  uv_interface_address_t *infos;
  int count;
  JSObjectRef list = js_array(context, 0, NULL);
  if (uv_interface_addresses(&infos, &count) != 0)
    return list;
  for (int i = 0; i < count; i++) {
    bool is_v6 = infos[i].address.address4.sin_family == AF_INET6;
    char address[64] = "", netmask[64] = "", mac[18];
    uv_ip_name((const struct sockaddr *)&infos[i].address, address, sizeof address);
    uv_ip_name((const struct sockaddr *)&infos[i].netmask, netmask, sizeof netmask);
    const unsigned char *p = (const unsigned char *)infos[i].phys_addr;
    snprintf(mac, sizeof mac, "%02x:%02x:%02x:%02x:%02x:%02x", p[0], p[1], p[2], p[3], p[4], p[5]);
    JSObjectRef row = js_object(context);
    js_set(context, row, "name", js_string(context, infos[i].name));
    js_set(context, row, "address", js_string(context, address));
    js_set(context, row, "netmask", js_string(context, netmask));
    js_set(context, row, "family", js_string(context, is_v6 ? "IPv6" : "IPv4"));
    js_set(context, row, "mac", js_string(context, mac));
    js_set(context, row, "internal", js_boolean(context, infos[i].is_internal));
    if (is_v6)
      js_set(context, row, "scopeid", js_number(context, infos[i].address.address6.sin6_scope_id));
    JSObjectSetPropertyAtIndex(context, list, (unsigned)i, row, NULL);
  }
  uv_free_interface_addresses(infos, count);
  return list;
}

/* getPriority(pid) -> the priority, or [error]: a priority may be negative, too. */
static JSValueRef get_priority(JSContextRef context, struct js_frame *frame) {
  int priority;
  int err = uv_os_getpriority((uv_pid_t)js_to_integer(context, js_arg(context, frame, 0)), &priority);
  if (err == 0)
    return js_number(context, priority);
  JSValueRef failure = js_number(context, err);
  return js_array(context, 1, &failure);
}

static JSValueRef set_priority(JSContextRef context, struct js_frame *frame) {
  return js_number(context, uv_os_setpriority((uv_pid_t)js_to_integer(context, js_arg(context, frame, 0)),
                                              (int)js_to_integer(context, js_arg(context, frame, 1))));
}

static JSValueRef user(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  uv_passwd_t entry;
  int err = uv_os_get_passwd(&entry);
  if (err != 0)
    return js_number(context, err);
  JSObjectRef row = js_object(context);
  js_set(context, row, "uid", js_number(context, (double)entry.uid));
  js_set(context, row, "gid", js_number(context, (double)entry.gid));
  js_set(context, row, "username", js_string(context, entry.username));
  js_set(context, row, "homedir", js_string(context, entry.homedir));
  js_set(context, row, "shell", entry.shell != NULL ? js_string(context, entry.shell) : js_null(context));
  uv_os_free_passwd(&entry);
  return row;
}

/* getLibcVersions() -> { runtime, compiler }: of the C library that is used, and of the one this was compiled with */
static JSValueRef libc_versions(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  char text[32];
  snprintf(text, sizeof text, "%d.%d", __GLIBC__, __GLIBC_MINOR__);
  JSObjectRef both = js_object(context);
  js_set(context, both, "runtime", js_string(context, gnu_get_libc_version()));
  js_set(context, both, "compiler", js_string(context, text));
  return both;
}

JSObjectRef js_binding_os(struct js_env *env) {
  static const struct js_method methods[] = {
      {"getHomeDirectory", home, 0},
      {"getHostname", host_name, 0},
      {"getType", type, 0},
      {"getRelease", release, 0},
      {"getVersion", version, 0},
      {"getMachine", machine, 0},
      {"getUptime", uptime, 0},
      {"getFreeMem", free_memory, 0},
      {"getTotalMem", total_memory, 0},
      {"getLoadAvg", load_average, 0},
      {"getAvailableParallelism", parallelism, 0},
      {"getCpus", processors, 0},
      {"getInterfaces", interfaces, 0},
      {"getPriority", get_priority, 1},
      {"setPriority", set_priority, 2},
      {"getUserInfo", user, 1},
      {"getLibcVersions", libc_versions, 0},
      {NULL, NULL, 0},
  };
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  return binding;
}
