#include "inject/agent/agent.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "rota.h"

enum {
  STARVED_SHARE = 4,
  LOOKS_EACH_BLOCK = 4,
  LOOK_MOST_MS = 20,
  TIME_MAX_MS = 3600 * 1000,
  STACK_MS = 200,
  WALK_MS = 2000,
  SO_FAR_MS = 1000,
  BEGIN_MS = 3000, /* for the loop to come round for a trace, beyond its time */
  OTHERS_MS = 1000 /* the inspector, which has a loop, is closed by then */
};

enum question { NONE, STATS, STACK, WATCH, WHY, TRACE, FIGURES };

/* What the thread knows of the loop, and of what it was asked. */
struct watch {
  struct agent *agent;
  enum question question;
  uint64_t until_ns; /* the question is answered then; UINT64_MAX: when the command ends it */
  uint64_t threshold_ns;
  uint64_t beats, idle_ns, moved_ns; /* when the loop was last seen to come round */
  bool is_blocked, is_told;          /* for longer than the threshold; the command knows of it already */
  uint64_t starved_ns; /* how long its thread had waited for a processor when it was last seen to come round */
  uint64_t worst_ns, worst_starved_ns;
  char *worst_stack;
  unsigned int blocks;
  struct agent_stream stream;
  uint64_t trace_ns;  /* how long it is to be, once it has begun; 0: it has */
  uint64_t others_ns; /* when it is to be told which loops are not watched; 0: it is not */
};

/* ---- packets ---- */

bool agent_send(int fd, char kind, const char *text, size_t length) {
  char packet[AGENT_PACKET_MAX + 1];
  packet[0] = kind;
  do {
    size_t n = length < AGENT_PACKET_MAX ? length : AGENT_PACKET_MAX;
    memcpy(packet + 1, text, n);
    if (send(fd, packet, n + 1, MSG_NOSIGNAL) < 0)
      return false;
    text += n;
    length -= n;
  } while (length > 0);
  return true;
}

static void send_text(const struct watch *watch, const char *text) {
  if (text != NULL)
    agent_send(watch->agent->fd, '+', text, strlen(text));
}

/* ---- blocks ---- */

static void print_time_of_day(FILE *out) {
  struct timespec now;
  struct tm parts;
  clock_gettime(CLOCK_REALTIME, &now);
  localtime_r(&now.tv_sec, &parts);
  fprintf(out, "%02d:%02d:%02d.%03ld", parts.tm_hour, parts.tm_min, parts.tm_sec, now.tv_nsec / AGENT_NS_PER_MS);
}

/* How long the loop's thread was ready to run, and had no processor; 0: the kernel does not tell. */
static uint64_t read_starved_ns(const struct agent *agent) {
  char path[64];
  unsigned long long ran_ns, waited_ns;
  snprintf(path, sizeof path, "/proc/self/task/%d/schedstat", agent->thread);
  FILE *file = fopen(path, "re");
  bool is_read = file != NULL && fscanf(file, "%llu %llu", &ran_ns, &waited_ns) == 2;
  if (file != NULL)
    fclose(file);
  return is_read ? waited_ns : 0;
}

/* A block on a machine that is too busy is no fault of the code in it. */
static void print_starved(uint64_t ns, uint64_t starved_ns, FILE *out) {
  char time[16];
  if (starved_ns > ns / STARVED_SHARE)
    fprintf(out, " (its thread had no processor for %s of it)",
            agent_format_ns(starved_ns < ns ? starved_ns : ns, time, sizeof time));
}

static const char no_stack[] = ": no JavaScript was seen in it";

/* `stack` may be null. */
static void tell_block(const struct watch *watch, const char *what, uint64_t ns, uint64_t starved_ns,
                       const char *stack) {
  char *text = NULL, time[16];
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (out == NULL)
    return;
  fputs("rota: ", out);
  print_time_of_day(out);
  fprintf(out, " %s %s", what, agent_format_ns(ns, time, sizeof time));
  print_starved(ns, starved_ns, out);
  if (stack != NULL)
    fprintf(out, ":\n%s", stack);
  else
    fprintf(out, "%s\n", watch->is_told ? "" : no_stack);
  fclose(out);
  send_text(watch, text);
  free(text);
}

static void end_block(struct watch *watch, uint64_t now_ns, char *stack) {
  uint64_t took_ns = atomic_load_explicit(&watch->agent->measure.longest, memory_order_relaxed);
  if (took_ns < watch->threshold_ns) /* it goes on in another phase: what was seen from here */
    took_ns = now_ns - watch->moved_ns;
  uint64_t starved_ns = read_starved_ns(watch->agent) - watch->starved_ns;
  watch->blocks++;
  if (watch->question == WATCH)
    tell_block(watch, "the loop was blocked for", took_ns, starved_ns, watch->is_told ? NULL : stack);
  if (took_ns > watch->worst_ns) {
    watch->worst_ns = took_ns;
    watch->worst_starved_ns = starved_ns;
    free(watch->worst_stack);
    watch->worst_stack = stack;
    stack = NULL;
  }
  free(stack);
  watch->is_blocked = watch->is_told = false;
}

/* The lock is held for a moment only: the loop's thread wants it, too. False: there is no loop any more. */
static bool look_at_loop(struct watch *watch, uint64_t now_ns) {
  struct agent *agent = watch->agent;
  char *stack = NULL;
  bool has_ended = false, tells = false;
  pthread_mutex_lock(&agent_lock);
  bool has_loop = agent->loop != NULL;
  uint64_t idle_ns = has_loop ? agent_idle_ns(agent) : 0;
  uint64_t beats = atomic_load_explicit(&agent->measure.beats, memory_order_relaxed);
  if (beats != watch->beats || idle_ns > watch->idle_ns) {
    has_ended = watch->is_blocked;
    stack = has_ended ? agent_look_take(agent) : NULL;
  } else if (has_loop && !watch->is_blocked && now_ns - watch->moved_ns >= watch->threshold_ns) {
    watch->is_blocked = true;
    atomic_store_explicit(&agent->measure.longest, 0, memory_order_relaxed);
    agent_look_ask(agent);
  } else if (watch->is_blocked && !watch->is_told && watch->question == WATCH &&
             now_ns - watch->moved_ns >= (uint64_t)SO_FAR_MS * AGENT_NS_PER_MS) {
    tells = true;
    stack = agent->look.text != NULL ? strdup(agent->look.text) : NULL;
  }
  pthread_mutex_unlock(&agent_lock);
  if (tells) {
    tell_block(watch, "the loop is blocked, so far for", now_ns - watch->moved_ns,
               read_starved_ns(agent) - watch->starved_ns, stack);
    watch->is_told = true;
    free(stack);
  }
  if (has_ended)
    end_block(watch, now_ns, stack);
  if (beats != watch->beats || idle_ns > watch->idle_ns) {
    watch->beats = beats;
    watch->idle_ns = idle_ns;
    watch->moved_ns = now_ns;
    watch->starved_ns = read_starved_ns(agent);
  }
  return has_loop;
}

/* ---- answers ---- */

static void print_worst(const struct watch *watch, FILE *out) {
  char time[16];
  if (watch->blocks == 0)
    return;
  fprintf(out, "  blocked %u time%s for longer than %d ms; the longest took %s", watch->blocks,
          watch->blocks == 1 ? "" : "s", AGENT_LONG_MS, agent_format_ns(watch->worst_ns, time, sizeof time));
  print_starved(watch->worst_ns, watch->worst_starved_ns, out);
  if (watch->worst_stack != NULL)
    fprintf(out, ", in:\n%s", watch->worst_stack);
  else
    fprintf(out, "%s\n", no_stack);
}

/* What blocks at this moment, and since when. */
static void print_now(struct watch *watch, uint64_t now_ns, FILE *out) {
  char time[16];
  if (!watch->is_blocked)
    return;
  pthread_mutex_lock(&agent_lock);
  char *stack = agent_look_take(watch->agent);
  pthread_mutex_unlock(&agent_lock);
  fprintf(out, "rota: the loop is blocked at this moment, so far for %s%s\n",
          agent_format_ns(now_ns - watch->moved_ns, time, sizeof time), stack != NULL ? ":" : no_stack);
  fputs(stack != NULL ? stack : "", out);
  free(stack);
}

static void answer_stats(struct watch *watch, uint64_t now_ns, FILE *out) {
  struct agent *agent = watch->agent;
  pthread_mutex_lock(&agent_lock);
  uint64_t idle_ns = agent->loop != NULL ? agent_idle_ns(agent) : watch->idle_ns;
  pthread_mutex_unlock(&agent_lock);
  agent_print_stats(agent, out, now_ns, idle_ns);
  print_worst(watch, out);
  print_now(watch, now_ns, out);
}

static void answer_figures(struct watch *watch, uint64_t now_ns, FILE *out) {
  struct agent *agent = watch->agent;
  uint64_t lag_ns = now_ns - watch->moved_ns;
  pthread_mutex_lock(&agent_lock);
  uint64_t idle_ns = agent->loop != NULL ? agent_idle_ns(agent) : watch->idle_ns;
  pthread_mutex_unlock(&agent_lock);
  agent_print_figures(agent, out, now_ns, idle_ns, lag_ns > (uint64_t)LOOK_MOST_MS * AGENT_NS_PER_MS ? lag_ns : 0);
}

static void answer_stack(struct watch *watch, uint64_t now_ns, FILE *out) {
  struct agent *agent = watch->agent;
  if (agent->first_stack != NULL) {
    fprintf(out, "rota: process %d runs at this moment:\n%s", agent->process, agent->first_stack);
    return;
  }
  pthread_mutex_lock(&agent_lock);
  uint64_t idle_ns = agent->loop != NULL ? agent_idle_ns(agent) : watch->idle_ns;
  pthread_mutex_unlock(&agent_lock);
  uint64_t whole_ns = now_ns - agent->began_ns, waited_ns = idle_ns - agent->began_idle_ns;
  waited_ns = waited_ns < whole_ns ? waited_ns : whole_ns;
  fprintf(out,
          "rota: process %d runs none of its program's JavaScript at this moment; its loop was busy for %.0f %% of the "
          "%llu ms after. "
          "What blocks it from time to time: rota attach %d watch\n",
          agent->process, 100.0 * (double)(whole_ns - waited_ns) / (double)whole_ns,
          (unsigned long long)(whole_ns / AGENT_NS_PER_MS), agent->process);
  print_now(watch, now_ns, out);
}

static void answer_why(struct watch *watch, uint64_t now_ns, FILE *out) {
  struct agent *agent = watch->agent;
  pthread_mutex_lock(&agent_lock);
  char *walk = agent->walk;
  agent->walk = NULL;
  pthread_mutex_unlock(&agent_lock);
  if (walk != NULL)
    fputs(walk, out);
  else if (agent->first_stack != NULL)
    fprintf(out, "rota: its loop does not come round; process %d ran when rota came:\n%s", agent->process,
            agent->first_stack);
  else
    print_now(watch, now_ns, out);
  free(walk);
}

/* To standard error: it is no part of what was asked for. */
static void tell_others(const struct watch *watch) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (out == NULL)
    return;
  agent_print_others(out);
  fclose(out);
  if (text != NULL && text[0] != 0)
    agent_send(watch->agent->fd, '!', text, strlen(text));
  free(text);
}

static void answer_trace(struct watch *watch) {
  static const char never[] = "its loop did not come round before the end, so that there is no trace; rota attach PID "
                              "stack tells what it runs";
  const char *refusal = NULL;
  enum agent_stream_state state = agent_stream_begin(watch->agent, &refusal);
  if (state == AGENT_STREAM_RUNS)
    agent_stream_end(watch->agent, &watch->stream);
  else
    agent_send(watch->agent->fd, '-', refusal != NULL ? refusal : never,
               refusal != NULL ? strlen(refusal) : sizeof never - 1);
}

/* The end of the answer is a packet of its own. */
static void answer(struct watch *watch, uint64_t now_ns) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  enum question question = watch->question;
  watch->question = NONE;
  if (out == NULL)
    return;
  if (question == STATS)
    answer_stats(watch, now_ns, out);
  else if (question == STACK)
    answer_stack(watch, now_ns, out);
  else if (question == WHY)
    answer_why(watch, now_ns, out);
  else if (question == TRACE)
    answer_trace(watch);
  else if (question == FIGURES)
    answer_figures(watch, now_ns, out);
  fclose(out);
  if (text != NULL && text[0] != 0)
    send_text(watch, text);
  if (question != WATCH && question != FIGURES)
    tell_others(watch);
  agent_send(watch->agent->fd, '.', "", 0);
  free(text);
}

static bool is_walked(struct agent *agent) {
  pthread_mutex_lock(&agent_lock);
  bool walked = agent->has_walked;
  pthread_mutex_unlock(&agent_lock);
  return walked;
}

/* ---- questions: a word, and a number of milliseconds ---- */

static void ask_for_walk(struct agent *agent) {
  pthread_mutex_lock(&agent_lock);
  agent->has_walked = false;
  pthread_mutex_unlock(&agent_lock);
  atomic_store(&agent->wants_walk, true); /* the timer brings the loop round */
}

static void read_question(struct watch *watch, const char *text, uint64_t now_ns) {
  static const struct {
    const char *word;
    enum question question;
    uint64_t ms; /* 0: what is asked for */
  } known[] = {{"stats", STATS, 0},          {"stack", STACK, STACK_MS}, {"why", WHY, WALK_MS},
               {"watch", WATCH, UINT64_MAX}, {"trace", TRACE, 0},        {"figures", FIGURES, 1}};
  size_t length = strcspn(text, " ");
  long given = text[length] == ' ' ? strtol(text + length + 1, NULL, 10) : 0;
  uint64_t asked = given < 0 || given > TIME_MAX_MS ? TIME_MAX_MS : (uint64_t)given;
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (strlen(known[i].word) != length || strncmp(text, known[i].word, length) != 0)
      continue;
    watch->question = known[i].question;
    uint64_t ms = known[i].ms == 0 ? asked : known[i].ms;
    watch->until_ns = ms == UINT64_MAX ? ms : now_ns + ms * AGENT_NS_PER_MS;
    if (watch->question == WATCH && asked > 0)
      watch->threshold_ns = asked * AGENT_NS_PER_MS;
    watch->others_ns = watch->question == WATCH ? now_ns + (uint64_t)OTHERS_MS * AGENT_NS_PER_MS : 0;
    if (watch->question == WHY)
      ask_for_walk(watch->agent);
    if (watch->question == TRACE) {
      watch->trace_ns = ms * AGENT_NS_PER_MS;
      watch->until_ns += (uint64_t)BEGIN_MS * AGENT_NS_PER_MS;
      atomic_store_explicit(&watch->agent->wants_record, true, memory_order_release); /* likewise */
    }
    return;
  }
  static const char unknown[] = "its agent does not know this request; it is of another version: " ROTA_VERSION_STRING;
  agent_send(watch->agent->fd, '-', unknown, sizeof unknown - 1);
}

/* False: the command has gone away, or wants no more. */
static bool take_packet(struct watch *watch) {
  char text[64];
  ssize_t n = recv(watch->agent->fd, text, sizeof text - 1, 0);
  if (n < 0 && (errno == EAGAIN || errno == EINTR))
    return true;
  if (n <= 0)
    return false;
  text[n] = 0;
  read_question(watch, text, uv_hrtime());
  return true;
}

static int pause_ms(const struct watch *watch) {
  if (watch->question == TRACE)
    return 1;
  uint64_t ms = watch->threshold_ns / AGENT_NS_PER_MS / LOOKS_EACH_BLOCK;
  return ms < 1 ? 1 : ms > LOOK_MOST_MS ? LOOK_MOST_MS : (int)ms;
}

/* False: it has been closed, or nobody wants to know more. */
static bool look(struct watch *watch, uint64_t now_ns) {
  if (watch->question != TRACE)
    return look_at_loop(watch, now_ns);
  enum agent_stream_state state = agent_stream_turn(watch->agent, &watch->stream, now_ns);
  if (state == AGENT_STREAM_REFUSED)
    watch->until_ns = now_ns;
  if (state == AGENT_STREAM_RUNS && watch->trace_ns != 0) {
    watch->until_ns = now_ns + watch->trace_ns;
    watch->trace_ns = 0;
  }
  pthread_mutex_lock(&agent_lock);
  bool has_loop = watch->agent->loop != NULL;
  pthread_mutex_unlock(&agent_lock);
  return has_loop;
}

static void serve(struct watch *watch) {
  struct pollfd entry = {.fd = watch->agent->fd, .events = POLLIN};
  bool goes_on = true;
  while (goes_on) {
    int n = poll(&entry, 1, pause_ms(watch));
    uint64_t now_ns = uv_hrtime();
    goes_on = look(watch, now_ns) && (n <= 0 || take_packet(watch));
    if (watch->others_ns != 0 && now_ns >= watch->others_ns) {
      watch->others_ns = 0;
      tell_others(watch);
    }
    if (watch->question != NONE &&
        (!goes_on || now_ns >= watch->until_ns || (watch->question == WHY && is_walked(watch->agent))))
      answer(watch, now_ns);
  }
}

void *agent_thread(void *data) {
  struct agent *agent = data;
  struct watch watch = {
      .agent = agent, .threshold_ns = (uint64_t)AGENT_LONG_MS * AGENT_NS_PER_MS, .moved_ns = uv_hrtime()};
  pthread_setname_np(pthread_self(), "rota-agent");
  serve(&watch);
  free(watch.worst_stack);
  pthread_mutex_lock(&agent_lock);
  close(agent->fd);
  agent->fd = -1;
  agent->is_thread_done = true;
  if (agent->loop != NULL)
    uv_async_send(&agent->wake);
  bool is_last = agent->are_handles_done;
  pthread_mutex_unlock(&agent_lock);
  if (is_last)
    agent_release(agent, &agent->is_thread_done);
  return NULL;
}
