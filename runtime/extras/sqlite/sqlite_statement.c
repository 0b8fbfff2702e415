/* Prepared statements: binding, stepping, and rows. Rows are returned as plain lists of values, many rows in one list;
 * JavaScript makes objects from them, which compiled code does fast. */
#include "runtime/extras/sqlite/sqlite.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = 2048 }; /* values in a list: at least the most columns that a row can have */

static void unlink_statement(struct js_sqlite_statement *statement) {
  struct js_sqlite_statement **at = &statement->connection->statements;
  while (*at != NULL && *at != statement)
    at = &(*at)->next;
  if (*at != NULL)
    *at = statement->next;
}

/* An interrupted statement is not reported as finished. */
void js_sqlite_finalize(struct js_sqlite_statement *statement) {
  struct js_sqlite_connection *connection = statement->connection;
  JSObjectRef profiler = connection->profiler;
  unlink_statement(statement);
  connection->profiler = NULL;
  sqlite3_finalize(statement->stmt);
  connection->profiler = profiler;
  statement->stmt = NULL;
  statement->active = false;
}

static void free_statement(struct js_sqlite_statement *statement) {
  if (statement->stmt != NULL)
    js_sqlite_finalize(statement);
  js_sqlite_drop(statement->connection);
  free(statement);
}

void js_sqlite_free_finished(struct js_sqlite_connection *connection) {
  while (connection->dead != NULL && connection->busy == 0) {
    struct js_sqlite_statement *statement = connection->dead;
    connection->dead = statement->next;
    free_statement(statement);
  }
}

/* The collector may run while SQLite is active, when SQLite must not be called: such a statement waits. */
static void release_statement(struct js_sqlite_thing *thing) {
  struct js_sqlite_statement *statement = (struct js_sqlite_statement *)thing;
  struct js_sqlite_connection *connection = statement->connection;
  if (statement->stmt != NULL && connection->busy > 0) {
    unlink_statement(statement);
    statement->next = connection->dead;
    connection->dead = statement;
  } else {
    free_statement(statement);
  }
}

/* prepare(connection, sql, is to stay) -> statement, or null if the text contains none */
static JSValueRef prepare(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_connection *connection = js_sqlite_connection(context, js_arg(context, frame, 0));
  size_t length = 0;
  char *sql = js_to_text(context, js_arg(context, frame, 1), &length);
  struct js_sqlite_statement *statement = calloc(1, sizeof *statement);
  if (connection == NULL || connection->db == NULL || sql == NULL || statement == NULL) {
    free(sql);
    free(statement);
    return js_throw_text(context, "not a statement for an open connection");
  }
  unsigned flags = js_to_boolean(context, js_arg(context, frame, 2)) ? SQLITE_PREPARE_PERSISTENT : 0;
  js_sqlite_free_finished(connection);
  connection->busy++;
  int status = sqlite3_prepare_v3(connection->db, sql, (int)length, flags, &statement->stmt, NULL);
  connection->busy--;
  free(sql);
  if (status != SQLITE_OK || statement->stmt == NULL || connection->thrown != NULL) {
    sqlite3_finalize(statement->stmt);
    free(statement);
    if (status != SQLITE_OK)
      return js_sqlite_throw(context, connection);
    return js_sqlite_rethrow(context, connection) ? NULL : js_null(context);
  }
  statement->thing = (struct js_sqlite_thing){JS_SQLITE_STATEMENT, release_statement};
  statement->connection = connection;
  statement->prepared = -1;
  statement->next = connection->statements;
  connection->statements = statement;
  for (int i = sqlite3_bind_parameter_count(statement->stmt); i > 0 && !statement->has_names; i--) {
    const char *name = sqlite3_bind_parameter_name(statement->stmt, i);
    statement->has_names = name != NULL && *name != '?';
  }
  js_sqlite_hold(connection);
  return js_sqlite_object(context, &statement->thing);
}

static struct js_sqlite_statement *live(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_statement *statement = js_sqlite_statement(context, js_arg(context, frame, 0));
  if (statement != NULL && statement->stmt != NULL)
    return statement;
  js_throw_text(context, "not a statement");
  return NULL;
}

static JSValueRef is_live(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_statement *statement = js_sqlite_statement(context, js_arg(context, frame, 0));
  return js_boolean(context, statement != NULL && statement->stmt != NULL);
}

/* isBusy(statement) -> whether it is between its first and its last row */
static JSValueRef is_busy(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_statement *statement = live(context, frame);
  return statement == NULL ? NULL : js_boolean(context, sqlite3_stmt_busy(statement->stmt) != 0);
}

static JSValueRef finalize(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_statement *statement = live(context, frame);
  if (statement == NULL)
    return NULL;
  js_sqlite_finalize(statement);
  return js_undefined(context);
}

/* ---- binding ---- */

/* parameters(statement) -> [name or null, ...], the first is that of parameter 1 */
static JSValueRef parameters(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_statement *statement = live(context, frame);
  if (statement == NULL)
    return NULL;
  JSObjectRef list = js_array(context, 0, NULL);
  int count = sqlite3_bind_parameter_count(statement->stmt);
  for (int i = 1; i <= count; i++) {
    const char *name = sqlite3_bind_parameter_name(statement->stmt, i);
    JSObjectSetPropertyAtIndex(context, list, (unsigned)i - 1,
                               name != NULL ? js_string(context, name) : js_null(context), NULL);
  }
  return list;
}

static void begin(struct js_sqlite_statement *statement) {
  statement->connection->busy++;
  sqlite3_reset(statement->stmt);
  statement->connection->busy--;
  sqlite3_clear_bindings(statement->stmt);
  statement->active = true;
}

/* begin(statement): back to the start, with nothing bound */
static JSValueRef begin_statement(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_statement *statement = live(context, frame);
  if (statement == NULL)
    return NULL;
  begin(statement);
  return js_undefined(context);
}

/* bind(statement, index, value) */
static JSValueRef bind_one(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_statement *statement = live(context, frame);
  if (statement == NULL)
    return NULL;
  int index = (int)js_to_integer(context, js_arg(context, frame, 1));
  return js_sqlite_bind(context, statement, index, js_arg(context, frame, 2)) ? js_undefined(context) : NULL;
}

/* Binds the arguments from `first` on, in order, to the parameters without a name. */
static bool bind_arguments(JSContextRef context, struct js_frame *frame, struct js_sqlite_statement *statement,
                           int first) {
  int index = 1;
  for (int i = first; i < js_argc(frame); i++, index++) {
    while (statement->has_names) {
      const char *name = sqlite3_bind_parameter_name(statement->stmt, index);
      if (name == NULL || *name == '?')
        break;
      index++;
    }
    if (!js_sqlite_bind(context, statement, index, frame->arguments[i]))
      return false;
  }
  return true;
}

/* ---- stepping ---- */

static int step(struct js_sqlite_statement *statement) {
  statement->connection->busy++;
  int status = sqlite3_step(statement->stmt);
  statement->connection->busy--;
  return status;
}

/* Resets it. Deferred work may fail now. */
static int rewind_statement(struct js_sqlite_statement *statement) {
  statement->active = false;
  statement->connection->busy++;
  int status = sqlite3_reset(statement->stmt);
  statement->connection->busy--;
  return status;
}

static JSValueRef fail(JSContextRef context, struct js_sqlite_statement *statement) {
  struct js_sqlite_connection *connection = statement->connection;
  JSValueRef error = connection->thrown == NULL ? js_sqlite_error_of(context, connection->db) : NULL;
  rewind_statement(statement);
  return error == NULL ? js_sqlite_throw(context, connection) : js_throw(context, error);
}

/* The current row; false: a value was too large, and the error was thrown. */
static bool take_row(JSContextRef context, struct js_sqlite_statement *statement, bool bigints, JSValueRef *values,
                     int columns) {
  for (int i = 0; i < columns; i++) {
    JSValueRef error = NULL;
    values[i] = js_sqlite_value(context, sqlite3_column_value(statement->stmt, i), bigints, &error);
    if (values[i] == NULL) {
      rewind_statement(statement);
      js_throw(context, error);
      return false;
    }
  }
  return true;
}

/* run(statement, bigints, is to begin, ...values) -> how many rows were changed */
static JSValueRef run(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_statement *statement = live(context, frame);
  if (statement == NULL)
    return NULL;
  bool bigints = js_to_boolean(context, js_arg(context, frame, 1));
  if (js_to_boolean(context, js_arg(context, frame, 2)))
    begin(statement);
  if (!bind_arguments(context, frame, statement, 3))
    return NULL;
  int status = step(statement);
  if (status != SQLITE_ROW && status != SQLITE_DONE)
    return fail(context, statement);
  if (rewind_statement(statement) != SQLITE_OK)
    return js_sqlite_throw(context, statement->connection);
  if (js_sqlite_rethrow(context, statement->connection))
    return NULL;
  JSValueRef error = NULL;
  JSValueRef changes = js_sqlite_integer(context, sqlite3_changes64(statement->connection->db), bigints, &error);
  return changes == NULL ? js_throw(context, error) : changes;
}

/* lastRow(statement, bigints) -> the id of the row that was inserted last */
static JSValueRef last_row(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_statement *statement = live(context, frame);
  if (statement == NULL)
    return NULL;
  JSValueRef error = NULL;
  JSValueRef row = js_sqlite_integer(context, sqlite3_last_insert_rowid(statement->connection->db),
                                     js_to_boolean(context, js_arg(context, frame, 1)), &error);
  return row == NULL ? js_throw(context, error) : row;
}

/* get(statement, bigints, is to begin, ...values) -> the first row's values, or undefined */
static JSValueRef get(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_statement *statement = live(context, frame);
  if (statement == NULL)
    return NULL;
  bool bigints = js_to_boolean(context, js_arg(context, frame, 1));
  if (js_to_boolean(context, js_arg(context, frame, 2)))
    begin(statement);
  if (!bind_arguments(context, frame, statement, 3))
    return NULL;
  JSValueRef values[ROOM], row = js_undefined(context);
  int status = step(statement), columns = sqlite3_column_count(statement->stmt);
  if (status == SQLITE_ROW) {
    if (columns > ROOM || !take_row(context, statement, bigints, values, columns))
      return NULL;
    row = js_array(context, (size_t)columns, values);
  } else if (status != SQLITE_DONE) {
    return fail(context, statement);
  }
  if (rewind_statement(statement) != SQLITE_OK)
    return js_sqlite_throw(context, statement->connection);
  return js_sqlite_rethrow(context, statement->connection) ? NULL : row;
}

/* arm(statement, is to begin, ...values): ready for the first fetch */
static JSValueRef arm(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_statement *statement = live(context, frame);
  if (statement == NULL)
    return NULL;
  if (js_to_boolean(context, js_arg(context, frame, 1)))
    begin(statement);
  return bind_arguments(context, frame, statement, 2) ? js_undefined(context) : NULL;
}

/* fetch(statement, bigints, most rows) -> the values of some rows, one row after the other; null at the end */
static JSValueRef fetch(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_statement *statement = live(context, frame);
  if (statement == NULL)
    return NULL;
  bool bigints = js_to_boolean(context, js_arg(context, frame, 1));
  int most = (int)js_to_integer(context, js_arg(context, frame, 2));
  JSValueRef values[ROOM];
  int used = 0, columns = 1;
  for (int rows = 0; statement->active && rows < most && used + columns <= ROOM; rows++) {
    int status = step(statement);
    if (status == SQLITE_DONE) {
      if (rewind_statement(statement) != SQLITE_OK)
        return js_sqlite_throw(context, statement->connection);
    } else if (status != SQLITE_ROW) {
      return fail(context, statement);
    } else {
      columns = sqlite3_column_count(statement->stmt);
      if (!take_row(context, statement, bigints, values + used, columns))
        return NULL;
      used += columns;
    }
    if (js_sqlite_rethrow(context, statement->connection))
      return NULL;
  }
  return used == 0 ? js_null(context) : js_array(context, (size_t)used, values);
}

/* rewind(statement): its remaining rows are dropped */
static JSValueRef rewind_now(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_statement *statement = live(context, frame);
  if (statement == NULL)
    return NULL;
  if (rewind_statement(statement) != SQLITE_OK)
    return js_sqlite_throw(context, statement->connection);
  return js_undefined(context);
}

/* ---- what is known of it ---- */

/* names(statement) -> the names of its columns if they may have changed since the last call, else undefined */
static JSValueRef names(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_statement *statement = live(context, frame);
  if (statement == NULL)
    return NULL;
  int prepared = sqlite3_stmt_status(statement->stmt, SQLITE_STMTSTATUS_REPREPARE, 0);
  if (prepared == statement->prepared)
    return js_undefined(context);
  statement->prepared = prepared;
  JSValueRef list[ROOM];
  int count = sqlite3_column_count(statement->stmt);
  for (int i = 0; i < count && i < ROOM; i++)
    list[i] = js_string(context, sqlite3_column_name(statement->stmt, i));
  return js_array(context, (size_t)count, list);
}

/* columns(statement) -> [origin, database, name, table, declared type, ...] of each column */
static JSValueRef columns_of(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_statement *statement = live(context, frame);
  if (statement == NULL)
    return NULL;
  JSObjectRef list = js_array(context, 0, NULL);
  unsigned at = 0;
  for (int i = 0; i < sqlite3_column_count(statement->stmt); i++) {
    const char *told[] = {
        sqlite3_column_origin_name(statement->stmt, i), sqlite3_column_database_name(statement->stmt, i),
        sqlite3_column_name(statement->stmt, i),        sqlite3_column_table_name(statement->stmt, i),
        sqlite3_column_decltype(statement->stmt, i),
    };
    for (size_t k = 0; k < sizeof told / sizeof *told; k++)
      JSObjectSetPropertyAtIndex(context, list, at++, told[k] != NULL ? js_string(context, told[k]) : js_null(context),
                                 NULL);
  }
  return list;
}

/* sql(statement, with values) */
static JSValueRef sql_of(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_statement *statement = live(context, frame);
  if (statement == NULL)
    return NULL;
  if (!js_to_boolean(context, js_arg(context, frame, 1)))
    return js_string(context, sqlite3_sql(statement->stmt));
  char *expanded = sqlite3_expanded_sql(statement->stmt);
  if (expanded == NULL)
    return js_throw(context,
                    js_sqlite_make_error(context, JS_SQLITE_ERROR_FAILED,
                                         js_string(context, "Expanded SQL text would exceed configured limits"),
                                         js_integer(SQLITE_TOOBIG), js_string(context, sqlite3_errstr(SQLITE_TOOBIG))));
  JSValueRef text = js_string(context, expanded);
  sqlite3_free(expanded);
  return text;
}

/* count(statement, SQLite's number of the counter, is to go back to 0) -> what it counted */
static JSValueRef count_of(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_statement *statement = live(context, frame);
  if (statement == NULL)
    return NULL;
  int which = (int)js_to_integer(context, js_arg(context, frame, 1));
  bool reset = js_to_boolean(context, js_arg(context, frame, 2));
  if (reset)
    statement->prepared = -1; /* the counter that it is compared with starts again */
  return js_integer(sqlite3_stmt_status(statement->stmt, which, reset));
}

const struct js_method js_sqlite_statement_methods[] = {
    {"prepare", prepare, 3},
    {"isLive", is_live, 1},
    {"isBusy", is_busy, 1},
    {"finalize", finalize, 1},
    {"parameters", parameters, 1},
    {"begin", begin_statement, 1},
    {"bind", bind_one, 3},
    {"run", run, 3},
    {"lastRow", last_row, 2},
    {"get", get, 3},
    {"arm", arm, 2},
    {"fetch", fetch, 3},
    {"rewind", rewind_now, 1},
    {"names", names, 1},
    {"columns", columns_of, 1},
    {"sql", sql_of, 2},
    {"count", count_of, 3},
    {NULL, NULL, 0},
};
