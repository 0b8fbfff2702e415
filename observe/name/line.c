#include "observe/name/line.h"

#include <stdio.h>
#include <string.h>

enum { FORMATS = 8, DIRECTORY_LENGTH = 384 };

enum opcode {
  OP_EXTENDED,
  OP_COPY,
  OP_ADVANCE_PC,
  OP_ADVANCE_LINE,
  OP_SET_FILE,
  OP_SET_COLUMN,
  OP_NEGATE_STATEMENT,
  OP_BASIC_BLOCK,
  OP_CONST_ADD_PC,
  OP_FIXED_ADVANCE_PC,
};
enum extended_opcode { OP_END_SEQUENCE = 1, OP_SET_ADDRESS = 2 };
enum form {
  FORM_DATA2 = 0x05,
  FORM_DATA4 = 0x06,
  FORM_DATA8 = 0x07,
  FORM_STRING = 0x08,
  FORM_BLOCK = 0x09,
  FORM_DATA1 = 0x0b,
  FORM_STRP = 0x0e,
  FORM_UDATA = 0x0f,
  FORM_DATA16 = 0x1e,
  FORM_LINE_STRP = 0x1f,
};
enum content { CONTENT_PATH = 1, CONTENT_DIRECTORY = 2 };

/* ---- bytes ---- */

/* A read outside of the section gives 0 and sets `bad`. */
struct cursor {
  const unsigned char *at, *end;
  bool bad;
};

static uint64_t get_fixed(struct cursor *from, size_t size) {
  uint64_t value = 0;
  if (from->bad || (size_t)(from->end - from->at) < size || size > sizeof(value)) {
    from->bad = true;
    return 0;
  }
  for (size_t i = 0; i < size; i++)
    value |= (uint64_t)from->at[i] << (8 * i);
  from->at += size;
  return value;
}

static uint64_t get_uleb(struct cursor *from) {
  uint64_t value = 0;
  for (unsigned int shift = 0;; shift += 7) {
    uint64_t byte = get_fixed(from, 1);
    if (shift < 64)
      value |= (byte & 127) << shift;
    if (from->bad || !(byte & 128))
      return value;
  }
}

static int64_t get_sleb(struct cursor *from) {
  uint64_t value = 0, byte;
  unsigned int shift = 0;
  do {
    byte = get_fixed(from, 1);
    if (shift < 64)
      value |= (byte & 127) << shift;
    shift += 7;
  } while (!from->bad && byte & 128);
  if (shift < 64 && byte & 64)
    value |= ~UINT64_C(0) << shift;
  return (int64_t)value;
}

static void skip(struct cursor *from, uint64_t size) {
  if (from->bad || (uint64_t)(from->end - from->at) < size)
    from->bad = true;
  else
    from->at += size;
}

static const char *get_text(struct cursor *from) {
  const unsigned char *end = from->bad ? NULL : memchr(from->at, 0, (size_t)(from->end - from->at));
  const char *text = (const char *)from->at;
  if (end == NULL) {
    from->bad = true;
    return "";
  }
  from->at = end + 1;
  return text;
}

static const char *text_at(const struct rota_line_section *section, uint64_t offset) {
  if (section->data == NULL || offset >= section->size ||
      memchr(section->data + offset, 0, section->size - offset) == NULL)
    return "";
  return (const char *)section->data + offset;
}

/* ---- the head of a unit ---- */

struct unit {
  struct cursor tables;  /* its directories and files */
  struct cursor program; /* what makes its rows */
  const unsigned char *next;
  unsigned int version, offset_size, step, line_range, opcode_base;
  int line_base;
  const unsigned char *lengths; /* of the standard opcodes' arguments */
};

static bool read_unit(const struct rota_line_section *line, size_t offset, struct unit *unit) {
  struct cursor from = {line->data + offset, line->data + line->size, false};
  uint64_t length = get_fixed(&from, 4);
  unit->offset_size = 4;
  if (length == 0xffffffff) {
    length = get_fixed(&from, 8);
    unit->offset_size = 8;
  }
  if (from.bad || length > (uint64_t)(from.end - from.at))
    return false;
  unit->next = from.end = from.at + length;
  unit->version = (unsigned int)get_fixed(&from, 2);
  if (unit->version >= 5)
    skip(&from, 2); /* sizes of an address and of a segment */
  uint64_t head = get_fixed(&from, unit->offset_size);
  if (from.bad || head > (uint64_t)(from.end - from.at))
    return false;
  unit->program = (struct cursor){from.at + head, from.end, false};
  unit->step = (unsigned int)get_fixed(&from, 1);
  if (unit->version >= 4)
    skip(&from, 1);                                         /* operations of one instruction */
  skip(&from, 1);                                           /* whether rows begin statements */
  unit->line_base = (int)(get_fixed(&from, 1) ^ 128) - 128; /* it has a sign */
  unit->line_range = (unsigned int)get_fixed(&from, 1);
  unit->opcode_base = (unsigned int)get_fixed(&from, 1);
  unit->lengths = from.at;
  skip(&from, unit->opcode_base > 0 ? unit->opcode_base - 1 : 0);
  unit->tables = from;
  return !from.bad && unit->version >= 2 && unit->version <= 5 && unit->line_range != 0 && unit->opcode_base != 0;
}

/* ---- its rows ---- */

struct row {
  uint64_t address;
  uint64_t file;
  int64_t line;
  bool ends; /* it is the end of a sequence, and no row of its own */
};

static void run_standard(const struct unit *unit, struct cursor *from, unsigned int opcode, struct row *row,
                         bool *is_row) {
  switch (opcode) {
  case OP_COPY:
    *is_row = true;
    break;
  case OP_ADVANCE_PC:
    row->address += get_uleb(from) * unit->step;
    break;
  case OP_ADVANCE_LINE:
    row->line += get_sleb(from);
    break;
  case OP_SET_FILE:
    row->file = get_uleb(from);
    break;
  case OP_CONST_ADD_PC:
    row->address += (uint64_t)((255 - unit->opcode_base) / unit->line_range) * unit->step;
    break;
  case OP_FIXED_ADVANCE_PC:
    row->address += get_fixed(from, 2);
    break;
  default: /* not needed here */
    for (unsigned int i = 0; i < unit->lengths[opcode - 1]; i++)
      get_uleb(from);
    break;
  }
}

static void run_extended(struct cursor *from, struct row *row, bool *is_row) {
  uint64_t length = get_uleb(from);
  struct cursor inside = *from;
  skip(from, length);
  if (from->bad || length == 0)
    return;
  inside.end = from->at;
  uint64_t opcode = get_fixed(&inside, 1);
  if (opcode == OP_SET_ADDRESS)
    row->address = get_fixed(&inside, (size_t)length - 1);
  row->ends = *is_row = opcode == OP_END_SEQUENCE;
}

/* The next row, or the end of a sequence; false: there is none. `row` must be the row of the last call, because rows
 * are differences. */
static bool next_row(const struct unit *unit, struct cursor *from, struct row *row) {
  bool is_row = false;
  if (row->ends)
    *row = (struct row){.file = 1, .line = 1};
  while (!is_row && !from->bad && from->at < from->end) {
    unsigned int opcode = (unsigned int)get_fixed(from, 1);
    if (opcode >= unit->opcode_base) {
      unsigned int adjusted = opcode - unit->opcode_base;
      row->address += (uint64_t)(adjusted / unit->line_range) * unit->step;
      row->line += unit->line_base + (int)(adjusted % unit->line_range);
      is_row = true;
    } else if (opcode == OP_EXTENDED) {
      run_extended(from, row, &is_row);
    } else {
      run_standard(unit, from, opcode, row, &is_row);
    }
  }
  return is_row && !from->bad;
}

/* ---- which unit has which addresses ---- */

static bool note(struct rota_lines *lines, struct rota_line_range range, void *(*take)(size_t size)) {
  if (lines->count == lines->capacity) {
    size_t capacity = lines->capacity == 0 ? 64 : lines->capacity * 2;
    struct rota_line_range *larger = take(capacity * sizeof(*larger));
    if (larger == NULL)
      return false;
    if (lines->count > 0)
      memcpy(larger, lines->ranges, lines->count * sizeof(*larger));
    lines->ranges = larger;
    lines->capacity = capacity;
  }
  lines->ranges[lines->count++] = range;
  return true;
}

void rota__lines_index(struct rota_lines *lines, void *(*take)(size_t size)) {
  struct unit unit;
  for (size_t offset = 0; offset < lines->line.size; offset = (size_t)(unit.next - lines->line.data)) {
    if (!read_unit(&lines->line, offset, &unit))
      return;
    struct row row = {.ends = true};
    struct rota_line_range range = {.low = UINT64_MAX, .unit = offset};
    while (next_row(&unit, &unit.program, &row)) {
      range.low = row.address < range.low ? row.address : range.low;
      range.high = row.address > range.high ? row.address : range.high;
      if (!row.ends)
        continue;
      /* Functions that the linker has left out are at 0. */
      if (range.low != 0 && range.high > range.low && !note(lines, range, take))
        return;
      range = (struct rota_line_range){.low = UINT64_MAX, .unit = offset};
    }
  }
}

/* ---- names of files ---- */

struct format {
  uint64_t content, form;
};

struct entry {
  const char *path;
  uint64_t directory;
};

static bool read_value(const struct rota_lines *lines, const struct unit *unit, struct cursor *from, uint64_t form,
                       const char **text, uint64_t *number) {
  switch (form) {
  case FORM_STRING:
    *text = get_text(from);
    break;
  case FORM_LINE_STRP:
    *text = text_at(&lines->line_str, get_fixed(from, unit->offset_size));
    break;
  case FORM_STRP: /* in a section that is not read: compilers put names of files into the other one */
    skip(from, unit->offset_size);
    break;
  case FORM_UDATA:
    *number = get_uleb(from);
    break;
  case FORM_DATA1:
    *number = get_fixed(from, 1);
    break;
  case FORM_DATA2:
    *number = get_fixed(from, 2);
    break;
  case FORM_DATA4:
    *number = get_fixed(from, 4);
    break;
  case FORM_DATA8:
    *number = get_fixed(from, 8);
    break;
  case FORM_DATA16:
    skip(from, 16);
    break;
  case FORM_BLOCK:
    skip(from, get_uleb(from));
    break;
  default:
    return false;
  }
  return !from->bad;
}

/* A table of version 5, up to its entry of this number; with UINT64_MAX, to its end. False: there is none such. */
static bool read_table(const struct rota_lines *lines, const struct unit *unit, struct cursor *from, uint64_t wanted,
                       struct entry *entry) {
  struct format formats[FORMATS];
  uint64_t count = get_fixed(from, 1);
  if (count > FORMATS)
    return false;
  for (uint64_t i = 0; i < count; i++) {
    formats[i].content = get_uleb(from);
    formats[i].form = get_uleb(from);
  }
  uint64_t entries = get_uleb(from);
  for (uint64_t i = 0; i < entries && !from->bad && count > 0; i++) {
    *entry = (struct entry){.path = ""};
    for (uint64_t k = 0; k < count; k++) {
      const char *text = "";
      uint64_t number = 0;
      if (!read_value(lines, unit, from, formats[k].form, &text, &number))
        return false;
      if (formats[k].content == CONTENT_PATH)
        entry->path = text;
      else if (formats[k].content == CONTENT_DIRECTORY)
        entry->directory = number;
    }
    if (i == wanted)
      return true;
  }
  return wanted == UINT64_MAX && !from->bad;
}

/* Before version 5 both tables count from 1, and an empty name ends them. */
static bool find_old_file(struct cursor from, uint64_t wanted, struct entry *file, struct entry *directory) {
  struct cursor directories = from;
  *directory = (struct entry){.path = ""};
  while (get_text(&from)[0] != '\0')
    continue;
  for (uint64_t i = 1; !from.bad; i++) {
    file->path = get_text(&from);
    file->directory = get_uleb(&from);
    get_uleb(&from);
    get_uleb(&from);
    if (file->path[0] == '\0')
      return false;
    if (i == wanted)
      break;
  }
  for (uint64_t i = 1; i <= file->directory && !directories.bad; i++)
    directory->path = get_text(&directories);
  return !from.bad && !directories.bad;
}

static void join(char *room, size_t size, const char *directory, const char *file) {
  int length = file[0] == '/' || directory[0] == '\0' ? snprintf(room, size, "%s", file)
                                                      : snprintf(room, size, "%s/%s", directory, file);
  if (length < 0 || (size_t)length >= size)
    room[0] = '\0';
}

static bool find_file(const struct rota_lines *lines, const struct unit *unit, uint64_t wanted, char *room,
                      size_t size) {
  struct entry file = {.path = ""}, directory = file, first = file;
  char path[DIRECTORY_LENGTH];
  if (unit->version < 5) {
    if (!find_old_file(unit->tables, wanted, &file, &directory))
      return false;
  } else {
    struct cursor directories = unit->tables, files = unit->tables, again = unit->tables;
    if (!read_table(lines, unit, &files, UINT64_MAX, &file) || !read_table(lines, unit, &files, wanted, &file) ||
        !read_table(lines, unit, &directories, file.directory, &directory) ||
        !read_table(lines, unit, &again, 0, &first))
      return false;
  }
  join(path, sizeof(path), first.path, directory.path); /* the first directory is where the compiler ran */
  join(room, size, path, file.path);
  return room[0] != '\0';
}

bool rota__lines_find(const struct rota_lines *lines, uint64_t place, struct rota_line_place *found) {
  size_t i = 0;
  while (i < lines->count && !(place >= lines->ranges[i].low && place < lines->ranges[i].high))
    i++;
  struct unit unit;
  if (i == lines->count || !read_unit(&lines->line, lines->ranges[i].unit, &unit))
    return false;
  struct row row = {.ends = true}, before = {.ends = true};
  while (next_row(&unit, &unit.program, &row)) {
    if (!before.ends && before.address <= place && place < row.address) {
      found->line = (int)before.line;
      return found->line > 0 && find_file(lines, &unit, before.file, found->file, sizeof(found->file));
    }
    before = row;
  }
  return false;
}
