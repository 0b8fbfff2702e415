/* The binding `sqlite`: connections, and what the other files stand on. */
#include "extras/sqlite/sqlite.h"

#include <stdlib.h>
#include <string.h>

static _Thread_local JSClassRef thing_class;
static _Thread_local JSObjectRef error_maker;

static void collected(JSObjectRef object) {
  struct rota_sqlite_thing *thing = JSObjectGetPrivate(object);
  if (thing != NULL)
    thing->release(thing);
}

JSObjectRef rota_sqlite_object(JSContextRef context, struct rota_sqlite_thing *thing) {
  if (thing_class == NULL) {
    JSClassDefinition definition = kJSClassDefinitionEmpty;
    definition.className = "SQLite";
    definition.finalize = collected;
    thing_class = JSClassCreate(&definition);
  }
  return JSObjectMake(context, thing_class, thing);
}

static struct rota_sqlite_thing *thing_of(JSContextRef context, JSValueRef value, enum rota_sqlite_kind kind) {
  if (!JSValueIsObject(context, value))
    return NULL;
  struct rota_sqlite_thing *thing = JSObjectGetPrivate((JSObjectRef)value);
  return thing != NULL && thing->kind == kind ? thing : NULL;
}

struct rota_sqlite_connection *rota_sqlite_connection(JSContextRef context, JSValueRef value) {
  return (struct rota_sqlite_connection *)thing_of(context, value, ROTA_SQLITE_CONNECTION);
}

struct rota_sqlite_statement *rota_sqlite_statement(JSContextRef context, JSValueRef value) {
  return (struct rota_sqlite_statement *)thing_of(context, value, ROTA_SQLITE_STATEMENT);
}

/* ---- errors ---- */

JSValueRef rota_sqlite_make_error(JSContextRef context, enum rota_sqlite_error kind, JSValueRef a, JSValueRef b,
                                  JSValueRef c) {
  JSValueRef arguments[] = {rota_integer((int)kind), a, b, c}, error = NULL;
  JSValueRef made = JSObjectCallAsFunction(context, error_maker, NULL, 4, arguments, &error);
  return error != NULL ? error : made;
}

JSValueRef rota_sqlite_error_of(JSContextRef context, sqlite3 *db) {
  int code = sqlite3_extended_errcode(db);
  return rota_sqlite_make_error(context, ROTA_SQLITE_FAILED, rota_string(context, sqlite3_errmsg(db)),
                                rota_integer(code), rota_string(context, sqlite3_errstr(code)));
}

void rota_sqlite_stash(JSContextRef context, struct rota_sqlite_connection *connection, JSValueRef error) {
  if (connection->thrown != NULL)
    return;
  connection->thrown = error;
  JSValueProtect(context, error);
}

bool rota_sqlite_rethrow(JSContextRef context, struct rota_sqlite_connection *connection) {
  JSValueRef error = connection->thrown;
  if (error == NULL)
    return false;
  connection->thrown = NULL;
  JSValueUnprotect(context, error);
  rota_throw(context, error);
  return true;
}

JSValueRef rota_sqlite_throw(JSContextRef context, struct rota_sqlite_connection *connection) {
  if (rota_sqlite_rethrow(context, connection))
    return NULL;
  return rota_throw(context, rota_sqlite_error_of(context, connection->db));
}

/* ---- life of a connection ---- */

void rota_sqlite_hold(struct rota_sqlite_connection *connection) {
  connection->holders++;
}

void rota_sqlite_drop(struct rota_sqlite_connection *connection) {
  if (--connection->holders == 0)
    free(connection);
}

/* Statements and sessions go first: what JavaScript still has of them is told that they are gone. */
static void shut(struct rota_sqlite_connection *connection) {
  if (connection->db == NULL)
    return;
  sqlite3_trace_v2(connection->db, 0, NULL, NULL);
  rota_sqlite_bury_dead(connection);
  for (struct rota_sqlite_statement *each = connection->statements; each != NULL; each = each->next) {
    sqlite3_finalize(each->stmt);
    each->stmt = NULL;
  }
  connection->statements = NULL;
  while (connection->sessions != NULL)
    rota_sqlite_session_delete(connection->sessions);
  sqlite3_close_v2(connection->db); /* a backup that is under way keeps what it needs */
  connection->db = NULL;
}

static void release_connection(struct rota_sqlite_thing *thing) {
  struct rota_sqlite_connection *connection = (struct rota_sqlite_connection *)thing;
  shut(connection);
  rota_sqlite_drop(connection);
}

/* The order of extras/sqlite/lib/sqlite/options.js. */
enum open_flag {
  OPEN_READ_ONLY = 1,
  OPEN_FOREIGN_KEYS = 2,
  OPEN_DOUBLE_QUOTED = 4,
  OPEN_EXTENSIONS = 8,
  OPEN_DEFENSIVE = 16,
};

/* open(path as text or bytes, flags, busy timeout in ms) -> connection */
static JSValueRef open_database(JSContextRef context, struct rota_frame *frame) {
  char room[512];
  char *path = rota_copy_path(context, rota_arg(context, frame, 0), room, sizeof room);
  unsigned flags = (unsigned)rota_to_integer(context, rota_arg(context, frame, 1));
  int timeout = (int)rota_to_integer(context, rota_arg(context, frame, 2));
  struct rota_sqlite_connection *connection = calloc(1, sizeof *connection);
  if (path == NULL || connection == NULL) {
    free(connection);
    return rota_throw_text(context, "out of memory");
  }
  int mode = (flags & OPEN_READ_ONLY) != 0 ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  int status = sqlite3_open_v2(path, &connection->db, mode | SQLITE_OPEN_URI, NULL);
  if (path != room)
    free(path);
  if (status == SQLITE_OK) {
    bool quoted = (flags & OPEN_DOUBLE_QUOTED) != 0;
    sqlite3_db_config(connection->db, SQLITE_DBCONFIG_DEFENSIVE, (flags & OPEN_DEFENSIVE) != 0, NULL);
    sqlite3_db_config(connection->db, SQLITE_DBCONFIG_DQS_DML, quoted, NULL);
    sqlite3_db_config(connection->db, SQLITE_DBCONFIG_DQS_DDL, quoted, NULL);
    sqlite3_db_config(connection->db, SQLITE_DBCONFIG_ENABLE_FKEY, (flags & OPEN_FOREIGN_KEYS) != 0, NULL);
    sqlite3_enable_load_extension(connection->db, (flags & OPEN_EXTENSIONS) != 0);
    sqlite3_busy_timeout(connection->db, timeout);
  } else {
    JSValueRef error = rota_sqlite_error_of(context, connection->db);
    sqlite3_close_v2(connection->db);
    free(connection);
    return rota_throw(context, error);
  }
  connection->thing = (struct rota_sqlite_thing){ROTA_SQLITE_CONNECTION, release_connection};
  connection->holders = 1;
  return rota_sqlite_object(context, &connection->thing);
}

static struct rota_sqlite_connection *open_connection(JSContextRef context, struct rota_frame *frame) {
  struct rota_sqlite_connection *connection = rota_sqlite_connection(context, rota_arg(context, frame, 0));
  if (connection != NULL && connection->db != NULL)
    return connection;
  rota_throw_text(context, "not an open connection");
  return NULL;
}

static JSValueRef close_database(JSContextRef context, struct rota_frame *frame) {
  struct rota_sqlite_connection *connection = open_connection(context, frame);
  if (connection != NULL)
    shut(connection);
  return rota_undefined(context);
}

/* finalizeAll(connection): its statements are of no use any more */
static JSValueRef finalize_all(JSContextRef context, struct rota_frame *frame) {
  struct rota_sqlite_connection *connection = open_connection(context, frame);
  if (connection == NULL)
    return NULL;
  while (connection->statements != NULL)
    rota_sqlite_finalize(connection->statements);
  return rota_undefined(context);
}

static JSValueRef execute(JSContextRef context, struct rota_frame *frame) {
  struct rota_sqlite_connection *connection = open_connection(context, frame);
  char *sql = connection == NULL ? NULL : rota_to_text(context, rota_arg(context, frame, 1), NULL);
  if (connection == NULL || sql == NULL)
    return connection == NULL ? NULL : rota_throw_text(context, "out of memory");
  rota_sqlite_bury_dead(connection);
  connection->busy++;
  int status = sqlite3_exec(connection->db, sql, NULL, NULL, NULL);
  connection->busy--;
  free(sql);
  if (status != SQLITE_OK)
    return rota_sqlite_throw(context, connection);
  return rota_sqlite_rethrow(context, connection) ? NULL : rota_undefined(context);
}

/* ---- small questions and settings ---- */

static JSValueRef in_transaction(JSContextRef context, struct rota_frame *frame) {
  struct rota_sqlite_connection *connection = open_connection(context, frame);
  return connection == NULL ? NULL : rota_boolean(context, sqlite3_get_autocommit(connection->db) == 0);
}

/* location(connection, name) -> the file's path, or null for what is in memory */
static JSValueRef location(JSContextRef context, struct rota_frame *frame) {
  struct rota_sqlite_connection *connection = open_connection(context, frame);
  if (connection == NULL)
    return NULL;
  char *name = rota_to_text(context, rota_arg(context, frame, 1), NULL);
  const char *path = sqlite3_db_filename(connection->db, name != NULL ? name : "main");
  free(name);
  return path == NULL || *path == 0 ? rota_null(context) : rota_string(context, path);
}

/* limit(connection, SQLite's number of it, value or -1) -> what it was */
static JSValueRef limit(JSContextRef context, struct rota_frame *frame) {
  struct rota_sqlite_connection *connection = open_connection(context, frame);
  if (connection == NULL)
    return NULL;
  int which = (int)rota_to_integer(context, rota_arg(context, frame, 1));
  return rota_integer(sqlite3_limit(connection->db, which, (int)rota_to_integer(context, rota_arg(context, frame, 2))));
}

static JSValueRef defend(JSContextRef context, struct rota_frame *frame) {
  struct rota_sqlite_connection *connection = open_connection(context, frame);
  if (connection == NULL)
    return NULL;
  bool on = rota_to_boolean(context, rota_arg(context, frame, 1));
  if (sqlite3_db_config(connection->db, SQLITE_DBCONFIG_DEFENSIVE, on, NULL) != SQLITE_OK)
    return rota_sqlite_throw(context, connection);
  return rota_undefined(context);
}

static JSValueRef allow_extensions(JSContextRef context, struct rota_frame *frame) {
  struct rota_sqlite_connection *connection = open_connection(context, frame);
  if (connection == NULL)
    return NULL;
  if (sqlite3_enable_load_extension(connection->db, rota_to_boolean(context, rota_arg(context, frame, 1))) != SQLITE_OK)
    return rota_sqlite_throw(context, connection);
  return rota_undefined(context);
}

/* loadExtension(connection, path, entry point or undefined) -> undefined, or what went wrong */
static JSValueRef load_extension(JSContextRef context, struct rota_frame *frame) {
  struct rota_sqlite_connection *connection = open_connection(context, frame);
  if (connection == NULL)
    return NULL;
  JSValueRef entry = rota_arg(context, frame, 2);
  char *path = rota_to_text(context, rota_arg(context, frame, 1), NULL), *message = NULL;
  char *name = JSValueIsString(context, entry) ? rota_to_text(context, entry, NULL) : NULL;
  int status = path == NULL ? SQLITE_NOMEM : sqlite3_load_extension(connection->db, path, name, &message);
  JSValueRef result = rota_undefined(context);
  if (status != SQLITE_OK)
    result = rota_string(context, message != NULL ? message : sqlite3_errstr(status));
  sqlite3_free(message);
  free(path);
  free(name);
  return result;
}

static JSValueRef set_error_maker(JSContextRef context, struct rota_frame *frame) {
  error_maker = (JSObjectRef)rota_arg(context, frame, 0);
  JSValueProtect(context, error_maker);
  return rota_undefined(context);
}

static const struct rota_method methods[] = {
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

JSObjectRef rota_binding_sqlite(struct rota_env *env) {
  JSObjectRef binding = rota_object(env->context);
  rota_set(env->context, binding, "version", rota_string(env->context, sqlite3_libversion()));
  rota_set_methods(env->context, binding, methods);
  rota_set_methods(env->context, binding, rota_sqlite_statement_methods);
  rota_set_methods(env->context, binding, rota_sqlite_function_methods);
  rota_set_methods(env->context, binding, rota_sqlite_session_methods);
  rota_set_methods(env->context, binding, rota_sqlite_copy_methods);
  return binding;
}
