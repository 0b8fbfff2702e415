/* Where a program may be. */
#ifndef ROTA_PROC_PATH_H
#define ROTA_PROC_PATH_H

/* The files to try for `file`, in order, up to a null pointer: itself if it names a place, else one for each
 * directory on the PATH of env. One block of memory, to be freed; null when there is none. */
char **rota__path_candidates(const char *file, char *const *env);

#endif
