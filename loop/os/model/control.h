/* How a program drives the model of a system (model.h): what may go wrong, and what it looks at afterwards.
 *
 * The model takes nothing from the machine but memory. All that happens follows from the seed: the same program with
 * the same seed makes the same calls, and gets the same answers. */
#ifndef ROTA_MODEL_CONTROL_H
#define ROTA_MODEL_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Chances are in a thousand calls; 0: it never happens. */
struct rota_model_options {
  uint64_t seed;
  unsigned int shortened;      /* a read or a write moves fewer bytes than it could */
  unsigned int again;          /* EAGAIN, though there are bytes, or room */
  unsigned int interrupted;    /* EINTR of a wait */
  unsigned int withheld;       /* a wait does not report all that is ready */
  unsigned int resets;         /* a connection breaks while it is written to */
  unsigned int refused;        /* a connection is refused, or is not accepted */
  unsigned int no_descriptors; /* EMFILE, though there is a number */
  unsigned int disk_errors;    /* EIO, ENOSPC */
  unsigned int no_threads;     /* a thread cannot be made */
  unsigned int lost;           /* a datagram does not arrive */
  unsigned int cancelled;      /* a ring ends an operation with ECANCELED, EINTR or ENOMEM */
  unsigned int preempted;      /* another thread runs at a lock */
  int descriptors_max;         /* 0: as many as there are */
  size_t buffer_size;          /* of a connection; 0: 64 KiB */
  uint64_t delay_max_ns;       /* of a byte on its way, and of a completion */
  bool has_rings;
  bool has_child_descriptors; /* pidfd */
  bool has_processors;        /* threads may spin */
  /* Each may be null. `stuck`: all threads wait, and nothing will ever wake one. It must not return. */
  void (*log)(const char *line);
  void (*stuck)(void);
};

/* Nothing goes wrong until rota__model_trouble is called. */
void rota__model_start(const struct rota_model_options *options);
void rota__model_trouble(const struct rota_model_options *options);

/* From now on nothing goes wrong: what was begun comes to its end. */
void rota__model_calm(void);

uint64_t rota__model_random(void);
/* Below the limit, which is at least 1. */
uint64_t rota__model_below(uint64_t limit);
bool rota__model_chance(unsigned int in_a_thousand);

uint64_t rota__model_now_ns(void);
uint64_t rota__model_calls(void); /* how many calls of the system were made */
/* Lets the time pass that a callback takes. */
void rota__model_work(uint64_t duration_ns);

/* A signal comes from outside after this time, when the process does not block it. */
void rota__model_raise(int signum, uint64_t delay_ns);
/* The process forks, and what goes on is the child: with its parent's descriptors, and without its other threads. */
void rota__model_fork(void);
/* The child ends, and is reaped: by somebody else than the library. */
void rota__model_end_child(int pid);
/* Both sides of a connection see that it is broken. */
void rota__model_break(int fd);

/* How many bytes of this connection or pipe the system has taken since its beginning. */
uint64_t rota__model_sent(int fd);

int rota__model_descriptors(void); /* how many are open */
int rota__model_threads(void);     /* how many have not ended, the first one apart */
int rota__model_processes(void);   /* children that were not reaped */
/* What is open, for a message. */
void rota__model_describe(char *text, size_t size);

#endif
