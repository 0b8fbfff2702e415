#include "loop/fs/position.h"

#include "loop/base/alloc.h"
#include "loop/base/list.h"
#include "loop/core/internal.h"
#include "loop/core/pool/pool.h"
#include "loop/os/file.h"

enum { GROUPS = 64 };

/* Descriptors with the same low bits share a group. */
struct group {
  struct rota_link requests; /* in the poller or waiting, in order of arrival, linked by work.link */
  unsigned int in_pool;
};

struct positions {
  struct rota_attachment attachment;
  struct group groups[GROUPS];
};

static const char attachment_key;

static void release(uv_loop_t *loop, struct rota_attachment *attachment) {
  (void)loop;
  rota__free(rota__container_of(attachment, struct positions, attachment));
}

static void clear(struct positions *positions) {
  for (int i = 0; i < GROUPS; i++) {
    rota__list_init(&positions->groups[i].requests);
    positions->groups[i].in_pool = 0;
  }
}

/* The active requests belong to the parent. */
static int after_fork(uv_loop_t *loop, struct rota_attachment *attachment) {
  (void)loop;
  clear(rota__container_of(attachment, struct positions, attachment));
  return 0;
}

/* Null: there is none, and there is no memory to make one. */
static struct positions *positions_of(uv_loop_t *loop) {
  struct rota_attachment *attachment = rota__loop_attachment(loop, &attachment_key);
  if (attachment != NULL)
    return rota__container_of(attachment, struct positions, attachment);
  struct positions *positions = rota__malloc(sizeof(*positions));
  if (positions == NULL)
    return NULL;
  clear(positions);
  positions->attachment = (struct rota_attachment){.key = &attachment_key, .release = release, .fork = after_fork};
  rota__loop_attach(loop, &positions->attachment);
  return positions;
}

/* Null: there is no memory for it. */
static struct group *group_of(uv_loop_t *loop, uv_file file) {
  struct positions *positions = positions_of(loop);
  return positions == NULL ? NULL : &positions->groups[(unsigned int)file % GROUPS];
}

/* The first request of this descriptor: those in the poller come before those that wait. */
static uv_fs_t *find(const struct group *group, uv_file file) {
  for (const struct rota_link *link = group->requests.next; link != &group->requests; link = link->next) {
    uv_fs_t *req = rota__container_of(link, uv_fs_t, work.link);
    if (req->file == file)
      return req;
  }
  return NULL;
}

bool rota__position_wait(uv_fs_t *req) {
  struct group *group = group_of(req->loop, req->file);
  req->flags = ROTA_POSITION_NONE;
  if (group == NULL || find(group, req->file) == NULL || !rota__os_is_regular(req->file))
    return false;
  req->flags = ROTA_POSITION_WAITING;
  req->rota.state = ROTA_WORK_WAITING;
  rota__list_append(&group->requests, &req->work.link);
  return true;
}

bool rota__position_may_use_poller(const uv_fs_t *req) {
  const struct group *group = group_of(req->loop, req->file);
  return group != NULL && group->in_pool == 0;
}

void rota__position_begin(uv_fs_t *req, enum rota_position where) {
  struct group *group = group_of(req->loop, req->file);
  req->flags = ROTA_POSITION_NONE;
  if (group == NULL)
    return;
  req->flags = where;
  if (where == ROTA_POSITION_IN_POOL)
    group->in_pool++;
  else
    rota__list_prepend(&group->requests, &req->work.link);
}

void rota__position_end(uv_fs_t *req) {
  if (req->flags == ROTA_POSITION_IN_POOL)
    group_of(req->loop, req->file)->in_pool--;
  else if (req->flags == ROTA_POSITION_IN_POLLER)
    rota__list_remove(&req->work.link);
  req->flags = ROTA_POSITION_NONE;
}

uv_fs_t *rota__position_next(uv_loop_t *loop, uv_file file) {
  const struct group *group = group_of(loop, file);
  uv_fs_t *next = group == NULL ? NULL : find(group, file);
  if (next == NULL || next->flags != ROTA_POSITION_WAITING)
    return NULL;
  rota__list_remove(&next->work.link);
  return next;
}
