/* The C library's clocks in virtual time: each function of librota-clock.so, on the thread of a loop, and on one
 * without a loop. Prints a line for each part that is right. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

enum { NS_PER_SECOND = 1000000000, DAY = 86400 };

#define WANT(condition)                                                                                                \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                                                          \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

static double seconds(clockid_t clock) {
  struct timespec now;
  WANT(clock_gettime(clock, &now) == 0);
  return (double)now.tv_sec + (double)now.tv_nsec / NS_PER_SECOND;
}

static struct timespec in_a_day(clockid_t clock) {
  struct timespec until;
  clock_gettime(clock, &until);
  until.tv_sec += DAY;
  return until;
}

static int about(double a, double b) {
  return a - b < 1 && b - a < 1;
}

static void looks(void) {
  struct timeval day;
  struct timespec precise;
  double wall = seconds(CLOCK_REALTIME);
  WANT(wall >= 1924992000 && wall < 1924992000 + 3600); /* 2031-01-01 */
  WANT(gettimeofday(&day, NULL) == 0 && about((double)day.tv_sec, wall));
  time_t seen, now = time(&seen);
  WANT(about((double)now, wall) && seen == now);
  WANT(timespec_get(&precise, TIME_UTC) == TIME_UTC && about((double)precise.tv_sec, wall));
  WANT(about(seconds(CLOCK_REALTIME_COARSE), wall));
  WANT(about(seconds(CLOCK_MONOTONIC), (double)uv_hrtime() / NS_PER_SECOND));
  WANT(about(seconds(CLOCK_BOOTTIME), (double)uv_hrtime() / NS_PER_SECOND));
  puts("looks");
}

static void sleeps(void) {
  double began = seconds(CLOCK_MONOTONIC);
  struct timespec duration = {.tv_sec = DAY}, until = in_a_day(CLOCK_REALTIME);
  WANT(nanosleep(&duration, NULL) == 0);
  WANT(about(seconds(CLOCK_MONOTONIC), began + DAY));
  WANT(clock_nanosleep(CLOCK_MONOTONIC, 0, &duration, NULL) == 0);
  WANT(about(seconds(CLOCK_MONOTONIC), began + 2 * DAY));
  WANT(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL) == 0); /* is over */
  until = in_a_day(CLOCK_REALTIME);
  WANT(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL) == 0);
  WANT(sleep(DAY) == 0 && usleep(999999) == 0);
  WANT(about(seconds(CLOCK_MONOTONIC), began + 4 * DAY + 1));
  puts("sleeps");
}

static int wait_by(clockid_t clock) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t cond;
  pthread_condattr_t attributes;
  struct timespec until = in_a_day(clock);
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, clock);
  pthread_cond_init(&cond, &attributes);
  pthread_mutex_lock(&mutex);
  int error = pthread_cond_timedwait(&cond, &mutex, &until);
  pthread_mutex_unlock(&mutex);
  return error;
}

static void waits(void) {
  double began = seconds(CLOCK_MONOTONIC);
  sem_t sem;
  sem_init(&sem, 0, 0);
  WANT(wait_by(CLOCK_MONOTONIC) == ETIMEDOUT && wait_by(CLOCK_REALTIME) == ETIMEDOUT);
  WANT(about(seconds(CLOCK_MONOTONIC), began + 2 * DAY));
  struct timespec until = in_a_day(CLOCK_REALTIME);
  WANT(sem_timedwait(&sem, &until) < 0 && errno == ETIMEDOUT);
#ifdef __GLIBC__
  until = in_a_day(CLOCK_MONOTONIC);
  WANT(sem_clockwait(&sem, CLOCK_MONOTONIC, &until) < 0 && errno == ETIMEDOUT);
#else
  until = in_a_day(CLOCK_REALTIME); /* musl waits by this clock alone */
  WANT(sem_timedwait(&sem, &until) < 0 && errno == ETIMEDOUT);
#endif
  WANT(about(seconds(CLOCK_MONOTONIC), began + 4 * DAY));
  sem_post(&sem);
  WANT(sem_timedwait(&sem, &until) == 0);
  puts("waits");
}

/* By pthreads: librota does not see it. */
static void *elsewhere(void *unused) {
  (void)unused;
  double began = seconds(CLOCK_MONOTONIC);
  WANT(seconds(CLOCK_REALTIME) < 1924992000 || seconds(CLOCK_MONOTONIC) < 8000000);
  struct timespec moment = {.tv_nsec = 20000000}, until;
  WANT(nanosleep(&moment, NULL) == 0);
  WANT(seconds(CLOCK_MONOTONIC) - began >= 0.02);
  sem_t sem;
  sem_init(&sem, 0, 0);
  clock_gettime(CLOCK_REALTIME, &until);
  WANT(sem_timedwait(&sem, &until) < 0 && errno == ETIMEDOUT);
  puts("elsewhere");
  return NULL;
}

int main(void) {
  pthread_t thread;
  looks();
  WANT(uv_run(uv_default_loop(), UV_RUN_NOWAIT) == 0);
  looks();
  sleeps();
  waits();
  WANT(pthread_create(&thread, NULL, elsewhere, NULL) == 0 && pthread_join(thread, NULL) == 0);
  double spent = seconds(CLOCK_PROCESS_CPUTIME_ID);
  WANT(spent >= 0 && spent < 1000);
  puts("processor time");
  return 0;
}
