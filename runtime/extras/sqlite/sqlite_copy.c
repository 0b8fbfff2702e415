/* Whole databases: as bytes, and as a file that is copied while both are in use (a backup), some pages at a time, each
 * time on the pool. SQLite locks a connection itself, so the program may go on using the one that is copied. */
#include "runtime/extras/sqlite/sqlite.h"

#include <rota.h>
#include <stdlib.h>
#include <string.h>

/* serialize(connection, name) -> bytes */
static JSValueRef serialize(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_connection *connection = js_sqlite_connection(context, js_arg(context, frame, 0));
  if (connection == NULL || connection->db == NULL)
    return js_throw_text(context, "not an open connection");
  char *name = js_to_text(context, js_arg(context, frame, 1), NULL);
  sqlite3_int64 size = 0;
  unsigned char *bytes = sqlite3_serialize(connection->db, name, &size, 0);
  /* A database without any page has no bytes before SQLite 3.43; a transaction gives it its first page. */
  if (bytes == NULL && size == 0 && sqlite3_exec(connection->db, "BEGIN IMMEDIATE; COMMIT", NULL, NULL, NULL) == 0)
    bytes = sqlite3_serialize(connection->db, name, &size, 0);
  free(name);
  if (bytes == NULL)
    return js_sqlite_throw(context, connection);
  JSValueRef result = js_sqlite_bytes(context, bytes, (size_t)size);
  sqlite3_free(bytes);
  return result;
}

/* deserialize(connection, bytes, name) */
static JSValueRef deserialize(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_connection *connection = js_sqlite_connection(context, js_arg(context, frame, 0));
  unsigned char *bytes;
  size_t length;
  if (connection == NULL || connection->db == NULL ||
      !js_borrow_bytes(context, js_arg(context, frame, 1), &bytes, &length))
    return js_throw_text(context, "not a database for an open connection");
  unsigned char *copy = sqlite3_malloc64(length); /* from now on SQLite owns it, even if it fails */
  if (copy == NULL)
    return js_throw_text(context, "out of memory");
  memcpy(copy, bytes, length);
  char *name = js_to_text(context, js_arg(context, frame, 2), NULL);
  int status = sqlite3_deserialize(connection->db, name, copy, (sqlite3_int64)length, (sqlite3_int64)length,
                                   SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
  free(name);
  return status == SQLITE_OK ? js_undefined(context) : js_sqlite_throw(context, connection);
}

/* ---- backups ---- */

enum { RETRY_MS = 10 };

struct backup {
  uv_work_t work;
  int id, pages, status;
  sqlite3 *target;
  sqlite3_backup *backup;
};

static _Thread_local JSObjectRef on_backup;

/* on_backup(id, error or null, whether it is done, remaining pages, all pages) -> whether to go on */
static bool tell(int id, JSValueRef error, bool done, int remaining, int all) {
  JSContextRef context = js_env_here->context;
  JSValueRef values[] = {js_integer(id), error, js_boolean(context, done), js_integer(remaining), js_integer(all)};
  JSValueRef answer = js_enter(js_env_here, on_backup, NULL, 5, values);
  return answer != NULL && js_to_boolean(context, answer);
}

static void end_backup(struct backup *copy) {
  sqlite3_backup_finish(copy->backup);
  sqlite3_close_v2(copy->target);
  free(copy);
}

/* If another connection is writing to the database, the copy is tried again after a while. */
static void copy_pages(uv_work_t *work) {
  struct backup *copy = (struct backup *)work;
  while ((copy->status = sqlite3_backup_step(copy->backup, copy->pages)) == SQLITE_BUSY ||
         copy->status == SQLITE_LOCKED)
    sqlite3_sleep(RETRY_MS);
}

static void copied(uv_work_t *work, int cancelled) {
  struct backup *copy = (struct backup *)work;
  JSContextRef context = js_env_here->context;
  (void)cancelled;
  int id = copy->id, status = copy->status, all = sqlite3_backup_pagecount(copy->backup);
  if (status == SQLITE_OK) {
    if (tell(id, js_null(context), false, sqlite3_backup_remaining(copy->backup), all))
      rota_queue_work(js_env_here->loop, &copy->work, ROTA_JOB_FILE, copy_pages, copied);
    else
      end_backup(copy);
    return;
  }
  end_backup(copy); /* before the callback: then the program may open the file */
  JSValueRef error = js_null(context), words = js_string(context, sqlite3_errstr(status));
  if (status != SQLITE_DONE)
    error = js_sqlite_make_error(context, JS_SQLITE_ERROR_FAILED, words, js_integer(status), words);
  tell(id, error, true, 0, all);
}

/* backup(id, connection, path, name there, name here, pages at a time): throws when it cannot begin */
static JSValueRef start_backup(JSContextRef context, struct js_frame *frame) {
  struct js_sqlite_connection *connection = js_sqlite_connection(context, js_arg(context, frame, 1));
  char room[512];
  char *path = js_copy_path(context, js_arg(context, frame, 2), room, sizeof room);
  struct backup *copy = calloc(1, sizeof *copy);
  if (connection == NULL || connection->db == NULL || path == NULL || copy == NULL) {
    free(copy);
    return js_throw_text(context, "not a backup of an open connection");
  }
  if (js_sqlite_refused(context, path, true)) {
    if (path != room)
      free(path);
    free(copy);
    return NULL;
  }
  copy->id = (int)js_to_integer(context, js_arg(context, frame, 0));
  copy->pages = (int)js_to_integer(context, js_arg(context, frame, 5));
  char *there = js_to_text(context, js_arg(context, frame, 3), NULL),
       *here = js_to_text(context, js_arg(context, frame, 4), NULL);
  int status = sqlite3_open_v2(path, &copy->target, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI, NULL);
  if (path != room)
    free(path);
  if (status == SQLITE_OK)
    copy->backup = sqlite3_backup_init(copy->target, there, connection->db, here);
  free(there);
  free(here);
  if (copy->backup == NULL) {
    JSValueRef error = js_sqlite_error_of(context, copy->target);
    sqlite3_close_v2(copy->target);
    free(copy);
    return js_throw(context, error);
  }
  rota_queue_work(js_env_here->loop, &copy->work, ROTA_JOB_FILE, copy_pages, copied);
  return js_undefined(context);
}

static JSValueRef set_backup_listener(JSContextRef context, struct js_frame *frame) {
  on_backup = (JSObjectRef)js_arg(context, frame, 0);
  JSValueProtect(context, on_backup);
  return js_undefined(context);
}

const struct js_method js_sqlite_copy_methods[] = {
    {"serialize", serialize, 2},
    {"deserialize", deserialize, 3},
    {"backup", start_backup, 6},
    {"setBackupListener", set_backup_listener, 1},
    {NULL, NULL, 0},
};
