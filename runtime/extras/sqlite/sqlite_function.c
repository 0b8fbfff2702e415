/* Functions of the program that SQLite calls: scalar and aggregate functions, the authorizer, and the listener for
 * finished statements. An exception is kept in the connection until SQLite has returned. */
#include "runtime/extras/sqlite/sqlite.h"

#include <stdlib.h>

struct callback {
  struct js_sqlite_connection *connection;
  JSObjectRef function; /* kept alive by the DatabaseSync */
  bool bigints;
};

enum { MOST_ARGUMENTS = 1000 };

/* The arguments after the first `lead` values; false: one is too large for a number, and the exception is pending. */
static bool take_arguments(JSContextRef context, const struct callback *callback, int count, sqlite3_value **given,
                           JSValueRef *values) {
  for (int i = 0; i < count; i++) {
    JSValueRef error = NULL;
    values[i] = js_sqlite_value(context, given[i], callback->bigints, &error);
    if (values[i] == NULL) {
      js_sqlite_stash(context, callback->connection, error);
      return false;
    }
  }
  return true;
}

static JSValueRef call_back(JSContextRef context, struct js_sqlite_connection *connection, JSObjectRef function,
                            int count, const JSValueRef *values) {
  JSValueRef error = NULL;
  JSValueRef result = JSObjectCallAsFunction(context, function, NULL, (size_t)count, values, &error);
  if (error == NULL)
    return result;
  js_sqlite_stash(context, connection, error);
  return NULL;
}

/* ---- scalar functions ---- */

static void call_scalar(sqlite3_context *call, int count, sqlite3_value **given) {
  struct callback *callback = sqlite3_user_data(call);
  JSContextRef context = js_env_here->context;
  JSValueRef values[MOST_ARGUMENTS], result = NULL;
  if (count <= MOST_ARGUMENTS && take_arguments(context, callback, count, given, values))
    result = call_back(context, callback->connection, callback->function, count, values);
  if (result == NULL)
    sqlite3_result_error(call, "", 0);
  else
    js_sqlite_result(context, call, result);
}

/* The arguments of both kinds of functions: (connection, name, number of arguments or -1, flags, bigints, function) */
struct definition {
  struct js_sqlite_connection *connection;
  struct callback *callback;
  char *name;
  int count, flags;
};

static bool define(JSContextRef context, struct js_frame *frame, struct definition *it) {
  it->connection = js_sqlite_connection(context, js_arg(context, frame, 0));
  it->name = js_to_text(context, js_arg(context, frame, 1), NULL);
  it->callback = malloc(sizeof *it->callback);
  if (it->connection == NULL || it->name == NULL || it->callback == NULL) {
    free(it->name);
    free(it->callback);
    js_throw_text(context, "not a function for a connection");
    return false;
  }
  *it->callback = (struct callback){it->connection, (JSObjectRef)js_arg(context, frame, 5),
                                    js_to_boolean(context, js_arg(context, frame, 4))};
  it->count = (int)js_to_integer(context, js_arg(context, frame, 2));
  it->flags = SQLITE_UTF8 | (int)js_to_integer(context, js_arg(context, frame, 3));
  return true;
}

/* The database owns the callback now, or it is gone. */
static JSValueRef defined(JSContextRef context, struct definition *it, int status) {
  free(it->name);
  return status == SQLITE_OK ? js_undefined(context) : js_sqlite_throw(context, it->connection);
}

/* defineFunction(connection, name, number of arguments or -1, flags, bigints, function) */
static JSValueRef define_function(JSContextRef context, struct js_frame *frame) {
  struct definition it;
  if (!define(context, frame, &it))
    return NULL;
  int status = sqlite3_create_function_v2(it.connection->db, it.name, it.count, it.flags, it.callback, call_scalar,
                                          NULL, NULL, free);
  return defined(context, &it, status);
}

/* ---- aggregate functions ---- */

/* The arguments for JavaScript: (task, number of the state or 0, ...arguments). JavaScript keeps the states. */
enum aggregate_task { AGGREGATE_STEP, AGGREGATE_INVERSE, AGGREGATE_VALUE, AGGREGATE_FINAL, AGGREGATE_DROP };

static JSValueRef ask_aggregate(sqlite3_context *call, enum aggregate_task task, int state, int count,
                                sqlite3_value **given) {
  struct callback *callback = sqlite3_user_data(call);
  JSContextRef context = js_env_here->context;
  JSValueRef values[MOST_ARGUMENTS + 2] = {js_integer((int)task), js_integer(state)};
  JSValueRef result = NULL;
  if (count <= MOST_ARGUMENTS && take_arguments(context, callback, count, given, values + 2))
    result = call_back(context, callback->connection, callback->function, count + 2, values);
  if (result == NULL && task != AGGREGATE_DROP)
    sqlite3_result_error(call, "", 0);
  return result;
}

static void change_state(sqlite3_context *call, enum aggregate_task task, int count, sqlite3_value **given) {
  int *state = sqlite3_aggregate_context(call, sizeof *state);
  if (state == NULL) {
    sqlite3_result_error_nomem(call);
    return;
  }
  JSValueRef result = ask_aggregate(call, task, *state, count, given);
  if (result != NULL)
    *state = (int)js_to_integer(js_env_here->context, result);
}

static void step_aggregate(sqlite3_context *call, int count, sqlite3_value **given) {
  change_state(call, AGGREGATE_STEP, count, given);
}

static void inverse_aggregate(sqlite3_context *call, int count, sqlite3_value **given) {
  change_state(call, AGGREGATE_INVERSE, count, given);
}

static void tell_value(sqlite3_context *call, enum aggregate_task task) {
  struct callback *callback = sqlite3_user_data(call);
  int *state = sqlite3_aggregate_context(call, 0);
  if (callback->connection->thrown != NULL)
    task = AGGREGATE_DROP; /* it failed before: the result is not needed */
  JSValueRef result = ask_aggregate(call, task, state != NULL ? *state : 0, 0, NULL);
  if (result != NULL && task != AGGREGATE_DROP)
    js_sqlite_result(js_env_here->context, call, result);
}

static void value_of_aggregate(sqlite3_context *call) {
  tell_value(call, AGGREGATE_VALUE);
}

static void final_of_aggregate(sqlite3_context *call) {
  tell_value(call, AGGREGATE_FINAL);
}

/* defineAggregate(connection, name, number of arguments or -1, flags, bigints, function, is a window function) */
static JSValueRef define_aggregate(JSContextRef context, struct js_frame *frame) {
  struct definition it;
  if (!define(context, frame, &it))
    return NULL;
  bool window = js_to_boolean(context, js_arg(context, frame, 6));
  int status = sqlite3_create_window_function(it.connection->db, it.name, it.count, it.flags, it.callback,
                                              step_aggregate, final_of_aggregate, window ? value_of_aggregate : NULL,
                                              window ? inverse_aggregate : NULL, free);
  return defined(context, &it, status);
}

/* ---- the authorizer ---- */

static int authorize(void *data, int action, const char *a, const char *b, const char *database, const char *inner) {
  struct js_sqlite_connection *connection = data;
  JSContextRef context = js_env_here->context;
  const char *texts[] = {a, b, database, inner};
  JSValueRef values[5] = {js_integer(action)};
  for (int i = 0; i < 4; i++)
    values[i + 1] = texts[i] != NULL ? js_string(context, texts[i]) : js_null(context);
  JSValueRef result = call_back(context, connection, connection->authorizer, 5, values);
  return result == NULL ? SQLITE_DENY : (int)js_to_integer(context, result);
}

/* setAuthorizer(connection, function or null) */
static JSValueRef set_authorizer(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_connection *connection = js_sqlite_connection(context, js_arg(context, frame, 0));
  JSValueRef function = js_arg(context, frame, 1);
  if (connection == NULL || connection->db == NULL)
    return js_throw_text(context, "not an open connection");
  bool given = JSValueIsObject(context, function);
  connection->authorizer = given ? (JSObjectRef)function : NULL;
  sqlite3_set_authorizer(connection->db, given ? authorize : NULL, given ? connection : NULL);
  return js_undefined(context);
}

/* ---- finished statements ---- */

static int profile(unsigned event, void *data, void *statement, void *nanoseconds) {
  struct js_sqlite_connection *connection = data;
  if (event != SQLITE_TRACE_PROFILE || connection->profiler == NULL)
    return 0;
  JSContextRef context = js_env_here->context;
  char *expanded = sqlite3_expanded_sql(statement);
  JSValueRef values[] = {js_string(context, expanded != NULL ? expanded : sqlite3_sql(statement)),
                         js_number(context, (double)*(sqlite3_int64 *)nanoseconds)};
  sqlite3_free(expanded);
  call_back(context, connection, connection->profiler, 2, values);
  return 0;
}

/* profile(connection, function or null) */
static JSValueRef set_profiler(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_connection *connection = js_sqlite_connection(context, js_arg(context, frame, 0));
  JSValueRef function = js_arg(context, frame, 1);
  if (connection == NULL || connection->db == NULL)
    return js_throw_text(context, "not an open connection");
  bool given = JSValueIsObject(context, function);
  connection->profiler = given ? (JSObjectRef)function : NULL;
  sqlite3_trace_v2(connection->db, given ? SQLITE_TRACE_PROFILE : 0, given ? profile : NULL, connection);
  return js_undefined(context);
}

const struct js_method js_sqlite_function_methods[] = {
    {"defineFunction", define_function, 6},
    {"defineAggregate", define_aggregate, 7},
    {"setAuthorizer", set_authorizer, 2},
    {"profile", set_profiler, 2},
    {NULL, NULL, 0},
};
