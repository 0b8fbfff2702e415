/* The binding `os`: what the system says of itself. */
#include "runtime/bind/binding.h"

#include <gnu/libc-version.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static JSValueRef home(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  char path[4096];
  size_t size = sizeof path;
  int err = uv_os_homedir(path, &size);
  return err == 0 ? rota_text(context, path, size) : rota_number(context, err);
}

static JSValueRef host_name(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  char name[UV_MAXHOSTNAMESIZE];
  size_t size = sizeof name;
  int err = uv_os_gethostname(name, &size);
  return err == 0 ? rota_string(context, name) : rota_number(context, err);
}

static JSValueRef uname_part(JSContextRef context, int part) {
  uv_utsname_t name;
  int err = uv_os_uname(&name);
  if (err != 0)
    return rota_number(context, err);
  const char *const parts[] = {name.sysname, name.release, name.version, name.machine};
  return rota_string(context, parts[part]);
}

static JSValueRef type(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  return uname_part(context, 0);
}

static JSValueRef release(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  return uname_part(context, 1);
}

static JSValueRef version(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  return uname_part(context, 2);
}

static JSValueRef machine(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  return uname_part(context, 3);
}

static JSValueRef uptime(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  double seconds = 0;
  int err = uv_uptime(&seconds);
  return rota_number(context, err == 0 ? seconds : err);
}

static JSValueRef free_memory(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  return rota_number(context, (double)uv_get_free_memory());
}

static JSValueRef total_memory(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  return rota_number(context, (double)uv_get_total_memory());
}

static JSValueRef load_average(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  double load[3];
  uv_loadavg(load);
  JSValueRef values[] = {rota_number(context, load[0]), rota_number(context, load[1]), rota_number(context, load[2])};
  return rota_array(context, 3, values);
}

static JSValueRef parallelism(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  return rota_number(context, uv_available_parallelism());
}

static JSValueRef processors(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  uv_cpu_info_t *infos;
  int count;
  JSObjectRef list = rota_array(context, 0, NULL);
  if (uv_cpu_info(&infos, &count) != 0)
    return list;
  for (int i = 0; i < count; i++) {
    JSObjectRef times = rota_object(context), row = rota_object(context);
    rota_set(context, times, "user", rota_number(context, (double)infos[i].cpu_times.user));
    rota_set(context, times, "nice", rota_number(context, (double)infos[i].cpu_times.nice));
    rota_set(context, times, "sys", rota_number(context, (double)infos[i].cpu_times.sys));
    rota_set(context, times, "idle", rota_number(context, (double)infos[i].cpu_times.idle));
    rota_set(context, times, "irq", rota_number(context, (double)infos[i].cpu_times.irq));
    rota_set(context, row, "model", rota_string(context, infos[i].model));
    rota_set(context, row, "speed", rota_number(context, infos[i].speed));
    rota_set(context, row, "times", times);
    JSObjectSetPropertyAtIndex(context, list, (unsigned)i, row, NULL);
  }
  uv_free_cpu_info(infos, count);
  return list;
}

static JSValueRef interfaces(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  uv_interface_address_t *infos;
  int count;
  JSObjectRef list = rota_array(context, 0, NULL);
  if (uv_interface_addresses(&infos, &count) != 0)
    return list;
  for (int i = 0; i < count; i++) {
    bool is_v6 = infos[i].address.address4.sin_family == AF_INET6;
    char address[64] = "", netmask[64] = "", mac[18];
    uv_ip_name((const struct sockaddr *)&infos[i].address, address, sizeof address);
    uv_ip_name((const struct sockaddr *)&infos[i].netmask, netmask, sizeof netmask);
    const unsigned char *p = (const unsigned char *)infos[i].phys_addr;
    snprintf(mac, sizeof mac, "%02x:%02x:%02x:%02x:%02x:%02x", p[0], p[1], p[2], p[3], p[4], p[5]);
    JSObjectRef row = rota_object(context);
    rota_set(context, row, "name", rota_string(context, infos[i].name));
    rota_set(context, row, "address", rota_string(context, address));
    rota_set(context, row, "netmask", rota_string(context, netmask));
    rota_set(context, row, "family", rota_string(context, is_v6 ? "IPv6" : "IPv4"));
    rota_set(context, row, "mac", rota_string(context, mac));
    rota_set(context, row, "internal", rota_boolean(context, infos[i].is_internal));
    if (is_v6)
      rota_set(context, row, "scopeid", rota_number(context, infos[i].address.address6.sin6_scope_id));
    JSObjectSetPropertyAtIndex(context, list, (unsigned)i, row, NULL);
  }
  uv_free_interface_addresses(infos, count);
  return list;
}

/* getPriority(pid) -> the priority, or [error]: a priority may be negative, too. */
static JSValueRef get_priority(JSContextRef context, struct rota_frame *frame) {
  int priority;
  int err = uv_os_getpriority((uv_pid_t)rota_to_integer(context, rota_arg(context, frame, 0)), &priority);
  if (err == 0)
    return rota_number(context, priority);
  JSValueRef failure = rota_number(context, err);
  return rota_array(context, 1, &failure);
}

static JSValueRef set_priority(JSContextRef context, struct rota_frame *frame) {
  return rota_number(context, uv_os_setpriority((uv_pid_t)rota_to_integer(context, rota_arg(context, frame, 0)),
                                                (int)rota_to_integer(context, rota_arg(context, frame, 1))));
}

static JSValueRef user(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  uv_passwd_t entry;
  int err = uv_os_get_passwd(&entry);
  if (err != 0)
    return rota_number(context, err);
  JSObjectRef row = rota_object(context);
  rota_set(context, row, "uid", rota_number(context, (double)entry.uid));
  rota_set(context, row, "gid", rota_number(context, (double)entry.gid));
  rota_set(context, row, "username", rota_string(context, entry.username));
  rota_set(context, row, "homedir", rota_string(context, entry.homedir));
  rota_set(context, row, "shell", entry.shell != NULL ? rota_string(context, entry.shell) : rota_null(context));
  uv_os_free_passwd(&entry);
  return row;
}

/* getLibcVersions() -> { runtime, compiler }: the C library's that runs, and that this was compiled with */
static JSValueRef libc_versions(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  char text[32];
  snprintf(text, sizeof text, "%d.%d", __GLIBC__, __GLIBC_MINOR__);
  JSObjectRef both = rota_object(context);
  rota_set(context, both, "runtime", rota_string(context, gnu_get_libc_version()));
  rota_set(context, both, "compiler", rota_string(context, text));
  return both;
}

JSObjectRef rota_binding_os(struct rota_env *env) {
  static const struct rota_method methods[] = {
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
  JSObjectRef binding = rota_object(env->context);
  rota_set_methods(env->context, binding, methods);
  return binding;
}
