/* The result: the code, and notes in JSON. Edits and uses are both in the order of the text, so one walk merges them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/modules/internal.h"

struct buffer {
  char *bytes;
  size_t length, room;
  bool failed;
};

static void put(struct buffer *to, const void *bytes, size_t length) {
  if (to->failed)
    return;
  if (to->length + length > to->room) {
    size_t room = (to->length + length) * 2;
    char *more = realloc(to->bytes, room);
    if (more == NULL) {
      to->failed = true;
      return;
    }
    to->bytes = more;
    to->room = room;
  }
  if (length > 0)
    memcpy(to->bytes + to->length, bytes, length);
  to->length += length;
}

static void put_text(struct buffer *to, const char *text) {
  put(to, text, strlen(text));
}

static void put_number(struct buffer *to, size_t number) {
  char digits[24];
  put(to, digits, (size_t)snprintf(digits, sizeof digits, "%zu", number));
}

static void put_name(struct buffer *to, const struct js_pass *pass, uint32_t number) {
  const struct js_name *name = js_name_at(pass, number);
  put(to, name->text, name->length);
}

/* In the form of JSON.stringify. Names have no escapes and no control characters. */
static void put_quoted(struct buffer *to, const unsigned char *text, size_t length) {
  put_text(to, "\"");
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '\n') {
      put_text(to, "\\n");
      continue;
    }
    if (text[i] == '"' || text[i] == '\\')
      put_text(to, "\\");
    put(to, text + i, 1);
  }
  put_text(to, "\"");
}

static void put_quoted_name(struct buffer *to, const struct js_pass *pass, uint32_t number) {
  const struct js_name *name = js_name_at(pass, number);
  put_quoted(to, name->text, name->length);
}

/* Code units of UTF-16. */
static size_t units(const unsigned char *text, size_t length) {
  size_t count = 0;
  for (size_t i = 0; i < length; i++)
    count += (size_t)((text[i] & 0xC0) != 0x80) + (text[i] >= 0xF0);
  return count;
}

/* Whether a name can follow a dot. Names beyond ASCII were parsed as names, not as strings (port.c). */
static bool is_plain_name(const struct js_name *name) {
  for (uint32_t i = 0; i < name->length; i++) {
    unsigned char byte = name->text[i];
    bool is_letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' || byte == '$';
    if (!is_letter && byte < 0x80 && (i == 0 || byte < '0' || byte > '9'))
      return false;
  }
  return name->length > 0;
}

static void put_reference(struct buffer *to, const struct js_pass *pass, const struct js_import *import) {
  put_text(to, "__rota_");
  put_number(to, import->request);
  if (import->name == 0) {
    put_text(to, "n.ns"); /* a property, so that it may stand where something is assigned to */
    return;
  }
  if (is_plain_name(js_name_at(pass, import->name))) {
    put_text(to, ".");
    put_name(to, pass, import->name);
    return;
  }
  put_text(to, "[");
  put_quoted_name(to, pass, import->name);
  put_text(to, "]");
}

static void put_use(struct buffer *to, const struct js_pass *pass, const struct js_use *use) {
  const struct js_import *imports = pass->imports.items;
  const struct js_import *import = &imports[js_name_at(pass, use->name)->import - 1];
  if ((use->flags & USE_CALL) != 0) {
    /* A bracket at a line's start would continue the line before it, if that has no semicolon. */
    put_text(to, (use->flags & USE_LISTED) != 0 ? ";(0," : "(0,");
    put_reference(to, pass, import);
    put_text(to, ")");
  } else if ((use->flags & USE_MEMBER) != 0 && import->name == 0) {
    put_text(to, "__rota_"); /* ns.name uses the binding directly */
    put_number(to, import->request);
  } else if ((use->flags & USE_SHORTHAND) != 0) {
    put_name(to, pass, use->name);
    put_text(to, ": ");
    put_reference(to, pass, import);
  } else if ((use->flags & USE_NEW) != 0) {
    put_text(to, "(");
    put_reference(to, pass, import);
    put_text(to, ")");
  } else {
    put_reference(to, pass, import);
  }
}

static void put_edit(struct buffer *to, const struct js_pass *pass, const struct js_edit *edit) {
  size_t before = to->length;
  put_text(to, edit->text);
  if (edit->has_number) {
    put_number(to, edit->number);
    put_text(to, ",");
  }
  for (uint32_t i = edit->start; edit->keeps_breaks && i < edit->end; i++)
    if (pass->text[i] == '\n')
      put_text(to, "\n");
  if (edit->needs_semicolon && to->length == before)
    put_text(to, ";");
}

/* The current position in the text, in bytes and in units. */
struct walk {
  uint32_t at;
  size_t units;
};

static size_t units_to(const struct js_pass *pass, struct walk *walk, uint32_t at) {
  walk->units += units(pass->text + walk->at, at - walk->at);
  walk->at = at;
  return walk->units;
}

/* One line of the notes: [start, end, replacement]. The replacement begins at `from` in the code. */
static void note_edit(struct buffer *notes, const struct js_pass *pass, struct walk *walk, uint32_t start, uint32_t end,
                      const struct buffer *code, size_t from) {
  if (code->failed || notes->failed)
    return;
  put_text(notes, notes->bytes[notes->length - 1] == '[' ? "[" : ",[");
  put_number(notes, units_to(pass, walk, start));
  put_text(notes, ",");
  put_number(notes, units_to(pass, walk, end));
  put_text(notes, ",");
  put_quoted(notes, (const unsigned char *)code->bytes + from, code->length - from);
  put_text(notes, "]");
}

static void put_body(struct buffer *code, struct buffer *notes, const struct js_pass *pass) {
  const struct js_edit *edits = pass->edits.items;
  const struct js_use *uses = pass->uses.items;
  uint32_t at = 0, edit = 0, use = 0;
  struct walk walk = {0, 0};
  for (;;) {
    while (use < pass->uses.count && uses[use].name == 0)
      use++;
    bool has_edit = edit < pass->edits.count, has_use = use < pass->uses.count;
    if (!has_edit && !has_use)
      break;
    bool takes_edit = has_edit && (!has_use || edits[edit].start <= uses[use].start);
    uint32_t start = takes_edit ? edits[edit].start : uses[use].start;
    uint32_t end = takes_edit ? edits[edit].end : start + js_name_at(pass, uses[use].name)->length;
    put(code, pass->text + at, start - at);
    size_t from = code->length;
    if (takes_edit)
      put_edit(code, pass, &edits[edit++]);
    else
      put_use(code, pass, &uses[use++]);
    at = end;
    if (pass->wish.wants_edits)
      note_edit(notes, pass, &walk, start, end, code, from);
  }
  put(code, pass->text + at, pass->length - at);
}

static void put_head(struct buffer *code, const struct js_pass *pass) {
  put_text(code, pass->has_await ? "(async function" : "(function*");
  put_text(code, " __rota_module__(__rota_export, __rota_meta, __rota_import");
  for (uint32_t i = 0; i < pass->requests.count; i++) {
    put_text(code, ", __rota_");
    put_number(code, i);
    put_text(code, ", __rota_");
    put_number(code, i);
    put_text(code, "n");
  }
  put_text(code, ") {'use strict';__rota_export({__proto__: null, ");
  const struct js_local *locals = pass->locals.items;
  for (uint32_t i = 0; i < pass->locals.count; i++) {
    if (i > 0)
      put_text(code, ", ");
    put_quoted_name(code, pass, locals[i].exported);
    put_text(code, ": () => ");
    if (locals[i].local == 0)
      put_text(code, "__rota_default");
    else
      put_name(code, pass, locals[i].local);
  }
  put_text(code, pass->names_default ? "}, __rota_default);" : "});");
  if (!pass->has_await)
    put_text(code, "yield;");
}

static void put_separator(struct buffer *to, uint32_t i) {
  if (i > 0)
    put_text(to, ",");
}

static void note_requests(struct buffer *notes, const struct js_pass *pass) {
  const struct js_request *requests = pass->requests.items;
  const struct js_attribute *attributes = pass->attributes.items;
  put_text(notes, ",\"requests\":[");
  for (uint32_t i = 0; i < pass->requests.count; i++) {
    put_separator(notes, i);
    put_text(notes, "[");
    put_quoted_name(notes, pass, requests[i].specifier);
    for (uint32_t j = 0; j < requests[i].attributes; j++) {
      const struct js_attribute *attribute = &attributes[requests[i].first_attribute + j];
      put_text(notes, ",");
      put_quoted_name(notes, pass, attribute->key);
      put_text(notes, ",");
      put_quoted_name(notes, pass, attribute->value);
    }
    put_text(notes, "]");
  }
}

/* [first, request, second]; `name` 0 is the namespace. */
static void note_triples(struct buffer *notes, const struct js_pass *pass, const struct js_list *list, bool is_checks) {
  const struct js_indirect *items = list->items;
  for (uint32_t i = 0; i < list->count; i++) {
    put_separator(notes, i);
    put_text(notes, "[");
    if (!is_checks) {
      put_quoted_name(notes, pass, items[i].exported);
      put_text(notes, ",");
    }
    put_number(notes, items[i].request);
    put_text(notes, ",");
    if (items[i].name == 0)
      put_text(notes, "\"*\"");
    else
      put_quoted_name(notes, pass, items[i].name);
    if (is_checks) {
      put_text(notes, ",");
      put_quoted_name(notes, pass, items[i].exported);
    }
    put_text(notes, "]");
  }
}

static void note_awaits(struct buffer *notes, const struct js_pass *pass) {
  const uint32_t *awaits = pass->awaits.items;
  uint32_t at = 0, line = 1, line_start = 0;
  for (uint32_t i = 0; i < pass->awaits.count; i++) {
    for (; at < awaits[i]; at++) {
      if (pass->text[at] == '\n') {
        line++;
        line_start = at + 1;
      }
    }
    put_separator(notes, i);
    put_text(notes, "{\"line\":");
    put_number(notes, line);
    put_text(notes, ",\"column\":");
    put_number(notes, units(pass->text + line_start, awaits[i] - line_start) + 1);
    put_text(notes, "}");
  }
}

static void note_module(struct buffer *notes, const struct js_pass *pass, size_t head_length) {
  const struct js_local *locals = pass->locals.items;
  const uint32_t *stars = pass->stars.items;
  put_text(notes, ",\"headLength\":");
  put_number(notes, head_length);
  put_text(notes, pass->has_await ? ",\"hasAwait\":true" : ",\"hasAwait\":false");
  note_requests(notes, pass);
  put_text(notes, "],\"localNames\":[");
  for (uint32_t i = 0; i < pass->locals.count; i++) {
    put_separator(notes, i);
    put_quoted_name(notes, pass, locals[i].exported);
  }
  put_text(notes, "],\"indirect\":[");
  note_triples(notes, pass, &pass->indirect, false);
  put_text(notes, "],\"checks\":[");
  note_triples(notes, pass, &pass->checks, true);
  put_text(notes, "],\"stars\":[");
  for (uint32_t i = 0; i < pass->stars.count; i++) {
    put_separator(notes, i);
    put_number(notes, stars[i]);
  }
  put_text(notes, "],\"awaits\":[");
  note_awaits(notes, pass);
  put_text(notes, "]");
}

bool js_write(const struct js_pass *pass, struct js_rewritten *result) {
  struct buffer code = {0}, notes = {0};
  const bool is_module = pass->wish.kind == JS_REWRITE_MODULE;
  size_t head_length = 0;
  put_text(&notes, "{\"edits\":[");
  code.bytes = malloc(code.room = pass->length + pass->length / 4 + 1024);
  code.failed = code.bytes == NULL;
  if (is_module) {
    put_head(&code, pass);
    head_length = code.failed ? 0 : units((const unsigned char *)code.bytes, code.length);
  }
  if (is_module && pass->length >= 2 && pass->text[0] == '#' && pass->text[1] == '!')
    put_text(&code, "//");
  if (!notes.failed)
    put_body(&code, &notes, pass);
  if (is_module)
    put_text(&code, "\n})");
  put_text(&notes, "]");
  if (is_module)
    note_module(&notes, pass, head_length);
  put_text(&notes, "}");
  result->code = code.bytes;
  result->code_length = code.length;
  result->notes = notes.bytes;
  result->notes_length = notes.length;
  result->is_changed = is_module || pass->edits.count > 0;
  return !code.failed && !notes.failed;
}
