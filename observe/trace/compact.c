#include "observe/trace/compact.h"

#include <stdio.h>
#include <string.h>

#include "loop/os/memory.h"
#include "rota.h"

enum {
  HEAD_SIZE = 128,
  BLOCK_HEAD = 16,
  BLOCK_MAX = 128 * 1024,
  SEGMENTS = 4,
  TEMPLATES = 4096,
  TEMPLATES_FIRST = 2, /* smaller numbers say what follows */
  SLOTS = 2 * TEMPLATES,
  NUMBERS_MAX = 16,
  TEXT_SIZE = 1024 * 1024, /* of all templates */
  LINE_SIZE = 64 * 1024,
  DIGITS_MAX = 15, /* more are no number that JavaScript can hold */
  VARINT_MAX = 9,
  LINE_OVERHEAD = (NUMBERS_MAX + 4) * VARINT_MAX,
  KEPT_MAX = 512 * 1024, /* of metadata */
};

/* What a line of a template begins with. */
enum { WORD_TEMPLATE = 0, WORD_FORGET = 1 };

/* What stands for a number in a template; JSON has no such characters. */
enum { MARK_INTEGER = 1, MARK_DECIMAL = 2, MARK_TIME = 3, MARK_DURATION = 4 };

struct template {
  uint32_t at, length; /* in the text */
  uint64_t last[NUMBERS_MAX];
};

struct line {
  size_t length;
  unsigned int count;
  uint32_t hash;
  uint64_t numbers[NUMBERS_MAX];
  char marks[NUMBERS_MAX];
  char text[LINE_SIZE];
};

struct rota_compact {
  rota_compact_write write;
  void *data;
  int64_t at;            /* where the next block begins */
  int64_t segment_end;   /* no limit: 0 */
  uint64_t segment_size; /* no limit: 0 */
  uint32_t sequence;     /* of the segment */
  uint32_t lines;        /* in the block */
  size_t length;         /* of the block, with its head; 0: there is none */
  uint64_t time;         /* of the last line that has one */
  unsigned int count;
  size_t text_length;
  size_t kept_length;
  struct line line;
  uint16_t slots[SLOTS]; /* by hash: the number of a template; 0: none */
  struct template templates[TEMPLATES];
  char text[TEXT_SIZE];
  char kept[KEPT_MAX];
  char block[BLOCK_MAX];
};

bool rota__compact_is_name(const char *path) {
  static const char end[] = ".rota";
  const char *slash = strrchr(path, '/');
  const char *found = strstr(slash != NULL ? slash : path, end);
  return found != NULL && (found[sizeof(end) - 1] == '\0' || found[sizeof(end) - 1] == '.');
}

struct rota_compact *rota__compact_new(uint64_t limit, rota_compact_write write, void *data) {
  void *memory;
  if (rota__os_map(&memory, sizeof(struct rota_compact)) < 0)
    return NULL;
  struct rota_compact *compact = memory;
  compact->write = write;
  compact->data = data;
  compact->segment_size = limit > HEAD_SIZE ? (limit - HEAD_SIZE) / SEGMENTS : 0;
  return compact;
}

void rota__compact_free(struct rota_compact *compact) {
  if (compact != NULL)
    rota__os_unmap(compact, sizeof(*compact));
}

/* ---- blocks ---- */

static void put_word(char *to, uint32_t word) {
  for (int i = 0; i < 4; i++)
    to[i] = (char)(word >> 8 * i);
}

static uint32_t checksum(const char *bytes, size_t length) {
  uint32_t sum = 2166136261u; /* FNV-1a */
  for (size_t i = 0; i < length; i++)
    sum = (sum ^ (unsigned char)bytes[i]) * 16777619u;
  return sum;
}

void rota__compact_flush(struct rota_compact *compact) {
  if (compact->length <= BLOCK_HEAD)
    return;
  size_t length = compact->length - BLOCK_HEAD;
  put_word(compact->block, (uint32_t)length);
  put_word(compact->block + 4, compact->sequence);
  put_word(compact->block + 8, checksum(compact->block + BLOCK_HEAD, length));
  put_word(compact->block + 12, compact->lines);
  compact->write(compact->data, compact->at, compact->block, compact->length);
  compact->at += (int64_t)compact->length;
  compact->length = compact->lines = 0;
}

static void forget_templates(struct rota_compact *compact) {
  memset(compact->slots, 0, sizeof(compact->slots));
  compact->count = 0;
  compact->text_length = 0;
}

static void put_varint(struct rota_compact *compact, uint64_t number) {
  while (number >= 0x80) {
    compact->block[compact->length++] = (char)(number | 0x80);
    number >>= 7;
  }
  compact->block[compact->length++] = (char)number;
}

static void put_change(struct rota_compact *compact, uint64_t number, uint64_t last) {
  int64_t change = (int64_t)(number - last);
  put_varint(compact, (uint64_t)change << 1 ^ (uint64_t)(change >> 63));
}

/* ---- templates ---- */

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* What the digits that begin here are: the time of an event, how long it took, or any other number. */
static char mark_of(const char *digits, const char *begin, bool is_decimal) {
  static const char time[] = "\"ts\":", duration[] = "\"dur\":";
  size_t before = (size_t)(digits - begin);
  if (!is_decimal)
    return MARK_INTEGER;
  if (before >= sizeof(time) - 1 && memcmp(digits - sizeof(time) + 1, time, sizeof(time) - 1) == 0)
    return MARK_TIME;
  if (before >= sizeof(duration) - 1 && memcmp(digits - sizeof(duration) + 1, duration, sizeof(duration) - 1) == 0)
    return MARK_DURATION;
  return MARK_DECIMAL;
}

/* The length of the number that begins here; 0: it is no number, but text. */
static size_t number_at(const char *text, const char *end, uint64_t *number, bool *is_decimal) {
  size_t digits = 0, room = (size_t)(end - text);
  *number = 0;
  while (digits < room && is_digit(text[digits]) && digits <= DIGITS_MAX)
    *number = *number * 10 + (uint64_t)(text[digits++] - '0');
  *is_decimal = room >= digits + 4 && text[digits] == '.' && is_digit(text[digits + 1]) && is_digit(text[digits + 2]) &&
                is_digit(text[digits + 3]) && (room == digits + 4 || !is_digit(text[digits + 4]));
  if (digits > DIGITS_MAX - (*is_decimal ? 3 : 0) || (digits > 1 && text[0] == '0'))
    return 0;
  if (!*is_decimal)
    return digits;
  for (size_t i = digits + 1; i < digits + 4; i++)
    *number = *number * 10 + (uint64_t)(text[i] - '0');
  return digits + 4;
}

/* The process and the thread stay text: they hardly change. */
static bool read_line(struct line *line, const char *text, size_t length) {
  const char *end = text + length, *at = text;
  uint32_t hash = 2166136261u;
  unsigned int skipped = 0;
  if (length > LINE_SIZE)
    return false;
  line->length = line->count = 0;
  while (at < end) {
    char c = *at;
    uint64_t number;
    bool is_decimal;
    size_t n = 1, digits;
    if (is_digit(c) && (digits = number_at(at, end, &number, &is_decimal)) > 0 && skipped++ >= 2 &&
        line->count < NUMBERS_MAX) {
      c = mark_of(at, text, is_decimal);
      line->numbers[line->count] = number;
      line->marks[line->count++] = c;
      n = digits;
    } else if (is_digit(c)) { /* a run of digits that is text */
      while (n < (size_t)(end - at) && is_digit(at[n])) {
        line->text[line->length++] = c;
        hash = (hash ^ (unsigned char)c) * 16777619u;
        c = at[n++];
      }
    }
    line->text[line->length++] = c;
    hash = (hash ^ (unsigned char)c) * 16777619u;
    at += n;
  }
  line->hash = hash;
  return true;
}

static struct template *find_template(struct rota_compact *compact, unsigned int *slot) {
  const struct line *line = &compact->line;
  for (*slot = line->hash % SLOTS; compact->slots[*slot] != 0; *slot = (*slot + 1) % SLOTS) {
    struct template *template = &compact->templates[compact->slots[*slot] - 1];
    if (template->length == line->length && memcmp(compact->text + template->at, line->text, line->length) == 0)
      return template;
  }
  return NULL;
}

static struct template *new_template(struct rota_compact *compact, unsigned int slot) {
  const struct line *line = &compact->line;
  if (compact->count == TEMPLATES || compact->text_length + line->length > TEXT_SIZE) {
    put_varint(compact, WORD_FORGET);
    forget_templates(compact);
    slot = line->hash % SLOTS;
  }
  struct template *template = &compact->templates[compact->count++];
  *template = (struct template){.at = (uint32_t)compact->text_length, .length = (uint32_t)line->length};
  memcpy(compact->text + template->at, line->text, line->length);
  compact->text_length += line->length;
  compact->slots[slot] = (uint16_t)compact->count;
  put_varint(compact, WORD_TEMPLATE);
  put_varint(compact, line->length);
  memcpy(compact->block + compact->length, line->text, line->length);
  compact->length += line->length;
  return template;
}

/* ---- lines ---- */

static void put_line(struct rota_compact *compact, const char *text, size_t length);

/* The next segment takes the place of the oldest one. */
static void begin_segment(struct rota_compact *compact) {
  uint64_t number = compact->sequence++ % SEGMENTS;
  compact->at = HEAD_SIZE + (int64_t)(number * compact->segment_size);
  compact->segment_end = compact->at + (int64_t)compact->segment_size;
  compact->time = 0;
  forget_templates(compact);
  for (size_t at = 0; at < compact->kept_length;) {
    const char *line = compact->kept + at;
    size_t length = (size_t)((const char *)memchr(line, '\n', compact->kept_length - at) - line);
    put_line(compact, line, length);
    at += length + 1;
  }
}

static void begin_block(struct rota_compact *compact) {
  compact->length = BLOCK_HEAD;
  compact->lines = 0;
}

static void put_line(struct rota_compact *compact, const char *text, size_t length) {
  struct line *line = &compact->line;
  unsigned int slot;
  if (!read_line(line, text, length))
    return; /* no event is as long */
  if (compact->length > 0 && compact->length + length + LINE_OVERHEAD > BLOCK_MAX)
    rota__compact_flush(compact);
  if (compact->length == 0)
    begin_block(compact);
  struct template *template = find_template(compact, &slot);
  if (template == NULL)
    template = new_template(compact, slot);
  else
    put_varint(compact, (uint64_t)(template - compact->templates) + TEMPLATES_FIRST);
  for (unsigned int i = 0; i < line->count; i++) {
    uint64_t number = line->numbers[i];
    if (line->marks[i] == MARK_DURATION)
      put_varint(compact, number);
    else
      put_change(compact, number, line->marks[i] == MARK_TIME ? compact->time : template->last[i]);
    if (line->marks[i] == MARK_TIME)
      compact->time = number;
    template->last[i] = number;
  }
  compact->lines++;
}

static bool has(const char *text, size_t length, const char *word) {
  size_t wanted = strlen(word);
  for (size_t i = 0; i + wanted <= length; i++)
    if (memcmp(text + i, word, wanted) == 0)
      return true;
  return false;
}

/* Threads and loops keep their names in all segments. */
static void keep_metadata(struct rota_compact *compact, const char *text, size_t length) {
  static const char head[] = "{\"ph\":\"M\"";
  if (compact->segment_size == 0 || length < sizeof(head) || memcmp(text, head, sizeof(head) - 1) != 0 ||
      compact->kept_length + length + 1 > KEPT_MAX || compact->kept_length + length > compact->segment_size / 4)
    return;
  if (has(text, length, "\"name\":\"rota_name\"") || has(text, length, "\"name\":\"rota_end\""))
    return;
  memcpy(compact->kept + compact->kept_length, text, length);
  compact->kept_length += length;
  compact->kept[compact->kept_length++] = '\n';
}

void rota__compact_begin(struct rota_compact *compact, int process_id, uint64_t start_ns) {
  char head[HEAD_SIZE + 1];
  int length = snprintf(head, sizeof(head), "rota-trace 1 pid=%d start_ns=%llu segments=%d segment=%llu version=%s",
                        process_id, (unsigned long long)start_ns, compact->segment_size == 0 ? 1 : SEGMENTS,
                        (unsigned long long)compact->segment_size, ROTA_VERSION_STRING);
  memset(head + length, ' ', (size_t)(HEAD_SIZE - 1 - length));
  head[HEAD_SIZE - 1] = '\n';
  compact->write(compact->data, 0, head, HEAD_SIZE);
  compact->at = HEAD_SIZE;
}

/* The next block may have to begin in another segment. */
static void make_room(struct rota_compact *compact, size_t length) {
  if (compact->length > 0 && compact->length + length + LINE_OVERHEAD > BLOCK_MAX)
    rota__compact_flush(compact);
  if (compact->segment_size > 0 && compact->length == 0 && compact->at + BLOCK_MAX > compact->segment_end)
    begin_segment(compact);
}

void rota__compact_put(struct rota_compact *compact, const char *text, size_t length) {
  const char *end = text + length;
  while (text < end) {
    const char *line = text;
    while (line < end && (*line == '[' || *line == ',' || *line == '\n'))
      line++;
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    text = newline == NULL ? end : newline - 1; /* the comma */
    if (line == text)
      continue;
    make_room(compact, (size_t)(text - line));
    put_line(compact, line, (size_t)(text - line));
    keep_metadata(compact, line, (size_t)(text - line));
  }
}
