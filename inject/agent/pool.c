#include "inject/agent/agent.h"

#include <dirent.h>
#include <string.h>

/* How long a job waits for a thread of the pool: a job of ours is queued again and again, and tells when it began. Only
 * a pool that has run already is asked, since the first job of a process makes its threads, which would stay. It is
 * recognized by the name that libuv gives them from 1.50 on (Node 22). */

static const char thread_name[] = "libuv-worker";

static bool has_threads(void) {
  bool found = false;
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *entry = tasks != NULL ? readdir(tasks) : NULL; entry != NULL && !found; entry = readdir(tasks)) {
    char path[64], name[32] = "";
    snprintf(path, sizeof path, "/proc/self/task/%.20s/comm", entry->d_name);
    FILE *file = entry->d_name[0] != '.' ? fopen(path, "re") : NULL;
    if (file == NULL)
      continue;
    found = fgets(name, sizeof name, file) != NULL && strncmp(name, thread_name, sizeof thread_name - 1) == 0;
    fclose(file);
  }
  if (tasks != NULL)
    closedir(tasks);
  return found;
}

void agent_pool_start(struct agent *agent) {
  agent->pool.is_known = has_threads();
}

/* On a thread of the pool. */
static void on_run(uv_work_t *job) {
  struct agent *agent = job->data;
  agent->pool.ran_ns = uv_hrtime();
}

static void on_ran(uv_work_t *job, int status) {
  struct agent *agent = job->data;
  agent->pool.is_queued = false;
  if (status == 0)
    rota__histogram_record(&agent->measure.pool, agent->pool.ran_ns - agent->pool.queued_ns);
  agent_part_closed(agent);
}

void agent_pool_probe(struct agent *agent) {
  if (!agent->pool.is_known || agent->pool.is_queued)
    return;
  agent->pool.job.data = agent;
  agent->pool.queued_ns = uv_hrtime();
  if (uv_queue_work(agent->loop, &agent->pool.job, on_run, on_ran) != 0)
    return;
  agent->pool.is_queued = true;
  agent->open_parts++;
}

void agent_pool_stop(struct agent *agent) {
  if (agent->pool.is_queued)
    uv_cancel((uv_req_t *)&agent->pool.job); /* one that runs is done at once */
}
