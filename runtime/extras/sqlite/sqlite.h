/* What the files of the binding `sqlite` share.
 *
 * The rules of node:sqlite (what may be called when, what arguments mean) are in JavaScript:
 * runtime/extras/sqlite/lib/sqlite. These files have what needs SQLite's own types. A connection, a statement and a
 * session are objects of the engine around a struct; the struct of a connection lives as long as one of its statements
 * or sessions, whichever object is collected first.
 *
 * Functions of the program that SQLite calls (user functions, authorizers, ...) are kept alive by JavaScript, in the
 * DatabaseSync, not by C: a root would keep everything that such a function refers to forever,
 * often the database itself. */
#ifndef JS_BINDING_SQLITE_H
#define JS_BINDING_SQLITE_H

#include "runtime/bind/binding.h"
#include "runtime/engine/value/text.h"

#include <sqlite3.h>

enum js_sqlite_kind { JS_SQLITE_CONNECTION = 1, JS_SQLITE_STATEMENT, JS_SQLITE_SESSION };

/* The start of each struct that an object of the engine holds. */
struct js_sqlite_thing {
  enum js_sqlite_kind kind;
  void (*release)(struct js_sqlite_thing *thing); /* the object was collected */
};

struct js_sqlite_connection {
  struct js_sqlite_thing thing;
  int holders; /* its object, and its statements and sessions */
  int busy;    /* calls of SQLite on the stack that may call JavaScript */
  sqlite3 *db; /* null when closed */
  struct js_sqlite_statement *statements, *dead;
  struct js_sqlite_session *sessions;
  JSValueRef thrown; /* thrown by JavaScript that SQLite called; rooted until it is thrown again */
  JSObjectRef authorizer, profiler, filter, conflict;
};

struct js_sqlite_statement {
  struct js_sqlite_thing thing;
  struct js_sqlite_connection *connection;
  struct js_sqlite_statement *next; /* of the same connection, or of its dead */
  sqlite3_stmt *stmt;               /* null when finalized */
  bool active;                      /* begun, and not at its end */
  bool has_names;                   /* among its parameters */
  int prepared; /* how often it was prepared again when its column names were last reported; -1: never */
};

struct js_sqlite_session {
  struct js_sqlite_thing thing;
  struct js_sqlite_connection *connection;
  struct js_sqlite_session *next;
  void *session; /* null when closed */
};

JSObjectRef js_sqlite_object(JSContextRef context, struct js_sqlite_thing *thing);
/* The struct behind an argument, or NULL if it is no such object. */
struct js_sqlite_connection *js_sqlite_connection(JSContextRef context, JSValueRef value);
struct js_sqlite_statement *js_sqlite_statement(JSContextRef context, JSValueRef value);
void js_sqlite_hold(struct js_sqlite_connection *connection);
void js_sqlite_drop(struct js_sqlite_connection *connection);
void js_sqlite_finalize(struct js_sqlite_statement *statement);
void js_sqlite_free_finished(struct js_sqlite_connection *connection);
void js_sqlite_session_delete(struct js_sqlite_session *session);

/* A function of runtime/extras/sqlite/lib/sqlite/arguments.js makes errors, from a kind and its details. */
JSValueRef js_sqlite_make_error(JSContextRef context, enum js_sqlite_error kind, JSValueRef a, JSValueRef b,
                                JSValueRef c);
JSValueRef js_sqlite_error_of(JSContextRef context, sqlite3 *db);
/* The exception that JavaScript threw meanwhile, else SQLite's last error. */
JSValueRef js_sqlite_throw(JSContextRef context, struct js_sqlite_connection *connection);
/* Remembers an exception; the first counts. */
void js_sqlite_stash(JSContextRef context, struct js_sqlite_connection *connection, JSValueRef error);
/* If there is a remembered exception: throws it and returns true. */
bool js_sqlite_rethrow(JSContextRef context, struct js_sqlite_connection *connection);

/* sqlite_value.c. NULL if the integer is too large for a number; then the error has been made. */
JSValueRef js_sqlite_value(JSContextRef context, sqlite3_value *value, bool bigints, JSValueRef *error);
JSValueRef js_sqlite_integer(JSContextRef context, sqlite3_int64 value, bool bigints, JSValueRef *error);
JSValueRef js_sqlite_bytes(JSContextRef context, const void *bytes, size_t length);
/* False: an error was thrown. */
bool js_sqlite_bind(JSContextRef context, struct js_sqlite_statement *statement, int index, JSValueRef value);
void js_sqlite_result(JSContextRef context, sqlite3_context *call, JSValueRef value);

extern const struct js_method js_sqlite_statement_methods[];
extern const struct js_method js_sqlite_function_methods[];
extern const struct js_method js_sqlite_session_methods[];
extern const struct js_method js_sqlite_copy_methods[];

/* Permissions: every VFS checks before it opens a file; and whether this database must not be opened.
 * Then an error was thrown. */
void js_sqlite_permission_begin(void);
bool js_sqlite_refused(JSContextRef context, const char *path, bool writes);

/* sqlite_changeset.c */
int js_sqlite_changeset_check(const unsigned char *bytes, size_t length);

#endif
