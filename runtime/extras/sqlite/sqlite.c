/* The binding `sqlite`: connections, and the common functions of the other files. */
#include "runtime/extras/sqlite/sqlite.h"
#include "runtime/permission/permission.h"

#include <stdlib.h>
#include <string.h>

static _Thread_local JSClassRef thing_class;
static _Thread_local JSObjectRef error_maker;

static void collected(JSObjectRef object) {
  struct js_sqlite_thing *thing = JSObjectGetPrivate(object);
  if (thing != NULL)
    thing->release(thing);
}

JSObjectRef js_sqlite_object(JSContextRef context, struct js_sqlite_thing *thing) {
  if (thing_class == NULL) {
    JSClassDefinition definition = {0};
    definition.className = "SQLite";
    definition.finalize = collected;
    thing_class = JSClassCreate(&definition);
  }
  return JSObjectMake(context, thing_class, thing);
}

static struct js_sqlite_thing *thing_of(JSContextRef context, JSValueRef value, enum js_sqlite_kind kind) {
  if (!JSValueIsObject(context, value))
    return NULL;
  struct js_sqlite_thing *thing = JSObjectGetPrivate((JSObjectRef)value);
  return thing != NULL && thing->kind == kind ? thing : NULL;
}

struct js_sqlite_connection *js_sqlite_connection(JSContextRef context, JSValueRef value) {
  return (struct js_sqlite_connection *)thing_of(context, value, JS_SQLITE_CONNECTION);
}

struct js_sqlite_statement *js_sqlite_statement(JSContextRef context, JSValueRef value) {
  return (struct js_sqlite_statement *)thing_of(context, value, JS_SQLITE_STATEMENT);
}

/* ---- errors ---- */

JSValueRef js_sqlite_make_error(JSContextRef context, enum js_sqlite_error kind, JSValueRef a, JSValueRef b,
                                JSValueRef c) {
  JSValueRef arguments[] = {js_integer((int)kind), a, b, c}, error = NULL;
  JSValueRef made = JSObjectCallAsFunction(context, error_maker, NULL, 4, arguments, &error);
  return error != NULL ? error : made;
}

JSValueRef js_sqlite_error_of(JSContextRef context, sqlite3 *db) {
  int code = sqlite3_extended_errcode(db);
  return js_sqlite_make_error(context, JS_SQLITE_ERROR_FAILED, js_string(context, sqlite3_errmsg(db)), js_integer(code),
                              js_string(context, sqlite3_errstr(code)));
}

void js_sqlite_stash(JSContextRef context, struct js_sqlite_connection *connection, JSValueRef error) {
  if (connection->thrown != NULL)
    return;
  connection->thrown = error;
  JSValueProtect(context, error);
}

bool js_sqlite_rethrow(JSContextRef context, struct js_sqlite_connection *connection) {
  JSValueRef error = connection->thrown;
  if (error == NULL)
    return false;
  connection->thrown = NULL;
  JSValueUnprotect(context, error);
  js_throw(context, error);
  return true;
}

JSValueRef js_sqlite_throw(JSContextRef context, struct js_sqlite_connection *connection) {
  if (js_sqlite_rethrow(context, connection))
    return NULL;
  return js_throw(context, js_sqlite_error_of(context, connection->db));
}

/* ---- life of a connection ---- */

void js_sqlite_hold(struct js_sqlite_connection *connection) {
  connection->holders++;
}

void js_sqlite_drop(struct js_sqlite_connection *connection) {
  if (--connection->holders == 0)
    free(connection);
}

/* Statements and sessions are closed first: their JavaScript objects are told that they are gone. */
static void shut(struct js_sqlite_connection *connection) {
  if (connection->db == NULL)
    return;
  sqlite3_trace_v2(connection->db, 0, NULL, NULL);
  js_sqlite_free_finished(connection);
  for (struct js_sqlite_statement *each = connection->statements; each != NULL; each = each->next) {
    sqlite3_finalize(each->stmt);
    each->stmt = NULL;
  }
  connection->statements = NULL;
  while (connection->sessions != NULL)
    js_sqlite_session_delete(connection->sessions);
  sqlite3_close_v2(connection->db); /* an active backup keeps what it needs */
  connection->db = NULL;
}

static void release_connection(struct js_sqlite_thing *thing) {
  struct js_sqlite_connection *connection = (struct js_sqlite_connection *)thing;
  shut(connection);
  js_sqlite_drop(connection);
}

/* open(path as text or bytes, sqlite_open_bits, busy timeout in ms) -> connection */
static JSValueRef open_database(JSContextRef context, struct js_frame *frame) {
  char room[512];
  char *path = js_copy_path(context, js_arg(context, frame, 0), room, sizeof room);
  unsigned flags = (unsigned)js_to_integer(context, js_arg(context, frame, 1));
  int timeout = (int)js_to_integer(context, js_arg(context, frame, 2));
  struct js_sqlite_connection *connection = calloc(1, sizeof *connection);
  if (path == NULL || connection == NULL) {
    free(connection);
    return js_throw_text(context, "out of memory");
  }
  if (js_sqlite_refused(context, path, (flags & JS_SQLITE_OPEN_BITS_READ_ONLY) == 0)) {
    if (path != room)
      free(path);
    free(connection);
    return NULL;
  }
  int mode =
      (flags & JS_SQLITE_OPEN_BITS_READ_ONLY) != 0 ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  int status = sqlite3_open_v2(path, &connection->db, mode | SQLITE_OPEN_URI, NULL);
  if (path != room)
    free(path);
  if (status == SQLITE_OK) {
    bool quoted = (flags & JS_SQLITE_OPEN_BITS_DOUBLE_QUOTED) != 0;
    sqlite3_db_config(connection->db, SQLITE_DBCONFIG_DEFENSIVE, (flags & JS_SQLITE_OPEN_BITS_DEFENSIVE) != 0, NULL);
    sqlite3_db_config(connection->db, SQLITE_DBCONFIG_DQS_DML, quoted, NULL);
    sqlite3_db_config(connection->db, SQLITE_DBCONFIG_DQS_DDL, quoted, NULL);
    sqlite3_db_config(connection->db, SQLITE_DBCONFIG_ENABLE_FKEY, (flags & JS_SQLITE_OPEN_BITS_FOREIGN_KEYS) != 0,
                      NULL);
    sqlite3_enable_load_extension(connection->db,
                                  (flags & JS_SQLITE_OPEN_BITS_EXTENSIONS) != 0 && js_permission_here == NULL);
    sqlite3_busy_timeout(connection->db, timeout);
  } else {
    JSValueRef error = js_sqlite_error_of(context, connection->db);
    sqlite3_close_v2(connection->db);
    free(connection);
    return js_throw(context, error);
  }
  connection->thing = (struct js_sqlite_thing){JS_SQLITE_CONNECTION, release_connection};
  connection->holders = 1;
  return js_sqlite_object(context, &connection->thing);
}

static struct js_sqlite_connection *open_connection(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_connection *connection = js_sqlite_connection(context, js_arg(context, frame, 0));
  if (connection != NULL && connection->db != NULL)
    return connection;
  js_throw_text(context, "not an open connection");
  return NULL;
}

static JSValueRef close_database(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_connection *connection = open_connection(context, frame);
  if (connection != NULL)
    shut(connection);
  return js_undefined(context);
}

/* finalizeAll(connection): its statements can no longer be used */
static JSValueRef finalize_all(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_connection *connection = open_connection(context, frame);
  if (connection == NULL)
    return NULL;
  while (connection->statements != NULL)
    js_sqlite_finalize(connection->statements);
  return js_undefined(context);
}

static JSValueRef execute(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_connection *connection = open_connection(context, frame);
  char *sql = connection == NULL ? NULL : js_to_text(context, js_arg(context, frame, 1), NULL);
  if (connection == NULL || sql == NULL)
    return connection == NULL ? NULL : js_throw_text(context, "out of memory");
  js_sqlite_free_finished(connection);
  connection->busy++;
  int status = sqlite3_exec(connection->db, sql, NULL, NULL, NULL);
  connection->busy--;
  free(sql);
  if (status != SQLITE_OK)
    return js_sqlite_throw(context, connection);
  return js_sqlite_rethrow(context, connection) ? NULL : js_undefined(context);
}

/* ---- small questions and settings ---- */

static JSValueRef in_transaction(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_connection *connection = open_connection(context, frame);
  return connection == NULL ? NULL : js_boolean(context, sqlite3_get_autocommit(connection->db) == 0);
}

/* location(connection, name) -> the file's path, or null for a database in memory */
static JSValueRef location(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_connection *connection = open_connection(context, frame);
  if (connection == NULL)
    return NULL;
  char *name = js_to_text(context, js_arg(context, frame, 1), NULL);
  const char *path = sqlite3_db_filename(connection->db, name != NULL ? name : "main");
  free(name);
  return path == NULL || *path == 0 ? js_null(context) : js_string(context, path);
}

/* limit(connection, SQLite's number of it, value or -1) -> the old value */
static JSValueRef limit(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_connection *connection = open_connection(context, frame);
  if (connection == NULL)
    return NULL;
  int which = (int)js_to_integer(context, js_arg(context, frame, 1));
  return js_integer(sqlite3_limit(connection->db, which, (int)js_to_integer(context, js_arg(context, frame, 2))));
}

static JSValueRef defend(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_connection *connection = open_connection(context, frame);
  if (connection == NULL)
    return NULL;
  bool on = js_to_boolean(context, js_arg(context, frame, 1));
  if (sqlite3_db_config(connection->db, SQLITE_DBCONFIG_DEFENSIVE, on, NULL) != SQLITE_OK)
    return js_sqlite_throw(context, connection);
  return js_undefined(context);
}

static JSValueRef allow_extensions(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_connection *connection = open_connection(context, frame);
  if (connection == NULL)
    return NULL;
  bool allow = js_permission_here == NULL && js_to_boolean(context, js_arg(context, frame, 1));
  if (sqlite3_enable_load_extension(connection->db, allow) != SQLITE_OK)
    return js_sqlite_throw(context, connection);
  return js_undefined(context);
}

/* loadExtension(connection, path, entry point or undefined) -> undefined, or the error */
static JSValueRef load_extension(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_connection *connection = open_connection(context, frame);
  if (connection == NULL)
    return NULL;
  if (js_permission_here != NULL)
    return js_string(context, "Cannot load SQLite extensions when the permission model is enabled.");
  JSValueRef entry = js_arg(context, frame, 2);
  char *path = js_to_text(context, js_arg(context, frame, 1), NULL), *message = NULL;
  char *name = JSValueIsString(context, entry) ? js_to_text(context, entry, NULL) : NULL;
  int status = path == NULL ? SQLITE_NOMEM : sqlite3_load_extension(connection->db, path, name, &message);
  JSValueRef result = js_undefined(context);
  if (status != SQLITE_OK)
    result = js_string(context, message != NULL ? message : sqlite3_errstr(status));
  sqlite3_free(message);
  free(path);
  free(name);
  return result;
}

static JSValueRef set_error_maker(JSContextRef context, struct js_frame *frame) {
  error_maker = (JSObjectRef)js_arg(context, frame, 0);
  JSValueProtect(context, error_maker);
  return js_undefined(context);
}

static const struct js_method methods[] = {
    {"setErrorMaker", set_error_maker, 1},
    {"open", open_database, 3},
    {"close", close_database, 1},
    {"finalizeAll", finalize_all, 1},
    {"exec", execute, 2},
    {"inTransaction", in_transaction, 1},
    {"location", location, 2},
    {"limit", limit, 3},
    {"defend", defend, 2},
    {"allowExtensions", allow_extensions, 2},
    {"loadExtension", load_extension, 3},
    {NULL, NULL, 0},
};

JSObjectRef js_binding_sqlite(struct js_env *env) {
  JSObjectRef binding = js_object(env->context);
  js_set(env->context, binding, "version", js_string(env->context, sqlite3_libversion()));
  js_set_methods(env->context, binding, methods);
  js_set_methods(env->context, binding, js_sqlite_statement_methods);
  js_set_methods(env->context, binding, js_sqlite_function_methods);
  js_set_methods(env->context, binding, js_sqlite_session_methods);
  js_set_methods(env->context, binding, js_sqlite_copy_methods);
  return binding;
}
