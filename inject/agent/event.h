/* What the agent tells the command of a trace, in packets of 'e' (events) and 'n' (names); command/live/trace.c makes
 * the file of it. Both are of one build: the agent of another version is loaded anew. */
#ifndef ROTA_INJECT_AGENT_EVENT_H
#define ROTA_INJECT_AGENT_EVENT_H

#include <stdint.h>

enum agent_event_kind {
  AGENT_EVENT_CALL,
  AGENT_EVENT_ITERATION,
  AGENT_EVENT_PHASE,
  AGENT_EVENT_WAIT,
  AGENT_EVENT_SAMPLE,  /* a piece of a stack, the outermost function first */
  AGENT_EVENT_RUNNING, /* a callback that has not ended when the trace does */
  AGENT_EVENT_DROPPED, /* so many events were lost before this one */
};

/* What a callback is called for. */
enum agent_cause {
  AGENT_CAUSE_READ,
  AGENT_CAUSE_CONNECTION,
  AGENT_CAUSE_DATAGRAM,
  AGENT_CAUSE_TIMERS,
  AGENT_CAUSE_CHECK,
  AGENT_CAUSE_ASYNC,
  AGENT_CAUSE_POOL,
  AGENT_CAUSE_POLL,
  AGENT_CAUSE_SIGNAL,
  AGENT_CAUSE_CHILD,
  AGENT_CAUSE_FILE,
  AGENT_CAUSES
};

enum agent_phase { AGENT_PHASE_POLL, AGENT_PHASE_CHECK, AGENT_PHASE_TIMERS, AGENT_PHASES };

enum { AGENT_EVENT_NAMES = 8, AGENT_EVENT_FIRST_PIECE = 1, AGENT_EVENT_LAST_PIECE = 2, AGENT_NAMES_MAX = 8192 };

struct agent_event {
  uint64_t at_ns, duration_ns;
  uint32_t number; /* CALL, RUNNING: its own. SAMPLE: of the call in which it lies. ITERATION: which */
  uint8_t kind, phase;
  uint8_t cause; /* CALL, RUNNING */
  uint8_t flags; /* SAMPLE: of the pieces */
  union {
    struct {
      uint64_t late_ns; /* of a timer; UINT64_MAX: not known */
      uint32_t name;    /* 0: none */
      int32_t fd;       /* -1: none */
      int32_t type;     /* of its handle */
    } call;
    struct {
      uint64_t waited_ns;
      uint32_t calls;
    } ran; /* ITERATION; PHASE without waited_ns */
    uint64_t dropped;
    uint32_t names[AGENT_EVENT_NAMES]; /* SAMPLE: up to the first 0 */
  };
};

/* The beginning of a packet of names: numbers are given from 1 on. The function and the file follow, each with a zero.
 */
struct agent_name_head {
  uint32_t number;
  int32_t line;
};

#endif
