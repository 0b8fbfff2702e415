/* Checks whether bytes have the form of a changeset or a patchset.
 *
 * SQLite up to 3.40 (Debian 12's) never returns for some damaged ones, and follows null pointers in others. So they are
 * checked before SQLite gets them; a malformed one gets the error of later versions.
 *
 * A table begins with 'T' (or 'P' in a patchset), the number of its columns, a byte for each that says whether it
 * belongs to the primary key, and its name with a zero. Changes follow: the operation, a byte that says whether it was
 * indirect, and one or two rows of values. */
#include "runtime/extras/sqlite/sqlite.h"

#include <string.h>

enum { COLUMNS_MAX = 65536, VARINT_MAX = 9 };
enum { VALUE_ABSENT, VALUE_INTEGER, VALUE_REAL, VALUE_TEXT, VALUE_BLOB };

struct reader {
  const unsigned char *at, *end;
  bool patch;
  size_t columns, keys;
  const unsigned char *flags; /* which columns are keys */
  const char *name;
};

static bool skip(struct reader *reader, size_t count) {
  if (count > (size_t)(reader->end - reader->at))
    return false;
  reader->at += count;
  return true;
}

/* Seven bits to a byte, the highest first; the ninth byte has eight. */
static bool read_number(struct reader *reader, uint64_t *number) {
  *number = 0;
  for (int i = 1; i <= VARINT_MAX; i++) {
    if (reader->at == reader->end)
      return false;
    unsigned char byte = *reader->at++;
    if (i == VARINT_MAX) {
      *number = *number << 8 | byte;
      return true;
    }
    *number = *number << 7 | (byte & 0x7F);
    if (byte < 0x80)
      return true;
  }
  return false;
}

/* SQLite takes a table of the same name as the one before for the same table. */
static bool is_another_shape(const struct reader *before, const struct reader *now) {
  return before->name != NULL && sqlite3_stricmp(before->name, now->name) == 0 &&
         (before->columns != now->columns || memcmp(before->flags, now->flags, now->columns) != 0);
}

static int read_table(struct reader *reader, bool patch) {
  struct reader before = *reader;
  uint64_t columns;
  if (!read_number(reader, &columns) || columns == 0 || columns > COLUMNS_MAX)
    return SQLITE_CORRUPT;
  reader->flags = reader->at;
  if (!skip(reader, columns))
    return SQLITE_CORRUPT;
  const unsigned char *zero = memchr(reader->at, 0, (size_t)(reader->end - reader->at));
  if (zero == NULL)
    return SQLITE_CORRUPT;
  reader->name = (const char *)reader->at;
  reader->at = zero + 1;
  reader->patch = patch;
  reader->columns = columns;
  reader->keys = 0;
  for (size_t i = 0; i < columns; i++)
    reader->keys += reader->flags[i] != 0;
  return is_another_shape(&before, reader) ? SQLITE_ERROR : SQLITE_OK;
}

/* -> the kind of the value, or -1 */
static int read_value(struct reader *reader) {
  uint64_t length;
  if (reader->at == reader->end)
    return -1;
  int kind = *reader->at++;
  bool fine = true; /* no other type has bytes, nor does one that SQLite does not know */
  if (kind == VALUE_INTEGER || kind == VALUE_REAL)
    fine = skip(reader, 8);
  else if (kind == VALUE_TEXT || kind == VALUE_BLOB)
    fine = read_number(reader, &length) && length <= INT32_MAX && skip(reader, length);
  return fine ? kind : -1;
}

/* Which values must be there. */
enum need { NEED_NONE, NEED_KEYS, NEED_ALL };

static bool read_row(struct reader *reader, size_t values, enum need need) {
  for (size_t i = 0; i < values; i++) {
    int kind = read_value(reader);
    bool needed = need == NEED_ALL || (need == NEED_KEYS && reader->flags[i] != 0);
    if (kind < 0 || (needed && kind == VALUE_ABSENT))
      return false;
  }
  return true;
}

static int read_change(struct reader *reader, int operation) {
  size_t all = reader->columns;
  bool fine = all > 0 && skip(reader, 1);
  if (operation == SQLITE_INSERT)
    fine = fine && read_row(reader, all, NEED_ALL);
  else if (operation == SQLITE_DELETE)
    fine = fine && read_row(reader, reader->patch ? reader->keys : all, NEED_ALL);
  else if (operation == SQLITE_UPDATE)
    fine = fine && read_row(reader, all, NEED_KEYS) && (reader->patch || read_row(reader, all, NEED_NONE));
  else
    fine = false;
  return fine ? SQLITE_OK : SQLITE_CORRUPT;
}

int js_sqlite_changeset_check(const unsigned char *bytes, size_t length) {
  struct reader reader = {.at = bytes, .end = bytes + length};
  int status = length <= INT32_MAX ? SQLITE_OK : SQLITE_TOOBIG;
  while (status == SQLITE_OK && reader.at < reader.end) {
    int first = *reader.at++;
    if (first == 'T' || first == 'P')
      status = read_table(&reader, first == 'P');
    else
      status = read_change(&reader, first);
  }
  return status;
}
