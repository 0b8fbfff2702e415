/* Sessions: the changes since the start, as a changeset or a patchset, and applying one to another database. Their
 * functions exist only if SQLite was built with them, as Debian's is; its header declares them on demand. */
#define SQLITE_ENABLE_SESSION
#define SQLITE_ENABLE_PREUPDATE_HOOK
#include "runtime/extras/sqlite/sqlite.h"

#include <stdlib.h>

void js_sqlite_session_delete(struct js_sqlite_session *session) {
  struct js_sqlite_session **at = &session->connection->sessions;
  while (*at != session)
    at = &(*at)->next;
  *at = session->next;
  sqlite3session_delete(session->session);
  session->session = NULL;
}

static void release_session(struct js_sqlite_thing *thing) {
  struct js_sqlite_session *session = (struct js_sqlite_session *)thing;
  if (session->session != NULL)
    js_sqlite_session_delete(session);
  js_sqlite_drop(session->connection);
  free(session);
}

/* createSession(connection, name of the database, name of a table or null) */
static JSValueRef create_session(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_connection *connection = js_sqlite_connection(context, js_arg(context, frame, 0));
  JSValueRef table = js_arg(context, frame, 2);
  struct js_sqlite_session *session = calloc(1, sizeof *session);
  if (connection == NULL || connection->db == NULL || session == NULL) {
    free(session);
    return js_throw_text(context, "not an open connection");
  }
  char *database = js_to_text(context, js_arg(context, frame, 1), NULL),
       *name = JSValueIsString(context, table) ? js_to_text(context, table, NULL) : NULL;
  sqlite3_session *made = NULL;
  int status = sqlite3session_create(connection->db, database, &made);
  if (status == SQLITE_OK)
    status = sqlite3session_attach(made, name);
  free(database);
  free(name);
  if (status != SQLITE_OK) {
    if (made != NULL)
      sqlite3session_delete(made);
    free(session);
    return js_sqlite_throw(context, connection);
  }
  session->thing = (struct js_sqlite_thing){JS_SQLITE_SESSION, release_session};
  session->connection = connection;
  session->session = made;
  session->next = connection->sessions;
  connection->sessions = session;
  js_sqlite_hold(connection);
  return js_sqlite_object(context, &session->thing);
}

static struct js_sqlite_session *session_of(JSContextRef context, struct js_frame *frame) {
  JSValueRef value = js_arg(context, frame, 0);
  struct js_sqlite_thing *thing = JSValueIsObject(context, value) ? JSObjectGetPrivate((JSObjectRef)value) : NULL;
  return thing != NULL && thing->kind == JS_SQLITE_SESSION ? (struct js_sqlite_session *)thing : NULL;
}

static JSValueRef session_is_open(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_session *session = session_of(context, frame);
  return js_boolean(context, session != NULL && session->session != NULL);
}

static JSValueRef close_session(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_session *session = session_of(context, frame);
  if (session != NULL && session->session != NULL)
    js_sqlite_session_delete(session);
  return js_undefined(context);
}

/* changes(session, as a patchset) -> bytes */
static JSValueRef changes(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_session *session = session_of(context, frame);
  if (session == NULL || session->session == NULL)
    return js_throw_text(context, "not an open session");
  int length = 0;
  void *bytes = NULL;
  struct js_sqlite_connection *connection = session->connection;
  bool patch = js_to_boolean(context, js_arg(context, frame, 1));
  connection->busy++;
  int status = (patch ? sqlite3session_patchset : sqlite3session_changeset)(session->session, &length, &bytes);
  connection->busy--;
  JSValueRef result = NULL;
  if (status != SQLITE_OK)
    js_sqlite_throw(context, connection);
  else if (!js_sqlite_rethrow(context, connection))
    result = js_sqlite_bytes(context, bytes, (size_t)length);
  sqlite3_free(bytes);
  return result;
}

/* ---- applying ---- */

static JSValueRef ask(struct js_sqlite_connection *connection, JSObjectRef function, JSValueRef question) {
  JSContextRef context = js_env_here->context;
  JSValueRef error = NULL, answer = JSObjectCallAsFunction(context, function, NULL, 1, &question, &error);
  if (error == NULL)
    return answer;
  js_sqlite_stash(context, connection, error);
  return NULL;
}

/* After a failure the callbacks are not called again: nothing more is applied. */
static int filter(void *data, const char *table) {
  struct js_sqlite_connection *connection = data;
  if (connection->filter == NULL || connection->thrown != NULL)
    return connection->thrown == NULL;
  JSContextRef context = js_env_here->context;
  JSValueRef answer = ask(connection, connection->filter, js_string(context, table));
  return answer != NULL && js_to_boolean(context, answer);
}

static int conflict(void *data, int kind, sqlite3_changeset_iter *change) {
  struct js_sqlite_connection *connection = data;
  (void)change;
  if (connection->conflict == NULL || connection->thrown != NULL)
    return SQLITE_CHANGESET_ABORT;
  JSValueRef answer = ask(connection, connection->conflict, js_integer(kind));
  if (answer == NULL)
    return SQLITE_CHANGESET_ABORT;
  double number = js_is_number(answer) ? js_to_number(js_env_here->context, answer) : -1;
  return number >= 0 && number <= SQLITE_CHANGESET_ABORT && number == (int)number ? (int)number : -1; /* refused */
}

/* apply(connection, bytes, filter or null, conflict or null) -> 0 or SQLite's error */
static JSValueRef apply(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_connection *connection = js_sqlite_connection(context, js_arg(context, frame, 0));
  unsigned char *bytes;
  size_t length;
  if (connection == NULL || connection->db == NULL ||
      !js_pin_bytes(context, js_arg(context, frame, 1), &bytes, &length))
    return js_throw_text(context, "not a changeset for an open connection");
  JSValueRef asked = js_arg(context, frame, 2), refused = js_arg(context, frame, 3);
  connection->filter = JSValueIsObject(context, asked) ? (JSObjectRef)asked : NULL;
  connection->conflict = JSValueIsObject(context, refused) ? (JSObjectRef)refused : NULL;
  connection->busy++;
  int status = js_sqlite_changeset_check(bytes, length);
  if (status == SQLITE_OK)
    status = sqlite3changeset_apply(connection->db, (int)length, bytes, filter, conflict, connection);
  connection->busy--;
  connection->filter = connection->conflict = NULL;
  return js_sqlite_rethrow(context, connection) ? NULL : js_integer(status);
}

/* codeText(code) */
static JSValueRef code_text(JSContextRef context, struct js_frame *frame) {
  return js_string(context, sqlite3_errstr((int)js_to_integer(context, js_arg(context, frame, 0))));
}

const struct js_method js_sqlite_session_methods[] = {
    {"createSession", create_session, 3},
    {"sessionIsOpen", session_is_open, 1},
    {"closeSession", close_session, 1},
    {"changes", changes, 2},
    {"apply", apply, 4},
    {"codeText", code_text, 1},
    {NULL, NULL, 0},
};
