/* A random program over the public interface, run on whichever library is loaded, and its log.
 *
 * A program is a list of steps. Steps that follow a step "round" are performed together, inside of one callback of the
 * kind that the round names; then the loop runs, in the way that the round names, until everything has happened that
 * the interface promises (`settled`). So each decision of a program is made in a state that every correct library
 * reaches, and the log can be compared as text.
 *
 * What libuv leaves open must not be in the log: how reads are cut, how far a stream got before it was broken off, in
 * which order independent sources are heard of. An object whose fate is open in this sense is `loose`: only what is
 * promised nevertheless is logged of it (each request calls back once, in order; bytes are the right ones; nothing
 * comes after the close callback).
 *
 * Steps find their objects by a rendezvous (world_pick), not by a place in a list, so that taking steps out of a
 * program changes as little as possible of the rest: failing programs are made smaller that way (test/model/run). */
#ifndef ROTA_TEST_MODEL_H
#define ROTA_TEST_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

/* ---- text that grows (text.c) ---- */

struct text {
  char *bytes;
  size_t length, capacity;
};

void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *text_of(const struct text *text);
uint64_t mix(uint64_t value); /* a good hash of a number */
const char *error_name(int err);

/* ---- programs (program.c) ---- */

struct step;

struct op {
  const char *name;
  int weight; /* how often it is chosen, among all; 0: never by chance */
  void (*perform)(const struct step *step);
};

struct step {
  int id; /* its place in the program as it was generated */
  const struct op *op;
  int a, b, c; /* 0 to 999 each; each step defines their meaning */
};

enum { STEPS_MAX = 64, ARGUMENT_MAX = 1000 };

struct program {
  struct step steps[STEPS_MAX];
  int count;
};

void program_generate(struct program *program, uint64_t seed);
/* "0:round 1 2 3;1:link 4 5 6"; false: not a program. */
bool program_parse(struct program *program, const char *text);
void program_print(const struct program *program, struct text *text);
/* Steps of these names (with commas between) do nothing. */
void program_without(const char *names);
bool program_allows(const char *name);
bool op_is(const struct step *step, const char *name);
void perform(const struct step *step);

/* ---- objects (world.c) ---- */

enum event { ON_READ, ON_END, ON_WRITE, ON_SHUTDOWN, ON_CONNECT, ON_FIRE, EVENTS };
enum action {
  DO_NOTHING,
  DO_CLOSE,
  DO_STOP,
  DO_RESTART,
  DO_WRITE,
  DO_SHUTDOWN,
  DO_CLOSE_PEER,
  DO_CLOSE_OTHER,
  ACTIONS
};

struct object;

struct kind {
  const char *name;
  /* Whether everything has happened to it that must; null: yes. Asked only before it is closed. */
  bool (*settled)(const struct object *object);
  /* It is about to be closed; null: nothing to be done. */
  void (*closing)(struct object *object);
  /* Its close callback runs, and its handle's memory is about to be freed; null: nothing to be done. */
  void (*gone)(struct object *object);
  void (*act)(struct object *object, enum action action, int amount);
  /* What happened to it; null: the log contains everything. Not asked if it is loose. */
  void (*print)(const struct object *object, struct text *out);
  /* It has become loose: so have those that hang together with it; null: nobody does. */
  void (*loosen)(struct object *object);
  /* A round begins, or the program ends: nothing is under way. Null: nothing to be done. */
  void (*calm)(struct object *object);
  /* The process is another one now. Null: that makes no difference. */
  void (*forked)(struct object *object);
  /* Makes it come to an end: a reader that was stopped reads on, say. Null: it is at its end. */
  void (*finish)(struct object *object);
};

struct object {
  const struct kind *kind;
  struct object *next;
  int id;
  uv_handle_t *handle; /* memory of its own, which is gone after the close callback */
  bool closing, closed;
  bool loose;          /* since when is open, but it is so when the round ends: then it is closed */
  bool own_close;      /* who closes it is its kind's own business: it is not among those whose order is logged */
  bool close_in_batch; /* it was closed by a step, not by a reaction: the order among such is known */
  struct text log;
  struct text bad; /* what is wrong in any case */
  uint8_t reaction[EVENTS];
  uint8_t amount[EVENTS];
  struct object *other[EVENTS]; /* whom the reaction closes */
};

struct world {
  uv_loop_t *loop;
  struct object *objects;
  const struct step *step; /* that is being performed; null: none */
  bool in_batch;
  bool batch_done;
  bool running; /* the loop: it is told to stop when all is settled */
  int round;
  int mode;
  int pending; /* promised events that belong to no object */
  struct text close_order, timer_order, log;
  uint64_t seed;
  void (*fault_arm)(int kind, int n); /* null: no system call fails */
  int fault_kind;
  int next_part; /* of the object numbers of one step */
};

extern struct world world;

void *object_new(size_t size, const struct kind *kind, size_t handle_size);
/* The object among those for which `fits` is true that this number stands for; null: there is none. */
struct object *world_pick(int number, bool (*fits)(const struct object *object));
void object_note(struct object *object, const char *format, ...) __attribute__((format(printf, 2, 3)));
void object_bad(struct object *object, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Every callback of an object begins and ends with these. */
void callback_enter(struct object *object);
void callback_leave(void);
void object_react(struct object *object, enum event event);
void object_loosen(struct object *object);
void object_close(struct object *object);
/* The handle was closed in a way of its own (uv_tcp_close_reset), with this callback. */
void object_close_begun(struct object *object);
void object_on_close(uv_handle_t *handle);
/* For objects without a handle. */
void object_gone(struct object *object);
bool world_settled(void);
/* A round begins: what is loose is closed. */
void world_calm(void);
void world_forked(void);
/* The program ends: whatever was put off happens, or (then) everything is closed. */
void world_finish(void);
void world_close_all(void);
void world_print(struct text *out);
/* Lists objects that are not settled, for a report. */
void world_print_unsettled(struct text *out);
void step_react(const struct step *step);
void step_close(const struct step *step);

/* ---- rounds (round.c), and the callbacks that their steps are performed in (context.c) ---- */

enum { EXIT_GOES_ON = 99 }; /* the program goes on in a child */
void program_run(const struct program *program);
/* Calls the function once, inside of a callback of this kind. */
void context_call(int context, void (*function)(void));
extern const int context_count;

/* main.c, and how a program ends (program_main.c, addon.c) */
int model_main(int argc, char **argv);
void model_exit(int status);

/* Bytes of a stream: which they are depends on the stream and on their place in it. */
const char *content_at(uint64_t key, uint64_t offset);
void content_prepare(void);
enum { CONTENT_MAX = 1 << 20 };

#endif
