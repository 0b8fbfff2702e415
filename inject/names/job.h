/* What a job of Node's in the thread pool is: Node runs its own (files, keys, zlib, addons) through one function, as
 * objects of a class ThreadPoolWork, each with a function of its own that does the work. That function has a name.
 *
 * The object begins with the address of its table of functions, then comes the environment, then the request; the third
 * in the table does the work (Node 22 and 26). What does not look so is left alone: both addresses must lie in Node's
 * file, the second one in its code. */
#ifndef GRAFT_NAMES_JOB_H
#define GRAFT_NAMES_JOB_H

/* From now on the trace shows these functions. */
void names_job_start(void);

#endif
